/**
 * Whether a text with backticks can be Python as it stands: all of them are in strings or comments. In a model's prose
 * around code they stand elsewhere, or an apostrophe (`it's`) opens a string that no Python has.
 */
export function isPythonAsItStands(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '`') return false
    if (char === '#') at = endOfLine(text, at)
    else if (char === '"' || char === "'") {
      const end = isPrefix(wordBefore(text, at)) ? endOfString(text, at) : -1
      if (end === -1) return false
      at = end
    }
  }
  return true
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** End of a string. @returns the position of its last quote; -1 when it has none */
function endOfString(text: string, from: number): number {
  const quote = text[from] ?? ''
  const closing = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote
  for (let at = from + closing.length; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '\n' && closing.length === 1) return -1
    else if (text.startsWith(closing, at)) return at + closing.length - 1
  }
  return -1
}

/** Word before a quote. Of a longer one the last letters are enough: no prefix has more than two. */
const wordBefore = (text: string, at: number) => /[\p{L}\p{N}_]*$/u.exec(text.slice(Math.max(0, at - 3), at))?.[0] ?? ''

const isPrefix = (word: string) => /^[rbuft]{0,2}$/i.test(word)
