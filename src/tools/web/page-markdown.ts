import type TurndownService from 'turndown'
import { fail } from '../../core/failure.ts'
import { MAX_PAGE_DEPTH, MAX_PAGE_ELEMENTS } from '../../core/limits.ts'

/** What is to be known of a page. */
export interface Page {
  readonly title: string
  readonly byline: string | null
  readonly date: string | null
  /** Images stand in it as `![alt](imageMark(n))`, n being their place in `images`. */
  readonly markdown: string
  /** Absolute URLs. */
  readonly images: readonly string[]
  /** Of what can be read in it; next to none where scripts would write it. */
  readonly textLength: number
}

/** Of the DOM, what is used here; linkedom types its nodes as those of a browser, which a Worker's types do not have. */
interface PageNode {
  readonly nodeName: string
  readonly textContent: string | null
  readonly parentNode: PageNode | null
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  querySelector(selector: string): PageNode | null
  querySelectorAll(selector: string): Iterable<PageNode>
  closest(selector: string): PageNode | null
  remove(): void
}
interface PageDocument extends PageNode {
  readonly body: PageNode
}

/** What is no content wherever it stands. */
const NOISE =
  'script,style,noscript,template,iframe,svg,form,button,input,select,dialog,nav,footer,[hidden],[aria-hidden=true]'
/** A page whose main part is shorter has none: it is a list of links, or a table. */
const MIN_ARTICLE_CHARS = 200

/** In the place of an image's address until it is known where the image lies. */
export const imageMark = (index: number) => `\uE000${index}\uE001`
export const IMAGE_MARKS = /!\[([^\]]*)\]\(\uE000(\d+)\uE001\)/g

/** The readable part of a page: its article when it has one, else all but menus and forms. Nothing of it runs. */
export async function readPage(html: string, url: string): Promise<Page> {
  refuseDeepOrMany(html, url)
  const [{ parseHTML }, { Readability, isProbablyReaderable }, { default: Turndown }] = await Promise.all([
    import('linkedom/worker'),
    import('@mozilla/readability'),
    import('turndown'),
  ])
  const whole = /<html[\s>]/i.test(html.slice(0, 8_192)) ? html : `<html><head></head><body>${html}</body></html>`
  const parse = () => {
    const { document } = parseHTML(whole) as unknown as { document: PageDocument }
    makeAbsolute(document, url)
    return document
  }
  const document = parse()
  const meta = metaOf(document)
  const isArticle = isProbablyReaderable(document as never)
  const article = isArticle
    ? new Readability<PageNode>(document as never, { serializer: (node) => node as never }).parse()
    : null
  const images = new Map<string, number>()
  const turndown = converter(new Turndown(OPTIONS), images)
  const main = article?.content && (article.length ?? 0) >= MIN_ARTICLE_CHARS ? article.content : withoutNoise(parse())
  const markdown = turndown
    .turndown(main as never)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return {
    title: clean(article?.title) ?? meta.title ?? new URL(url).host,
    byline: clean(article?.byline) ?? meta.author,
    date: clean(article?.publishedTime) ?? meta.date,
    markdown,
    images: [...images.keys()],
    textLength: (main.textContent ?? '').replace(/\s+/g, ' ').trim().length,
  }
}

/** What an element ends that comes directly before it and was left open, as pages do. */
const ENDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['p', ['p']],
  ['li', ['li']],
  ['td', ['td', 'th']],
  ['th', ['td', 'th']],
  ['tr', ['td', 'th', 'tr']],
  ['dd', ['dd', 'dt']],
  ['dt', ['dd', 'dt']],
  ['option', ['option']],
])
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

/** Reading takes a time that grows with depth times size. @throws FailureError `limit_exceeded` */
function refuseDeepOrMany(html: string, url: string): void {
  const open: string[] = []
  let tags = 0
  for (const [, slash, given = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    const name = given.toLowerCase()
    if (slash) {
      const at = open.lastIndexOf(name)
      if (at !== -1) open.length = at
    } else if (!VOID.has(name)) {
      const ended = ENDS.get(name) ?? []
      while (ended.includes(open.at(-1) ?? '')) open.pop()
      open.push(name)
    }
    tags++
    if (open.length > MAX_PAGE_DEPTH || tags > 2 * MAX_PAGE_ELEMENTS) {
      const limits = `MAX_PAGE_DEPTH ${MAX_PAGE_DEPTH}, MAX_PAGE_ELEMENTS ${MAX_PAGE_ELEMENTS}`
      fail(
        'limit_exceeded',
        `the markup of ${url} is too deep or too much (${limits}); get it with download_file_from_url`,
      )
    }
  }
}

const OPTIONS = { headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*' } as const

function withoutNoise(document: PageDocument): PageNode {
  for (const node of document.querySelectorAll(NOISE)) node.remove()
  return document.querySelector('main') ?? document.body
}

/** Also of images that scripts would load when they come into view. */
function makeAbsolute(document: PageDocument, url: string): void {
  const base = URL.parse(document.querySelector('base[href]')?.getAttribute('href') ?? '', url)?.href ?? url
  for (const link of document.querySelectorAll('a[href]')) {
    link.setAttribute('href', URL.parse(link.getAttribute('href') ?? '', base)?.href ?? '')
  }
  for (const image of document.querySelectorAll('img')) {
    const source = image.getAttribute('data-src') ?? image.getAttribute('data-original') ?? image.getAttribute('src')
    image.setAttribute('src', URL.parse(source ?? '', base)?.href ?? '')
  }
}

function metaOf(document: PageDocument) {
  const meta = (...names: string[]) => {
    const found = names.map((name) => document.querySelector(`meta[property="${name}"],meta[name="${name}"]`))
    return clean(found.find((node) => node !== null)?.getAttribute('content'))
  }
  return {
    title:
      meta('og:title') ??
      clean(document.querySelector('title')?.textContent) ??
      clean(document.querySelector('h1')?.textContent),
    author: meta('author', 'article:author'),
    date:
      meta('article:published_time', 'date', 'dc.date', 'datePublished') ??
      clean(document.querySelector('time[datetime]')?.getAttribute('datetime')),
  }
}

const clean = (text: string | null | undefined) => text?.replace(/\s+/g, ' ').trim() || null

/** What Markdown lacks in Turndown itself: tables, and images that go elsewhere. */
function converter(turndown: TurndownService, images: Map<string, number>): TurndownService {
  const node = (given: unknown) => given as PageNode
  turndown.addRule('image', {
    filter: 'img',
    replacement: (_, given) => {
      const source = node(given).getAttribute('src') ?? ''
      if (!/^https?:/.test(source)) return ''
      const at = images.get(source) ?? images.size
      images.set(source, at)
      const alt = (node(given).getAttribute('alt') ?? '').replace(/[[\]\s]+/g, ' ').trim()
      return `![${alt}](${imageMark(at)})`
    },
  })
  turndown.addRule('link without a target', {
    filter: (given) =>
      node(given).nodeName === 'A' && !/^(?:https?|mailto):/.test(node(given).getAttribute('href') ?? ''),
    replacement: (content) => content,
  })
  turndown.addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content, given) => {
      const text = content
        .trim()
        .replace(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')
      return ` ${text} |${' |'.repeat(spanOf(node(given)) - 1)}`
    },
  })
  turndown.addRule('row', {
    filter: 'tr',
    replacement: (content, given) => {
      const isFirst = isFirstRow(node(given))
      return `\n|${content.replace(/\n/g, ' ')}${isFirst ? `\n|${' --- |'.repeat(columnsOf(node(given)))}` : ''}`
    },
  })
  turndown.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content })
  turndown.addRule('caption', { filter: 'caption', replacement: (content) => `${content.trim()}\n` })
  turndown.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` })
  return turndown
}

const isFirstRow = (row: PageNode) => row.closest('table')?.querySelector('tr') === row

const columnsOf = (row: PageNode) =>
  [...row.querySelectorAll('th,td')]
    .filter((cell) => cell.parentNode === row)
    .reduce((sum, cell) => sum + spanOf(cell), 0)

const spanOf = (cell: PageNode) => Math.min(Math.max(Number(cell.getAttribute('colspan')) || 1, 1), 50)
