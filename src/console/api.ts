import { signal } from '@preact/signals'

/** Person or program that is signed in, as the server says it. `tenant` and `key_id` are null for the operator. */
export interface SignedIn {
  readonly csrf: string
  readonly id?: string
  readonly tenant: string | null
  readonly key_id: string | null
  readonly scopes: readonly string[]
  readonly expires_at: string
}

/** Session of the console that is signed in: undefined until the server was asked, null for nobody. */
export const who = signal<SignedIn | null | undefined>(undefined)

/** Whether the server needs no key: somebody was signed in without one. */
export const isOpen = signal(false)

/** Key under which a browser remembers that somebody signed out in it. */
const SIGNED_OUT = 'toolyard-signed-out'

/** Whether somebody signed out in this browser and nobody signed in since: where no key is needed, nobody else would keep them out. */
export const hasLeft = localStorage.getItem(SIGNED_OUT) !== null
/** Whether the server that was left needed no key. */
const leftOpen = localStorage.getItem(SIGNED_OUT) === 'open'

/** Why somebody is signed in no longer, as the server said it; null for who signed out, or never signed in. */
export const over = signal<Problem | null>(null)

/** True from a request that reached no server until one that did. */
export const offline = signal(false)

/** Why a request could not be done, in the server's words (`application/problem+json`); `offline` when no server answered. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly code: string
  /** Advice on what to do now; may be empty. */
  readonly hint: string
  /** Name of the request in the server's log; null where none answered. */
  readonly requestId: string | null

  constructor(status: number, code: string, message: string, hint: string, requestId: string | null) {
    super(message)
    this.status = status
    this.code = code
    this.hint = hint
    this.requestId = requestId
  }
}

/** A {@link Problem} of anything that was thrown. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new Problem(0, 'console', message, 'Reload the page. If it stays, tell the operator what you did.', null)
}

/** Parameters of a query; undefined, null and empty ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

interface RequestOptions {
  readonly query?: Query
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly bytes?: Blob
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** A page of a list of the server. */
export interface Listed<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}

/**
 * Sends a request to the server of the page, as whoever is signed in.
 * @throws Problem when the server refuses or cannot be reached
 */
export async function request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const answer = await attempt(method, path, options)
  if (answer.ok) return answer
  const problem = await readProblem(answer)
  // Another tab may have signed in again, which replaces the token: it must not do as somebody else what was begun as this one.
  const before = who.value
  if (problem.status === 403 && problem.message.includes(CSRF_HEADER) && (await findSession())) {
    if (before?.tenant !== who.value?.tenant || before?.key_id !== who.value?.key_id) {
      const message = 'Another key is signed in in this browser now, so nothing was done.'
      throw new Problem(403, 'signed_in_anew', message, 'Reload the page to go on with that key.', null)
    }
    const again = await attempt(method, path, options)
    if (again.ok) return again
    throw await readProblem(again)
  }
  if (problem.status === 401 && !path.startsWith('/console/')) {
    if (who.value) over.value = problem
    who.value = null
  }
  throw problem
}

const CSRF_HEADER = 'X-Toolyard-CSRF'

/** Controller that ends the reading on its way when this browser signs out: the server would refuse it. */
let reading = new AbortController()
/** Settled while nobody signs out here; reading waits for it. */
let staying = Promise.resolve()

async function attempt(method: string, path: string, options: RequestOptions): Promise<Response> {
  const { query, json, bytes, headers, signal } = options
  // A name of dots would make it a request for something else.
  if (new URL(path, location.origin).pathname !== path.split('?')[0]) {
    const hint = 'Open it from a list of the console, or ask for it by the API.'
    throw new Problem(0, 'invalid_input', 'This address has a name that is no name here, such as "..".', hint, null)
  }
  const sent = new Headers(headers)
  if (json !== undefined) sent.set('Content-Type', 'application/json')
  if (method !== 'GET' && who.value) sent.set(CSRF_HEADER, who.value.csrf)
  if (method === 'GET') await staying
  const end = method === 'GET' ? reading.signal : undefined
  const ends = [signal, end].filter((one) => one !== undefined)
  try {
    const answer = await fetch(path + queryText(query), {
      method,
      headers: sent,
      ...(json === undefined ? bytes && { body: bytes } : { body: JSON.stringify(json) }),
      ...(ends.length > 0 && { signal: AbortSignal.any(ends) }),
    })
    offline.value = false
    return answer
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    if (end?.aborted) return attempt(method, path, options)
    offline.value = true
    throw new Problem(0, 'offline', 'The server does not answer.', 'Look whether it runs, then try again.', null)
  }
}

function queryText(query: Query = {}): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') given.set(name, String(value))
  }
  return given.size > 0 ? `?${given}` : ''
}

async function readProblem(answer: Response): Promise<Problem> {
  const body = (await answer.json().catch(() => null)) as Record<string, unknown> | null
  const text = (name: string) => (typeof body?.[name] === 'string' ? (body[name] as string) : '')
  const message = text('detail') || text('title') || `The server answered ${answer.status}.`
  return new Problem(answer.status, text('code') || 'internal', message, text('hint'), text('request_id') || null)
}

/** JSON of an answer; null of one without content. */
async function jsonOf<T>(answer: Response): Promise<T> {
  return (answer.status === 204 ? null : await answer.json()) as T
}

/** Gets JSON. @throws Problem */
export async function get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return jsonOf(await request('GET', path, { ...(query && { query }), signal }))
}

/** Sends JSON and reads the answer's. @throws Problem */
export async function send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, json?: unknown): Promise<T> {
  return jsonOf(await request(method, path, { json }))
}

/** One event of a stream: its name, and its data, mostly JSON. */
export interface StreamEvent {
  readonly event: string
  readonly data: string
  readonly id: string
}

/** Characters of one event; what is longer ends the stream. */
const EVENT_LENGTH_MAX = 4 * 1024 * 1024

interface StreamOptions {
  readonly query?: Query
  /** Id of the last event that came, after which the stream is wanted; '' for its beginning. */
  readonly after?: string
}

/** Events of a stream (`text/event-stream`) until it ends or `signal` does. @throws Problem */
export async function* events(
  path: string,
  signal: AbortSignal,
  { query, after }: StreamOptions = {},
): AsyncGenerator<StreamEvent> {
  const headers = { Accept: 'text/event-stream', ...(after && { 'Last-Event-ID': after }) }
  const answer = await request('GET', path, { ...(query && { query }), signal, headers })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const blocks = (rest + value).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      if (rest.length > EVENT_LENGTH_MAX) return
      for (const block of blocks) {
        const event = readEvent(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function readEvent(block: string): StreamEvent | null {
  const fields: Record<string, string[]> = { event: [], data: [], id: [] }
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields[line.slice(0, colon)]?.push(line.slice(colon + 1).replace(/^ /, ''))
  }
  const { event = [], data = [], id = [] } = fields
  if (event.length === 0 && data.length === 0) return null
  return { event: event.at(-1) ?? 'message', data: data.join('\n'), id: id.at(-1) ?? '' }
}

/** Asks the server who is signed in; where no key is needed, signs in. @returns whether somebody is */
export async function findSession(): Promise<boolean> {
  try {
    who.value = await get<SignedIn>('/console/session')
    if (who.value.tenant !== null && who.value.key_id === null) isOpen.value = true
  } catch (thrown) {
    const isOut = problemOf(thrown).status === 401
    if (isOut && leftOpen) isOpen.value = true
    who.value = isOut && !leftOpen ? await signInOpen().catch(() => null) : null
  }
  return who.value !== null
}

/** Signs in with a key; with an empty one where the server needs none. @throws Problem */
export async function signIn(key: string): Promise<SignedIn> {
  who.value = key ? await send<SignedIn>('POST', '/console/login', { key }) : await signInOpen()
  localStorage.removeItem(SIGNED_OUT)
  tabs.postMessage('signed in')
  return who.value
}

async function signInOpen(): Promise<SignedIn> {
  const signedIn = await send<SignedIn>('POST', '/console/login', {})
  isOpen.value = true
  return signedIn
}

/** Signs out at the server, in all tabs. The page must be loaded anew: what it shows and remembers was somebody's. @throws Problem */
export async function signOut(): Promise<void> {
  let stay = () => {}
  staying = new Promise((resolve) => {
    stay = resolve
  })
  reading.abort()
  try {
    await send('POST', '/console/logout')
  } catch (thrown) {
    reading = new AbortController()
    stay()
    throw thrown
  }
  localStorage.setItem(SIGNED_OUT, isOpen.value ? 'open' : 'by key')
  tabs.postMessage('signed out')
}

/** Channel of the console's tabs: the cookie is one for all of them, so that who signs in or out in one does so in all. */
const tabs = new BroadcastChannel('toolyard console')
tabs.onmessage = () => location.reload()
// A page that the browser kept whole may be somebody's who is signed in no longer.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
