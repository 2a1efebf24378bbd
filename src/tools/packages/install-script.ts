import { VENV_DIR } from '../../core/task-layout.ts'
import { absolutePath } from '../../core/workspace-path.ts'
import { bashCall, bashProgram } from '../../guest/bash-program.ts'
import INSTALL_PACKAGE from '../../guest/tools/install_package.sh' with { type: 'text' }
import PACKAGE_INDEX from '../../guest/tools/package_index.py' with { type: 'text' }

/** Virtual environment, made with the sandbox; a caller can remove it. Without a pip of its own it uses the system's. */
const ENVIRONMENT = absolutePath(VENV_DIR)
/**
 * Bash script of an installation. The requirement comes by environment: it may hold a credential, and nothing in it is read
 * by the shell.
 */
export const INSTALL_SCRIPT = `${bashProgram(INSTALL_PACKAGE)}${bashCall('install_package', ENVIRONMENT, PACKAGE_INDEX)}`

/** Pattern for an unreachable index, which pip calls "no matching distribution". */
const UNREACHABLE = /after connection broken by/

/** Lines in which pip says which requirements exclude each other, before advice of several lines. */
const CONFLICT = /The conflict is caused by:\n((?: +.*\n)+)/

const MAX_LAST_WORDS_CHARS = 300

/** Conflict of versions that pip names; else the last line that pip calls an error, else its last line. */
export function lastWords({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string {
  if (UNREACHABLE.test(stderr)) return 'the package index could not be reached from the sandbox; try again later'
  const conflict = CONFLICT.exec(`${stdout}\n${stderr}`)?.[1]
  if (conflict)
    return `versions conflict: ${conflict
      .trim()
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .join('; ')}`.slice(0, MAX_LAST_WORDS_CHARS)
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '')
  const line = lines.findLast((candidate) => candidate.startsWith('ERROR:')) ?? lines.at(-1) ?? 'pip said nothing'
  return line.trim().slice(0, MAX_LAST_WORDS_CHARS)
}
