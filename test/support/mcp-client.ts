import { exports } from 'cloudflare:workers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'

type Capabilities = NonNullable<NonNullable<ConstructorParameters<typeof Client>[1]>['capabilities']>

interface Wanted {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly mode?: 'legacy' | 'auto'
  readonly capabilities?: Capabilities
  /** What a test has to do with a client before it is connected. */
  readonly prepare?: (client: Client) => void
}

/** The SDK's client, connected to the Worker under test. */
export async function connected({ path = '/mcp', headers, mode = 'legacy', capabilities, prepare }: Wanted = {}) {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode }, ...(capabilities && { capabilities }) },
  )
  prepare?.(client)
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost${path}`), {
    fetch: (url, init) => exports.default.fetch(new Request(url, init)),
    ...(headers && { requestInit: { headers } }),
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, id: transport.sessionId ?? '' }
}
