/** A piece of source; without a kind it is drawn as it is. */
export interface Token {
  readonly text: string
  readonly kind: 'comment' | 'string' | 'number' | 'keyword' | null
}

const KEYWORDS =
  'as async await break case catch class const continue def default del do done elif else end enum esac except export extends false fi finally fn for from func function global if impl implements import in interface is lambda let match mod new nil none None not null or and pass private public pub raise readonly return self static struct super switch then this throw trait true True False try type typeof undefined use var void while with yield'
const isKeyword = new Set(KEYWORDS.split(' '))

/** Ends of names of languages by the mark that begins a comment to the end of a line. */
const LINE_COMMENTS: readonly (readonly [mark: string, endings: string])[] = [
  ['//', 'js mjs cjs ts tsx jsx c h cpp hpp cc java go rs swift kt php scala jsonc'],
  ['#', 'py sh bash rb pl r yaml yml toml ini conf dockerfile mk'],
  ['--', 'sql lua hs'],
]
const PLAIN = new Set(['txt', 'md', 'log', 'csv', 'tsv', ''])

/** Pieces of one text that are coloured. */
const TOKENS_MAX = 20_000

/** Pieces of source in their order, which together are the text; behind `max` of them comes the rest. Linear in its length. */
export function tokensOf(text: string, ending: string, max = TOKENS_MAX): readonly Token[] {
  if (PLAIN.has(ending)) return [{ text, kind: null }]
  const mark = LINE_COMMENTS.find(([, endings]) => endings.split(' ').includes(ending))?.[0]
  const tokens: Token[] = []
  let plainFrom = 0
  let at = 0
  const add = (end: number, kind: Token['kind']) => {
    if (at > plainFrom) tokens.push({ text: text.slice(plainFrom, at), kind: null })
    tokens.push({ text: text.slice(at, end), kind })
    at = end
    plainFrom = end
  }
  while (at < text.length && tokens.length < max) {
    const char = text[at] ?? ''
    if (mark && text.startsWith(mark, at)) add(lineEnd(text, at), 'comment')
    else if (mark === '//' && text.startsWith('/*', at)) add(endAfter(text, '*/', at + 2), 'comment')
    else if ((mark === '#' && text.startsWith('"""', at)) || text.startsWith("'''", at)) {
      add(endAfter(text, text.slice(at, at + 3), at + 3), 'string')
    } else if (char === '"' || char === "'" || char === '`') add(stringEnd(text, at), 'string')
    else if (/[A-Za-z_$]/.test(char)) {
      const end = runEnd(text, at)
      if (isKeyword.has(text.slice(at, end))) add(end, 'keyword')
      else at = end
    } else if (/\d/.test(char)) add(runEnd(text, at), 'number')
    else at++
  }
  if (text.length > plainFrom) tokens.push({ text: text.slice(plainFrom), kind: null })
  return tokens
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function endAfter(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end < 0 ? text.length : end + mark.length
}

/** End of a string on one line; a backtick's may go over several. */
function stringEnd(text: string, from: number): number {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at + 1
    else if (text[at] === '\n' && quote !== '`') return at
  }
  return text.length
}

function runEnd(text: string, from: number): number {
  let end = from + 1
  while (end < text.length && /[\w$.]/.test(text[end] ?? '') && !(text[end] === '.' && !/\d/.test(text[from] ?? '')))
    end++
  return end
}
