import type { ToolCall } from '../../core/outcome.ts'
import { MODES_THAT_REPLACE } from '../../tools/files/write-mode.ts'
import { spelled } from '../alike-names.ts'
import type { Params } from './params.ts'
import { isBase64 } from './text-conversions.ts'

/** The call of the tool that does what a call says in the words of another agent's tool of nearly that name. */
export function redirected(call: ToolCall): ToolCall {
  const redirect = REDIRECTS.get(call.tool)
  return redirect?.(call, call.args as Params) ?? call
}

type Redirect = (call: ToolCall, params: Params) => ToolCall | null

/** The insert command of Anthropic's text editor: a text behind a line, without one to be replaced. */
const inserting: Redirect = (call, params) => {
  const { command, ...args } = params
  const names = Object.keys(args)
  const has = (spellings: readonly string[]) =>
    names.some((name) => spellings.includes(spelled(name)) && args[name] !== null && args[name] !== '')
  const isInsert = has(['insertline']) && (command === undefined || command === null || command === 'insert')
  return isInsert && !has(['oldtext', 'oldstr', 'oldstring', 'edits'])
    ? { ...call, tool: 'file_replace_lines', args }
    : null
}

/** Any bytes as base64 for a new file under upload/: `file_write` writes text. */
const writingBytes: Redirect = (call, params) => {
  const { encoding, file_path, path = file_path, content, mode, ...others } = params
  if (!isBase64(encoding) || typeof path !== 'string' || typeof content !== 'string' || Object.keys(others).length > 0)
    return null
  const [, filename] = /^(?:\/home\/user\/workspace)?\/?upload\/(.+)$/.exec(path) ?? []
  const replaces = mode === undefined || mode === null || MODES_THAT_REPLACE.test(String(mode).trim().toLowerCase())
  return filename !== undefined && replaces
    ? { ...call, tool: 'file_upload', args: { files: [{ filename, content, is_base64: true }] } }
    : null
}

const REDIRECTS: ReadonlyMap<string, Redirect> = new Map([
  ['file_edit', inserting],
  ['file_write', writingBytes],
])
