import { fail } from '../../../../../core/failure.ts'
import { type SessionName, sessionName } from '../../../../../core/ids.ts'
import { MAX_RESOURCE_URI_CHARS } from '../../../../../core/limits/mcp-resources.ts'
import { type WorkspacePath, workspacePath } from '../../../../../core/workspace-path.ts'

/** Place that a URI of ours leads to. */
export type ResourceAddress =
  | { readonly kind: 'file'; readonly session: SessionName; readonly path: WorkspacePath }
  | { readonly kind: 'result'; readonly session: SessionName; readonly handle: string }

/** Template of all files of the sessions, or of the one session that an address binds. */
export const fileTemplate = (bound: SessionName | null) =>
  `${FILES}${bound === null ? '{session}' : encodeURIComponent(bound)}/{+path}`

/** URI of a file or a directory. Names are percent-encoded, the slashes between them are not. */
export const fileUri = (session: SessionName, path: string) =>
  `${FILES}${encoded(session)}/${path.replace(/^\/+/, '').split('/').map(encoded).join('/')}`

/** URI of the whole result of a call. @param handle name of the result: `result_…` */
export const resultUri = (session: SessionName, handle: string) => `${RESULTS}${encoded(session)}/${encoded(handle)}`

/**
 * Address of a URI. What clients fill into the template may be encoded in any way that decodes to the path: `a%2Fb` is `a/b`, and `?`
 * and `#` are characters of names.
 * @throws FailureError `invalid_input` for one that is not of ours
 */
export function addressOf(uri: string): ResourceAddress {
  if (uri.length > MAX_RESOURCE_URI_CHARS)
    fail('invalid_input', `the URI has more than ${MAX_RESOURCE_URI_CHARS} characters (MAX_RESOURCE_URI_CHARS)`)
  const scheme = [FILES, RESULTS].find((start) => uri.startsWith(start))
  const slash = scheme === undefined ? -1 : uri.indexOf('/', scheme.length)
  if (scheme === undefined || slash === -1)
    fail('invalid_input', 'the URI is none of this server; take one of resources/list, or toolyard://{session}/{path}')
  const session = sessionName(decoded(uri.slice(scheme.length, slash)))
  const rest = decoded(uri.slice(slash + 1))
  return scheme === FILES
    ? { kind: 'file', session, path: workspacePath(rest) }
    : { kind: 'result', session, handle: rest }
}

const encoded = (name: string) => encodeURIComponent(name.toWellFormed())

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    return fail('invalid_input', 'the URI is not percent-encoded UTF-8; encode each name by encodeURIComponent', {
      cause,
    })
  }
}

const FILES = 'toolyard://'
/** A scheme of its own: a path of a result could be that of a file too. */
const RESULTS = 'toolyard-result://'
