import * as z from 'zod'
import { MAX_PAGE_IMAGES } from '../../core/limits/web.ts'
import { joinPath } from '../../core/workspace-path.ts'
import { flag, oneUrl, withDefault } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { underUpload } from '../under-upload.ts'
import { documentExtension, readCrawled } from './crawl-document.ts'
import { fetchPage } from './fetch-page.ts'
import { keepDocument, keepPage } from './keep-crawled.ts'
import { fetchImages } from './page-images.ts'
import { pageOf } from './page-of.ts'

/** Source: Tool Server, tools/google_tools, CrawlPageTool; unlike there, a second page does not overwrite the first. */
export const crawlPage = defineTool({
  name: 'crawl_page',
  description:
    'Read a web page, from the server: keeps its main content as Markdown (links and tables too) under upload/. Returns ' +
    'markdown_file (the path), title, author and date; read the file with file_read. A PDF or an Office document is read ' +
    'too, and kept beside its Markdown.',
  effect: 'fetch',
  uses: ['browser', 'http', 'reader', 'turn', 'workspace'],
  input: z.object({
    url: oneUrl.describe('http or https URL of the page'),
    output_dir: withDefault(z.string(), 'crawled_content').describe(
      'Directory under upload/. Default crawled_content/',
    ),
    download_images: withDefault(flag, false).describe(
      `Keep its images too, at most ${MAX_PAGE_IMAGES}, in images/ beside the page. Default false`,
    ),
  }),

  async run({ url, output_dir, download_images }, { ports: { browser, http, reader, turn, workspace }, signal }) {
    const directory = underUpload(output_dir)
    const answer = await fetchPage(http, url, signal)
    const kept = { url, output_dir: directory, download_images }
    const moved = answer.url !== url && { final_url: answer.url }
    const extension = documentExtension(answer)
    if (extension !== null) {
      const document = await readCrawled(answer, extension, reader, signal)
      const { text, data } = await turn(() => keepDocument(workspace, directory, document, answer))
      return { text: `${url}: ${text}`, data: { ...kept, images_dir: null, ...data, ...moved } }
    }
    const { page, notes } = await pageOf(answer, { browser, reader, keepImages: download_images }, signal)
    const images = download_images ? await fetchImages(http, page.images, signal) : []
    const imagesDirectory = joinPath(directory, 'images')
    const file = await turn(() =>
      keepPage(workspace, { directory, imagesDirectory, page, images, url: answer.url, download_images }),
    )
    const { title, byline, date, canonicalUrl } = page
    return {
      text: [`${title}, kept as ${file}, ${page.textLength} characters; read it with file_read`, ...notes].join('\n'),
      data: {
        ...kept,
        markdown_file: file,
        images_dir: download_images ? imagesDirectory : null,
        title,
        ...(byline !== null && { byline }),
        ...(date !== null && { date }),
        ...moved,
        ...(canonicalUrl !== null && { canonical_url: canonicalUrl }),
        ...(download_images && { images: images.length }),
        ...(notes.length > 0 && { notes }),
      },
    }
  },
})
