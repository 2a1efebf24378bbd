import type { Internet } from '../../core/internet.ts'
import { SPARE_IDLE_MS } from '../../core/limits/spares.ts'
import { BOOTSTRAP_MS } from '../../core/limits/sync.ts'
import { sha256 } from '../../core/sha256.ts'
import { withTimeLimit } from '../../core/time-limit.ts'
import { SandboxGone, type SandboxHost } from '../../ports/sandbox.ts'
import type { SpareMaker } from '../../ports/sandbox-spares.ts'
import { ignoreList } from '../../workspace/ignore-list.ts'
import { beginResident } from '../resident/link.ts'
import { SUPERVISOR_RESIDENT } from '../supervisor/link.ts'
import { SUPERVISOR } from '../supervisor/program.ts'
import { bootstrap, bootstrapScript } from './bootstrap.ts'
import { askWatcher } from './watcher.ts'

/** A session's sandbox may reach the internet, unless its settings or its tenant's say otherwise. Spares that belong to no tenant may. */
export const HAS_INTERNET = true

/** Ignore list of a task without `.toolyardignore`: spares are prepared for such tasks. */
export const SPARE_IGNORES = ignoreList(null)

const NEVER = new AbortController().signal

/** Hash of the inputs of a sandbox and its preparation: two versions of the server may differ in it. */
export const spareShape = (image: string, env: Environment, internet: Internet = HAS_INTERNET): string =>
  sha256(JSON.stringify([image, internet, env, bootstrapScript(SPARE_IGNORES), SUPERVISOR]))

/** Environment variables of a sandbox's programs, as a session sets them: e.g. which package index pip asks. */
type Environment = Readonly<Record<string, string>>

const IGNORED = { signal: NEVER, printed: () => undefined, ended: () => undefined }

export interface SpareMakerParts {
  readonly host: SandboxHost
  readonly image: string
  readonly env: Environment
  readonly labels: Readonly<Record<string, string>>
}

/** Maker of spares at a sandbox provider, by the same steps as for the session's own, which also checks them. */
export function spareMaker({ host, image, env, labels }: SpareMakerParts): SpareMaker {
  return {
    shape: (internet) => spareShape(image, env, internet),

    async make(label, { tenant, internet }, made) {
      const sandbox = await host.create({
        labels: { ...labels, ...(tenant !== null && { tenant }), boot: label },
        idleMs: SPARE_IDLE_MS,
        internet,
      })
      if (!made(sandbox.id)) return null
      const prepared = await bootstrap(sandbox, SPARE_IGNORES, NEVER)
      // Without a supervisor the session runs its commands by processes of their own.
      const supervisor = await beginResident(SUPERVISOR_RESIDENT, sandbox, { ...IGNORED, env }).catch(() => null)
      supervisor?.leave()
      return { sandboxId: sandbox.id, ...prepared, supervisorPid: supervisor?.pid ?? null }
    },

    look: ({ sandboxId, watchPort, supervisorPid }) =>
      withTimeLimit(BOOTSTRAP_MS, NEVER, async (signal) => {
        const sandbox = await host.connect(sandboxId, SPARE_IDLE_MS, signal)
        if (!sandbox || watchPort === null || supervisorPid === null) return sandbox !== null
        try {
          // The supervisor ends when it gets no requests.
          const supervisor = await sandbox.watch(supervisorPid, { ...IGNORED, signal })
          const isAwake = await supervisor?.write('{"do": "ping", "id": "look"}\n', signal)
          supervisor?.leave()
          if (!isAwake) return false
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
