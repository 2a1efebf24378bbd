import { withoutLast } from '../../core/without-last.ts'
import { MAX_HEADING_CHARS, type PaperText, type Section } from './paper-text.ts'

/** Further down it is no title of the paper any more. */
const TITLE_WITHIN_CHARS = 400
const ABSTRACT = /^(?:abstract|summary|摘\s*要)$/i
const REFERENCES = /^(?:references?|bibliography|literature cited|参考文献)$/i
const NO_TITLE = /^(?:[\dIVX]+\.?\s|introduction\b|contents\b|引言)/i

interface Heading {
  readonly level: number
  readonly text: string
}
interface Part {
  readonly heading: Heading | null
  text: string
}

/** The sections of a paper by its Markdown headings. The first heading, at its beginning, is its title. */
export const readMarkdown = (markdown: string): PaperText => read(markdown, true)

/** Sections of a text whose title and abstract are given apart. */
export const sectionsOf = (markdown: string): readonly Section[] => read(markdown, false).sections

function read(markdown: string, isWhole: boolean): PaperText {
  const parts = partsOf(markdown)
  const title = isWhole ? titleOf(parts) : null
  const above: Heading[] = []
  const sections: Section[] = []
  let abstract = ''
  for (const part of parts) {
    const { heading } = part
    if (heading && heading !== title) {
      while (above.length > 0 && (above.at(-1)?.level ?? 0) >= heading.level) above.pop()
      above.push(heading)
    }
    const name = bare(heading?.text ?? '')
    if (above.some(({ text }) => REFERENCES.test(bare(text)))) continue
    if (isWhole && heading !== title && ABSTRACT.test(name) && abstract === '') {
      abstract = part.text.trim()
      above.pop()
      continue
    }
    if (isWhole && abstract === '' && sections.length < 2) {
      const found = leadingAbstract(part.text)
      abstract = found.abstract
      part.text = found.rest
    }
    if (part.text.trim() !== '') {
      sections.push({ path: above.map(({ text }) => text).join(' > '), text: part.text.trim() })
    }
  }
  return { title: title?.text ?? '', abstract: oneLine(abstract), authors: [], sections }
}

function partsOf(markdown: string): Part[] {
  const parts: Part[] = [{ heading: null, text: '' }]
  let fence = ''
  for (const line of markdown.split('\n')) {
    const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (marks !== '') fence = fence === '' ? marks : marks.startsWith(fence) ? '' : fence
    const found = fence === '' && line.length <= MAX_HEADING_CHARS ? /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) : null
    const last = parts.at(-1)
    if (found) parts.push({ heading: { level: found[1]?.length ?? 1, text: plain(found[2] ?? '') }, text: '' })
    else if (last) last.text += `${line}\n`
  }
  return parts
}

function titleOf(parts: readonly Part[]): Heading | null {
  const [before, first] = parts
  const heading = first?.heading ?? null
  if (!heading || (before?.text.trim().length ?? 0) > TITLE_WITHIN_CHARS) return null
  const name = heading.text
  return ABSTRACT.test(bare(name)) || NO_TITLE.test(name) ? null : heading
}

/** Abstract without a heading of its own: a paragraph that begins with the word. */
function leadingAbstract(text: string): { readonly abstract: string; readonly rest: string } {
  const paragraphs = text.split(/\n[ \t]*\n/)
  for (const [at, paragraph] of paragraphs.slice(0, 40).entries()) {
    const found = /^\s*[*_]{0,3}(?:abstract|摘\s*要)[*_]{0,3}\s*[.:：—–-]{0,3}\s*[*_]{0,3}/i.exec(paragraph)
    if (!found) continue
    const own = paragraph.slice(found[0].length).trim()
    const abstract = own || (paragraphs[at + 1] ?? '').trim()
    const rest = [...paragraphs.slice(0, at), ...paragraphs.slice(at + (own ? 1 : 2))]
    if (abstract.length >= 100) return { abstract, rest: rest.join('\n\n') }
  }
  return { abstract: '', rest: text }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Heading without the marks of Markdown at its ends. */
const plain = (heading: string) => oneLine(unclosed(heading.trimEnd()).replace(/\*\*|__/g, ''))

/** Heading without closing signs: `## Heading ##` may end with them, after a space. */
function unclosed(heading: string): string {
  const text = withoutLast(heading, '#')
  return /[ \t]$/.test(text) ? text : heading
}

/** Heading without its number. */
const bare = (heading: string) => heading.replace(/^(?:\d+(?:\.\d+)*|[IVX]+)\.?\s+/, '').replace(/[:.]$/, '')
