import { MAX_NUMBERED_CHARS } from '../../core/limits/workspace.ts'

/** Lines of a text with their line breaks, as editors count lines: only `\n` ends one. */
export const lineList = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/))

/** Lines as {@link lineList} counts them, each with the line break that it has in the file. */
export const rawLineList = (raw: string): string[] => (raw === '' ? [] : raw.split(/(?<=\n|\r(?!\n))/))

/**
 * Lines behind their numbers, up to MAX_NUMBERED_CHARS: ` 1: first\n 2: second\n`.
 * @param first number of the first line, from 1
 */
export function numbered(lines: readonly string[], first = 1): { readonly text: string; readonly truncated: boolean } {
  const shown: string[] = []
  let chars = 0
  for (let number = first; number <= lines.length; number++) {
    const line = lines[number - 1] ?? ''
    if (chars + line.length > MAX_NUMBERED_CHARS) {
      const part = shown.length === 0 ? `${linePrefix(number)}${line.slice(0, MAX_NUMBERED_CHARS)}\n` : ''
      const cut =
        shown.length === 0
          ? `[line ${number} is cut after ${MAX_NUMBERED_CHARS} of its ${line.length} characters]`
          : `[cut here: the text has ${lines.length} lines; go on from line ${number}]`
      return { text: `${shown.join('')}${part}${cut}\n`, truncated: true }
    }
    shown.push(`${linePrefix(number)}${line}`)
    chars += line.length
  }
  return { text: shown.join(''), truncated: false }
}

/** Number of a line as it stands before it. */
export const linePrefix = (number: number) => `${String(number).padStart(5)}: `
