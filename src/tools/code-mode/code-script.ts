import { VENV_DIR } from '../../core/task-layout.ts'
import { absolutePath } from '../../core/workspace-path.ts'
import { bashCall } from '../../guest/bash-program.ts'
import { CODE_RUN, NODE_TOOLS, PYTHON_RUN } from '../../guest/code_mode/programs.ts'

export type CodeLanguage = 'python' | 'typescript'

/** Script that runs code beside its tools, in a directory of its own outside of the task, which goes with it. */
export const codeScript = (language: CodeLanguage, code: string): string =>
  `${CODE_RUN}\n${
    language === 'python'
      ? bashCall('run_python', `${absolutePath(VENV_DIR)}/bin/python`, PYTHON_RUN, code)
      : bashCall('run_typescript', NODE_TOOLS, code)
  }`

/** Exit code, and the line of stderr, by which the script says that no node of the sandbox runs TypeScript. */
export const NO_NODE = { exitCode: 127, line: 'toolyard: no node that runs TypeScript' }
