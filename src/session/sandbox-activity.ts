import { SANDBOX_SCRIPT_MS } from '../core/limits/sync.ts'
import { PROCESSES } from '../guest/bash/programs.ts'
import { bashCall } from '../guest/bash-program.ts'
import type { Sandbox } from '../ports/sandbox.ts'
import { CONSOLES_AT_WORK } from './consoles/scripts.ts'
import { RESIDENT_ENTRY } from './resident/link.ts'
import { LEFT_BY_CALLS } from './sandbox/marks.ts'

/** Work in a sandbox without a call under way. */
export interface SandboxActivity {
  /** A cell of the notebook, or a command in a shell. */
  readonly consoles: boolean
  /** Background processes of earlier calls. */
  readonly background: boolean
}

/**
 * Bash that lists the work. The host of the notebook and shells has a mark of two digits at most, with all that it starts; calls
 * have longer ones. A process of a Python module waits for its next call: it is known by its command line.
 */
const SCRIPT = `[ -z "$(${CONSOLES_AT_WORK})" ] || echo consoles
${PROCESSES}${bashCall('find_marked', LEFT_BY_CALLS)} 2>/dev/null
for p in "\${found[@]}"; do mapfile -d '' -t words 2>/dev/null < /proc/$p/cmdline
[[ "\${words[*]}" == *'${RESIDENT_ENTRY}' ]] || { echo background; break; }; done; exit 0`

/** @throws SandboxGone, FailureError as `Sandbox.run` */
export async function sandboxActivity(sandbox: Sandbox, signal: AbortSignal): Promise<SandboxActivity> {
  const { stdout } = await sandbox.run(SCRIPT, { timeoutMs: SANDBOX_SCRIPT_MS, signal })
  const lines = stdout.split('\n')
  return { consoles: lines.includes('consoles'), background: lines.includes('background') }
}
