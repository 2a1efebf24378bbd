import { VENV_DIR } from '../../core/task-layout.ts'
import { absolutePath } from '../../core/workspace-path.ts'
import { bashCall } from '../../guest/bash-program.ts'
import { CODE_RUN, NODE_IMPORTS, NODE_TOOLS, PYTHON_RUN } from '../../guest/code_mode/programs.ts'

export type CodeLanguage = 'python' | 'typescript'

/** Script that runs code beside its tools, in a directory of its own outside of the task, which goes with it. */
export const codeScript = (language: CodeLanguage, code: string): string =>
  `${CODE_RUN}\n${
    language === 'python'
      ? bashCall('run_python', `${absolutePath(VENV_DIR)}/bin/python`, PYTHON_RUN, code)
      : bashCall('run_typescript', NODE_TOOLS, NODE_IMPORTS, code)
  }`

/**
 * Reason why a sandbox cannot run the code, and what to do.
 * @param stderr what the script printed there, which says so in one line
 * @returns null where it ran
 */
export const lackOf = ({ exitCode, stderr }: { readonly exitCode: number; readonly stderr: string }): string | null =>
  (exitCode === 127 && LACKS.get(stderr.trim())) || null

const LACKS: ReadonlyMap<string, string> = new Map([
  [
    'toolyard: no node that runs TypeScript',
    `the sandbox has no node that runs TypeScript (22.6 or newer); write the code in Python, or install node and link it as ${VENV_DIR}/bin/node`,
  ],
  [
    'toolyard: no python3',
    'the sandbox has no python3, by which code calls tools; call the tools themselves, or ask the owner for a sandbox template with Python',
  ],
])
