import { z } from 'zod'
import { FailureError, fail } from '../../core/failure.ts'
import { FETCH_MS, MAX_EDIT_BYTES, MAX_PAGE_BYTES } from '../../core/limits.ts'
import { joinPath, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Browser } from '../../ports/browser.ts'
import type { Http, HttpResponse } from '../../ports/http.ts'
import type { Change, Workspace } from '../../ports/workspace.ts'
import { flag, requiredText, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { underUpload } from '../under-upload.ts'
import { fileNameOf } from './file-name.ts'
import { freePath } from './free-path.ts'
import { decodePage } from './page-charset.ts'
import { fetchImages, type PageImage } from './page-images.ts'
import { IMAGE_MARKS, type Page, readPage } from './page-markdown.ts'
import { askRobots } from './robots.ts'

/** Below this, a page with scripts shows its content only in a browser. */
const NEARLY_EMPTY_CHARS = 200

/** Source: Tool Server, tools/google_tools, CrawlPageTool; unlike there, a second page does not overwrite the first. */
export const crawlPage = defineTool({
  name: 'crawl_page',
  description:
    'Read a web page: keeps its main content as Markdown (links and tables too) under upload/ and returns the path, title, ' +
    'author and date. Read the file with file_read. A PDF is kept as it is, for parse_document.',
  effect: 'fetch',
  uses: ['browser', 'http', 'turn', 'workspace'],
  input: z.object({
    url: requiredText.describe('http or https URL of the page'),
    output_dir: withDefault(z.string(), 'crawled_content').describe(
      'Directory under upload/. Default "crawled_content"',
    ),
    download_images: withDefault(flag, false).describe(
      'Keep the images too, in images/ beside the page. Default false',
    ),
  }),

  async run({ url, output_dir, download_images }, { ports: { browser, http, turn, workspace }, signal }) {
    const directory = underUpload(output_dir)
    const answer = await fetchPage(http, url, signal)
    const kept = { url, output_dir: directory, download_images }
    if (isPdf(answer)) {
      const file = await turn(() => keepPdf(workspace, directory, answer))
      return {
        text: `${url} is a PDF, kept as ${file}; read it with parse_document`,
        data: { ...kept, markdown_file: null, images_dir: null, file, note: 'a PDF: read it with parse_document' },
      }
    }
    const { page, notes } = await pageOf(answer, browser, signal)
    const images = download_images ? await fetchImages(http, page.images, signal) : []
    const imagesDirectory = joinPath(directory, 'images')
    const file = await turn(() =>
      keepPage(workspace, { directory, imagesDirectory, page, images, url: answer.url, download_images }),
    )
    const { title, byline, date } = page
    return {
      text: [`${title}, kept as ${file}, ${page.textLength} characters; read it with file_read`, ...notes].join('\n'),
      data: {
        ...kept,
        markdown_file: file,
        images_dir: download_images ? imagesDirectory : null,
        title,
        ...(byline !== null && { byline }),
        ...(date !== null && { date }),
        ...(answer.url !== url && { final_url: answer.url }),
        ...(download_images && { images: images.length }),
        ...(notes.length > 0 && { notes }),
      },
    }
  },
})

/** Also the site that a redirect leads to is asked what programs may read. */
async function fetchPage(http: Http, url: string, signal: AbortSignal): Promise<HttpResponse> {
  const asked = URL.parse(url.trim())
  // What is no address of the web is refused by the port, in its words.
  if (asked && /^https?:$/.test(asked.protocol)) await askRobots(http, asked.href, signal)
  const headers = { Accept: 'text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,*/*;q=0.5' }
  const answer = await http.fetch({ url, headers, timeoutMs: FETCH_MS, maxBytes: MAX_EDIT_BYTES }, signal)
  if (new URL(answer.url).origin !== asked?.origin) await askRobots(http, answer.url, signal)
  if (answer.status !== 200)
    fail('upstream', `${new URL(answer.url).host} answered ${answer.status} and no page; check url`)
  return answer
}

const typeOf = ({ headers }: HttpResponse) => headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''

const isPdf = (answer: HttpResponse) =>
  typeOf(answer) === 'application/pdf' || new TextDecoder('latin1').decode(answer.body.subarray(0, 5)) === '%PDF-'

async function keepPdf(workspace: Workspace, directory: WorkspacePath, { headers, url, body }: HttpResponse) {
  const name = `${fileNameOf(headers, url).replace(/\.pdf$/i, '')}.pdf`
  const path = freePath(workspace, directory, name)
  await workspace.commit([{ op: 'write', path, content: body }])
  return path
}

/** @throws FailureError `invalid_input` for what is no page, `limit_exceeded` */
async function pageOf(answer: HttpResponse, browser: Browser, signal: AbortSignal) {
  const type = typeOf(answer)
  const { body, url } = answer
  const isMarkup = type === '' || /html|xml/.test(type)
  if (!isMarkup && !/^text\/|json|yaml|javascript/.test(type)) {
    fail('invalid_input', `${url} is ${type} and no page; get it with download_file_from_url`)
  }
  if (body.length > MAX_PAGE_BYTES) {
    fail(
      'limit_exceeded',
      `the page has ${body.length} bytes, more than ${MAX_PAGE_BYTES} (MAX_PAGE_BYTES); get it with download_file_from_url`,
    )
  }
  const text = decodePage(body, answer.headers.get('content-type') ?? '')
  if (!isMarkup) return { page: plainPage(text, answer), notes: [] }
  const page = await readable(text, url)
  if (page.textLength >= NEARLY_EMPTY_CHARS || !/<script/i.test(text)) return { page, notes: [] }
  const rendered = await browser.render(url, signal)
  if (rendered !== null) return { page: await readable(rendered, url), notes: [] }
  return { page, notes: ['there is little text in this page; perhaps it needs a browser that runs its scripts'] }
}

/** Markup may be nested so deep that no parser takes it. */
async function readable(html: string, url: string): Promise<Page> {
  try {
    return await readPage(html, url)
  } catch (thrown) {
    if (thrown instanceof FailureError) throw thrown
    return fail('invalid_input', `the markup of ${url} cannot be read; get it with download_file_from_url`, {
      cause: thrown,
    })
  }
}

const plainPage = (text: string, { headers, url }: HttpResponse): Page => ({
  title: fileNameOf(headers, url),
  byline: null,
  date: null,
  markdown: text,
  images: [],
  textLength: text.length,
})

interface KeptPage {
  readonly directory: WorkspacePath
  readonly imagesDirectory: WorkspacePath
  readonly page: Page
  readonly images: readonly PageImage[]
  readonly url: string
  readonly download_images: boolean
}

async function keepPage(
  workspace: Workspace,
  { directory, imagesDirectory, page, images, url, download_images }: KeptPage,
) {
  const places = new Map<number, WorkspacePath>()
  for (const { index, name } of images) {
    places.set(index, freePath(workspace, imagesDirectory, name, new Set(places.values())))
  }
  const path = freePath(workspace, directory, 'content.md')
  const markdown = page.markdown.replace(IMAGE_MARKS, (_, alt: string, index: string) => {
    if (!download_images) return ''
    const place = places.get(Number(index))
    // Angle brackets: a name or an address may have spaces or brackets in it.
    return `![${alt}](<${place ? place.slice(directory.length + 1) : page.images[Number(index)]}>)`
  })
  const about = [`Source: <${url}>`, page.byline && `By: ${page.byline}`, page.date && `Date: ${page.date}`]
  const text = `# ${page.title}\n\n${about.filter(Boolean).join('  \n')}\n\n${markdown.trim()}\n`
  const changes: Change[] = [{ op: 'write', path, content: new TextEncoder().encode(text) }]
  if (download_images) changes.push({ op: 'mkdir', path: imagesDirectory })
  for (const { index, content } of images) {
    const place = places.get(index)
    if (place) changes.push({ op: 'write', path: place, content })
  }
  await workspace.commit(changes)
  return path
}
