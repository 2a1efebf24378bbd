/** One word of a bash command line, whatever is in it. NUL cannot be in a word and is dropped. */
export const shellQuote = (text: string) => `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`
