import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Judgements } from './ranking.ts'

const Id = z.union([z.string(), z.number()]).transform(String)
const Document = z.object({ _id: Id, title: z.string().nullish(), text: z.string().nullish() })
const Query = z.object({ _id: Id, text: z.string() })

interface Document {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** Documents of corpus.jsonl, one at a time: `{"_id", "title", "text"}` a line. */
export async function* documentsOf(directory: string): AsyncGenerator<Document> {
  for await (const { _id, title, text } of jsonLines(join(directory, 'corpus.jsonl'), Document)) {
    yield { id: _id, title: title ?? '', text: text ?? '' }
  }
}

/** Queries of queries.jsonl (`{"_id", "text"}` a line) that have a good document in qrels.tsv. */
export async function judgedQueries(directory: string): Promise<{ text: string; judged: Judgements }[]> {
  const judgements = await readJudgements(join(directory, 'qrels.tsv'))
  const queries: { text: string; judged: Judgements }[] = []
  for await (const { _id, text } of jsonLines(join(directory, 'queries.jsonl'), Query)) {
    const judged = judgements.get(_id)
    if (judged) queries.push({ text, judged })
  }
  if (queries.length === 0) throw new Error('no query of queries.jsonl is judged in qrels.tsv')
  return queries
}

/** Judgements of a file: query, document, grade, with tabs between; a line of names before. */
async function readJudgements(file: string): Promise<Map<string, Map<string, number>>> {
  const all = new Map<string, Map<string, number>>()
  for await (const { line, number } of lines(file)) {
    const fields = line.split('\t')
    // TREC's own form has a column more, between the two.
    const [query = '', document = '', grade = ''] = fields.length === 4 ? [fields[0], fields[2], fields[3]] : fields
    if (number === 1 && Number.isNaN(Number(grade))) continue
    if (fields.length < 3 || grade.trim() === '' || Number.isNaN(Number(grade))) {
      throw new Error(`${file}:${number}: expected query-id, corpus-id and score with tabs between`)
    }
    if (Number(grade) <= 0) continue
    const judged = all.get(query) ?? new Map<string, number>()
    all.set(query, judged.set(document, Number(grade)))
  }
  return all
}

async function* jsonLines<T>(file: string, schema: z.ZodType<T>): AsyncGenerator<T> {
  for await (const { line, number } of lines(file)) {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      throw new Error(`${file}:${number}: this line is no JSON`)
    }
    const { success, data, error } = schema.safeParse(value)
    if (!success) throw new Error(`${file}:${number}: ${z.prettifyError(error)}`)
    yield data
  }
}

async function* lines(file: string): AsyncGenerator<{ line: string; number: number }> {
  if (!existsSync(file)) throw new Error(`${file} is not there`)
  let number = 0
  for await (const line of createInterface({
    input: createReadStream(file, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number++
    const clean = line.replace(/^\ufeff/, '')
    if (clean.trim() !== '') yield { line: clean, number }
  }
}
