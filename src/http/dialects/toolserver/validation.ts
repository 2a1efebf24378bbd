import type { z } from 'zod'
import { MAX_ECHOED_INPUT_CHARS } from '../../../core/limits/requests.ts'

/** One thing that is wrong with a request, in the words of pydantic v2, which the published server speaks. */
export interface Detail {
  readonly type: string
  readonly message: string
  /** Only of `json_parse_error`: what to do about it. */
  readonly suggestion?: string
  readonly location: readonly (string | number)[]
  readonly input?: unknown
  readonly input_preview?: string
}

/** The body of a 422. */
export const encodeInvalid = (details: readonly Detail[]) => ({
  success: false,
  error: '请求格式错误',
  error_type: 'validation_error',
  details,
  suggestions: [
    '请检查请求体是否为合法的 JSON：字符串中的引号、反斜杠和换行必须转义',
    '内容含有较多特殊字符时，请使用 file_upload 工具以 Base64 方式上传',
    '也可以先把内容保存为本地文件，再上传该文件',
  ],
})

/** @param name of the query parameter that is not there */
export const missingQuery = (name: string): Detail => ({
  type: 'missing',
  message: 'Field required',
  location: ['query', name],
  input: null,
})

/** @param location `query` or `body`, and the field's name */
export const notBoolean = (location: Detail['location'], input: unknown): Detail => ({
  type: 'bool_parsing',
  message: 'Input should be a valid boolean, unable to interpret input',
  location,
  input: shown(input),
})

export const notText = (location: Detail['location'], input: unknown): Detail => ({
  type: 'string_type',
  message: 'Input should be a valid string',
  location,
  input: shown(input),
})

export const missingBody: Detail = { type: 'missing', message: 'Field required', location: ['body'], input: null }

/** What the parser says, and where: the part that helps to mend the request. */
export const brokenJson = (text: string, { at, message }: { at: number; message: string }): Detail => ({
  type: 'json_parse_error',
  message: 'JSON格式错误，可能包含未转义的特殊字符',
  suggestion: `请修正 JSON（第 ${at} 个字符：${message}），或使用 file_upload 工具上传含有特殊字符的内容`,
  location: ['body', at],
  input_preview: cut(text),
})

/** What zod found, said as pydantic would. Fields are strings, but for `params`, which is an object. */
export function detailsOf(error: z.ZodError, body: unknown): Detail[] {
  return error.issues.map((issue) => {
    const [field] = issue.path
    if (field === undefined) {
      return {
        type: 'model_attributes_type',
        message: 'Input should be a valid dictionary or object to extract fields from',
        location: ['body'],
        input: shown(body),
      }
    }
    const location = ['body', String(field)]
    if (issue.input === undefined) {
      return { type: 'missing', message: 'Field required', location, input: shown(body) }
    }
    return field === 'params'
      ? { type: 'dict_type', message: 'Input should be a valid dictionary', location, input: shown(issue.input) }
      : { type: 'string_type', message: 'Input should be a valid string', location, input: shown(issue.input) }
  })
}

const MAX_PREVIEW_CHARS = 100

const cut = (text: string) => (text.length > MAX_PREVIEW_CHARS ? `${text.slice(0, MAX_PREVIEW_CHARS)}...` : text)

/** What was sent, as it was when it is short: an answer does not carry megabytes back. */
function shown(input: unknown): unknown {
  const text = JSON.stringify(input) ?? ''
  return text.length > MAX_ECHOED_INPUT_CHARS ? cut(text) : input
}
