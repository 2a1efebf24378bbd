import { fail } from '../../core/failure.ts'
import { MAX_CHAIN_RESULT_CHARS } from '../../core/limits/chains.ts'
import { type JsonSize, jsonSize } from './json-size.ts'

/** Size of a value as JSON. @throws FailureError `limit_exceeded` beyond MAX_CHAIN_RESULT_CHARS */
export function boundSize(value: unknown, what: string): JsonSize {
  const size = jsonSize(value, MAX_CHAIN_RESULT_CHARS)
  if (size.chars > MAX_CHAIN_RESULT_CHARS) {
    fail(
      'limit_exceeded',
      `${what} has more than ${MAX_CHAIN_RESULT_CHARS} characters (MAX_CHAIN_RESULT_CHARS); let the step write a file and give its path`,
    )
  }
  return size
}
