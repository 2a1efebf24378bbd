import { shellQuote } from '../core/shell-quote.ts'

/** Bash of this folder as part of a longer script: without its comments, which would travel with each call. */
export const bashProgram = (text: string): string => text.replace(/^[ \t]*#.*\n/gm, '')

/** The call of a function of such a program: each argument is one word, whatever is in it. */
export const bashCall = (name: string, ...args: readonly (string | number)[]): string =>
  [name, ...args.map((arg) => shellQuote(String(arg)))].join(' ')
