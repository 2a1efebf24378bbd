import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_CONSOLE_INPUT_CHARS, PYTHON_SOLUTION_MS } from '../../core/limits/consoles.ts'
import { MAX_OUTPUT_BYTES, MAX_REASON_CHARS } from '../../core/limits/sandbox.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { ROOT } from '../../core/workspace-path.ts'
import SOLUTION_PROGRAM from '../../guest/tools/solution.py' with { type: 'text' }
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { withoutFence } from './code-fence.ts'

/**
 * Runs Python with a `solution()`. Source: Lagent, actions/python_interpreter.py, with its default `answer_expr`. There the
 * code runs in Lagent's own process; here in the sandbox, each call in a new one.
 */
export const pythonSolution = defineTool({
  name: 'python_solution',
  description:
    'Run Python that defines a function solution() without parameters in the sandbox, in the task root; stopped after ' +
    `${PYTHON_SOLUTION_MS / 1000} seconds. Returns what the function returns, as text. Nothing is kept between calls but ` +
    'files. An exception in the code is a result: error has it. For variables that stay use ipython_run.',
  effect: 'run',
  uses: ['runner'],
  input: z.object({
    command: requiredText.describe('Python that defines solution(); it may stand between ``` lines'),
  }),

  async run({ command }, { ports: { runner } }) {
    const code = withoutFence(command)
    if (code.length > MAX_CONSOLE_INPUT_CHARS) {
      fail(
        'limit_exceeded',
        `the code has ${code.length} characters; at most ${MAX_CONSOLE_INPUT_CHARS} are taken (MAX_CONSOLE_INPUT_CHARS). Put data into a file`,
      )
    }
    const mark = `@${crypto.randomUUID()} `
    const { stdout, stderr, timedOut } = await runner.run({
      script: `python=python; command -v python > /dev/null || python=python3
exec $python -c ${shellQuote(SOLUTION_PROGRAM)} <<'TOOLYARD_REQUEST'
${JSON.stringify({ code, mark })}
TOOLYARD_REQUEST`,
      cwd: ROOT,
      timeoutMs: PYTHON_SOLUTION_MS,
      label: 'python_solution',
    })
    if (timedOut)
      return failed(`TimeoutError('no answer after ${PYTHON_SOLUTION_MS / 1000} seconds (PYTHON_SOLUTION_MS)')`)
    if (stdout.bytes > MAX_OUTPUT_BYTES) {
      fail(
        'limit_exceeded',
        `the answer has ${stdout.bytes} bytes; at most ${MAX_OUTPUT_BYTES} are taken (MAX_OUTPUT_BYTES). Write a file, and return its path`,
      )
    }
    const at = stdout.text.lastIndexOf(`\n${mark}`)
    const reply = Reply.safeParse(at === -1 ? null : parseOutput(stdout.text.slice(at + 1 + mark.length)))
    if (!reply.success) {
      return fail('upstream', `Python ended without an answer. ${stderr.text.slice(-MAX_REASON_CHARS).trim()}`.trim())
    }
    if ('error' in reply.data) return failed(reply.data.error)
    const { answer } = reply.data
    return { text: answer, data: { answer } }
  },
})

const failed = (error: string) => ({ text: error, data: { error } })

/** Well-formed text: a Python text may have unpaired surrogates, a JSON text for others may not. */
const wellFormed = z.string().transform((text) => text.toWellFormed())

const Reply = z.union([z.object({ answer: wellFormed }), z.object({ error: wellFormed })])

function parseOutput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // the code printed something else there
  }
}
