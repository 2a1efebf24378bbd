import {
  MAX_CODE_CALL_BYTES,
  MAX_CODE_CALLS,
  MAX_CODE_CALLS_AT_ONCE,
  MAX_REFUSED_CODE_CALLS,
} from '../../core/limits/code-mode.ts'
import { MAX_CONSOLE_REPLY_BYTES } from '../../core/limits/consoles.ts'
import { MAX_OUTPUT_BYTES, MAX_OUTPUT_FILE_BYTES } from '../../core/limits/sandbox.ts'
import { MAX_COMMAND_OUTPUT_BYTES, SHELLS_IDLE_MS } from '../../core/limits/shells.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { SANDBOX_HOME, SANDBOX_ROOT } from '../../core/workspace-path.ts'
import { pythonProgram } from '../../guest/python-program.ts'
import { SUPERVISOR_MODULES } from '../../guest/supervisor/programs.ts'
import { CALLS_DESCRIPTOR, CALLS_VARIABLE } from '../../ports/runner.ts'
import { LIVE_SETTINGS } from '../live/settings.ts'
import { HOST_AT_WORK_MARK, HOST_MARK } from '../sandbox/marks.ts'
import { STATE_DIRECTORY } from '../sandbox/place.ts'

/** Environment variable with the PATH for commands. */
export const SUPERVISOR_PATH = 'TOOLYARD_SHELL_PATH'

/** Limits and places that its modules import. */
export const SUPERVISOR_SETTINGS = {
  PATH_VARIABLE: SUPERVISOR_PATH,
  WORKSPACE: SANDBOX_ROOT,
  HOME: SANDBOX_HOME,
  STATE_DIRECTORY,
  VENV: `${SANDBOX_ROOT}/${VENV_DIR}`,
  HALF_OUTPUT_BYTES: MAX_OUTPUT_BYTES / 2,
  MAX_OUTPUT_FILE_BYTES,
  MAX_COMMAND_OUTPUT_BYTES,
  MAX_CONSOLE_REPLY_BYTES,
  IDLE_SECONDS: SHELLS_IDLE_MS / 1000,
  ...LIVE_SETTINGS,
  CALLS_DESCRIPTOR,
  CALLS_VARIABLE,
  MAX_CODE_CALL_BYTES,
  MAX_CODE_CALLS_AT_ONCE,
  MAX_SENT_CODE_CALLS: MAX_CODE_CALLS + MAX_REFUSED_CODE_CALLS,
  HOST_MARK,
  HOST_AT_WORK_MARK,
}

/** Process in the sandbox that runs commands: `src/guest/supervisor/supervisor.py`. */
export const SUPERVISOR = pythonProgram({ modules: SUPERVISOR_MODULES, settings: SUPERVISOR_SETTINGS })
