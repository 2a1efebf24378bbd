import { fail } from './failure.ts'
import { MAX_SESSION_NAME_BYTES } from './limits/sessions.ts'
import { placementOfWords } from './placement.ts'
import { SESSION_ID, say } from './saying/saying.ts'
import { utf8Length } from './utf8-length.ts'

declare const brand: unique symbol
type Brand<T, B extends string> = T & { readonly [brand]: B }

/**
 * Id of a tenant, who pays: `[a-z0-9-]`, and behind a dot its placement, if it has one (`core/placement`). It never contains the `/` that
 * separates it from a session's name.
 */
export type TenantId = Brand<string, 'TenantId'>

/** Tenant id of a text. @throws FailureError `invalid_input` */
export function tenantId(value: string): TenantId {
  // One word more than an id has, so that a longer text is refused.
  const [own = '', ...place] = value.split('.', 4)
  if (!OWN_TENANT_ID.test(own) || placementOfWords(place) === null) {
    fail(
      'invalid_input',
      'a tenant id is 1 to 64 characters of a-z, 0-9 and "-", and neither starts nor ends with "-"; that of a tenant with a place has it behind a dot, as "acme.eu"',
    )
  }
  return value as TenantId
}

/** Form of a tenant's id without its placement. */
export const OWN_TENANT_ID = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/

/** Name that a tenant gives one of its sessions (a task id, a node's name). It is never a path. */
export type SessionName = Brand<string, 'SessionName'>

/**
 * Session name of a text. @throws FailureError `invalid_input` for an empty or over-long name, or one with control
 * characters.
 */
export function sessionName(value: string): SessionName {
  if (value === '') fail('invalid_input', say`the ${SESSION_ID} is empty; give a name such as "my_task"`)
  const bytes = utf8Length(value)
  if (bytes > MAX_SESSION_NAME_BYTES) {
    fail(
      'invalid_input',
      say`the ${SESSION_ID} has ${bytes} bytes; at most ${MAX_SESSION_NAME_BYTES} are allowed, give a shorter one`,
    )
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(value) || !value.isWellFormed()) {
    fail('invalid_input', say`the ${SESSION_ID} has control characters; use letters, digits and punctuation`)
  }
  return value as SessionName
}

/** A new name for a session whose client gave none. */
export const newSessionName = (): SessionName => `ses_${randomHex(12)}` as SessionName

/** Name of a session's Durable Object. No two tenants share one: a tenant id has no `/`. */
export const sessionKey = (tenant: TenantId, session: SessionName) => `${tenant}/${session}`

/** 32 random bytes as 64 hex digits: a session's own unguessable name. */
export function newNodeId(): string {
  return randomHex(32)
}

/**
 * Form of a call id, for use in a larger expression: nine characters that sort it by time, and twelve random hex digits. Ids of earlier
 * versions begin with `c` alone, and sort before all others.
 */
export const CALL_ID = '(?:call_|c)[0-9a-z]{9}[0-9a-f]{12}'

/** Random part of a call id, as a number. */
export const randomOfCallId = (callId: string): number =>
  Number.parseInt(callId.slice(callId.startsWith(CALL) ? CALL.length + 9 : 10).slice(0, 12), 16)

const CALL = 'call_'

/** A new call id, sortable by time: names one call in history, in logs and in file names. */
export function newCallId(now: number): string {
  if (pooledAt + CALL_ID_RANDOM_BYTES > pool.length) {
    crypto.getRandomValues(pool)
    pooledAt = 0
  }
  const random = hex(pool.subarray(pooledAt, pooledAt + CALL_ID_RANDOM_BYTES))
  pooledAt += CALL_ID_RANDOM_BYTES
  return `${firstCallId(now)}${random}`
}

const CALL_ID_RANDOM_BYTES = 6
/** Random bytes of the next call ids, each used once: a request for six at a time was 3 % of a call. */
const pool = new Uint8Array(256 * CALL_ID_RANDOM_BYTES)
let pooledAt = pool.length

/** Call id prefix that sorts before the ids of calls from that time on, and after those of earlier calls. */
export const firstCallId = (time: number) => `${CALL}${time.toString(36).padStart(9, '0')}`

const randomHex = (bytes: number) => hex(crypto.getRandomValues(new Uint8Array(bytes)))

function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte < 16 ? `0${byte.toString(16)}` : byte.toString(16)
  return text
}
