/** A command as a line of bash: one argument is a line already, several are quoted, each a word of its own. */
export const shellLine = (words: readonly string[]): string =>
  words.length === 1 ? (words[0] ?? '') : words.map(shellWord).join(' ')

/** An argument as one word of a shell. */
const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
