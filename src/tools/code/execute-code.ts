import { z } from 'zod'
import { fail } from '../../core/failure.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { CODE_RUN_DIR, VENV_DIR } from '../../core/task-layout.ts'
import { absolutePath } from '../../core/workspace-path.ts'
import { optional, requiredText, seconds } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { commandData, commandText, streamChars } from '../command-result.ts'
import { grantedTime } from '../deadline.ts'
import { defineTool } from '../define.ts'
import { BACKGROUND_INPUT, mayGoOn } from '../jobs/background-input.ts'
import { runInBackground } from '../jobs/run-in-background.ts'

const DEFAULT_SECONDS = 300

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
  uses: ['workspace', 'runner', 'background'],
  input: z.object({
    file_path: requiredText.describe('The script, relative to the task root, e.g. "code_run/hello.py"'),
    timeout: optional(seconds).describe(`Seconds until it is stopped. Default ${DEFAULT_SECONDS}`),
    max_chars: streamChars,
    ...BACKGROUND_INPUT,
  }),

  async run({ file_path, timeout, max_chars, ...mode }, { ports: { workspace, runner, background } }) {
    const path = callerPath(workspace, file_path)
    if (!workspace.stat(path))
      fail('not_found', say`File not found: ${file_path}; write it with ${tool('file_write')} first`)
    const run = { script: pythonScript(absolutePath(path)), cwd: CODE_RUN_DIR, label: 'execute_code' }
    if (mayGoOn(mode)) {
      const request = { ...run, ...mode, shown: `python ${file_path}`, timeout, defaultSeconds: DEFAULT_SECONDS }
      return runInBackground(background, request, { executed_file: file_path })
    }
    const granted = grantedTime(timeout ?? DEFAULT_SECONDS)
    const result = await runner.run({ ...run, timeoutMs: granted.timeoutMs, maxChars: max_chars })
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
