import { rm } from 'node:fs/promises'
import type { ReadingLimits } from '../../src/readerd/pool.ts'
import { startReader } from './reader-host.ts'
import { type Sandboxd, scratchDirectory, startSandboxd } from './sandboxd.ts'
import { startWorkerd, type Workerd } from './worker/workerd.ts'

/** Whole server for one test file: real workerd, real sandboxes, storage of its own; nothing of it remains. */
export interface Toolyard {
  /** URL without a slash at its end. */
  readonly url: string
  readonly worker: Workerd
  readonly adminToken: string
  readonly sandboxd: Sandboxd
  stop(): Promise<void>
}

export interface ToolyardOptions {
  /** Bindings that replace those of wrangler.toml. */
  readonly vars?: Readonly<Record<string, string>>
  /** Addresses that sandboxes may reach besides the internet, e.g. `127.0.0.1:8080`. */
  readonly allow?: readonly string[]
  /** Environment of the sandbox host. */
  readonly sandboxdEnv?: Readonly<Record<string, string>>
  /** A certificate that is taken besides those of the usual authorities, as PEM. */
  readonly certificate?: string | null
  /** Limits of one reading of a document or page; by default the product's. */
  readonly reading?: Partial<ReadingLimits>
}

export async function startToolyard({
  vars = {},
  allow = [],
  sandboxdEnv = {},
  certificate = null,
  reading = {},
}: ToolyardOptions = {}): Promise<Toolyard> {
  const sandboxd = await startSandboxd({ allow, env: sandboxdEnv })
  const reader = await startReader(reading)
  const state = await scratchDirectory()
  const adminToken = 'admin-token-of-the-tests'
  const secrets = { ADMIN_TOKEN: adminToken, SECRETS_KEY: 'secrets-key-of-the-tests' }
  const stopOthers = async () => {
    await reader.stop()
    await sandboxd.stop()
    await rm(state, { recursive: true, force: true })
  }
  try {
    const worker = await startWorkerd(state, { ...secrets, ...sandboxd.vars, ...reader.vars, ...vars }, certificate)
    return {
      url: worker.url,
      worker,
      adminToken,
      sandboxd,
      async stop() {
        await worker.kill()
        await stopOthers()
      },
    }
  } catch (thrown) {
    await stopOthers()
    throw thrown
  }
}
