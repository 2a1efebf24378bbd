import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it, vi } from 'vitest'
import { isSuperLinear } from '../../support/super-linear.ts'

// All patterns of the program are made automata, which takes ten seconds of a busy machine.
vi.setConfig({ testTimeout: 300_000 })

/** Patterns that are run on short texts only: where, the pattern's beginning, and what bounds the text. */
const BOUNDED: readonly (readonly [file: string, beginning: string, bound: string])[] = [
  ['documents/number-format.ts', '"[^"]*"|', 'the first 255 characters of a format'],
  ['http/operations/document.ts', '(?<=', 'a path of our own routes'],
  ['http/parameters/line-conversions.ts', '^\\s*\\[?', 'MAX_RANGE_CHARS'],
  ['market/publishable.ts', '\\beyJ', 'the pattern itself: 6,000 characters from each place'],
  ['papers/short-forms.ts', '\\p{Lu}', 'MAX_SHORT_CHARS'],
  ['papers/sources/cut.ts', '\\n\\s*\\n', 'a window of CHUNK_CHARS'],
  ['sandboxd/signature.ts', '=+$', 'the checksum that was made one line above'],
  ['tools/command-advice.ts', '[\'"', 'MAX_ADVISED_CHARS of an output'],
  ['tools/files/find/query.ts', '[.', 'MAX_SEARCH_CHARS'],
  ['tools/latex/hints.ts', '', 'MAX_MESSAGE_CHARS of an error'],
  ['tools/latex/log-errors.ts', '', 'MAX_LINE_CHARS of a log'],
  ['tools/latex/log-warnings.ts', '', 'MAX_LINE_CHARS of a log'],
  ['tools/latex/tex2pdf-convert.ts', 'File [', 'MAX_MESSAGE_CHARS of an error'],
  ['tools/python-text.ts', '[\\p{L}', 'the three characters before a place'],
  ['tools/web/fetch-page.ts', '<', 'MAX_REFRESH_BYTES of a page that only sends on'],
  ['tools/web/file-name.ts', '^[.\\s-]+', 'the last 1,000 characters of a name'],
]

/** Files that put patterns together: out of words of their own, never out of a caller's. */
const PUT_TOGETHER: ReadonlySet<string> = new Set([
  'auth/key.ts',
  'core/moment.ts',
  'core/task-layout.ts',
  'documents/xml.ts',
  'http/specifiers.ts',
  'http/callable-tools/exported-name.ts',
  'http/dialects/mcp/server/calls/session-tasks.ts',
  'http/dialects/xagent/routes.ts',
  'lagent/python/read-literal.ts',
  'registry/chain/unbraced.ts',
  'registry/check/pattern-characters.ts',
  'registry/mcp/mcp-executor.ts',
  'registry/mcp/remote-tool.ts',
  'retrieval/simplified.ts',
  'retrieval/tokenize.ts',
  'sandboxd/agent/multipart.ts',
  'tools/files/pattern/character-set.ts', // one character against one class
  'tools/packages/requirement-list.ts', // each part ends at a character that none before it takes
])

interface Pattern {
  readonly place: string
  readonly source: string
  readonly flags: string
}

function patternsIn(file: string, text: string): { readonly literal: Pattern[]; readonly hasOthers: boolean } {
  const literal: Pattern[] = []
  let hasOthers = false
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node) => {
    const place = `${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      literal.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      const [source, flags] = node.arguments ?? []
      if (source && ts.isStringLiteralLike(source)) {
        literal.push({ place, source: source.text, flags: flags && ts.isStringLiteralLike(flags) ? flags.text : '' })
      } else hasOthers = true
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return { literal, hasOthers }
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, ...patternsIn(name, readFileSync(join('src', name), 'utf8')) }))

describe('the patterns of the program', () => {
  it('take a time that grows as the text does, or are run on short texts', () => {
    const slow = files.flatMap(({ name, literal }) =>
      literal
        .filter(({ source }) => !BOUNDED.some(([file, beginning]) => file === name && source.startsWith(beginning)))
        .filter(({ source, flags }) => isSuperLinear(source, flags))
        .map(({ place, source, flags }) => `${place}: /${source}/${flags}`),
    )
    expect(slow).toEqual([])
  })

  it('are written out where they stand, but for a few that are put together', () => {
    expect(
      files
        .filter(({ hasOthers }) => hasOthers)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...PUT_TOGETHER].sort())
  })

  it('excuse no file that has no such pattern', () => {
    const names = new Set(files.map(({ name }) => name))
    for (const [file, beginning] of BOUNDED) {
      expect(names).toContain(file)
      const { literal } = files.find(({ name }) => name === file) ?? expect.fail(file)
      expect(literal.some(({ source, flags }) => source.startsWith(beginning) && isSuperLinear(source, flags))).toBe(
        true,
      )
    }
  })
})

describe('isSuperLinear()', () => {
  it.each([
    [/^\s*([A-Za-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/, 'the lines of a robots.txt'],
    [/(a+)+$/, 'loops within loops'],
    [/\/+$/, 'an end that is looked for from each place'],
    [/<script[\s\S]*?<\/script>/g, 'an end that may be missing'],
    [/^(.*)---line (\d+) of file (.*)$/, 'two loops around a word'],
    [/(?:a|a)*b/, 'two ways to read the same'],
    [/!\[([^\]]*)\]\(x\)/, 'a beginning that the loop reads too'],
    [/^ +#\s*\s*$/m, 'neighbours that share the spaces'],
  ])('is true for %s: %s', ({ source, flags }) => {
    expect(isSuperLinear(source, flags)).toBe(true)
  })

  it.each([
    [/\s+/g, 'a loop after which nothing can fail'],
    [/^\s*[a-z]+:/, 'a beginning of the text'],
    [/"[^"]*"/g, 'a loop that stops at the beginning of the next'],
    [/^\d+\.\d+$/, 'loops that share nothing'],
    [/a{0,200}b/, 'a loop of a few'],
    [/<[^<>]*>/g, 'a loop that stops where another could begin'],
    [/(?:[ \t]|#[^\n]*\n)*/y, 'one that always ends well'],
  ])('is false for %s: %s', ({ source, flags }) => {
    expect(isSuperLinear(source, flags)).toBe(false)
  })
})
