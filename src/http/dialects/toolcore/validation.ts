import type * as z from 'zod'
import { MAX_ECHOED_INPUT_CHARS } from '../../../core/limits/requests.ts'
import type { ParsedJson } from '../../json.ts'

/** One mistake in a body, in FastAPI's form with pydantic v2. */
export interface Detail {
  readonly type: string
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly input: unknown
  readonly ctx?: Readonly<Record<string, unknown>>
}

export const missingBody: Detail = { type: 'missing', loc: ['body'], msg: 'Field required', input: null }

export const notAnObject = (input: unknown): Detail => ({
  type: 'model_attributes_type',
  loc: ['body'],
  msg: 'Input should be a valid dictionary or object to extract fields from',
  input: shown(input),
})

export const brokenJson = ({ at, message }: Extract<ParsedJson, { ok: false }>): Detail => ({
  type: 'json_invalid',
  loc: ['body', at],
  msg: 'JSON decode error',
  input: {},
  ctx: { error: message },
})

/** Details of zod's errors in an object of texts and dictionaries. */
export function detailsOf(error: z.ZodError, body: unknown): Detail[] {
  return error.issues.map(({ path, input, ...issue }) => {
    const loc = ['body', ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))]
    if (path.length === 0) return notAnObject(input)
    if (input === undefined) return { type: 'missing', loc, msg: 'Field required', input: shown(body) }
    if (issue.code === 'too_big') {
      const max_length = Number(issue.maximum)
      const msg = `String should have at most ${max_length} characters`
      return { type: 'string_too_long', loc, msg, input: shown(input), ctx: { max_length } }
    }
    const wantsText = issue.code === 'invalid_type' && 'expected' in issue && issue.expected === 'string'
    return wantsText
      ? { type: 'string_type', loc, msg: 'Input should be a valid string', input: shown(input) }
      : { type: 'dict_type', loc, msg: 'Input should be a valid dictionary', input: shown(input) }
  })
}

/** The input, unchanged when it is short: an answer does not carry megabytes back. */
function shown(input: unknown): unknown {
  const text = JSON.stringify(input) ?? 'null'
  return text.length > MAX_ECHOED_INPUT_CHARS ? `${text.slice(0, MAX_ECHOED_INPUT_CHARS)}...` : input
}
