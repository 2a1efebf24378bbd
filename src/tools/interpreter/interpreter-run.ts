import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { SHELL_COMMAND_MS } from '../../core/limits/consoles.ts'
import { MAX_EDIT_BYTES } from '../../core/limits/workspace.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { ROOT, workspacePath } from '../../core/workspace-path.ts'
import { optional, withDefault } from '../arguments.ts'
import { commandData, commandText } from '../command-result.ts'
import { defineTool } from '../define.ts'

/**
 * Runs code as a file. Source: XAgent ToolServer, extensions/tools/interpreter.py. Unlike there the file is replaced, not
 * appended to.
 */
export const interpreterRun = defineTool({
  name: 'interpreter_run',
  description:
    'Write code to a file of the task and start it in the sandbox, with Python or a command of your own, in the task root; ' +
    `stopped after ${SHELL_COMMAND_MS / 1000} seconds. Returns exit_code, stdout and stderr; an exit code other than 0 is a ` +
    'result, not an error. Without a file, and for long work: execute_code.',
  effect: 'run',
  uses: ['runner', 'turn', 'workspace'],
  input: z.object({
    code: optional(z.string()).describe('What the file gets, which is replaced. Default: the file stays as it is'),
    command: optional(z.string()).describe('Bash that runs in the task root. Default: python with the file'),
    filename: withDefault(z.string(), 'main.py').describe(
      'Path of the file, relative to the task root. Default main.py',
    ),
  }),

  async run({ code, command, filename }, { ports: { runner, turn, workspace } }) {
    const path = workspacePath(filename)
    if (code !== undefined) {
      const content = new TextEncoder().encode(code)
      if (content.length > MAX_EDIT_BYTES)
        fail('limit_exceeded', `the code is larger than ${MAX_EDIT_BYTES} bytes (MAX_EDIT_BYTES)`)
      await turn(async () => {
        await workspace.commit([{ op: 'write', path, content }])
      })
    } else if (!command && workspace.stat(path)?.kind !== 'file') {
      fail('not_found', `File not found: ${filename}; give code, or a command`)
    }
    const result = await runner.run({
      script:
        command ||
        `python=python; command -v python > /dev/null || python=python3; exec $python ${shellQuote(`./${path}`)}`,
      cwd: ROOT,
      timeoutMs: SHELL_COMMAND_MS,
      isShown: true,
      label: 'interpreter_run',
    })
    const data = commandData(result)
    if (result.timedOut)
      fail('timeout', `stopped after ${SHELL_COMMAND_MS / 1000} seconds (SHELL_COMMAND_MS); let it do less`, { data })
    return { text: commandText(result), data }
  },
})
