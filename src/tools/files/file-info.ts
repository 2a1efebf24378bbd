import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_INFO_PATHS } from '../../core/limits/finding.ts'
import { MAX_EDIT_BYTES } from '../../core/limits/workspace.ts'
import { field, say } from '../../core/saying/saying.ts'
import { sha256 } from '../../core/sha256.ts'
import { pythonTimestamp } from '../../core/timestamp.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import { detectEncoding, tryDecode } from '../../documents/encoding.ts'
import type { FileEntry, Workspace, WorkspaceEntry } from '../../ports/workspace.ts'
import { oneOrMoreTexts, onePath, optional } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { sandboxOnlyAt, sandboxOnlyNotes } from '../sandbox-only.ts'
import { whatExists } from '../what-exists.ts'
import { mediaTypeOf, textMediaType } from './find/media-type.ts'
import { lineBreaksOf } from './line-breaks.ts'
import { splitLines, universalNewlines } from './lines.ts'

/** Tells what a file, a directory or a link is. */
export const fileInfo = defineTool({
  name: 'file_info',
  description:
    'Tell about a file, directory or link of the task without reading it out. Runs at once, without a sandbox. Returns ' +
    'kind, size in bytes, time of change (UTC), mode, media type by content, sha256; of a text its encoding, line endings ' +
    '(lf, crlf, cr, mixed, none) and number of lines; of a link its target; of a directory its number of entries.',
  effect: 'read',
  uses: ['workspace'],
  input: z.object({
    file_path: optional(onePath).describe(
      'Path relative to the task root, e.g. "upload/data.csv". Required without file_paths',
    ),
    file_paths: optional(oneOrMoreTexts).describe(
      `Several of them in the place of file_path, at most ${MAX_INFO_PATHS}; the answer has files, one for each. Default: one`,
    ),
  }),

  async run({ file_path, file_paths }, { ports: { workspace } }) {
    const named = [...new Set([...(file_path === undefined ? [] : [file_path]), ...(file_paths ?? [])])]
    const [first, ...others] = named
    if (first === undefined) fail('invalid_input', say`missing required parameter: ${field('file_path')}`)
    if (named.length > MAX_INFO_PATHS)
      fail('limit_exceeded', `at most ${MAX_INFO_PATHS} paths are looked at by one call (MAX_INFO_PATHS)`)
    if (file_paths === undefined && others.length === 0) return described(workspace, first)
    const files: Described[] = []
    for (const given of named) files.push(await described(workspace, given))
    return { text: files.map(({ text }) => text).join('\n\n'), data: { files: files.map(({ data }) => data) } }
  },
})

interface Described {
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
}

/** @throws FailureError `not_found`, `invalid_input` */
async function described(workspace: Workspace, file_path: string): Promise<Described> {
  const path = callerPath(workspace, file_path)
  const entry = workspace.stat(path)
  const about = entry
    ? { ...common(entry), ...(await details(entry, workspace)) }
    : await unstored(file_path, path, workspace)
  const directory = entry?.kind === 'directory' ? await sandboxOnlyAt(workspace, path) : null
  const notes = sandboxOnlyNotes(directory === null ? [] : [directory])
  const data = { file_path, ...about }
  return {
    text: [
      ...Object.entries(data).map(([name, value]) => `${name}: ${value}`),
      ...notes.map((note) => `[${note}]`),
    ].join('\n'),
    data: { ...data, ...(notes.length > 0 && { notes }) },
  }
}

const common = ({ kind, mtimeMs, mode, path }: WorkspaceEntry) => ({
  kind,
  // The root has no time of its own.
  ...(path !== '' && { modified: pythonTimestamp(mtimeMs) }),
  mode: mode.toString(8).padStart(4, '0'),
})

async function details(entry: WorkspaceEntry, workspace: Workspace): Promise<Record<string, string | number>> {
  if (entry.kind === 'link') return { target: entry.target }
  if (entry.kind === 'directory') return { entries: workspace.list(entry.path, {}).entries.length }
  if (entry.size > MAX_EDIT_BYTES) return { ...(await beginningOf(entry, workspace)), ...identity(entry) }
  const bytes = await workspace.read(entry.path)
  return { ...(bytes && contentDetails(bytes)), ...identity(entry) }
}

const identity = ({ size, hash }: FileEntry) => ({ size, sha256: hash })

/** Facts by the first bytes of a large file. */
async function beginningOf({ path }: FileEntry, workspace: Workspace) {
  const reader = (await workspace.open(path))?.body.getReader()
  if (!reader) return {}
  try {
    const { value } = await reader.read()
    return { mime_type: (value && mediaTypeOf(value)) ?? 'application/octet-stream' }
  } finally {
    await reader.cancel()
  }
}

/** A file that is written when it is read. @throws FailureError `not_found` when there is none */
async function unstored(
  given: string,
  path: WorkspacePath,
  workspace: Workspace,
): Promise<Record<string, string | number>> {
  const bytes = await workspace.read(path)
  if (!bytes) fail('not_found', say`File not found: ${given}; ${await whatExists(workspace, path)}`)
  return { kind: 'file', ...contentDetails(bytes), size: bytes.length, sha256: sha256(bytes) }
}

function contentDetails(bytes: Uint8Array): Record<string, string | number> {
  if (bytes.length === 0) return { mime_type: 'application/x-empty', lines: 0 }
  const type = mediaTypeOf(bytes)
  const encoding = type === null ? detectEncoding(bytes) : null
  const text = encoding && tryDecode(bytes, encoding)
  if (!encoding || text === null) return { mime_type: type ?? 'application/octet-stream' }
  return {
    mime_type: textMediaType(text),
    encoding: encoding.name,
    line_endings: lineEndings(text),
    lines: splitLines(universalNewlines(text)).length,
  }
}

/** The line endings of a text. */
function lineEndings(text: string): string {
  return /[\n\r]/.test(text) ? lineBreaksOf(text).name.toLowerCase() : 'none'
}
