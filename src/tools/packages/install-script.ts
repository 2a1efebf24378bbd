import { VENV_DIR } from '../../core/task-layout.ts'
import { absolutePath } from '../../core/workspace-path.ts'

/** Virtual environment, made with the sandbox; a caller can remove it. Without a pip of its own it uses the system's. */
const ENVIRONMENT = absolutePath(VENV_DIR)
/**
 * Bash script of an installation. The requirement comes by environment: it may hold a credential, and nothing in it is read
 * by the shell.
 */
export const INSTALL_SCRIPT = `[ -x ${ENVIRONMENT}/bin/python ] || python3 -m venv --without-pip --system-site-packages ${ENVIRONMENT} ||
  { echo 'Failed to create virtual environment' >&2; exit 1; }
exec ${ENVIRONMENT}/bin/python -m pip install --no-input --disable-pip-version-check --progress-bar off --retries 2 -- "$TOOLYARD_REQUIREMENT"`

/** Pattern for an unreachable index, which pip calls "no matching distribution". */
const UNREACHABLE = /after connection broken by/

/** The last line that pip calls an error, else its last line. */
export function lastWords({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string {
  if (UNREACHABLE.test(stderr)) return 'the package index could not be reached from the sandbox; try again later'
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '')
  const line = lines.findLast((candidate) => candidate.startsWith('ERROR:')) ?? lines.at(-1) ?? 'pip said nothing'
  return line.trim().slice(0, 300)
}
