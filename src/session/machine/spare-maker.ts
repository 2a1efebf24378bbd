import { SPARE_IDLE_MS } from '../../core/limits/spares.ts'
import { BOOTSTRAP_MS } from '../../core/limits/sync.ts'
import { sha256 } from '../../core/sha256.ts'
import { withTimeLimit } from '../../core/time-limit.ts'
import { SandboxGone, type SandboxHost } from '../../ports/sandbox.ts'
import type { SpareMaker } from '../../ports/sandbox-spares.ts'
import { ignoreList } from '../sync/ignore.ts'
import { bootstrap, bootstrapScript } from './bootstrap.ts'
import { askWatcher } from './watcher.ts'

/** Each session's sandbox has the internet. */
export const HAS_INTERNET = true

/** What a task without an ignore file of its own leaves in the sandbox: spares are prepared for such tasks. */
export const SPARE_IGNORES = ignoreList(null)

const NEVER = new AbortController().signal

/** Names what sandboxes are made from and prepared with: two versions of the server may differ in it. */
export const spareShape = (template: string): string =>
  sha256(JSON.stringify([template, HAS_INTERNET, bootstrapScript(SPARE_IGNORES)]))

/** Makes spares at a sandbox host as the machine of a session makes its sandbox, and looks after them. */
export function spareMaker(host: SandboxHost, template: string, labels: Readonly<Record<string, string>>): SpareMaker {
  return {
    shape: spareShape(template),

    async make(label, made) {
      const metadata = { ...labels, boot: label }
      const sandbox = await host.create({ metadata, idleMs: SPARE_IDLE_MS, internet: HAS_INTERNET })
      if (!made(sandbox.id)) return null
      return { sandboxId: sandbox.id, ...(await bootstrap(sandbox, SPARE_IGNORES, NEVER)) }
    },

    look: ({ sandboxId, watchPort }) =>
      withTimeLimit(BOOTSTRAP_MS, NEVER, async (signal) => {
        const sandbox = await host.connect(sandboxId, SPARE_IDLE_MS, signal)
        if (!sandbox || watchPort === null) return sandbox !== null
        try {
          const script = `${askWatcher(watchPort, 'W')}; [ -n "$W" ]`
          return (await sandbox.run(script, { timeoutMs: BOOTSTRAP_MS, signal })).exitCode === 0
        } catch (thrown) {
          if (thrown instanceof SandboxGone) return false
          throw thrown
        }
      }),

    end: (label, sandboxId) => (sandboxId === null ? host.killLabelled({ boot: label }) : host.kill(sandboxId)),
  }
}
