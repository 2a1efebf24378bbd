import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { DOWNLOAD_MS, MAX_UNSIZED_DOWNLOAD_BYTES } from '../../core/limits/web.ts'
import { MAX_FILE_BYTES } from '../../core/limits/workspace.ts'
import { readAll } from '../../core/read-all.ts'
import { field, say, tool } from '../../core/saying/saying.ts'
import { UPLOAD_DIR } from '../../core/task-layout.ts'
import { joinPath, type WorkspacePath } from '../../core/workspace-path.ts'
import type { HttpStream } from '../../ports/http.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { oneUrl, withDefault } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { fileNameOf } from './file-name.ts'
import { freePath } from './free-path.ts'

/** Source: Tool Server of October 2025, tools/file_tools, download_file_from_url. */
export const downloadFileFromUrl = defineTool({
  name: 'download_file_from_url',
  description:
    'Download a file from the public web into the task, as it is: data sets, PDFs, images, archives. Fetched by the server, ' +
    `without a sandbox; at most ${MAX_FILE_BYTES / 1024 ** 2} MiB. Returns downloaded_file (the path) and file_size in ` +
    'bytes. For the readable text of a web page use crawl_page.',
  effect: 'fetch',
  uses: ['http', 'turn', 'workspace'],
  input: z.object({
    download_url: oneUrl.describe('http or https URL of the file'),
    save_path: withDefault(z.string(), '').describe(
      'Where to put it, relative to the task root, e.g. "upload/data.csv"; of a directory ("upload/") the file keeps its name. Default: its own name under upload/, beside one that is there',
    ),
  }),

  async run({ download_url, save_path }, { ports: { http, turn, workspace }, signal }) {
    if (save_path !== '') callerPath(workspace, save_path) // an impossible path is refused before anything is downloaded
    const request = { url: download_url, timeoutMs: DOWNLOAD_MS, maxBytes: MAX_FILE_BYTES }
    const answer = await http.open(request, signal)
    if (answer.status !== 200) {
      await answer.body.cancel()
      fail(
        'upstream',
        say`${new URL(answer.url).host} answered ${answer.status} and no file; check ${field('download_url')}`,
      )
    }
    const stored = await workspace.storing(async (store) => {
      const content = await store(await contentOf(answer))
      return turn(async () => {
        const path = target(workspace, save_path, answer)
        await workspace.commit([{ op: 'write', path, content }])
        return { path, size: content.size }
      })
    })
    return {
      text: `downloaded ${download_url} to ${stored.path}, ${stored.size} bytes`,
      data: { downloaded_file: stored.path, file_size: stored.size },
    }
  },
})

/** Content of a download. One of known size passes through; another one is held in memory, since the store must know sizes. */
async function contentOf({ size, body, url }: HttpStream) {
  if (size !== null) return { stream: body, size }
  const bytes = await readAll(body, MAX_UNSIZED_DOWNLOAD_BYTES)
  if (bytes) return bytes
  return fail(
    'limit_exceeded',
    say`${new URL(url).host} does not say how large the file is, and it has more than ${MAX_UNSIZED_DOWNLOAD_BYTES} bytes (MAX_UNSIZED_DOWNLOAD_BYTES); fetch it with ${tool('execute_shell')}: curl -O`,
  )
}

function target(workspace: Workspace, given: string, answer: HttpStream): WorkspacePath {
  if (given === '') return freePath(workspace, UPLOAD_DIR, fileNameOf(answer.headers, answer.url))
  const path = callerPath(workspace, given)
  const isDirectory = given.endsWith('/') || workspace.stat(path)?.kind === 'directory'
  return isDirectory ? joinPath(path, fileNameOf(answer.headers, answer.url)) : path
}
