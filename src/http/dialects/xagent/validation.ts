import type * as z from 'zod'

/** One mistake in a body, in the form of pydantic v2, which the published server uses. */
export interface Detail {
  readonly type: string
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly input?: unknown
}

export const missing = (...loc: string[]): Detail => ({ type: 'missing', loc, msg: 'Field required', input: null })

/** Detail for a body that is no JSON. @param at in characters from 0 */
export const brokenJson = ({ at, message }: { readonly at: number; readonly message: string }): Detail => ({
  type: 'json_invalid',
  loc: ['body', at],
  msg: `JSON decode error: ${message}`,
})

/** Details of zod's errors: missing fields, no text, no number in its bounds, no object. */
export const detailsOf = (error: z.ZodError): Detail[] =>
  error.issues.map(({ path, input, code, message, ...issue }) => {
    const loc = ['body', ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))]
    if (input === undefined && path.length > 0) return { type: 'missing', loc, msg: 'Field required', input: null }
    if (code === 'too_small') return { type: 'greater_than_equal', loc, msg: message }
    if (code === 'too_big') return { type: 'less_than_equal', loc, msg: message }
    const expected = code === 'invalid_type' && 'expected' in issue ? issue.expected : ''
    switch (expected) {
      case 'string':
        return { type: 'string_type', loc, msg: 'Input should be a valid string' }
      case 'number':
      case 'int':
        return { type: 'int_type', loc, msg: 'Input should be a valid integer' }
      case 'array':
        return { type: 'list_type', loc, msg: 'Input should be a valid list' }
      default:
        return { type: 'dict_type', loc, msg: 'Input should be a valid dictionary' }
    }
  })
