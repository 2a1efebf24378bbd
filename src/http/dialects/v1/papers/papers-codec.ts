import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import {
  MAX_ABSTRACT_CHARS,
  MAX_CHUNK_CHARS,
  MAX_CHUNKS_PER_PAPER,
  MAX_PAPER_AUTHORS,
  MAX_PAPER_CATEGORIES,
  MAX_PAPER_CHARS,
  MAX_PAPER_ID_CHARS,
  MAX_PAPER_NAMES,
  MAX_PAPERS_PER_PUT,
} from '../../../../core/limits/papers.ts'
import { safeRead } from '../../../../core/safe-read.ts'
import type { ListedPaper, Paper, PaperChunk, ReadPaper } from '../../../../ports/papers.ts'
import { describeIssues } from '../../../../tools/registry.ts'
import { encodePage, pageQuery } from '../../../operations/page.ts'

/** Schema of an optional text: null and an empty one are absent. */
const optionalText = (max: number, limit: string) =>
  z
    .string()
    .max(max, `longer than ${max} characters (${limit})`)
    .trim()
    .nullish()
    .transform((text) => text ?? '')

/** Schema of a list of words, or one text with separators between them. */
const listed = (between: RegExp, max: number, limit: string) =>
  z
    .preprocess(
      (given) => (typeof given === 'string' ? given.split(between) : (given ?? [])),
      z.array(z.string().trim()).max(max, `more than ${max} (${limit})`),
    )
    .transform((words) => words.filter((word) => word !== ''))

const PaperId = z
  .string()
  .trim()
  .min(1)
  .max(MAX_PAPER_ID_CHARS, `longer than ${MAX_PAPER_ID_CHARS} characters (MAX_PAPER_ID_CHARS)`)
  .refine((id) => !CONTROLS.test(id) && id.isWellFormed(), 'has control characters')
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROLS = /[\u0000-\u001f\u007f]/

const Year = z
  .preprocess(
    (given) => (typeof given === 'number' ? `${given}` : given === '' ? null : given),
    z
      .string()
      .trim()
      .regex(/^\d{4}$/, 'must have four digits, e.g. "2023"')
      .nullish(),
  )
  .transform((year) => year ?? null)

const Chunk = z.preprocess(
  (given) => (typeof given === 'string' ? { text: given } : given),
  z.object({
    section: optionalText(MAX_PAPER_ID_CHARS * 5, 'of a heading'),
    text: z.string().min(1).max(MAX_CHUNK_CHARS, `longer than ${MAX_CHUNK_CHARS} characters (MAX_CHUNK_CHARS)`),
  }),
)

export const Metadata = z.object({
  id: PaperId,
  aliases: listed(/\s+/, MAX_PAPER_NAMES, 'MAX_PAPER_NAMES').pipe(z.array(PaperId)),
  title: optionalText(MAX_ABSTRACT_CHARS, 'MAX_ABSTRACT_CHARS'),
  abstract: optionalText(MAX_ABSTRACT_CHARS, 'MAX_ABSTRACT_CHARS'),
  authors: listed(/[,;](?:\s?and\s)?|\sand\s/, MAX_PAPER_AUTHORS, 'MAX_PAPER_AUTHORS'),
  year: Year,
  categories: listed(/[\s,]+/, MAX_PAPER_CATEGORIES, 'MAX_PAPER_CATEGORIES'),
})
type Metadata = z.output<typeof Metadata>

export const PaperInput = Metadata.extend({
  text: optionalText(MAX_PAPER_CHARS, 'MAX_PAPER_CHARS'),
  chunks: z
    .array(Chunk)
    .max(MAX_CHUNKS_PER_PAPER, `more than ${MAX_CHUNKS_PER_PAPER} (MAX_CHUNKS_PER_PAPER)`)
    .nullish()
    .transform((chunks) => chunks ?? []),
})
  .refine(({ text, chunks }) => text === '' || chunks.length === 0, 'give "text" or "chunks", not both')
  .refine(({ title }) => title !== '', 'title is required')

/** `file_id`, the name in answers, is accepted as the id too. */
const withId = (given: unknown) => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const { id, file_id, ...rest } = given as Record<string, unknown>
  return { id: id ?? file_id, ...rest }
}

interface Refused {
  /** Index in the request, from 0. */
  readonly index: number
  readonly file_id?: string
  readonly detail: string
}
/** Refused papers that one answer names: the first of a thousand show what is wrong. */
const MAX_REFUSALS = 20

/**
 * Decodes one paper, or `{papers: […]}`.
 * @param cut makes chunks of texts
 * @throws FailureError `invalid_input` with `data.refused`: each refused paper, by its index, and why
 */
export async function decodePapers(body: unknown, cut: Cut): Promise<Paper[]> {
  const papers: z.output<typeof PaperInput>[] = []
  const refused: Refused[] = []
  for (const [index, given] of givenPapers(body).entries()) {
    const parsed = safeRead(PaperInput, withId(given))
    if (parsed.success) papers.push(parsed.data)
    else refused.push({ index, ...idOf(given), detail: describeIssues(parsed.error) })
  }
  if (refused.length > 0) {
    const [{ index, detail } = { index: 0, detail: '' }] = refused
    fail('invalid_input', `${refused.length} of the papers cannot be taken, so none was; paper ${index}: ${detail}`, {
      data: { refused: refused.slice(0, MAX_REFUSALS) },
    })
  }
  const texts = papers.flatMap(({ text }) => (text === '' ? [] : [text]))
  const cutOnes = (texts.length === 0 ? [] : await cut(texts)).values()
  return papers.map((paper) => toPaper(paper, paper.text === '' ? paper.chunks : (cutOnes.next().value ?? [])))
}

/** Cuts each text into chunks. */
type Cut = (texts: readonly string[]) => Promise<readonly (readonly PaperChunk[])[]>

function givenPapers(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !('papers' in body)) return [body]
  const { papers } = body
  if (!Array.isArray(papers)) return fail('invalid_input', '"papers" must be a list of papers')
  if (papers.length > MAX_PAPERS_PER_PUT) {
    return fail(
      'limit_exceeded',
      `${papers.length} papers at once; send at most ${MAX_PAPERS_PER_PUT} (MAX_PAPERS_PER_PUT) in one request`,
    )
  }
  return papers
}

function idOf(given: unknown): { file_id?: string } {
  const found = PaperId.safeParse((withId(given) as { id?: unknown } | null)?.id)
  return found.success ? { file_id: found.data } : {}
}

/** Metadata of a file: words in a form, which win over those in the file. */
export function decodeMetadata(form: Readonly<Record<string, unknown>>): Metadata {
  const parsed = safeRead(Metadata, withId(form))
  return parsed.success ? parsed.data : fail('invalid_input', describeIssues(parsed.error))
}

/** A paper from a file and its metadata. @throws FailureError `invalid_input` when neither has a title */
export function fromFile(metadata: Metadata, read: ReadPaper): Paper {
  const title = metadata.title || read.title
  if (title === '') fail('invalid_input', 'title is required: the file does not say it')
  const abstract = metadata.abstract || read.abstract
  const authors = metadata.authors.length > 0 ? metadata.authors : read.authors
  return toPaper({ ...metadata, title, abstract, authors: [...authors] }, read.chunks)
}

const toPaper = (metadata: Metadata, chunks: readonly PaperChunk[]): Paper => ({
  fileId: metadata.id,
  aliases: metadata.aliases,
  title: metadata.title,
  abstract: metadata.abstract,
  authors: metadata.authors,
  year: metadata.year,
  categories: metadata.categories,
  chunks,
})

export const encodePut = (papers: readonly Paper[], put: { readonly added: number; readonly replaced: number }) => ({
  ...put,
  papers: papers.map(({ fileId, title, chunks }) => ({ file_id: fileId, title, chunk_count: chunks.length })),
})

const MAX_PAGE = 500

const corpus = z.enum(['own', 'public']).optional().meta({
  description: "own, as without it: yours; public: those of all tenants, with the server's admin token as the key.",
})

export const CorpusQuery = z.object({ corpus })

export const PapersQuery = z.object({
  corpus,
  limit: pageQuery(MAX_PAGE).limit,
  /** Last id of the page before. */
  cursor: PaperId.optional().meta({ description: 'The next_cursor of the page before.' }),
})

/** A page of papers. @param papers one more than the page holds, when there is more */
export function encodePapers(papers: readonly ListedPaper[], limit: number) {
  const shown = papers.slice(0, limit)
  const data = shown.map(({ fileId, title, year, chunks }) => ({
    file_id: fileId,
    title,
    publish_year: year,
    chunk_count: chunks,
    text_available: chunks > 0,
  }))
  return encodePage(data, papers.length > limit ? shown.at(-1)?.fileId : null)
}
