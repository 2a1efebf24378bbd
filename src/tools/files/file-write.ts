import * as z from 'zod'
import { decodeBase64Text } from '../../core/base64.ts'
import { joined } from '../../core/joined.ts'
import { absolutePath, type WorkspacePath } from '../../core/workspace-path.ts'
import { detectEncoding, encodeFile, encodeText, encodingNamed, UTF8, writable } from '../../documents/encoding.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { flag, givenText, onePath, optional, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { type OtherPlace, otherPlace } from './other-place.ts'
import { writeMode } from './write-mode.ts'
import { writeTarget } from './write-target.ts'

/**
 * Writes a file. Source: Tool Server, tools/file_tools, FileWriteTool, in which every mode but "overwrite" appends; here the words that
 * other APIs have for the two are taken, and others refused.
 */
export const fileWrite = defineTool({
  name: 'file_write',
  description:
    'Write text to a file of the task; directories on the way are made. Replaces the file, or adds to its end with mode ' +
    '"append". Runs without a sandbox. Returns size, in bytes of the whole file. To change a part of a file use file_edit; ' +
    'for binary content file_upload.',
  effect: 'write',
  uses: ['workspace'],
  input: z.object({
    file_path: onePath.describe('Path relative to the task root, e.g. "code_run/hello.py"'),
    content: givenText.describe('What to write; "" makes an empty file'),
    mode: withDefault(z.string(), 'overwrite').describe('"overwrite" (default) or "append"'),
    is_base64: withDefault(flag, false).describe('True when content is base64 of UTF-8 text. Default false'),
    encoding: optional(z.string()).describe('Encoding of the file. Default utf-8; when appending, that of the file'),
  }),

  async run({ file_path, content, mode: word, is_base64, encoding: encodingName }, { ports: { workspace } }) {
    const mode = writeMode(word)
    const path = writeTarget(workspace, file_path)
    const words = is_base64 ? decodeBase64Text(content, 'content') : content
    const {
      bytes,
      encoding,
      notes: ofText,
    } = mode === 'overwrite' ? whole(words, encodingName) : await appended(workspace, path, words, encodingName)
    const twin = workspace.stat(path) ? null : otherPlace(workspace, path)
    await workspace.commit([{ op: 'write', path, content: bytes }])
    const notes = [...ofText, ...(twin === null ? [] : [madeBeside(twin)])]
    const done = `${mode === 'overwrite' ? 'wrote' : 'appended to'} ${file_path}, now ${bytes.length} bytes`
    return {
      text: [done, ...notes].join('\n'),
      data: {
        file_path,
        mode,
        size: bytes.length,
        container_path: absolutePath(path),
        was_base64: is_base64,
        encoding_used: encoding.name,
        ...(notes.length > 0 && { notes }),
      },
    }
  },
})

function whole(words: string, encodingName: string | undefined) {
  const encoding = encodingName ? encodingNamed(encodingName) : UTF8
  return { bytes: encodeFile(words, encoding), encoding, notes: [] }
}

async function appended(workspace: Workspace, path: WorkspacePath, words: string, encodingName: string | undefined) {
  const before = await workspace.read(path)
  if (!before || before.length === 0) return whole(words, encodingName)
  // Content that is no text gets UTF-8 appended, e.g. a log into which a program has put a NUL.
  const encoding = encodingName ? encodingNamed(encodingName, before) : writable(detectEncoding(before) ?? UTF8)
  const notes = endsLinesByCrlf(before) && /(?<!\r)\n/.test(words) ? [OTHER_BREAKS] : []
  return { bytes: joined([before, encodeText(words, encoding)]), encoding, notes }
}

/** Whether the last line break of a file is CRLF. In UTF-16 it never is: a zero stands between the two. */
function endsLinesByCrlf(bytes: Uint8Array): boolean {
  const at = bytes.lastIndexOf(LF)
  return at > 0 && bytes[at - 1] === CR
}

const [LF, CR] = [10, 13]

/** Note on a directory that was made for a file, though the one that was meant may be another. */
const madeBeside = ({ directory, there, path }: OtherPlace) =>
  `${directory}/ was made for it, and ${there}/ exists, too (commands start in code_run/, paths of files in the root): if that was meant, write ${path} instead`

const OTHER_BREAKS =
  'lines of the file end with CRLF, and those that were added with LF; write "\\r\\n" in content to keep them alike'
