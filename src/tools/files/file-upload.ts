import * as z from 'zod'
import { decodeBase64 } from '../../core/base64.ts'
import { pythonTimestamp } from '../../core/timestamp.ts'
import { absolutePath, joinPath, type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import type { Change, Workspace } from '../../ports/workspace.ts'
import { flag, givenText, objects, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { underUpload } from '../under-upload.ts'
import { uploadedAs } from './uploaded-as.ts'
import { writeTarget } from './write-target.ts'

const uploadedFile = z.preprocess(
  uploadedAs,
  z.object({
    filename: requiredText.describe('Path relative to target_path, e.g. "images/logo.png"'),
    content: givenText.describe('Text, or base64 of any bytes; "" makes an empty file'),
    is_base64: withDefault(flag, false).describe('True when content is base64. Default false'),
  }),
)

/**
 * Uploads files. An empty list of files is a success. Source: Tool Server, tools/file_tools, FileUploadTool, which also
 * skips entries without a name or content and says nothing; where target_path lies is as its published document says.
 */
export const fileUpload = defineTool({
  name: 'file_upload',
  description:
    'Put files into the task, under upload/: text, or any bytes as base64. Existing files are replaced. All files of one ' +
    'call are stored or, if one is refused, none. Runs without a sandbox. Returns uploaded_files: path and size in bytes of ' +
    'each.',
  effect: 'write',
  uses: ['workspace', 'clock'],
  input: z.object({
    files: objects(uploadedFile).describe('The files, each with filename and content'),
    target_path: withDefault(z.string(), '').describe(
      'Directory under upload/ to put them in. Default: upload/ itself',
    ),
  }),

  async run({ files, target_path }, { ports: { workspace, clock } }) {
    const directory = underUpload(target_path)
    const uploads = files.map(({ filename, content, is_base64 }) => ({
      filename,
      path: uploadPath(workspace, directory, filename),
      content: bytesOf(filename, content, is_base64),
    }))
    const changes: Change[] = uploads.map(({ path, content }) => ({ op: 'write', path, content }))
    if (!workspace.stat(directory)) changes.unshift({ op: 'mkdir', path: directory })
    if (changes.length > 0) await workspace.commit(changes)
    const created_at = pythonTimestamp(clock.now())
    return {
      text:
        uploads.map(({ path, content }) => `stored ${path}, ${content.length} bytes`).join('\n') || 'no files given',
      data: {
        uploaded_files: uploads.map(({ filename, path, content }) => ({
          filename,
          path: absolutePath(path),
          size: content.length,
          created_at,
        })),
        upload_dir: absolutePath(directory),
      },
    }
  },
})

/** Path of an uploaded file. The name becomes a path by itself first, so that it cannot climb out of the directory. */
const uploadPath = (workspace: Workspace, directory: WorkspacePath, filename: string) =>
  writeTarget(workspace, joinPath(directory, workspacePath(filename)))

const bytesOf = (filename: string, content: string, isBase64: boolean) =>
  isBase64 ? decodeBase64(content, filename) : new TextEncoder().encode(content)
