import { fail } from '../../core/failure.ts'
import { MAX_MARKUP_NODES } from '../../core/limits/documents.ts'
import { MAX_PAGE_DEPTH, MAX_PAGE_ELEMENTS } from '../../core/limits/web.ts'
import { hasManyNodes, VOID_ELEMENTS } from '../markup-tree.ts'

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

/** Reading takes a time that grows with depth times size. @throws FailureError `limit_exceeded` */
export function refuseDeepOrMany(html: string, url: string): void {
  if (!isDeepOrMany(html) && !hasManyNodes(html)) return
  const limits = `MAX_PAGE_DEPTH ${MAX_PAGE_DEPTH}, MAX_PAGE_ELEMENTS ${MAX_PAGE_ELEMENTS}, MAX_MARKUP_NODES ${MAX_MARKUP_NODES}`
  fail('limit_exceeded', `the markup of ${url} is too deep or too much (${limits}); get it with download_file_from_url`)
}

function isDeepOrMany(html: string): boolean {
  const open: string[] = []
  let tags = 0
  for (const [, slash, given = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    const name = given.toLowerCase()
    if (slash) {
      const at = open.lastIndexOf(name)
      if (at !== -1) open.length = at
    } else if (!VOID_ELEMENTS.has(name)) {
      const ended = ENDS.get(name) ?? []
      while (ended.includes(open.at(-1) ?? '')) open.pop()
      open.push(name)
    }
    tags++
    if (open.length > MAX_PAGE_DEPTH || tags > 2 * MAX_PAGE_ELEMENTS) return true
  }
  return false
}
