import { fail } from '../../core/failure.ts'
import { MAX_MARKUP_NODES } from '../../core/limits/documents.ts'
import { MAX_PAGE_CLASS_CHARS, MAX_PAGE_DEPTH, MAX_PAGE_ELEMENTS } from '../../core/limits/web.ts'
import { hasManyNodes } from '../markup-tree.ts'

/**
 * Reading a page takes a time that grows with depth times size, so both are measured, as the parser will see them, before
 * there is a tree. @throws FailureError `limit_exceeded`
 */
export async function refuseDeepOrMany(html: string, url: string): Promise<void> {
  if (!hasManyNodes(html) && !(await isDeepOrMany(html))) return
  const limits = `MAX_PAGE_DEPTH ${MAX_PAGE_DEPTH}, MAX_PAGE_ELEMENTS ${MAX_PAGE_ELEMENTS}, MAX_MARKUP_NODES ${MAX_MARKUP_NODES}, MAX_PAGE_CLASS_CHARS ${MAX_PAGE_CLASS_CHARS}`
  fail('limit_exceeded', `the markup of ${url} is too deep or too much (${limits}); download it as a file instead`)
}

async function isDeepOrMany(html: string): Promise<boolean> {
  const { BoundedParser } = await import('../markup-parser.ts')
  let depth = 0
  let deepest = 0
  let elements = 0
  let attributes = 0
  let longestClass = 0
  const handler = {
    onopentag(_: string, given: Readonly<Record<string, string>>) {
      elements++
      deepest = Math.max(deepest, ++depth)
      for (const _name in given) attributes++
      longestClass = Math.max(longestClass, given.class?.length ?? 0)
    },
    onclosetag() {
      depth--
    },
  }
  new BoundedParser(html, handler, MAX_PAGE_DEPTH + 1).parse()
  return (
    deepest > MAX_PAGE_DEPTH ||
    elements > MAX_PAGE_ELEMENTS ||
    attributes > MAX_MARKUP_NODES ||
    longestClass > MAX_PAGE_CLASS_CHARS
  )
}
