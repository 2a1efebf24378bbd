import { z } from 'zod'
import type { Result } from '../../core/outcome.ts'
import type { PapersAnswer } from '../../ports/papers.ts'

/** Length of an abstract in a list: enough to choose by. */
const LEAD_CHARS = 400

const text = z.string().catch('')
const Found = z.object({ file_id: text, title: text, abstract: text, publish_year: z.coerce.string().catch('') })
const Passage = z.object({ doc_id: text, content: text })

/** Papers to choose from: title, id, year and the start of the abstract. */
export function foundPapers(data: PapersAnswer, query: string): Result {
  const lines = listOf(data.results, Found).map(({ file_id, title, publish_year, abstract }, at) => {
    const ids = [file_id, publish_year !== 'null' && publish_year].filter(Boolean).join(', ')
    return `${at + 1}. ${title} (${ids})\n${lead(abstract)}`
  })
  const none = `no paper found for ${JSON.stringify(query)}; try other or fewer words`
  return { text: lines.join('\n\n') || none, data }
}

/** Parts of one paper, in the order of the answer. */
export function foundPassages(data: PapersAnswer, list: 'results' | 'contents', nothing: string): Result {
  const lines = listOf(data[list], Passage).map(({ doc_id, content }) => `[${doc_id}]\n${content}`)
  return { text: lines.join('\n\n') || nothing, data }
}

/** Result with a line for each field. */
export const fields = (data: PapersAnswer): Result => ({
  text: Object.entries(data)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n'),
  data,
})

/** Rows of a list. Another service may answer in a shape of its own, whose list counts as empty. */
function listOf<S extends z.ZodObject>(list: unknown, schema: S): z.output<S>[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item) => {
    const parsed = schema.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
}

function lead(abstract: string): string {
  if (abstract.length <= LEAD_CHARS) return abstract
  const cut = abstract.slice(0, LEAD_CHARS).toWellFormed()
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), LEAD_CHARS - 40))} …`
}
