import type { PageText } from '../../ports/reader.ts'
import { markdownOf } from '../markup.ts'
import { type PageDocument, type PageNode, textLength } from './dom.ts'
import { headLine } from './head-line.ts'
import { IMAGE_MARKS, imageMark } from './image-marks.ts'
import { linksOf, withoutTargets } from './links.ts'
import { keepMain } from './main.ts'
import { bylineOf, metaOf } from './meta.ts'
import { preparePage } from './prepare.ts'
import { refuseDeepOrMany } from './size.ts'

/** A page whose article is shorter has none: it is a list of links, or a table. */
const MIN_ARTICLE_CHARS = 200
/** An article with a smaller share of the main part is a piece of it, e.g. one teaser of many. */
const MIN_ARTICLE_SHARE = 0.5

/**
 * The readable part of a page: its article when it has one, else all but menus. Nothing of it runs.
 * @param keepImages false leaves them out; one that is a link then stands as the text that describes it
 * @param linksApart true has links stand as their text, and all of the page in `links`
 */
export async function readPage(
  html: string,
  url: string,
  keepImages = true,
  linksApart = false,
): Promise<Omit<PageText, 'hasScripts'>> {
  await refuseDeepOrMany(html, url)
  const [{ parseHTML }, { articleOf, seemsReadable }] = await Promise.all([
    import('linkedom/worker'),
    import('./article.ts'),
  ])
  const whole = wholePage(html)
  const open = () => {
    const { document } = parseHTML(whole) as unknown as { document: PageDocument }
    preparePage(document, url)
    return document
  }
  const document = open()
  const meta = metaOf(document, url)
  const links = linksApart ? linksOf(document) : []
  const kept = keepMain(document)
  const mainLength = textLength(kept)
  const isReadable = seemsReadable(document)
  const article = isReadable ? articleOf(document) : null
  const length = article?.content ? textLength(article.content) : 0
  const isArticle = length >= Math.max(MIN_ARTICLE_CHARS, mainLength * MIN_ARTICLE_SHARE)
  // A search for an article takes the page apart, so the page is parsed again when it found none.
  const main = isArticle && article?.content ? article.content : isReadable ? keepMain(open()) : kept
  if (!keepImages) withoutImages(main)
  if (linksApart) withoutTargets(main)
  const title = headLine(article?.title) ?? headLine(meta.title) ?? new URL(url).host
  return {
    title,
    byline: meta.author ?? bylineOf(article?.byline),
    date: headLine(article?.publishedTime) ?? headLine(meta.date),
    canonicalUrl: meta.canonicalUrl === url ? null : meta.canonicalUrl,
    ...written(main, title),
    links,
    textLength: textLength(main),
  }
}

/** A space that does not break says nothing here, and the parser makes a node of each. */
function wholePage(html: string): string {
  const text = html.replace(/\u00a0|&nbsp;|&#160;|&#xa0;/gi, ' ')
  return /<html[\s>]/i.test(text.slice(0, 8_192)) ? text : `<html><head></head><body>${text}</body></html>`
}

function withoutImages(main: PageNode): void {
  for (const image of main.querySelectorAll('img')) {
    const isOnlyText = (image.closest('a')?.textContent ?? 'x').trim() === ''
    image.replaceWith(isOnlyText ? (image.getAttribute('alt') ?? '') : '')
  }
}

/** The title stands above the page already. */
function written(main: PageNode, title: string) {
  const found: string[] = []
  for (const image of main.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? ''
    if (!/^https?:/.test(source)) image.remove()
    else image.setAttribute('src', imageMark(found.push(source) - 1))
  }
  const images = new Map<string, number>()
  const markdown = markdownOf(main)
    .replace(IMAGE_MARKS, (_, alt: string, index: string) => {
      const source = found[Number(index)] ?? ''
      const at = images.get(source) ?? images.size
      images.set(source, at)
      return `![${alt}](${imageMark(at)})`
    })
    .trim()
  const heading = `# ${title}`
  const repeats = markdown === heading || markdown.startsWith(`${heading}\n`)
  return { markdown: repeats ? markdown.slice(heading.length).trim() : markdown, images: [...images.keys()] }
}
