/** One word of a bash command line, whatever is in it. NUL cannot be in a word and is dropped. */
export const shellQuote = (text: string) => `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`

/** One word of a bash command line, itself without line breaks: bash takes those of a word for lines of the command around it. */
export const bashLine = (text: string) =>
  `$'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
