import { exports } from 'cloudflare:workers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'

type Capabilities = NonNullable<NonNullable<ConstructorParameters<typeof Client>[1]>['capabilities']>

interface Wanted {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Server in place of the Worker's own. */
  readonly fetch?: (request: Request) => Promise<Response>
  readonly mode?: 'legacy' | 'auto'
  readonly capabilities?: Capabilities
  /** Preparation of the client before it is connected. */
  readonly prepare?: (client: Client) => void
}

/** The SDK's client, connected to the Worker under test. */
export async function connected({ path = '/mcp', headers, fetch, mode = 'legacy', ...wanted }: Wanted = {}) {
  const { capabilities, prepare } = wanted
  const served = fetch ?? ((request: Request) => exports.default.fetch(request))
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, ...(capabilities && { capabilities }) },
  )
  prepare?.(client)
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost${path}`), {
    fetch: (url, init) => served(new Request(url, init)),
    ...(headers && { requestInit: { headers } }),
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, id: transport.sessionId ?? '' }
}
