import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const HOME = join(import.meta.dirname, '../../..')
const find = (...patterns: string[]) => globSync(patterns, { cwd: HOME }).sort()

/** Files of code whose words are checked: all but the lists of words that none of them has, and types made of the API's document. */
export const CODE = find('{src,test,scripts,bench,drill}/**/*.{ts,mts,mjs}').filter(
  (path) => path !== 'test/unit/words/forbidden.ts' && !path.startsWith('src/client/generated/'),
)
/** Files of code whose doc comments are checked: all but tests, whose comments stand beside one test each. */
export const DOCUMENTED = CODE.filter((path) => !/^test\/(?!support\/)/.test(path))
/** Programs for sandboxes. */
export const PROGRAMS = find('src/**/*.{py,sh}')
/** Pages for people. */
export const PAGES = find('README.md', 'CONTRIBUTING.md', 'docs/**/*.md')

export const textOf = (path: string) => readFileSync(join(HOME, path), 'utf8')

/** Text with its place, as editors take it. */
export interface Placed {
  readonly at: string
  readonly text: string
}

/** Lines of comments, block comments included. */
export const commentLines = (path: string, source: string): Placed[] =>
  source.split('\n').flatMap((line, at) => {
    const text = /^\s*(?:\/\*\*?|\*|\/\/)(.*)|\s\/\/ (.*)$/.exec(line)
    return text ? [{ at: `${path}:${at + 1}`, text: text[1] ?? text[2] ?? '' }] : []
  })

/** Doc comments, without their stars. */
export const docComments = (path: string, source: string): Placed[] =>
  [...source.matchAll(/^[ \t]*\/\*\*\s([\s\S]*?)\*\//gm)].map(({ 1: body = '', index }) => ({
    at: `${path}:${source.slice(0, index).split('\n').length}`,
    text: body.replace(/^\s*\* ?/gm, '').trim(),
  }))

/**
 * Identifiers of a file. Only a file that has one of these words at all is parsed: that takes longer than all else.
 * @param suspect pattern of the words that matter
 */
export function identifiers(path: string, source: string, suspect: RegExp): Placed[] {
  if (!source.split('\n').some((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && suspect.test(line))) return []
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest)
  const found: Placed[] = []
  const visit = (node: ts.Node) => {
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && suspect.test(node.text)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
      found.push({ at: `${path}:${line + 1}`, text: node.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Words of a name in lower case: `readToldFile`, `TOLD_FILE` and `told-file` have `told` and `file`. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
