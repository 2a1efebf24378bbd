import { createTestHarness, type TestHarness } from 'wrangler'
import type { ReadingLimits } from '../../src/readerd/pool.ts'
import { startReader } from './reader-host.ts'
import { type Sandboxd, startSandboxd } from './sandboxd.ts'

/** A whole server for one test file: real workerd, real sandboxes, storage of its own; nothing is left of it. */
export interface Toolyard {
  /** Without a slash at its end. */
  readonly url: string
  readonly harness: TestHarness
  readonly adminToken: string
  readonly sandboxd: Sandboxd
  stop(): Promise<void>
}

export interface ToolyardOptions {
  /** Bindings that replace those of wrangler.toml. */
  readonly vars?: Readonly<Record<string, string>>
  /** What sandboxes may reach besides the internet, e.g. `127.0.0.1:8080`. */
  readonly allow?: readonly string[]
  /** Environment of the sandbox host. */
  readonly sandboxdEnv?: Readonly<Record<string, string>>
  /** Of one reading of a document or page; as the product's where they are not given. */
  readonly reading?: Partial<ReadingLimits>
}

const ownFetch = globalThis.fetch
/**
 * The harness sends what its workers fetch through this process's fetch, with a Request as options. That would follow
 * redirects by itself; a Worker that does so by hand must see them, as it does in workerd and at Cloudflare.
 */
globalThis.fetch = (input, init) => (isOfHarness(init) ? ownFetch(input, asSent(init)) : ownFetch(input, init))

const isOfHarness = (init: RequestInit | undefined): init is Request =>
  init !== undefined && Object.getPrototypeOf(init) !== Object.prototype

const asSent = ({ method, headers, body, signal }: Request) =>
  ({ method, headers, body, signal, redirect: 'manual', duplex: 'half' }) as RequestInit // duplex: Node's own option

export async function startToolyard({
  vars = {},
  allow = [],
  sandboxdEnv = {},
  reading = {},
}: ToolyardOptions = {}): Promise<Toolyard> {
  const sandboxd = await startSandboxd({ allow, env: sandboxdEnv })
  const reader = await startReader(reading)
  const adminToken = 'admin-token-of-the-tests'
  const harness = createTestHarness({
    workers: [
      {
        configPath: './wrangler.toml',
        vars: { ...sandboxd.vars, ...reader.vars, ...vars },
        secrets: { ADMIN_TOKEN: adminToken, SECRETS_KEY: 'secrets-key-of-the-tests' },
      },
    ],
  })
  try {
    const { url } = await harness.listen()
    await harness.getWorker().applyD1Migrations('DB' as never)
    return {
      url: url.origin,
      harness,
      adminToken,
      sandboxd,
      async stop() {
        await harness.close()
        await reader.stop()
        await sandboxd.stop()
      },
    }
  } catch (thrown) {
    await reader.stop()
    await sandboxd.stop()
    throw thrown
  }
}
