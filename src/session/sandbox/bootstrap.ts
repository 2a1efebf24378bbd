import { BOOTSTRAP_MS } from '../../core/limits/sync.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { SANDBOX_ROOT } from '../../core/workspace-path.ts'
import WATCHER from '../../guest/watcher.py' with { type: 'text' }
import { type Sandbox, SandboxGone } from '../../ports/sandbox.ts'
import { STATE_DIRECTORY } from './place.ts'
import { askWatcher } from './watcher.ts'

/** Names and paths below the workspace whose contents are not watched. */
interface Unwatched {
  readonly names: readonly string[]
  readonly paths: readonly string[]
}

/** A prepared sandbox, with what a session must know of it. */
export interface Prepared {
  /** Port of the watcher; null when the watcher could not be started. */
  readonly watchPort: number | null
  /** Count of the watcher after the preparation; null when the watcher cannot report it. */
  readonly watched: string | null
}

/** Bash that prepares a new sandbox: the workspace's place, the task's Python environment, the watcher. */
export const bootstrapScript = (unwatched: Unwatched) =>
  `mkdir -p ${SANDBOX_ROOT} ${STATE_DIRECTORY} && cd ${SANDBOX_ROOT} || exit 90
echo ${shellQuote(WATCHER)} > ${STATE_DIRECTORY}/watch.py
port= watched=
{ read -r -t 5 port; read -r -t ${BOOTSTRAP_MS / 2_000} end; } < <(exec -a toolyard-watcher python3 -IS ${STATE_DIRECTORY}/watch.py 2>/dev/null <<< ${shellQuote(watcherInput(unwatched))})
[ -z "$port" ] || { ${askWatcher('$port', 'watched')}; } 2>/dev/null
echo "$port $watched"`

/** No name or path has the end of a line, since they are lines of a file. */
const watcherInput = ({ names, paths }: Unwatched) => [SANDBOX_ROOT, VENV_DIR, ...names, '--', ...paths].join('\n')

/**
 * Runs {@link bootstrapScript} in a new sandbox.
 * @throws SandboxGone when the sandbox cannot be prepared
 */
export async function bootstrap(sandbox: Sandbox, unwatched: Unwatched, signal: AbortSignal): Promise<Prepared> {
  const { exitCode, stdout } = await sandbox.run(bootstrapScript(unwatched), { timeoutMs: BOOTSTRAP_MS, signal })
  if (exitCode !== 0) throw new SandboxGone('the sandbox could not be prepared')
  const [, port, watched = ''] = /^(\d+) (.*)$/m.exec(stdout) ?? []
  return { watchPort: Number(port) || null, watched: /^\d+$/.test(watched) ? watched : null }
}
