import { MAX_SHEET_CELLS } from '../core/limits/documents.ts'
import { withoutLast } from '../core/without-last.ts'

/**
 * A table, its first row as the header; nothing at all gives an empty text. Short rows are filled, unless that would make
 * more than MAX_SHEET_CELLS of the table: one wide row among many short ones. Markdown takes short rows as well.
 */
export function table(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (width === 0) return ''
  const isFilled = rows.length * width <= MAX_SHEET_CELLS
  const line = (row: readonly string[], at: number) => {
    const cells = row.map((text) => cell(text))
    while ((isFilled || at === 0) && cells.length < width) cells.push('')
    return `| ${cells.join(' | ')} |`
  }
  const [header = '', ...body] = rows.map(line)
  return [header, `|${' --- |'.repeat(width)}`, ...body].join('\n')
}

const cell = (text: string) => trimmedLines(text).join('<br>').replaceAll('|', '\\|')

const trimmedLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Blocks with an empty line between them; empty ones vanish. */
export const blocks = (parts: readonly string[]) =>
  parts
    .map((part) => part.replace(/^\n+/, '').trimEnd())
    .filter((part) => part !== '')
    .join('\n\n')

/** Text with any white space as one space. Single spaces are left alone, of which a page has very many. */
export const oneLine = (text: string) => text.replace(/\s{2,}|[^\S ]/g, ' ')

export const heading = (level: number, text: string) => {
  const title = oneLine(text).trim()
  return title === '' ? '' : `${'#'.repeat(Math.min(6, Math.max(1, level)))} ${title}`
}

/** Text between marks, with the spaces at its ends outside of them, where Markdown wants them. */
export function emphasised(text: string, mark: string): string {
  const inner = text.trim()
  if (inner === '') return text
  const start = text.indexOf(inner)
  return `${text.slice(0, start)}${mark}${inner}${mark}${text.slice(start + inner.length)}`
}

export const link = (text: string, target: string) =>
  text.trim() === '' ? '' : target === '' ? text : `[${text}](${target.replaceAll(' ', '%20').replaceAll(')', '%29')})`

/** Code between fences that are longer than any in it. */
export function fenced(code: string, language = ''): string {
  const longest = [...code.matchAll(/`{3,}/g)].reduce((most, [run]) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${withoutLast(code, '\n')}\n${fence}`
}

/** Code within a line, between marks that are longer than any in it; spaces at its ends stand outside. */
export function codeSpan(code: string): string {
  if (!code.includes('`')) return emphasised(code, '`')
  const longest = [...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0)
  const inner = code.trim()
  const mark = '`'.repeat(longest + 1)
  return `${mark} ${inner} ${mark}`
}

/**
 * Text that is longer is not moved to the right where it stands in a list or a quote: each level is written into every
 * line below it, which would be lines times levels.
 */
export const MAX_INDENTED_CHARS = 1024 * 1024

/** An entry of a list; its further lines stand below its first. @param level from 0 on @param label `*`, `1.` */
export const item = (level: number, label: string, text: string) => {
  const margin = ' '.repeat(2 * level + label.length + 1)
  return `${'  '.repeat(level)}${label} ${text.length > MAX_INDENTED_CHARS ? text : text.replace(/\n(?!\n|$)/g, `\n${margin}`)}`
}
