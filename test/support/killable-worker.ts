import { join } from 'node:path'
import { startWorkerd } from './worker/workerd.ts'

/** Worker alone, as a process that can be killed; its storage stays. */
export interface KillableWorker {
  /** URL without a slash at its end. */
  readonly url: string
  /** Kills the process, as by `kill -9`. */
  kill(): Promise<void>
}

/**
 * Starts the Worker.
 * @param state directory: the next start with the same one continues there
 * @param vars bindings that replace those of wrangler.toml
 */
export const startKillableWorker = (state: string, vars: Readonly<Record<string, string>>): Promise<KillableWorker> =>
  startWorkerd(join(state, 'worker'), vars)
