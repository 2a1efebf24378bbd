/** `text` as one word of a POSIX shell, whatever is in it. NUL cannot be in a command and is dropped. */
export const shellQuote = (text: string) => `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`
