import { z } from 'zod'
import { fail } from '../../core/failure.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { CODE_RUN_DIR, VENV_DIR } from '../../core/task-layout.ts'
import { absolutePath, workspacePath } from '../../core/workspace-path.ts'
import { requiredText, seconds, withDefault } from '../arguments.ts'
import { commandData, commandText, streamChars } from '../command-result.ts'
import { grantedTime } from '../deadline.ts'
import { defineTool } from '../define.ts'

/**
 * Runs any file as Python. Source: Tool Server, tools/code_tools, ExecuteCodeTool; unlike there, output printed before a
 * timeout is returned, and the whole process group is ended.
 */
export const executeCode = defineTool({
  name: 'execute_code',
  description:
    "Run a Python script of the task in the task's virtual environment, with code_run/ as the current directory. " +
    'Returns exit_code, stdout and stderr; an exit code other than 0 is a result, not an error. Files that the script ' +
    'writes are kept. Install packages with pip_install.',
  effect: 'run',
  uses: ['workspace', 'runner'],
  input: z.object({
    file_path: requiredText.describe('The script, relative to the task root, e.g. "code_run/hello.py"'),
    timeout: withDefault(seconds, 300).describe('Seconds until it is stopped. Default 300'),
    max_chars: streamChars,
  }),

  async run({ file_path, timeout, max_chars }, { ports: { workspace, runner } }) {
    const path = workspacePath(file_path)
    if (!workspace.stat(path))
      fail('not_found', say`File not found: ${file_path}; write it with ${tool('file_write')} first`)
    const granted = grantedTime(timeout)
    const result = await runner.run({
      script: pythonScript(absolutePath(path)),
      cwd: CODE_RUN_DIR,
      timeoutMs: granted.timeoutMs,
      maxChars: max_chars,
      label: 'execute_code',
    })
    const data = { ...commandData(result, granted.notes), executed_file: file_path }
    if (result.timedOut) {
      const message = `Execution timeout after ${granted.seconds} seconds; give a larger timeout, or let it do less`
      fail('timeout', message, { data })
    }
    return { text: commandText(result, granted.notes), data }
  },
})

/**
 * Script that runs a file in the task's environment, or by the system's Python, as the original does, where a caller has
 * removed the environment.
 */
function pythonScript(file: string): string {
  const python = `${absolutePath(VENV_DIR)}/bin/python`
  return `python=${python}; [ -x "$python" ] || python=python3; exec "$python" ${shellQuote(file)}`
}
