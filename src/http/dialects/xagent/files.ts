import type { Hono } from 'hono'
import * as z from 'zod'
import { FailureError, toFailure } from '../../../core/failure.ts'
import type { Download, SessionFilesApi } from '../../../session/files-api.ts'
import { attachment } from '../../attachment.ts'
import { type AppEnv, callerOf, servicesFor } from '../../dialect.ts'
import { type Form, readForm } from '../../form.ts'
import { readBodyText } from '../../json.ts'
import { mediaType } from '../../media-type.ts'
import { decodeDownload } from './codec.ts'
import { onNode } from './nodes.ts'
import { missing } from './validation.ts'

/** Routes for files, whose bytes go in and out unchanged. */
export function addFiles(app: Hono<AppEnv>): void {
  app.post(
    '/upload_file',
    onNode('execute', async (session, c) => {
      const file = await uploadedFile(c.req.raw)
      if (file === null) return c.json({ detail: [missing('body', 'file')] }, 422)
      await session.files.upload(file.name, file.bytes)
      return c.json({ message: 'Upload Success!' })
    }),
  )

  app.post(
    '/download_file',
    onNode('read', async (session, c) => {
      const decoded = decodeDownload(await readBodyText(c.req.raw))
      if ('invalid' in decoded) return c.json({ detail: decoded.invalid }, 422)
      const found = await download(session.files, decoded.value.file_path)
      return attachment(found, mediaType(found.name))
    }),
  )

  app.post(
    '/download_workspace',
    onNode('read', async (session) => attachment(await session.files.archive(), 'application/zip')),
  )

  app.post(
    '/get_workspace_structure',
    onNode('read', async (session, c) => {
      const by = callerOf(servicesFor(c, 'read'))
      const outcome = await session.call({ tool: 'dir_list', args: { recursive: true } }, by)
      if (outcome.kind === 'failed' || outcome.kind === 'refused') throw new FailureError(outcome.failure)
      const { tree, truncated } = outcome.kind === 'done' ? Listing.parse(outcome.result.data) : { tree: NOTHING }
      const root = { ...structure(tree), name: '' }
      // Omitted entries are marked like those of a long env.
      return c.json(truncated ? { ...root, children: [...(root.children ?? []), { name: '...', type: 'file' }] } : root)
    }),
  )
}

/**
 * The part `file`; the client also sends `filename`, which adds nothing.
 * @returns null when it is absent
 */
async function uploadedFile(request: Request): Promise<Form['file']> {
  const form = await readForm(request)
  return form?.file?.name ? form.file : null
}

/** Downloads a file. Some clients write `workspace/` before the path; a folder of that name comes first. */
async function download(files: SessionFilesApi, path: string): Promise<Download> {
  try {
    return await files.download(path)
  } catch (thrown) {
    const below = /^\/*workspace\/(.+)$/s.exec(path)?.[1]
    if (toFailure(thrown).code !== 'not_found' || below === undefined) throw thrown
    return files.download(below)
  }
}

interface Tree {
  readonly name: string
  readonly type: 'directory' | 'file'
  readonly children?: readonly Tree[]
}

const Node: z.ZodType<ListedNode> = z.lazy(() =>
  z.object({ name: z.string(), type: z.string(), children: z.array(Node).optional() }),
)
interface ListedNode {
  readonly name: string
  readonly type: string
  readonly children?: readonly ListedNode[] | undefined
}
const Listing = z.object({ tree: Node, truncated: z.boolean().optional() })
const NOTHING: ListedNode = { name: '', type: 'directory' }

const structure = ({ name, type, children }: ListedNode): Tree =>
  type === 'directory' ? { name, type, children: (children ?? []).map(structure) } : { name, type: 'file' }
