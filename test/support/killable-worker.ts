import { join } from 'node:path'
import { startWorkerd } from './worker/workerd.ts'

/** The Worker alone, as a process that can be killed; what it keeps stays. */
export interface KillableWorker {
  /** Without a slash at its end. */
  readonly url: string
  /** As `kill -9`. */
  kill(): Promise<void>
}

/**
 * @param state a directory: the next one with the same goes on where this one was
 * @param vars bindings that replace those of wrangler.toml
 */
export const startKillableWorker = (state: string, vars: Readonly<Record<string, string>>): Promise<KillableWorker> =>
  startWorkerd(join(state, 'worker'), vars)
