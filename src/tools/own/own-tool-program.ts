import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { SHELL_COMMAND_MS } from '../../core/limits/consoles.ts'
import { MAX_OUTPUT_BYTES, MAX_REASON_CHARS } from '../../core/limits/sandbox.ts'
import PROGRAM from '../../guest/tools/own_tool_program.py' with { type: 'text' }
import type { Python } from '../../ports/python.ts'

/** Files of the run: the module around a client's Python, and that Python. */
const filesOf = (code: string) => ({ 'own_tool_program.py': PROGRAM, 'own_tool_code.py': code })

const Reply = z.union([
  z.object({ value: z.unknown() }).refine((reply) => 'value' in reply),
  z.object({ doc: z.string(), visible: z.boolean() }),
  z.object({ absent: z.array(z.string()) }),
  z.object({ detail: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]) }),
  z.object({ error: z.string(), message: z.string().transform((text) => text.slice(0, MAX_REASON_CHARS)) }),
])

interface Request {
  readonly name: string
  readonly code: string
  /** Arguments of the function; without them it is only described. */
  readonly arguments?: Readonly<Record<string, unknown>>
}

/**
 * Runs a client's function, or describes it.
 * @throws FailureError `timeout`; `upstream` when it ended without a reply; else as `Python.call`
 */
export async function runOwnTool(
  python: Python,
  { name, code, arguments: args }: Request,
): Promise<z.output<typeof Reply>> {
  const module = { files: filesOf(code), main: 'own_tool_program', requirements: [] }
  const reply = await python.call({
    module: { ...module, environment: 'task' },
    ask: { do: 'function', entry: 'answer', args: { name, arguments: args ?? null }, context: {} },
    timeoutMs: SHELL_COMMAND_MS,
  })
  if (reply.how === 'timedOut') {
    fail('timeout', `stopped after ${SHELL_COMMAND_MS / 1000} seconds (SHELL_COMMAND_MS); let it do less`)
  }
  const json = reply.how === 'returned' && typeof reply.value === 'string' ? reply.value : ''
  const bytes = reply.how === 'tooLarge' ? reply.bytes : json.length
  if (bytes > MAX_OUTPUT_BYTES) {
    fail(
      'limit_exceeded',
      `its result has ${bytes} bytes; at most ${MAX_OUTPUT_BYTES} are taken (MAX_OUTPUT_BYTES). Let it write a file, and return the path`,
    )
  }
  const answer = Reply.safeParse(parseOutput(json))
  if (!answer.success) {
    fail('upstream', `the tool ended without a result. ${reply.stderr.text.slice(-MAX_REASON_CHARS).trim()}`.trim())
  }
  return answer.data
}

function parseOutput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // the function printed something else there
  }
}
