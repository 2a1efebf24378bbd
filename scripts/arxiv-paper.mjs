/**
 * A paper as `POST /v1/papers` takes it, of a line of a file: either that already, or a line of arXiv's metadata, whose id
 * gets its newest version and whose year is that of the first one.
 * @see https://www.kaggle.com/datasets/Cornell-University/arxiv
 */
export function toPaper(line) {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) throw new Error('it is not a JSON object')
  if (!Array.isArray(line.versions)) return line
  const { id, title, abstract, categories, versions } = line
  if (typeof id !== 'string' || typeof title !== 'string') throw new Error('it has no id or no title')
  return {
    id: `${id}${newest(versions)}`,
    title: oneLine(title),
    abstract: oneLine(abstract ?? ''),
    authors: authorsOf(line),
    year: yearOf(line),
    categories: categories ?? [],
  }
}

const oneLine = (text) => text.replace(/\s+/g, ' ').trim()

/** Newest version: the last one listed. */
const newest = (versions) => versions.at(-1)?.version ?? 'v1'

/** Authors. `authors_parsed` has them apart: last name, first names, suffix. */
function authorsOf({ authors, authors_parsed: parsed }) {
  if (!Array.isArray(parsed)) return authors ?? []
  return parsed.map(([last = '', first = '', suffix = '']) => oneLine(`${first} ${last} ${suffix}`))
}

/** "Mon, 2 Apr 2007 19:18:42 GMT", else the date of the last change. */
function yearOf({ versions, update_date: updated }) {
  const created = /\b(\d{4})\b/.exec(versions[0]?.created ?? '')?.[1]
  return created ?? /^\d{4}/.exec(updated ?? '')?.[0] ?? null
}
