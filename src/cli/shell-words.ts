/** A command as a line of bash: one argument is a line already, several are quoted, each a word of its own. */
export const shellLine = (words: readonly string[]): string =>
  words.length === 1 ? (words[0] ?? '') : words.map(shellWord).join(' ')

/** Words that mean something else than themselves at the beginning of a line of bash. */
const RESERVED = 'case coproc do done elif else esac fi for function if in select then time until while'.split(' ')

/** An argument as one word of a shell, which neither expands it nor takes it for an assignment. */
export const shellWord = (word: string): string =>
  /^[\w@%+:,./-]+$/.test(word) && !RESERVED.includes(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
