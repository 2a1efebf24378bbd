import { fail } from '../../core/failure.ts'
import { MAX_PAPER_CHARS } from '../../core/limits/papers.ts'
import { formatOf } from '../../documents/formats.ts'
import { readDocument } from '../../documents/read-document.ts'
import type { PaperChunk, ReadPaper } from '../../ports/papers.ts'
import type { ReadingOptions } from '../../ports/reader.ts'
import { cut } from './cut.ts'
import { readLatex } from './latex/read-latex.ts'
import { readMarkdown, sectionsOf } from './markdown.ts'
import type { PaperText } from './paper-text.ts'

/**
 * Reads a paper from a file: PDF, HTML (arXiv's too), Markdown, plain text, or LaTeX (`.tex`, `.gz`, `.tar.gz`). Headings
 * become sections, and the text of each is cut into chunks.
 * @throws FailureError `invalid_input` for a file of another kind or without text, `limit_exceeded`
 */
export async function readSource(
  bytes: Uint8Array,
  { name }: ReadingOptions['paper'],
  signal: AbortSignal,
): Promise<ReadPaper> {
  const text = await readText(name, bytes, signal)
  const chars = text.sections.reduce((sum, section) => sum + section.text.length, text.abstract.length)
  if (chars === 0) fail('invalid_input', `${shown(name)} has no text to search; is it a scan, or empty?`)
  if (chars > MAX_PAPER_CHARS) {
    fail('limit_exceeded', `${shown(name)} has more than ${MAX_PAPER_CHARS} characters of text (MAX_PAPER_CHARS)`)
  }
  const { title, abstract, authors, sections } = text
  return { title, abstract, authors, chunks: cut(sections) }
}

/** Chunks of texts that come by themselves, of each by its headings. @param bytes a list of texts as JSON */
export async function cutTexts(bytes: Uint8Array): Promise<PaperChunk[][]> {
  const texts = JSON.parse(new TextDecoder().decode(bytes)) as string[]
  return texts.map((text) => cut(sectionsOf(text)))
}

async function readText(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<PaperText> {
  const extension = extensionOf(name, bytes)
  if (LATEX.has(extension)) return readLatex(bytes)
  const load = READ.has(extension) ? formatOf(extension) : null
  if (!load) {
    return fail('invalid_input', `${shown(name)} is of a kind that is not read; send ${[...READ, ...LATEX].join(', ')}`)
  }
  const document = await (await load())(bytes, name)
  try {
    const { content, metadata, truncated } = await readDocument(document, undefined, { now: Date.now }, signal)
    if (truncated) fail('limit_exceeded', `${shown(name)} is too long to be read as one paper; send it in parts`)
    const found = readMarkdown(content.replace(/^<!-- page \d+ -->$/gm, ''))
    return { ...found, title: found.title || `${metadata.title ?? ''}` }
  } finally {
    await document.close?.()
  }
}

const READ: ReadonlySet<string> = new Set(['.pdf', '.html', '.htm', '.xhtml', '.md', '.markdown', '.txt'])
const LATEX: ReadonlySet<string> = new Set(['.tex', '.gz', '.tgz', '.tar'])

/** Extension of a file's name; arXiv's downloads have none, and there the first bytes decide. */
function extensionOf(name: string, bytes: Uint8Array): string {
  const extension = /\.[a-z0-9]+$/i.exec(name)?.[0].toLowerCase() ?? ''
  if (READ.has(extension) || LATEX.has(extension)) return extension
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return '.gz'
  return new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-' ? '.pdf' : extension
}

const shown = (name: string) => JSON.stringify(name.slice(0, 100))
