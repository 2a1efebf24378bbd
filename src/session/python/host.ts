import { MAX_PYTHON_MODULES, MAX_PYTHON_RESULT_BYTES, PYTHON_IDLE_MS } from '../../core/limits/python.ts'
import { MAX_OUTPUT_BYTES, MAX_OUTPUT_FILE_BYTES } from '../../core/limits/sandbox.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { SANDBOX_ROOT } from '../../core/workspace-path.ts'
import { HOST_MODULES, LAGENT_SOURCES } from '../../guest/python_host/programs.ts'
import { pythonProgram } from '../../guest/python-program.ts'
import { BUILT_IN_DESCRIPTIONS } from '../../tools/lagent/built-in-descriptions.ts'
import { LIVE_SETTINGS } from '../live/settings.ts'

/** Process in the sandbox that manages the modules' processes: `src/guest/python_host/host.py`. */
export const HOST = pythonProgram({
  modules: HOST_MODULES,
  settings: {
    WORKSPACE: SANDBOX_ROOT,
    VENV_DIR,
    HALF_OUTPUT_BYTES: MAX_OUTPUT_BYTES / 2,
    MAX_OUTPUT_FILE_BYTES,
    MAX_PYTHON_RESULT_BYTES,
    MAX_PYTHON_MODULES,
    IDLE_SECONDS: PYTHON_IDLE_MS / 1000,
    ...LIVE_SETTINGS,
    LAGENT_SOURCES,
    LAGENT_ACTION_NAMES: BUILT_IN_DESCRIPTIONS.map(({ name }) => name),
    // Read when a module imports the package.
    LAGENT_DESCRIPTIONS: JSON.stringify(BUILT_IN_DESCRIPTIONS),
  },
})
