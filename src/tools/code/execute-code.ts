import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_PROGRAM_ARGUMENT_CHARS, MAX_PROGRAM_ARGUMENTS } from '../../core/limits/command-input.ts'
import { field, say } from '../../core/saying/saying.ts'
import { oneOrMoreTexts, optional, seconds, withDefault } from '../arguments.ts'
import { BACKGROUND_INPUT, mayGoOn } from '../background-input.ts'
import { streamChars } from '../command-result.ts'
import { foregroundTime, secondsUntilStopped } from '../deadline.ts'
import { defineTool } from '../define.ts'
import { environmentInput, environmentOf } from '../environment.ts'
import { runInBackground } from '../run-in-background.ts'
import { answerCommand, type CommandAnswer } from './command-answer.ts'
import { readingInput, STDIN_INPUT } from './command-input.ts'
import { pythonProgram } from './python-program.ts'
import { workingDirectory } from './working-directory.ts'

const DEFAULT_SECONDS = 300

/**
 * Runs any file or text as Python. Source: Tool Server, tools/code_tools, ExecuteCodeTool; unlike there, output printed before a
 * timeout is returned, and the whole process group is ended.
 */
export const executeCode = defineTool({
  name: 'execute_code',
  description:
    "Run a Python script of the task (file_path), or code, in the sandbox, in the task's virtual environment and with " +
    'code_run/ as the current directory unless workdir is given. Each call is a new process; files stay. Returns exit_code, ' +
    'stdout, stderr and files_changed; an exit code other than 0 is a result, not an error. Packages: pip_install. Long ' +
    'work: background=true.',
  effect: 'run',
  uses: ['workspace', 'runner', 'background'],
  secretArgs: ['env'],
  input: z.object({
    file_path: optional(z.string()).describe(
      'The script, relative to the task root, e.g. "code_run/hello.py". Required without code',
    ),
    code: optional(z.string()).describe(
      'Python to run in the place of a file, e.g. "print(6 * 7)". Required without file_path',
    ),
    args: optional(oneOrMoreTexts).describe('Arguments of the program, as sys.argv[1:] has them. Default: none'),
    workdir: withDefault(z.string(), '').describe(
      'Current directory of the program, relative to the task root; made if absent. Default code_run/',
    ),
    timeout: optional(seconds).describe(secondsUntilStopped(DEFAULT_SECONDS)),
    env: environmentInput('command'),
    stdin: STDIN_INPUT,
    max_chars: streamChars,
    ...BACKGROUND_INPUT,
  }),

  async run(given, { ports: { workspace, runner, background } }) {
    const { file_path, code, args, workdir, timeout, max_chars, env, stdin, ...mode } = given
    requireFewArguments(args)
    const program = await pythonProgram({ file_path, code, args }, workspace)
    const script = readingInput(program.script, stdin)
    const environment = environmentOf(env)
    const place = await workingDirectory(workspace, workdir)
    const run = { script, cwd: place.path, label: 'execute_code', ...environment }
    if (mayGoOn(mode)) {
      const request = {
        ...run,
        ...mode,
        shown: program.shown,
        timeout,
        defaultSeconds: DEFAULT_SECONDS,
        notes: place.notes,
      }
      return runInBackground(background, request, program.data)
    }
    const granted = foregroundTime(timeout ?? DEFAULT_SECONDS)
    const answer: CommandAnswer = {
      subject: 'Execution',
      seconds: granted.seconds,
      notes: [...granted.notes, ...place.notes],
      rootHint: workdir === '' ? '' : null,
      hasInput: Boolean(stdin),
      data: program.data,
    }
    const { timeoutMs } = granted
    const result = await runner.run({ ...run, timeoutMs, maxChars: max_chars, isShown: true, answer })
    return answerCommand(answer, result, { workspace })
  },

  answerOf: answerCommand,
})

function requireFewArguments(args: readonly string[] = []): void {
  if (args.length > MAX_PROGRAM_ARGUMENTS || args.join(' ').length > MAX_PROGRAM_ARGUMENT_CHARS) {
    fail(
      'limit_exceeded',
      say`${field('args')} has more than ${MAX_PROGRAM_ARGUMENTS} entries, or ${MAX_PROGRAM_ARGUMENT_CHARS} characters (MAX_PROGRAM_ARGUMENTS); give it by ${field('stdin')} or in a file`,
    )
  }
}
