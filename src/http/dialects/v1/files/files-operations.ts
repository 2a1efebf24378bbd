import { MAX_FILE_BYTES } from '../../../../core/limits/workspace.ts'
import type { Operation } from '../../../operations/operation.ts'
import { SESSION } from '../sessions/session-path.ts'
import { FilePage, FilesQuery, RemoveQuery, WrittenFile } from './files-codec.ts'

const BYTES = { raw: 'application/octet-stream' }
/** Content of a file, whose type is that of its name: of a directory it is a FilePage, but a file may be any JSON. */
const ANY_TYPE = { raw: '*/*' }
const PATH = {
  ...SESSION,
  path: "Path of the file from the session's directory of files on, percent-encoded; %2F means the same as a slash.",
}
const IF_MATCH = 'ETags, one of which the file must have now; * for any file. Otherwise 412, with the ETag that it has.'
const IF_UNMODIFIED =
  'HTTP date, where there is no If-Match: 412 when the file was changed after it. It tells whole seconds, an ETag each change.'
/** Header with the commit that a change of files made. */
export const COMMIT = 'Toolyard-Commit'
const COMMIT_WORDS = 'Number of the commit that the change made.'
const ETAG = 'Strong entity tag: the SHA-256 of the content in quotes.'

export const listFiles = {
  id: 'listFiles',
  tag: 'files',
  summary: 'List the files of a session',
  description: 'Sorted by path. What lies in directories is listed with recursive=true, or to a depth.',
  scope: 'read',
  params: SESSION,
  query: FilesQuery,
  answers: { 200: { description: 'One page of the directory of all files.', content: FilePage } },
  problems: [400, 404],
  example: { params: { session: 'docs' }, query: { recursive: 'true' }, status: 200 },
} satisfies Operation<typeof FilesQuery>

export const getFile = {
  id: 'getFile',
  tag: 'files',
  summary: 'Get a file, a part of it, or the list of a directory',
  description:
    'A path that is a directory is answered with its list, as listFiles; so is one with a slash at its end. HEAD answers with the headers alone. ' +
    'The content comes as an attachment, whatever its type.',
  scope: 'read',
  params: PATH,
  query: FilesQuery,
  headers: {
    Range: 'One range of bytes: bytes=0-99, bytes=100- or bytes=-100. Several are answered with the whole file.',
    'If-Range': 'ETag of the file of which alone a part is wanted; of any other one the whole comes.',
    'If-Match': IF_MATCH,
    'If-None-Match': 'ETags that the client has: 304 when the file has one of them.',
    'If-Modified-Since':
      'HTTP date of the copy that the client has, where it sends no If-None-Match: 304 when the file was not changed since.',
    'If-Unmodified-Since': IF_UNMODIFIED,
  },
  answers: {
    200: {
      description: 'The file; of a directory one page of its list, as listFiles gives it.',
      content: ANY_TYPE,
      headers: {
        ETag: ETAG,
        'Last-Modified': 'When the file was last changed.',
        'Content-Digest': 'SHA-256 of the content, by RFC 9530.',
      },
    },
    206: {
      description: 'The part that Range asks for.',
      content: ANY_TYPE,
      headers: { ETag: ETAG, 'Content-Range': 'Which bytes it is.' },
    },
    304: { description: 'The file is the one that the client has, by If-None-Match or If-Modified-Since.' },
  },
  problems: [400, 404, 412, 416],
  example: { params: { session: 'docs', path: 'notes.txt' }, status: 200 },
} satisfies Operation<typeof FilesQuery>

const WRITTEN = { ETag: ETAG, [COMMIT]: COMMIT_WORDS }

export const putFile = {
  id: 'putFile',
  tag: 'files',
  summary: 'Create or replace a file',
  description:
    `Directories on the way are made. At most ${MAX_FILE_BYTES} bytes (MAX_FILE_BYTES), and without Content-Length 29360128 (MAX_BODY_BYTES). ` +
    'Conditions are checked in the moment of the change: If-None-Match: * creates only, If-Match replaces what the client knows.',
  scope: 'execute',
  params: PATH,
  headers: {
    'If-Match': IF_MATCH,
    'If-None-Match': '*: create the file, and never replace one.',
    'If-Unmodified-Since': IF_UNMODIFIED,
    'Content-Digest': 'SHA-256 of the content, by RFC 9530: a content that arrives as another one is refused.',
  },
  body: BYTES,
  answers: {
    200: { description: 'The file was replaced.', content: WrittenFile, headers: WRITTEN },
    201: { description: 'The file was made.', content: WrittenFile, headers: WRITTEN },
  },
  problems: [400, 404, 409, 412, 413],
  example: { params: { session: 'docs', path: 'notes.txt' }, body: 'hello', status: 201 },
} satisfies Operation

export const deleteFile = {
  id: 'deleteFile',
  tag: 'files',
  summary: 'Delete a file or a directory',
  description:
    'A directory with files wants recursive=true. What was deleted stays readable as of the commit before, for a week.',
  scope: 'execute',
  params: PATH,
  query: RemoveQuery,
  headers: { 'If-Match': IF_MATCH, 'If-Unmodified-Since': IF_UNMODIFIED },
  answers: { 204: { description: 'It is gone.', headers: { [COMMIT]: COMMIT_WORDS } } },
  problems: [400, 404, 409, 412],
  example: { params: { session: 'docs', path: 'notes.txt' }, status: 204 },
} satisfies Operation<typeof RemoveQuery>
