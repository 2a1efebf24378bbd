import { fail } from '../../core/failure.ts'
import type { Result } from '../../core/outcome.ts'
import type { Python } from '../../ports/python.ts'
import { runOwnTool } from './own-tool-program.ts'

interface OwnCall {
  readonly name: string
  readonly code: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/**
 * Calls a client's Python function in the sandbox.
 * @throws FailureError with the function's own error as `detail`
 */
export async function callOwnTool(python: Python, call: OwnCall): Promise<Result> {
  const reply = await runOwnTool(python, call)
  if ('value' in reply) return { text: JSON.stringify(reply.value ?? null), data: { value: reply.value ?? null } }
  if ('detail' in reply) return fail('invalid_input', JSON.stringify(reply.detail), { data: { detail: reply.detail } })
  const why =
    'error' in reply
      ? [reply.error, reply.message].filter(Boolean).join(': ')
      : 'NameError: its code does not define it any more'
  return fail('invalid_input', why, { data: { detail: why } })
}
