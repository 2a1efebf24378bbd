/** Text with `\r\n` and `\r` as `\n`, as Python reads text files. */
export const universalNewlines = (text: string) => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)

/** Lines of a text with their line breaks, as by Python's `str.splitlines(keepends=True)`. */
export function splitLines(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these control characters are line breaks to Python
  return text === '' ? [] : text.split(/(?<=[\n\v\f\x1c-\x1e\x85\u2028\u2029])/)
}

/** Lines as {@link splitLines} counts them, each with the line break that it has in the file. */
export function rawLines(raw: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  return raw === '' ? [] : raw.split(/(?<=[\n\v\f\x1c-\x1e\x85\u2028\u2029]|\r(?!\n))/)
}

/** A line of {@link splitLines} without its line break. */
export const withoutBreak = (line: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  /[\n\v\f\x1c-\x1e\x85\u2028\u2029]/.test(line.slice(-1)) ? line.slice(0, -1) : line
