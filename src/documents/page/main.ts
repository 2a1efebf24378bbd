import { outermost, type PageDocument, type PageNode, proseLength, textLength } from './dom.ts'

/** Selector of elements that are never content. */
const NOISE =
  'style,template,body title,svg,button,select,dialog,nav,footer,[role=navigation],[role=search],[role=banner],[role=contentinfo],[hidden],[aria-hidden=true]'
/** Selector of elements beside the content of a page, which may be longer than it. */
const BESIDE =
  'aside,[role=complementary],#comments,#disqus_thread,#respond,.comments,.comments-area,.comment-list,.comment-section'
const BESIDE_NAMES = /^(?:aside|div|section|ul|ol)$/i
/** An article is the main part when it has this share of what may be it. */
const ARTICLE_SHARE = 0.5
/** A part that the page names is none when it has a smaller share of the page: others are more. */
const MAIN_SHARE = 0.25

/**
 * Removes elements that are no content, and all but the part that the page itself marks as its main one.
 * @returns that part; the body when none is marked
 */
export function keepMain(document: PageDocument): PageNode {
  const { body } = document
  const kept = around(document.querySelectorAll('main,h1'))
  for (const node of document.querySelectorAll(NOISE)) {
    if (node !== body && !kept.has(node) && node.isConnected) node.remove()
  }
  const named = () => namedPart(body)
  const hasText = hasOwnText(named())
  const beside = outermost(body.querySelectorAll(BESIDE)).filter(
    (node) => BESIDE_NAMES.test(node.localName ?? '') && !node.querySelector('main') && !node.closest('main article'),
  )
  const besideLength = beside.reduce((sum, node) => sum + textLength(node), 0)
  if (hasText || besideLength < textLength(body) / 2) for (const node of beside) node.remove()
  const main = named()
  if (main === null || proseLength(main) < proseLength(body) * MAIN_SHARE) return body
  // Data for search engines may stand anywhere in a page.
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) document.head.append(script)
  body.replaceChildren(main)
  return main
}

/** Ancestors of nodes; each is visited once, however many of the nodes it contains. */
function around(nodes: Iterable<PageNode>): ReadonlySet<PageNode> {
  const found = new Set<PageNode>()
  for (const node of nodes) {
    for (let up = node.parentNode; up && !found.has(up); up = up.parentNode) found.add(up)
  }
  return found
}

/** A thread may have nothing in its main part but elements that count as comments elsewhere. */
const hasOwnText = (part: PageNode | null): boolean =>
  [...(part?.querySelectorAll('p,pre,li,td,dd') ?? [])].some((node) => !node.closest(BESIDE) && textLength(node) > 0)

function namedPart(body: PageNode): PageNode | null {
  const main = body.querySelector('main,[role=main],[itemprop=articleBody]')
  const articles = [...(main ?? body).querySelectorAll('article')].filter(
    (article) => !article.parentNode?.closest(`article,${BESIDE}`),
  )
  const [article, another] = articles
  if (!article || another) return main
  return main === null || textLength(article) >= textLength(main) * ARTICLE_SHARE ? article : main
}
