import type { WorkspacePath } from '../../core/workspace-path.ts'
import { IMAGE_MARKS } from '../../documents/page/image-marks.ts'
import type { HttpResponse } from '../../ports/http.ts'
import type { PageText } from '../../ports/reader.ts'
import type { Change, Workspace } from '../../ports/workspace.ts'
import type { CrawledDocument } from './crawl-document.ts'
import { freePath } from './free-path.ts'
import type { PageImage } from './page-images.ts'

/** Markdown below a head with a page's or document's title and facts. */
const withHead = (title: string, about: readonly (string | null)[], markdown: string) =>
  new TextEncoder().encode(
    `# ${title}\n\n${about.filter((line) => line !== null).join('  \n')}\n\n${markdown.trim()}\n`,
  )

const line = (name: string, value: string | number | null) => (value === null ? null : `${name}: ${value}`)

/** Keeps the document as it came, and its text beside it. @returns the answer's text and fields */
export async function keepDocument(
  workspace: Workspace,
  directory: WorkspacePath,
  { name, title, byline, date, counts, markdown, notes, nextPages }: CrawledDocument,
  { url, body }: HttpResponse,
) {
  const file = freePath(workspace, directory, name)
  const path = markdown === null ? null : freePath(workspace, directory, 'content.md')
  const cut = nextPages && `cut here; parse_document with file_path "${file}" and pages "${nextPages}" reads on`
  const changes: Change[] = [{ op: 'write', path: file, content: body }]
  if (path !== null && markdown !== null) {
    const counted = Object.entries(counts).map(([what, count]) =>
      line(
        what.replace(/^./, (a) => a.toUpperCase()),
        count,
      ),
    )
    const about = [`Source: <${url}>`, `File: <${file}>`, line('By', byline), line('Date', date), ...counted]
    const content = withHead(title, about, cut ? `${markdown}\n\n[${cut}]` : markdown)
    changes.push({ op: 'write', path, content })
  }
  await workspace.commit(changes)
  const all = [...notes, ...(cut ? [`${path} does not have all of it: ${cut}`] : [])]
  return {
    text: [`${title}, kept as ${file}${path ? `, its text as ${path}; read that with file_read` : ''}`, ...all].join(
      '\n',
    ),
    data: {
      markdown_file: path,
      file,
      title,
      ...(byline !== null && { byline }),
      ...(date !== null && { date }),
      ...counts,
      ...(all.length > 0 && { notes: all }),
    },
  }
}

interface KeptPage {
  readonly directory: WorkspacePath
  readonly imagesDirectory: WorkspacePath
  readonly page: PageText
  readonly images: readonly PageImage[]
  readonly url: string
  readonly download_images: boolean
}

/** Keeps the page, and its fetched images. @returns the page's path */
export async function keepPage(
  workspace: Workspace,
  { directory, imagesDirectory, page, images, url, download_images }: KeptPage,
) {
  const places = new Map<number, WorkspacePath>()
  for (const { index, name } of images) {
    places.set(index, freePath(workspace, imagesDirectory, name, new Set(places.values())))
  }
  const path = freePath(workspace, directory, 'content.md')
  const markdown = page.markdown.replace(IMAGE_MARKS, (_, alt: string, index: string) => {
    const place = places.get(Number(index))
    // Angle brackets: a name or an address may have spaces or brackets in it.
    return `![${alt}](<${place ? place.slice(directory.length + 1) : page.images[Number(index)]}>)`
  })
  const content = withHead(page.title, [`Source: <${url}>`, line('By', page.byline), line('Date', page.date)], markdown)
  const changes: Change[] = [{ op: 'write', path, content }]
  if (download_images) changes.push({ op: 'mkdir', path: imagesDirectory })
  for (const { index, content } of images) {
    const place = places.get(index)
    if (place) changes.push({ op: 'write', path: place, content })
  }
  await workspace.commit(changes)
  return path
}
