import { type FailureCode, fail } from '../../core/failure.ts'
import type { Result } from '../../core/outcome.ts'
import { checkValue } from '../../registry/check/check-value.ts'
import type { SourcedDefinition } from '../../registry/definition.ts'
import { returnedBy } from '../../registry/returned.ts'

/** Checks arguments, for a tool whose arguments are checked. @throws FailureError `invalid_input` naming what does not fit */
export function checkArguments({ checks, input_schema, id }: SourcedDefinition, args: unknown): void {
  if (checks.input) check(input_schema, args, 'invalid_input', `the arguments do not fit ${id}`)
}

/** Checks a result, for a tool whose results are checked. @throws FailureError `upstream` naming what does not fit */
export function checkResult({ checks, output_schema, id }: SourcedDefinition, result: Result): void {
  if (checks.output)
    check(output_schema, returnedBy(result), 'upstream', `${id} ran, but its result is not what it promises`)
}

function check(schema: SourcedDefinition['input_schema'], value: unknown, code: FailureCode, what: string): void {
  const misfits = checkValue(schema, value)
  if (misfits.length === 0) return
  const reasons = misfits.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  fail(code, `${what}: ${reasons.join('; ')}`)
}
