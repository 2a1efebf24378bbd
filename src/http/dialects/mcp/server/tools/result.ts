import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { endOf, startOf } from '../../../../../core/cut-text.ts'
import { failureIn } from '../../../../../core/failure.ts'
import type { SessionName } from '../../../../../core/ids.ts'
import { isObject } from '../../../../../core/json-object.ts'
import { MAX_MCP_FILE_LINKS, MCP_NOTES_CHARS, MCP_TEXT_CHARS } from '../../../../../core/limits/mcp.ts'
import type { CallFile, Outcome, Result, ToolCall } from '../../../../../core/outcome.ts'
import { handleOf } from '../../../../../core/result-handle.ts'
import type { Vocabulary } from '../../../../../core/saying/worded.ts'
import { returnedBy } from '../../../../../registry/returned.ts'
import { mediaType } from '../../../../media-type.ts'
import { failedResult } from '../failures.ts'
import { fileUri, resultUri } from '../resources/uris.ts'
import { imagesOf } from './images.ts'

/** Form of a result: who reads it, and how much. */
export interface ResultForm {
  readonly session: SessionName
  readonly vocabulary: Vocabulary
  /** Length of the text. */
  readonly chars: number
  /** Whether the tool's list has a schema of what it returns. */
  readonly isStructured: boolean
  /** How the caller makes the call that waits on. */
  sayNext(next: ToolCall): string
}

/** The result of a call, however it ended: the one place where an outcome becomes one. */
export function resultOf(outcome: Outcome, form: ResultForm): CallToolResult {
  const links = linksOf(outcome, form.session)
  switch (outcome.kind) {
    case 'done':
      return {
        content: [...shown(outcome.result, outcome, form), ...wholeOf(outcome.result, outcome.callId, form), ...links],
        ...(form.isStructured && structured(outcome.result)),
      }
    case 'pending': {
      const { soFar, next } = outcome
      return {
        content: [...shown(soFar, outcome, form), { type: 'text', text: form.sayNext(next) }, ...links],
        // Clients refuse a result without what its schema promises, unless it is an error.
        ...(form.isStructured && { isError: true }),
      }
    }
    case 'failed':
    case 'refused': {
      const { message } = failureIn(outcome.failure, form.vocabulary)
      const text = withNotes(cut(message, form.chars, outcome.callId), outcome.failure.data)
      const failed = failedResult(outcome.failure, text)
      return { ...failed, content: [...failed.content, ...links] }
    }
  }
}

/** Length of a call's text: what it asks for, or that of the longest answers of tools. */
export function textChars(args: unknown): number {
  const wanted = isObject(args) ? Number(args.max_chars) : Number.NaN
  return Number.isFinite(wanted) ? Math.max(MCP_TEXT_CHARS, wanted + MCP_NOTES_CHARS) : MCP_TEXT_CHARS
}

function shown(result: Result, { callId }: Outcome, { chars }: ResultForm): ContentBlock[] {
  const { images, left } = imagesOf(result)
  const text = withNotes(cut(result.text, chars, callId), result.data)
  const note = left === 0 ? '' : `\n${left} more image${left > 1 ? 's are' : ' is'} left out`
  return [{ type: 'text', text: `${text}${note}` }, ...images]
}

/** The text with notes that it does not have yet. */
function withNotes(text: string, data: Result['data'] | undefined): string {
  const notes = (Array.isArray(data?.notes) ? data.notes : []).filter(
    (note): note is string => typeof note === 'string' && !text.includes(note),
  )
  return notes.length === 0 ? text : `${text}\n${startOf(notes.join('\n'), MCP_NOTES_CHARS)}`
}

/** Beginning and end of a text that is too long, and by which name the whole is asked for. */
function cut(text: string, chars: number, callId: string | undefined): string {
  if (text.length <= chars) return text
  const [start, end] = [startOf(text, Math.floor(chars * 0.75)), endOf(text, Math.floor(chars * 0.25))]
  const left = text.length - start.length - end.length
  const rest = callId === undefined ? '' : `; result_query with handle ${handleOf(callId)} shows more`
  return `${start}\n… ${left} characters left out${rest} …\n${end}`
}

/** Link to the whole of a text that is too long. */
function wholeOf({ text }: Result, callId: string | undefined, { chars, session }: ResultForm): ContentBlock[] {
  if (text.length <= chars || callId === undefined) return []
  const handle = handleOf(callId)
  return [{ type: 'resource_link', uri: resultUri(session, handle), name: handle, mimeType: 'text/plain' }]
}

/** Structured content of a tool with a schema of its results. */
function structured(result: Result): Pick<CallToolResult, 'structuredContent'> {
  const returned = returnedBy(result)
  return isObject(returned) ? { structuredContent: returned } : {}
}

/** Links to the whole output of a command that was cut, and to files that the call changed. */
function linksOf(outcome: Outcome, session: SessionName): ContentBlock[] {
  const { files = [], more = 0 } = outcome.files ?? {}
  const there = files.filter(({ change }) => change !== 'deleted')
  const paths = new Map<string, CallFile | null>([
    ...wholeOutputs(outcome).map((path) => [path, null] as const),
    ...there.map((file) => [file.path, file] as const),
  ])
  const links = [...paths].slice(0, MAX_MCP_FILE_LINKS).map(([path, file]) => linkTo(session, path, file?.size ?? null))
  const left = paths.size - links.length + more
  return left === 0 ? links : [...links, { type: 'text', text: `${left} more files changed` }]
}

/** Files with the whole of outputs that were cut, by output: `stdout`, `stderr`. */
function wholeOutputs(outcome: Outcome): string[] {
  const data = outcome.kind === 'done' ? outcome.result.data : outcome.kind === 'pending' ? outcome.soFar.data : {}
  if (!isObject(data.full_output)) return []
  return Object.values(data.full_output).filter((path) => typeof path === 'string')
}

const linkTo = (session: SessionName, path: string, size: number | null): ContentBlock => ({
  type: 'resource_link',
  uri: fileUri(session, path),
  name: path,
  mimeType: mediaType(path),
  ...(size !== null && { size }),
})
