import type { Context } from 'hono'
import type * as z from 'zod'
import type { Scope } from '../../auth/principal.ts'
import type { AppEnv } from '../dialect.ts'
import type { ParsedJson } from '../json.ts'

export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete'

/** Content that is no JSON of one schema: bytes, text, or events. */
export interface RawContent {
  /** Media type, such as `application/octet-stream`. */
  readonly raw: string
  /** Schema of what is inside, such as that of the fields of a form. */
  readonly schema?: z.ZodType
}

/** Content of a body or an answer: JSON by its schema, or something else. */
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

/** Description of a parameter, or its description and schema. */
export type Parameter = string | { readonly description: string; readonly schema: z.ZodType; readonly required?: true }

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
  /** Facts for a caller beside the schemas: limits, units, what a refinement of a schema checks. */
  readonly description?: string
  /** Scope that the key needs. */
  readonly scope: Scope
  /** The path's parameters, by name. Their schemas are documentation: the handler checks what they say. */
  readonly params?: Readonly<Record<string, Parameter>>
  readonly query?: Query
  /** Request headers that the operation reads, by name. Their schemas are documentation, as those of `params`. */
  readonly headers?: Readonly<Record<string, Parameter>>
  /** Body: JSON that is checked, or raw contents, told apart by their media types, that the handler reads. */
  readonly body?: Body | RawContent | readonly RawContent[]
  /** Whether a request without a body is one with an empty object. */
  readonly bodyIsOptional?: true
  /** Parser of a JSON body: `parseExactJson` for a body with arguments of a tool. */
  readonly parse?: (text: string) => ParsedJson
  /** Answers other than problems, by status. */
  readonly answers: Readonly<Record<number, Answer>>
  /**
   * Statuses of problems that come beside those of every operation (400, 401, 403, 429 and all from 500) and those of every one that may
   * change something (409, 413, 422).
   */
  readonly problems: readonly number[]
  readonly example: Example
}

/** An operation whose callers a {@link Guard} judges. */
export type GuardedOperation<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> = Omit<
  Operation<Query, Body>,
  'scope'
>

/** Credentials that a request may show: an API key, or the ADMIN_TOKEN of the server's owner. */
export type Credential = 'key' | 'owner'

/** Judge of a request's caller, where a key with a scope is not all that may come. */
export interface Guard<Allowed> {
  /** Credentials of which a request needs one; none for an operation that is open to all. */
  readonly credentials: readonly Credential[]
  /** Scope that a key needs. */
  readonly scope?: Scope
  /**
   * Judges the caller before anything of the request is read.
   * @throws FailureError `unauthenticated`, `forbidden`
   */
  readonly allow: (c: Context<AppEnv>) => Allowed | Promise<Allowed>
}

export const isRaw = (content: Content): content is RawContent => 'raw' in content
