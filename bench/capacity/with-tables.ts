import { capacityTables } from './tables.ts'

const START = '<!-- capacity: npm run bench:capacity -->'
const END = '<!-- /capacity -->'

/** Page with the tables between their marks. @throws Error for a page without marks */
export function withTables(page: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)]
  if (start === -1 || end < start) throw new Error(`docs/operating.md has no ${START} and ${END}`)
  return `${page.slice(0, start + START.length)}\n${capacityTables()}\n${page.slice(end)}`
}
