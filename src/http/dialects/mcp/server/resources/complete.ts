import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server'
import { fail, orNull } from '../../../../../core/failure.ts'
import { type SessionName, sessionName } from '../../../../../core/ids.ts'
import { MAX_LISTED_FILES } from '../../../../../core/limits/files.ts'
import { MAX_COMPARED_SESSIONS, MAX_COMPLETIONS } from '../../../../../core/limits/mcp-resources.ts'
import { workspacePath } from '../../../../../core/workspace-path.ts'
import type { McpContext } from '../../context.ts'
import { PROMPTS } from '../prompts/texts.ts'
import { listedSession, sessionSeen } from './sight.ts'
import { fileTemplate } from './uris.ts'

/** Values that a client offers for a variable of the template. A prompt's arguments have none. @throws FailureError `invalid_input` */
export async function completion(
  context: McpContext,
  { ref, argument, context: known }: CompleteRequest['params'],
): Promise<CompleteResult> {
  if (ref.type === 'ref/prompt') {
    if (!PROMPTS.some(({ name }) => name === ref.name))
      fail('invalid_input', 'there is no such prompt; see prompts/list')
    return completed([], false)
  }
  const bound = context.endpoint.session
  if (ref.uri !== fileTemplate(bound)) fail('invalid_input', 'there is no such template; see resources/templates/list')
  const { name, value } = argument
  if (name === 'session' && bound === null) return sessions(context, value)
  if (name !== 'path') fail('invalid_input', 'the template has no such variable; it has "session" and "path"')
  const given = known?.arguments?.session
  return paths(context, given === undefined ? listedSession(context) : sessionName(given), value)
}

async function sessions({ services }: McpContext, value: string): Promise<CompleteResult> {
  const { sessions: all, next } = await services.tenant.sessions.list({ limit: MAX_COMPARED_SESSIONS })
  const names = all.map(({ name }) => name).filter((name) => name.startsWith(value))
  return completed(names, next !== undefined)
}

/** Names in the directory that the value leads into, which begin as its last name does. Directories end with a slash. */
async function paths(context: McpContext, session: SessionName, value: string): Promise<CompleteResult> {
  const cut = value.lastIndexOf('/') + 1
  const directory = workspacePath(value.slice(0, cut))
  const shown = value.slice(0, cut)
  const begun = value.slice(cut)
  // Behind all that sorts before the begun name, but not behind a name that is just that.
  const before = [...begun].slice(0, -1).join('')
  const after = before === '' || before === '.' || before === '..' ? null : workspacePath(`${directory}/${before}`)
  const request = { path: directory, asOf: null, depth: 1, limit: MAX_LISTED_FILES, after }
  const { files } = sessionSeen(context, session)
  const list = await orNull(files.list(request), 'session_not_found', 'not_found', 'invalid_input')
  const names = (list?.entries ?? []).flatMap(({ path, kind }) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return name.startsWith(begun) ? `${shown}${name}${kind === 'directory' ? '/' : ''}` : []
  })
  return completed(names, list?.more ?? false)
}

const completed = (values: readonly string[], more: boolean): CompleteResult => ({
  completion: {
    values: values.slice(0, MAX_COMPLETIONS),
    ...(!more && { total: values.length }),
    hasMore: more || values.length > MAX_COMPLETIONS,
  },
})
