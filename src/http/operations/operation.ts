import type * as z from 'zod'
import type { Scope } from '../../auth/principal.ts'
import type { ParsedJson } from '../json.ts'

export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete'

/** Content that is no JSON of one schema: bytes, text, or events. */
export interface RawContent {
  /** Media type, such as `application/octet-stream`. */
  readonly raw: string
  /** Schema of what is inside, such as that of the fields of a form. */
  readonly schema?: z.ZodType
}

/** What a body or an answer holds: JSON by its schema, or something else. */
export type Content = z.ZodType | RawContent

/** An answer of an operation other than a problem. */
export interface Answer {
  /** When this answer comes, as a sentence. */
  readonly description: string
  /** Left out for an answer without content. Several are told apart by their media types. */
  readonly content?: Content | readonly Content[]
  /** Descriptions of the answer's own headers, by name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that a reader can send as it stands, to a server that has what `docs` of the operation's folder prepare. */
export interface Example {
  /** Values of the path's parameters, by name. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** JSON value; text for a raw body. */
  readonly body?: unknown
  /** Status of its answer. */
  readonly status: number
}

/**
 * Description of one method of one path: what a request gives, what it is answered, and who may send it. Requests are checked by
 * `query` and `body`, and the OpenAPI document is made of the same schemas.
 */
export interface Operation<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> {
  /** Name of the operation for clients, unique in its document, such as `createSession`. */
  readonly id: string
  /** Resource that the operation belongs to, in plural, such as `sessions`. */
  readonly tag: string
  /** One line, as a heading: `Create a session`. */
  readonly summary: string
  /** What a caller has to know beside the schemas: limits, units, what a refinement of a schema checks. */
  readonly description?: string
  /** Scope that the key needs. */
  readonly scope: Scope
  /** Descriptions of the path's parameters, by name. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Query
  /** Descriptions of request headers that the operation reads, by name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Body | RawContent
  /** Parser of a JSON body: `parseExactJson` for a body with arguments of a tool. */
  readonly parse?: (text: string) => ParsedJson
  /** Answers other than problems, by status. */
  readonly answers: Readonly<Record<number, Answer>>
  /** Statuses of problems that come beside those of every operation: 401, 403, 429, 500. */
  readonly problems: readonly number[]
  readonly example: Example
}

export const isRaw = (content: Content): content is RawContent => 'raw' in content
