import * as z from 'zod'
import type { Result } from '../../core/outcome.ts'
import type { PapersAnswer } from '../../ports/papers.ts'

/** Length of an abstract in a list: enough to choose by. */
const LEAD_CHARS = 400

const text = z.string().catch('')
const Found = z.object({
  file_id: text,
  title: text,
  abstract: text,
  publish_year: z.union([z.string(), z.number().transform(String)]).catch(''),
  text_available: z.boolean().optional().catch(undefined),
})
const Passage = z.object({ doc_id: text, content: text })

/** Papers to choose from: title, id, year, whether there is a text, and the start of the abstract. */
export function foundPapers(data: PapersAnswer, query: string, year?: string): Result {
  const lines = listOf(data.results, Found).map(({ file_id, title, publish_year, abstract, text_available }, at) => {
    const stored = text_available === undefined ? '' : text_available ? 'whole text' : 'abstract only'
    const ids = [file_id, publish_year, stored].filter(Boolean).join(', ')
    return `${at + 1}. ${title} (${ids})\n${lead(abstract)}`
  })
  if (lines.length > 0) return { text: [...lines, ...notesOf(data)].join('\n\n'), data }
  const of = year === undefined ? '' : ` of ${year}`
  const other = year === undefined ? 'try other or fewer words' : 'try another year or none, other or fewer words'
  const none = `no paper${of} found for ${JSON.stringify(query)}; ${other}; rag_get_stats counts what there is`
  return { text: none, data: isEmpty(data.results) ? withNotes(data, [none]) : data }
}

/** Parts of one paper, in the order of the answer. */
export function foundPassages(data: PapersAnswer, list: 'results' | 'contents', nothing: string): Result {
  const lines = listOf(data[list], Passage).map(({ doc_id, content }) => `[${doc_id}]\n${content}`)
  const noted = lines.length === 0 && isEmpty(data[list]) ? withNotes(data, [nothing]) : data
  return { text: [...lines, ...notesOf(noted)].join('\n\n') || nothing, data: noted }
}

/** Answer with a note about its counts, where it has as many results as were asked for. */
export function withNote(data: PapersAnswer, m: number, note: string | null): PapersAnswer {
  const isFull = Array.isArray(data.results) && data.results.length === m
  return note === null || !isFull ? data : withNotes(data, [note])
}

/** Answer with notes before its own, each once: another Toolyard behind the port may have given them already. */
const withNotes = (data: PapersAnswer, notes: readonly string[]): PapersAnswer => ({
  ...data,
  notes: [...new Set([...notes, ...notesOf(data)])],
})

/** Notes of an answer, as the tools' text shows them. */
export const notesOf = ({ notes }: PapersAnswer): string[] =>
  Array.isArray(notes) ? notes.filter((note): note is string => typeof note === 'string') : []

const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0

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
