import * as z from 'zod'
import {
  MAX_PART_CHARS,
  MAX_PART_NAME_CHARS,
  MAX_REQUEST_PARTS,
  MAX_RETRY_BACKOFF_MS,
  MAX_TOOL_ANSWER_BYTES,
  MAX_TOOL_ATTEMPTS,
  MAX_TOOL_CREDENTIALS,
  RETRY_BACKOFF_MS,
} from '../core/limits/registry.ts'
import { fewEntries } from '../core/safe-read.ts'
import { knownFields } from './known-fields.ts'

/** Name of an argument, a field, a parameter of a query. */
const Name = z.string().min(1).max(MAX_PART_NAME_CHARS)

/** Styles in which a list or an object becomes text in a query. Source: OpenAPI 3.1, "Style Values"; `json` is its `content`. */
const PART_STYLES = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json'] as const

/**
 * Source of a request's part: a constant, text in which `{name}` stands for an argument, or one argument unchanged. A part
 * without its argument is left out.
 */
const Part = z.union(
  [
    z.string().max(MAX_PART_CHARS, `has more than ${MAX_PART_CHARS} characters (MAX_PART_CHARS)`),
    z.number(),
    z.boolean(),
    z.strictObject({ arg: Name, style: z.enum(PART_STYLES).optional(), explode: z.boolean().optional() }),
  ],
  'must be {"arg": "name"}, with style and explode if need be, a text with {name}s, or a constant',
)
export type Part = z.output<typeof Part>

const atMost = <S extends z.ZodType>(schema: S) => fewEntries(schema, MAX_REQUEST_PARTS, 'MAX_REQUEST_PARTS')
const Parts = atMost(z.record(Name, Part)).default({})

/** Characters of a header's name, by RFC 9110. */
const HeaderName = Name.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'is no name of a header')

/** Headers of the connection or of a body's length: setting them could smuggle a second request into one. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection', 'content-length', 'expect', 'host', 'http2-settings', 'keep-alive', 'proxy-authenticate',
  'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade',
]) // biome-ignore format: a list of names

const OwnHeaderName = HeaderName.refine(
  (name) => !HOP_BY_HOP.has(name.toLowerCase()),
  'is set by the connection itself',
)
const Headers = atMost(z.record(OwnHeaderName, Part))
  .refine(
    (headers) => !Object.keys(headers).some((name) => ['authorization', 'cookie'].includes(name.toLowerCase())),
    'Authorization and Cookie are no headers of a tool: name a secret in auth, and cookies in cookies',
  )
  .default({})

/** Arguments by the field of the sent object. Null: all arguments that go nowhere else. */
const Fields = atMost(z.record(Name, Name, 'must be an object, as {"field": "argument"}'))
  .nullable()
  .default(null)
const Fixed = z.record(z.string(), z.unknown()).default({})

const Body = z.discriminatedUnion(
  'as',
  [
    /** `under`: the field that holds the arguments as one object; without it they are fields themselves. */
    knownFields({ as: z.literal('json'), fields: Fields, fixed: Fixed, under: Name.optional() }),
    knownFields({ as: z.literal('form'), fields: Fields, fixed: Fixed }),
    /** Argument that is the whole body: as JSON where the media type is JSON, else as text. */
    knownFields({
      as: z.literal('argument'),
      arg: Name,
      media_type: z
        .string()
        .max(MAX_PART_NAME_CHARS)
        .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.-]+)*$/, 'is no media type')
        .default('application/json'),
    }),
  ],
  'must be an object with "as": "json", "form" or "argument", e.g. {"as": "json", "fields": {"field": "argument"}}',
)

/** Name of a secret in `/v1/secrets`. */
export const SecretName = z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'is no name of a secret: A-Z, 0-9 and "_"')

/** Credential of a request. The values are the tenant's secrets: a definition names them and never has them. */
export const Credential = z.discriminatedUnion('type', [
  knownFields({ type: z.literal('bearer'), secret: SecretName }),
  /** The secret is `user:password`. */
  knownFields({ type: z.literal('basic'), secret: SecretName }),
  knownFields({
    type: z.literal('header'),
    secret: SecretName,
    name: OwnHeaderName,
    prefix: z.string().max(MAX_PART_NAME_CHARS).default(''),
  }),
  knownFields({ type: z.enum(['query', 'cookie', 'body']), secret: SecretName, name: Name }),
])
export type Credential = z.output<typeof Credential>

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Whether a method is idempotent by RFC 9110, 9.2.2: a second request does nothing beyond the first. */
export const isIdempotent = (method: string) => method !== 'POST' && method !== 'PATCH'

/** A request that a tool makes of its arguments. `{name}`s in the path of the target are filled too. */
export const HttpRequestOf = knownFields({
  method: z.enum(METHODS).default('GET'),
  query: Parts,
  headers: Headers,
  cookies: Parts,
  body: Body.nullable().default(null),
  auth: z
    .array(Credential, 'must be a list, as [{"type": "bearer", "secret": "NAME_OF_A_SECRET"}]')
    .max(MAX_TOOL_CREDENTIALS, `must have at most ${MAX_TOOL_CREDENTIALS} (MAX_TOOL_CREDENTIALS)`)
    .default([]),
  /** Attempts; null: three for an idempotent method, one for any other. */
  retry: knownFields(
    {
      attempts: z.int().min(1).max(MAX_TOOL_ATTEMPTS),
      /** Pause before the second attempt; it doubles from one to the next. */
      backoff_ms: z.int().min(0).max(MAX_RETRY_BACKOFF_MS).default(RETRY_BACKOFF_MS),
    },
    '{"attempts": 3}',
  )
    .nullable()
    .default(null),
  max_answer_bytes: z.int().min(1).max(MAX_TOOL_ANSWER_BYTES).default(MAX_TOOL_ANSWER_BYTES),
})
  .refine(({ method, body }) => body === null || method !== 'GET', 'GET has no body')
  .refine(
    ({ auth, body }) => auth.every(({ type }) => type !== 'body') || (body !== null && body.as !== 'argument'),
    'a secret goes into a body only where that is made of fields',
  )
export type HttpRequestOf = z.output<typeof HttpRequestOf>

/** Placeholder in a text: `{name}`. */
export const PLACEHOLDER = /\{([^{}]+)\}/g

/** Text before the path: scheme, host and port. No argument of a call reaches it. */
export const originText = (target: string): string => /^[a-z]+:\/\/[^/?#\\]*/i.exec(target)?.[0] ?? ''
