import { z } from 'zod'
import { fail } from '../../core/failure.ts'
import { CODE_RUN_DIR } from '../../core/task-layout.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { commandLine, optional, seconds, withDefault } from '../arguments.ts'
import { BACKGROUND_INPUT, mayGoOn } from '../background-input.ts'
import { callerPath } from '../caller-path.ts'
import { commandData, commandText, streamChars } from '../command-result.ts'
import { foregroundTime } from '../deadline.ts'
import { defineTool } from '../define.ts'
import { filesChanged } from '../files-changed.ts'
import { runInBackground } from '../run-in-background.ts'

const DEFAULT_SECONDS = 60

/**
 * Runs a command in bash. Source: Tool Server, tools/code_tools, ExecuteShellTool; unlike there, the shell is bash, the
 * task's virtual environment is on its PATH, and a timeout ends the whole process group and returns the output so far.
 */
export const executeShell = defineTool({
  name: 'execute_shell',
  description:
    "Run a bash command in the task's sandbox. Returns exit_code, stdout and stderr; an exit code other than 0 is a " +
    'result, not an error. Standard input is empty. Files that the command writes in the task are kept.',
  effect: 'run',
  uses: ['workspace', 'runner', 'background'],
  input: z.object({
    command: commandLine.describe('One or more bash commands, e.g. "ls -la && wc -l *.py"'),
    workdir: withDefault(z.string(), '').describe(
      'Directory to run in, relative to the task root; made if absent. Default code_run',
    ),
    timeout: optional(seconds).describe(`Seconds until it is stopped. Default ${DEFAULT_SECONDS}`),
    max_chars: streamChars,
    ...BACKGROUND_INPUT,
  }),

  async run({ command, workdir, timeout, max_chars, ...mode }, { ports: { workspace, runner, background } }) {
    if (command.includes('\0')) fail('invalid_input', 'the command has a NUL character; remove it')
    const run = { script: command, cwd: directory(workspace, workdir), label: 'execute_shell' }
    if (mayGoOn(mode)) {
      const request = { ...run, ...mode, shown: command, timeout, defaultSeconds: DEFAULT_SECONDS }
      return runInBackground(background, request, { command })
    }
    const granted = foregroundTime(timeout ?? DEFAULT_SECONDS)
    const result = await runner.run({ ...run, timeoutMs: granted.timeoutMs, maxChars: max_chars })
    const changed = filesChanged(result)
    const notes = [...granted.notes, ...changed.notes]
    const data = { ...commandData(result, notes), ...changed.data, command }
    if (result.timedOut) {
      const message = `Command timeout after ${granted.seconds} seconds; give a larger timeout, or run it in the background`
      fail('timeout', message, { data })
    }
    return { text: [commandText(result, notes), ...changed.lines].join('\n'), data }
  },
})

function directory(workspace: Workspace, workdir: string) {
  if (workdir === '') return CODE_RUN_DIR
  const path = callerPath(workspace, workdir)
  if (workspace.stat(path)?.kind === 'file') fail('invalid_input', `Not a directory: ${workdir}`)
  return path
}
