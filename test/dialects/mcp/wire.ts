import * as z from 'zod'

/** Answer over the wire: of a stream its last message, and those before. */
export interface Wired {
  readonly status: number
  readonly headers: Headers
  readonly result: Loose
  readonly error: { readonly code?: number | undefined; readonly message?: string | undefined; readonly data?: unknown }
  /** Messages before the answer. */
  readonly before: readonly Loose[]
}

export type Loose = Readonly<Record<string, unknown>>

interface RequestOptions {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly capabilities?: Loose
  readonly revision?: string
}

const META = 'io.modelcontextprotocol'
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/cancel': 'taskId',
}

/** One request as a client writes it, without a library between. */
export function post(url: string, body: Loose, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const sent = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers }
  return fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) })
}

/** Requests of revision 2026-07-28 to a server. */
export const modernWire =
  (url: string) =>
  async (method: string, params: Loose = {}, options: RequestOptions = {}): Promise<Wired> =>
    wired(await modernPost(url, method, params, options))

/** The same, whose answer its caller reads as it comes. */
export function modernPost(
  url: string,
  method: string,
  params: Loose = {},
  { path = '/mcp', headers = {}, capabilities = {}, revision = '2026-07-28' }: RequestOptions = {},
): Promise<Response> {
  const _meta = { [`${META}/protocolVersion`]: revision, [`${META}/clientCapabilities`]: capabilities }
  const name = params[NAMED[method] ?? '']
  return post(
    `${url}${path}`,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    {
      'MCP-Protocol-Version': revision,
      'Mcp-Method': method,
      ...(name !== undefined && { 'Mcp-Name': String(name) }),
      ...headers,
    },
  )
}

const MESSAGE = z.looseObject({
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ code: z.number().optional(), message: z.string().optional() }).optional(),
})

export async function wired(response: Response): Promise<Wired> {
  const { status, headers } = response
  const text = await response.text()
  const isStream = headers.get('Content-Type')?.startsWith('text/event-stream')
  const messages = isStream
    ? [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => data)
    : text === ''
      ? []
      : [text]
  const read = messages.map((message) => MESSAGE.parse(JSON.parse(message ?? '')))
  const { result = {}, error = {} } = read.at(-1) ?? {}
  return { status, headers, result, error, before: read.slice(0, -1) }
}
