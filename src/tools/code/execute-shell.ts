import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { commandLine, optional, seconds, withDefault } from '../arguments.ts'
import { BACKGROUND_INPUT, mayGoOn } from '../background-input.ts'
import { streamChars } from '../command-result.ts'
import { foregroundTime, secondsUntilStopped } from '../deadline.ts'
import { defineTool } from '../define.ts'
import { environmentInput, environmentOf } from '../environment.ts'
import { runInBackground } from '../run-in-background.ts'
import { answerCommand, type CommandAnswer } from './command-answer.ts'
import { readingInput, STDIN_INPUT } from './command-input.ts'
import { workingDirectory } from './working-directory.ts'

const DEFAULT_SECONDS = 60

/**
 * Runs a command in bash. Source: Tool Server, tools/code_tools, ExecuteShellTool; unlike there, the shell is bash, the
 * task's virtual environment is on its PATH, and a timeout ends the whole process group and returns the output so far.
 */
export const executeShell = defineTool({
  name: 'execute_shell',
  description:
    'Run bash commands in the sandbox, in code_run/ unless workdir is given. Each call is a new shell: cd and ' +
    'variables are lost after it, files and processes stay. Returns exit_code, stdout, stderr and files_changed (not of ' +
    'node_modules/, .venv/ and __pycache__/, which only commands see); an exit code other than 0 is a result, not an error. Long work: background=true.',
  effect: 'run',
  uses: ['workspace', 'runner', 'background'],
  secretArgs: ['env'],
  input: z.object({
    command: commandLine.describe('One or more bash commands, e.g. "ls -la && wc -l *.py"'),
    workdir: withDefault(z.string(), '').describe(
      'Directory to run in, relative to the task root; made if absent. Default code_run/',
    ),
    timeout: optional(seconds).describe(secondsUntilStopped(DEFAULT_SECONDS)),
    env: environmentInput('command'),
    stdin: STDIN_INPUT,
    max_chars: streamChars,
    ...BACKGROUND_INPUT,
  }),

  async run(
    { command, workdir, timeout, max_chars, env, stdin, ...mode },
    { ports: { workspace, runner, background } },
  ) {
    if (command.includes('\0')) fail('invalid_input', 'the command has a NUL character; remove it')
    const script = readingInput(command, stdin)
    const environment = environmentOf(env)
    const place = await workingDirectory(workspace, workdir)
    const run = { script, cwd: place.path, label: 'execute_shell', ...environment }
    if (mayGoOn(mode)) {
      const request = { ...run, ...mode, shown: command, timeout, defaultSeconds: DEFAULT_SECONDS, notes: place.notes }
      return runInBackground(background, request, { command })
    }
    const granted = foregroundTime(timeout ?? DEFAULT_SECONDS)
    const answer: CommandAnswer = {
      subject: 'Command',
      seconds: granted.seconds,
      notes: [...granted.notes, ...place.notes],
      rootHint: workdir === '' ? ' (or workdir ".", which starts in the root)' : null,
      hasInput: Boolean(stdin),
      data: { command },
    }
    const { timeoutMs } = granted
    const result = await runner.run({ ...run, timeoutMs, maxChars: max_chars, isShown: true, answer })
    return answerCommand(answer, result, { workspace })
  },

  answerOf: answerCommand,
})
