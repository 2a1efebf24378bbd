import type { ReadResourceResult } from '@modelcontextprotocol/server'
import { fail } from '../../../../../core/failure.ts'
import type { SessionName } from '../../../../../core/ids.ts'
import { MAX_DIRECTORY_ENTRIES, MAX_RESOURCE_BYTES } from '../../../../../core/limits/mcp-resources.ts'
import { readAll } from '../../../../../core/read-all.ts'
import { callOfHandle } from '../../../../../core/result-handle.ts'
import { utf8Length } from '../../../../../core/utf8-length.ts'
import type { WorkspacePath } from '../../../../../core/workspace-path.ts'
import type { SessionApi } from '../../../../../session/api.ts'
import type { CallView } from '../../../../../session/calls-api.ts'
import type { McpContext } from '../../context.ts'
import { contentsOf } from './content.ts'
import { resourceOf } from './list.ts'
import { sessionSeen } from './sight.ts'
import { addressOf, fileUri } from './uris.ts'

/**
 * Content of a resource under the very URI that the client sent.
 * @throws FailureError `invalid_input`, `not_found`, `session_not_found`, `limit_exceeded`
 */
export async function readResource(context: McpContext, uri: string): Promise<ReadResourceResult> {
  const address = addressOf(uri)
  const session = sessionSeen(context, address.session)
  if (address.kind === 'result') return { contents: [await result(session, uri, address.handle)] }
  const { path } = address
  const answer = await session.files.read({ ...WHOLE, path })
  if (answer.state === 'directory') return { contents: [await directory(session, address.session, uri, path)] }
  if (answer.state !== 'found' || answer.body === null) fail('not_found', `there is no file ${path}`)
  const { file, body } = answer
  if ((file.size ?? 0) > MAX_RESOURCE_BYTES) {
    await body.cancel()
    tooLarge(context, address.session, path, file.size ?? 0)
  }
  const bytes = (await readAll(body, MAX_RESOURCE_BYTES)) ?? tooLarge(context, address.session, path, file.size ?? 0)
  return { contents: [contentsOf(uri, path, bytes)] }
}

const WHOLE = { asOf: null, range: null, ifRange: null, match: null, noneMatch: null, content: true }

function tooLarge({ origin }: McpContext, session: SessionName, path: WorkspacePath, bytes: number): never {
  const name = fileUri(session, path).slice(fileUri(session, '').length)
  return fail(
    'limit_exceeded',
    `the file has ${bytes} bytes; a resource has at most ${MAX_RESOURCE_BYTES} (MAX_RESOURCE_BYTES): read parts of it by the tool ` +
      `file_read with start_line and end_line, or download ${origin}/v1/sessions/${encodeURIComponent(session)}/files/${name}`,
  )
}

async function directory(session: SessionApi, name: SessionName, uri: string, path: WorkspacePath) {
  const request = { path, asOf: null, depth: 1, limit: MAX_DIRECTORY_ENTRIES, after: null }
  const { entries, more } = await session.files.list(request)
  const listed = entries.map((entry) =>
    entry.kind === 'file'
      ? { type: 'file', ...resourceOf(name, entry) }
      : { type: entry.kind, uri: fileUri(name, entry.path), name: entry.path },
  )
  const hint = `these are the first ${MAX_DIRECTORY_ENTRIES}; the tool dir_list shows more`
  return { uri, mimeType: 'application/json', text: JSON.stringify({ entries: listed, ...(more && { hint }) }) }
}

async function result(session: SessionApi, uri: string, handle: string) {
  const text = textOf(await session.calls.find(callOfHandle(handle)))
  const bytes = utf8Length(text)
  if (bytes > MAX_RESOURCE_BYTES)
    fail(
      'limit_exceeded',
      `the result has ${bytes} bytes; a resource has at most ${MAX_RESOURCE_BYTES} (MAX_RESOURCE_BYTES): ask for parts of it by ` +
        'the tool result_query with a view',
    )
  return { uri, mimeType: 'text/plain', text }
}

/** The whole text of a call's answer, as far as it is kept. @throws FailureError `conflict` while the call runs */
function textOf({ call, running, ended, outcome }: CallView): string {
  if (running) fail('conflict', 'the call still runs; read its result when it has ended')
  if (ended) return 'result' in ended ? ended.result.text : ended.failure.message
  if (!outcome) return call.answer
  switch (outcome.kind) {
    case 'done':
      return outcome.result.text
    case 'pending':
      return outcome.soFar.text
    default:
      return outcome.failure.message
  }
}
