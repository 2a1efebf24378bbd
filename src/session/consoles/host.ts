import {
  CELL_INTERRUPT_MS,
  KERNEL_START_MS,
  MAX_CELL_DATA_BYTES,
  MAX_CONSOLE_COMMAND_MS,
  MAX_CONSOLE_REPLY_BYTES,
  MAX_INTERACTIVE_CHARS,
  MAX_IPYTHON_KERNELS,
  MAX_KEPT_CELL_RUNS,
  MAX_KNOWN_QUESTIONS,
  MAX_QUEUED_CELLS,
  MAX_REPORTED_FILE_BYTES,
  MAX_SHELLS,
} from '../../core/limits/consoles.ts'
import { MAX_OUTPUT_BYTES, MAX_OUTPUT_FILE_BYTES } from '../../core/limits/sandbox.ts'
import { NOTEBOOK_FILE } from '../../core/task-layout.ts'
import { SANDBOX_ROOT } from '../../core/workspace-path.ts'
import { HOST_MODULES } from '../../guest/consoles/programs.ts'
import { pythonProgram } from '../../guest/python-program.ts'
import { LIVE_SETTINGS } from '../live/settings.ts'
import { HOST_AT_WORK_MARK, HOST_MARK } from '../sandbox/marks.ts'

/** Settings of the modules of {@link HOST}. */
export const HOST_SETTINGS = {
  WORKSPACE: SANDBOX_ROOT,
  NOTEBOOK_FILE,
  HALF_OUTPUT_BYTES: MAX_OUTPUT_BYTES / 2,
  MAX_OUTPUT_FILE_BYTES,
  ...LIVE_SETTINGS,
  HOST_MARK,
  HOST_AT_WORK_MARK,
  MAX_INTERACTIVE_CHARS,
  MAX_CELL_DATA_BYTES,
  MAX_REPORTED_FILE_BYTES,
  MAX_QUEUED_CELLS,
  MAX_KEPT_CELL_RUNS,
  MAX_IPYTHON_KERNELS,
  MAX_SHELLS,
  MAX_CONSOLE_REPLY_BYTES,
  MAX_KNOWN_QUESTIONS,
  MAX_CONSOLE_COMMAND_SECONDS: MAX_CONSOLE_COMMAND_MS / 1000,
  KERNEL_START_SECONDS: KERNEL_START_MS / 1000,
  CELL_INTERRUPT_SECONDS: CELL_INTERRUPT_MS / 1000,
}

/** Process in the sandbox with the session's notebook and shells: `src/guest/consoles/host.py`. */
export const HOST = pythonProgram({ modules: HOST_MODULES, settings: HOST_SETTINGS })
