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
 * Calls a Python function of a client in the sandbox.
 * @throws FailureError with the function's own error as `detail`
 */
export async function callOwnTool(python: Python, call: OwnCall): Promise<Result> {
  const said = await runOwnTool(python, call)
  if ('value' in said) return { text: JSON.stringify(said.value ?? null), data: { value: said.value ?? null } }
  if ('detail' in said) return fail('invalid_input', JSON.stringify(said.detail), { data: { detail: said.detail } })
  const why =
    'error' in said
      ? [said.error, said.message].filter(Boolean).join(': ')
      : 'NameError: its code does not define it any more'
  return fail('invalid_input', why, { data: { detail: why } })
}
