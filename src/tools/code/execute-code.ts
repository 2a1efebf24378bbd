import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { CODE_RUN_DIR } from '../../core/task-layout.ts'
import { optional, seconds } from '../arguments.ts'
import { BACKGROUND_INPUT, mayGoOn } from '../background-input.ts'
import { networkAdvice, placeAdvice } from '../command-advice.ts'
import { commandData, commandText, streamChars } from '../command-result.ts'
import { foregroundTime, secondsUntilStopped } from '../deadline.ts'
import { defineTool } from '../define.ts'
import { filesChanged } from '../files-changed.ts'
import { runInBackground } from '../run-in-background.ts'
import { pythonProgram } from './python-program.ts'

const DEFAULT_SECONDS = 300

/**
 * Runs any file or text as Python. Source: Tool Server, tools/code_tools, ExecuteCodeTool; unlike there, output printed before a
 * timeout is returned, and the whole process group is ended.
 */
export const executeCode = defineTool({
  name: 'execute_code',
  description:
    "Run a Python script of the task (file_path), or code, in the sandbox, in the task's virtual environment and with " +
    'code_run/ as the current directory. Each call is a new process; files stay. Returns exit_code, stdout, stderr and ' +
    'files_changed; an exit code other than 0 is a result, not an error. Packages: pip_install. Arguments or input: ' +
    'execute_shell. Long work: background=true.',
  effect: 'run',
  uses: ['workspace', 'runner', 'background'],
  input: z.object({
    file_path: optional(z.string()).describe(
      'The script, relative to the task root, e.g. "code_run/hello.py". Required without code',
    ),
    code: optional(z.string()).describe(
      'Python to run in the place of a file, e.g. "print(6 * 7)". Required without file_path',
    ),
    timeout: optional(seconds).describe(secondsUntilStopped(DEFAULT_SECONDS)),
    max_chars: streamChars,
    ...BACKGROUND_INPUT,
  }),

  async run({ file_path, code, timeout, max_chars, ...mode }, { ports: { workspace, runner, background } }) {
    const program = await pythonProgram({ file_path, code }, workspace)
    const run = { script: program.script, cwd: CODE_RUN_DIR, label: 'execute_code' }
    if (mayGoOn(mode)) {
      const request = { ...run, ...mode, shown: program.shown, timeout, defaultSeconds: DEFAULT_SECONDS }
      return runInBackground(background, request, program.data)
    }
    const granted = foregroundTime(timeout ?? DEFAULT_SECONDS)
    const result = await runner.run({ ...run, timeoutMs: granted.timeoutMs, maxChars: max_chars, isShown: true })
    const changed = filesChanged(result)
    const advice = [...placeAdvice(workspace, result), ...networkAdvice(result)]
    const notes = [...granted.notes, ...advice, ...changed.notes]
    const data = { ...commandData(result, notes), ...changed.data, ...program.data }
    if (result.timedOut) {
      const message = `Execution timeout after ${granted.seconds} seconds; give a larger timeout, or run it in the background`
      fail('timeout', message, { data })
    }
    return { text: [commandText(result, notes), ...changed.lines].join('\n'), data }
  },
})
