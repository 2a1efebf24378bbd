import { MAX_SHEET_CELLS } from '../../core/limits/documents.ts'
import { tooMuch } from '../broken.ts'
import { blocks, table } from '../markdown.ts'
import { child, childrenNamed, descendant, descendants, textOf, type XmlElement } from '../xml.ts'

/** A chart as the table that it was drawn from: categories down, series across. */
export function chartTable(root: XmlElement): string {
  const title = [...descendants(descendant(root, 'c:title') ?? root, 'a:t')].map(textOf).join('')
  const series = [...descendants(root, 'c:ser')].map((one) => ({
    name: points(child(one, 'c:tx'))[0] ?? '',
    categories: points(child(one, 'c:cat') ?? child(one, 'c:xVal')),
    values: points(child(one, 'c:val') ?? child(one, 'c:yVal')),
  }))
  const categories = series.find((one) => one.categories.length > 0)?.categories ?? []
  const length = series.reduce((most, { values }) => Math.max(most, values.length), categories.length)
  if (length * series.length > MAX_SHEET_CELLS) tooMuch(`a chart has more than ${MAX_SHEET_CELLS} values`)
  const rows = Array.from({ length }, (_, at) => [
    categories[at] ?? '',
    ...series.map(({ values }) => values[at] ?? ''),
  ])
  const grid = series.length === 0 ? '' : table([['Category', ...series.map(({ name }) => name)], ...rows])
  return blocks([`### Chart${descendant(root, 'c:title') && title !== '' ? `: ${title}` : ''}`, grid])
}

const MAX_POINTS = 10_000

function points(of: XmlElement | undefined): string[] {
  if (!of) return []
  const found: string[] = []
  for (const point of descendants(of, 'c:pt')) {
    const at = Number(point.attributes.idx ?? found.length)
    if (Number.isInteger(at) && at >= 0 && at < MAX_POINTS) found[at] = textOf(child(point, 'c:v'))
  }
  if (found.length === 0) return childrenNamed(of, 'c:v').map(textOf)
  return Array.from(found, (text) => text ?? '')
}
