import { bashProgram } from '../bash-program.ts'
import { pythonProgram } from '../python-program.ts'
import NODE_IMPORTS_TEXT from './code_imports.mjs' with { type: 'text' }
import NODE_TOOLS_TEXT from './code_tools.mjs' with { type: 'text' }
import RUN from './run.py' with { type: 'text' }
import CODE_RUN_TEXT from './run.sh' with { type: 'text' }
import TOOLS from './tools.py' with { type: 'text' }

/** Python program that runs a file of code with `tools`. */
export const PYTHON_RUN = pythonProgram({
  modules: { 'code_mode.tools': TOOLS, 'code_mode.run': RUN },
  settings: {},
})

/** Module for node that makes `tools`. */
export const NODE_TOOLS = NODE_TOOLS_TEXT
/** Module for node that loads the one of `tools`, and lets code import from it. */
export const NODE_IMPORTS = NODE_IMPORTS_TEXT
/** Defines `run_python` and `run_typescript`. */
export const CODE_RUN = bashProgram(CODE_RUN_TEXT)
