import type * as z from 'zod'
import { MAX_ECHOED_INPUT_CHARS } from '../../../core/limits/requests.ts'

/** One mistake in a request, in the words of pydantic v2, which the published server uses. */
export interface Detail {
  readonly type: string
  readonly message: string
  /** Advice; only for `json_parse_error`. */
  readonly suggestion?: string
  readonly location: readonly (string | number)[]
  readonly input?: unknown
  readonly input_preview?: string
}

/** Body of a 422. */
export const encodeInvalid = (details: readonly Detail[]) => ({
  success: false,
  error: '请求格式错误',
  error_type: 'validation_error',
  details,
  suggestions: [
    '请检查请求体是否为合法的 JSON：字符串中的引号、反斜杠和换行必须转义 ' +
      '(the request does not fit: send JSON with task_id, tool_name and params; escape quotes, backslashes and line ends in texts)',
    '内容含有较多特殊字符时，请使用 file_upload 工具以 Base64 方式上传 (content with many special characters: upload it as Base64 by file_upload)',
    '也可以先把内容保存为本地文件，再上传该文件 (or save the content as a local file and upload that)',
  ],
})

/** Detail for a missing query parameter. @param name of the parameter */
export const missingQuery = (name: string): Detail => ({
  type: 'missing',
  message: 'Field required',
  location: ['query', name],
  input: null,
})

/** Detail for a field that is no boolean. @param location `query` or `body`, and the field's name */
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

/** Detail for a broken body: the parser's message and place, the part that helps to correct the request. */
export const brokenJson = (text: string, { at, message }: { at: number; message: string }): Detail => ({
  type: 'json_parse_error',
  message: 'JSON格式错误，可能包含未转义的特殊字符',
  suggestion: `请修正 JSON（第 ${at} 个字符：${message}），或使用 file_upload 工具上传含有特殊字符的内容 (the body is not JSON at character ${at}: correct it, or upload the content by file_upload)`,
  location: ['body', at],
  input_preview: cut(text),
})

/** Details of zod's errors in pydantic's words. Fields are strings, but for `params`, which is an object. */
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

/** The input, unchanged when it is short: an answer does not carry megabytes back. */
function shown(input: unknown): unknown {
  const text = JSON.stringify(input) ?? ''
  return text.length > MAX_ECHOED_INPUT_CHARS ? cut(text) : input
}
