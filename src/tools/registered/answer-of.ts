import { encodeBase64 } from '../../core/base64.ts'
import { parseExactly } from '../../core/exact-json.ts'
import { type FailureCode, fail } from '../../core/failure.ts'
import { exceededAt } from '../../core/json-bounds.ts'
import { findJsonError } from '../../core/json-error.ts'
import { MAX_ERROR_BODY_CHARS } from '../../core/limits/registry.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '../../core/limits/requests.ts'
import type { Result } from '../../core/outcome.ts'
import type { HttpResponse } from '../../ports/http.ts'
import type { Mask } from './masked.ts'
import { retryAfter } from './retry-pause.ts'

/**
 * Refuses any answer but 2xx.
 * @throws FailureError with `HTTP 500: ` and the beginning of the answer, as in Toolcore; with `data` when the service says
 * that it may be requested again
 */
export function refuseUnlessGood(answer: HttpResponse, mask: Mask, now: number): void {
  const { status } = answer
  if (status >= 200 && status <= 299) return
  const { text } = maskedText(errorText(answer), mask)
  const cut = text.length > MAX_ERROR_BODY_CHARS ? `${text.slice(0, MAX_ERROR_BODY_CHARS).toWellFormed()}…` : text
  const pause = retryAfter(answer, now)
  const data = pause === null ? {} : { data: { retry_after_seconds: Math.ceil(pause / 1_000) } }
  fail(codeOf(status), `HTTP ${status}: ${cut}`, data)
}

/** Text of an error, whatever its bytes are: a proxy may have written it, in an encoding that it does not name. */
const errorText = (answer: HttpResponse): string => textOf(answer) ?? new TextDecoder().decode(answer.body)

function codeOf(status: number): FailureCode {
  if (status === 429) return 'rate_limited'
  if (status === 401 || status === 403) return 'forbidden'
  return status >= 400 && status <= 499 ? 'invalid_input' : 'upstream'
}

/**
 * Result from an answer in Toolcore's reading: an object in JSON, or null.
 * @throws FailureError `upstream` for anything else, in Toolcore's words
 */
export function objectOf({ body }: HttpResponse): Result {
  const text =
    decodedAs('utf-8', body) ?? fail('upstream', 'Unexpected error: the answer is not UTF-8, as JSON must be')
  const value = jsonOf(text)
  if ('wrong' in value) return fail('upstream', `Unexpected error: ${value.wrong}`)
  const { parsed } = value
  if (parsed !== null && (typeof parsed !== 'object' || Array.isArray(parsed))) {
    fail(
      'upstream',
      'Unexpected error: 1 validation error for ToolCallResult\nresult\n  Input should be a valid dictionary ' +
        `[type=dict_type, input_type=${pythonType(parsed)}]; the service must answer with a JSON object`,
    )
  }
  return { text, data: { result: parsed } }
}

/** Result from any answer: JSON as it is, text as text, and bytes as `{type: 'binary', media_type, data}` with base64. */
export function anyValueOf(answer: HttpResponse, mask: Mask): Result {
  const { headers, body } = answer
  const mediaType = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (body.length === 0) return { text: '', data: { result: null } }
  const text = isBinary(mediaType) ? null : textOf(answer)
  if (text === null) {
    const media_type = mediaType || 'application/octet-stream'
    const result = { type: 'binary', media_type, data: encodeBase64(mask.bytes(body)) }
    return { text: `${body.length} bytes of ${media_type}`, data: { result } }
  }
  const { text: shown, value } = maskedText(text, mask)
  return { text: shown, data: { result: value } }
}

/** Text with its secrets masked. JSON is masked after parsing, since a text in it may be written in many ways. */
function maskedText(text: string, mask: Mask): { readonly text: string; readonly value: unknown } {
  const read = jsonOf(text)
  if ('wrong' in read) {
    const masked = mask.text(text)
    return { text: masked, value: masked }
  }
  const value = mask.value(read.parsed)
  return { text: mask.isEmpty ? text : JSON.stringify(value), value }
}

const isBinary = (mediaType: string) =>
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:octet-stream|pdf|zip|gzip|vnd\.openxmlformats))/.test(
    mediaType,
  )

/** Text of an answer in the encoding that it names, else in UTF-8. @returns null when it is in neither */
function textOf({ headers, body }: HttpResponse): string | null {
  const named = /charset\s*=\s*"?([\w.:-]+)/i.exec(headers.get('content-type') ?? '')?.[1] ?? 'utf-8'
  return decodedAs(named, body) ?? decodedAs('utf-8', body)
}

function decodedAs(encoding: string, body: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(body)
  } catch {
    return null // no such encoding, or the text is not in it
  }
}

function jsonOf(text: string): { readonly parsed: unknown } | { readonly wrong: string } {
  const exceeded = exceededAt(text, { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES })
  if (exceeded) return { wrong: inPython(text, { at: exceeded.at, message: TOO_LARGE }) }
  try {
    return { parsed: parseExactly(text) }
  } catch {
    return { wrong: inPython(text, findJsonError(text)) }
  }
}

const TOO_LARGE = `More than ${MAX_JSON_VALUES} values, or deeper than ${MAX_JSON_DEPTH} levels (MAX_JSON_DEPTH)`

/** Error of a JSON text in the words of Python's `json`. */
function inPython(text: string, { at, message }: { readonly at: number; readonly message: string }): string {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return `${message}: line ${line} column ${at - before.lastIndexOf('\n')} (char ${at})`
}

function pythonType(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return typeof value === 'boolean' ? 'bool' : 'str'
}
