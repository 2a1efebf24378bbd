import type { Result } from '../core/outcome.ts'

type Data = Result['data']

/** Field with the file that a tool makes for a person, by tool. */
const MADE: ReadonlyMap<string, string> = new Map([['tex2pdf_convert', 'pdf_file']])

/** Extensions of files that are made for people to look at, among those that a run changed. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(
  'png jpg jpeg gif webp svg pdf docx xlsx pptx odt ods odp csv html zip mp3 mp4'.split(' '),
)

/**
 * Data of a result with `download_url` beside each file that is for a person. The URL is relative to the server, whose public address only
 * its clients know, and has no key: who downloads shows one.
 * @param session name of the session
 */
export function withDownloads(data: Data, tool: string, session: string): Data {
  const { files_changed } = data
  const file = data[MADE.get(tool) ?? '']
  return {
    ...data,
    ...(typeof file === 'string' && { download_url: downloadUrl(session, file) }),
    ...(Array.isArray(files_changed) && { files_changed: files_changed.map((change) => withUrl(change, session)) }),
  }
}

function withUrl(change: { readonly path: string; readonly change: string }, session: string) {
  const extension = change.path.slice(change.path.lastIndexOf('.') + 1).toLowerCase()
  const isForPeople = change.change !== 'deleted' && FOR_PEOPLE.has(extension)
  return isForPeople ? { ...change, download_url: downloadUrl(session, change.path) } : change
}

/** Address of a file of a session. A slash in the session's name is encoded, so that the address can be read in one way only. */
const downloadUrl = (session: string, path: string) =>
  `/api/download/${encodeURIComponent(session.toWellFormed())}/${path
    .replace(/^\/+/, '')
    .split('/')
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('/')}`
