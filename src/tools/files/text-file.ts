import { fail } from '../../core/failure.ts'
import { field, say, tool } from '../../core/saying/saying.ts'
import { worded } from '../../core/saying/worded.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import { detectEncoding, type Encoding, encodingNamed, tryDecode, writtenName } from '../../documents/encoding.ts'
import type { PastFiles } from '../../ports/workspace.ts'
import { callerPath } from '../caller-path.ts'
import { whatExists } from '../what-exists.ts'
import { universalNewlines } from './lines.ts'
import { otherReader } from './other-reader.ts'

export interface TextFile {
  readonly path: WorkspacePath
  /** Size of the file in bytes. */
  readonly size: number
  /** Content with universal newlines: `\n` only. */
  readonly text: string
  /** Content with the line breaks that it has. */
  readonly raw: string
  readonly encoding: Encoding
  /** Name of the smallest encoding that holds the bytes as they are: GBK or GB18030 for some texts of the encoding GB2312. */
  readonly storedAs: string
}

/** Extensions that the Tool Server never reads as text (tools/file_tools, FileReadTool). */
const BINARY_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    '.pdf .png .jpg .jpeg .gif .bmp .ico .tiff .webp .mp3 .mp4 .avi .mov .wav ' +
    '.zip .rar .7z .tar .gz .exe .dll .so .dylib .bin .dat .db .sqlite .pkl'
  ).split(' '),
)

/**
 * Reads a file as text, otherwise as {@link textFileAt}.
 * @throws FailureError `not_found`, too
 */
export async function readTextFile(workspace: PastFiles, given: string, encodingName?: string): Promise<TextFile> {
  const file = await textFileAt(workspace, given, encodingName)
  return (
    file ??
    fail('not_found', say`File not found: ${given}; ${await whatExists(workspace, callerPath(workspace, given))}`)
  )
}

/**
 * Reads a file as text; null when there is none.
 * @param given the path as the caller wrote it; errors repeat it so
 * @param encodingName encoding to decode by; detected when absent
 * @throws FailureError `invalid_input` for a directory, a binary file or an encoding that does not fit
 */
export async function textFileAt(workspace: PastFiles, given: string, encodingName?: string): Promise<TextFile | null> {
  const path = callerPath(workspace, given)
  const entry = workspace.stat(path)
  if (entry?.kind === 'directory')
    fail('invalid_input', say`Not a file: ${given}; ${tool('dir_list')} shows what is in it`)
  const suffix = extension(path)
  if (entry && BINARY_EXTENSIONS.has(suffix)) {
    const message = say`${binary(given)}. File type '${suffix}' is not supported for text reading. ${otherReader(suffix)}`
    fail('invalid_input', message, PICTURE_EXTENSIONS.has(suffix) ? { data: { notes: [PICTURE_NOTE] } } : {})
  }
  const bytes = await workspace.read(path)
  if (!bytes) return null

  const encoding = encodingName ? encodingNamed(encodingName, bytes) : detectEncoding(bytes)
  if (!encoding) fail('invalid_input', say`${binary(given)}. Its content is not text. ${otherReader(suffix)}`)
  const raw = tryDecode(bytes, encoding)
  if (raw === null) {
    fail(
      'invalid_input',
      say`${given} is not ${encoding.name} text; leave ${field('encoding')} out and it is found out`,
    )
  }
  return {
    path,
    size: bytes.length,
    text: universalNewlines(raw),
    raw,
    encoding,
    storedAs: writtenName(bytes, encoding),
  }
}

const binary = (given: string) => `Cannot read binary file: ${given}`

/** Names of pictures that `image_read` shows. */
const PICTURE_EXTENSIONS: ReadonlySet<string> = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp'])
const PICTURE_NOTE = worded(say`${tool('image_read')} shows a picture`)

/** Whether a file is never read as text, by its name. */
export const isBinaryName = (path: string) => BINARY_EXTENSIONS.has(extension(path))

const extension = (path: string) => /\.[^./]+$/.exec(path.slice(path.lastIndexOf('/') + 2))?.[0].toLowerCase() ?? ''
