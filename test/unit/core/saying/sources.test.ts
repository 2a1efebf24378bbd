import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { TOOL_PHRASES } from '../../../../src/core/saying/tool-phrases.ts'
import { catalog } from '../../../../src/tools/catalog.ts'

const ROOT = join(import.meta.dirname, '../../../../src')
/** What all dialects reach. The dialects' own folders speak their own words. */
const FOLDERS = ['adapters', 'core', 'documents', 'papers', 'reader', 'session', 'tools', 'workspace']

const TOOLS = [...catalog.list(), ...catalog.toolkits().flatMap(({ tools }) => tools)]
const NAMES = new Set([
  ...TOOLS.map(({ name }) => name),
  // An argument without an underscore is a word of any sentence.
  ...TOOLS.flatMap(({ inputSchema }) => Object.keys((inputSchema.properties ?? {}) as object)).filter((name) =>
    name.includes('_'),
  ),
])
const PLACES =
  /\btask (?:directory|id|root)\b|\bthis task\b|GET \/v1|\/lagent\/|\/api\/|whoever runs this server|owner of this server/

/** Words of published servers that stand as they are, or that a caller writes as it is told. */
const AS_THEY_ARE = [
  'unlocker_name', // within advice that is dropped where file_unlock is not known
  'file_path', // the same
  'unlocker_level',
  'organic_id', // a field of the answer before
  'file_id', // the same
  'input_path', // within hints of a tool that has it in each dialect
]

/** Functions whose arguments a caller of some dialect reads. */
const SPEAKING = new Set(['fail', 'failureWith', 'FailureError', 'RefusalError', 'say'])

function sources(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.name.endsWith('.ts')).map((entry) => join(entry.parentPath, entry.name))
}

interface Found {
  readonly at: string
  readonly text: string
}

/** Texts in the arguments of {@link SPEAKING}, and parts that stand in a template that is no `say`. */
function texts(path: string): { readonly spoken: Found[]; readonly lost: Found[] } {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const spoken: Found[] = []
  const lost: Found[] = []
  const at = (node: ts.Node) =>
    `${relative(ROOT, path)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
  const visit = (node: ts.Node, speaks: boolean): void => {
    if (speaks && isText(node)) spoken.push({ at: at(node), text: node.text })
    if (ts.isTemplateExpression(node) && !isSay(node.parent)) {
      for (const { expression } of node.templateSpans) {
        if (ts.isCallExpression(expression) && PARTS.has(expression.expression.getText())) {
          lost.push({ at: at(node), text: node.getText() })
        }
      }
    }
    const begins = isSpeaking(node)
    ts.forEachChild(node, (child) => visit(child, speaks || begins))
  }
  visit(source, false)
  return { spoken, lost }
}

const PARTS = new Set(['tool', 'field', 'operator', 'ifKnown'])

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)

const isSay = (node: ts.Node) => ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'say'

/** A text that has a name of its own may become a message anywhere. */
const MESSAGE = /^(?:message|why|how|[A-Z]+(?:_[A-Z]+)*)$/

function isSpeaking(node: ts.Node): boolean {
  if (isSay(node)) return true
  if (ts.isVariableDeclaration(node) && MESSAGE.test(node.name.getText()))
    return !!node.initializer && isText(node.initializer)
  return (ts.isCallExpression(node) || ts.isNewExpression(node)) && SPEAKING.has(node.expression.getText())
}

/** The arguments of a part are names, and advice to the owner has the owner's words. */
const isOfPart = (text: string) => NAMES.has(text)

const all = FOLDERS.flatMap((folder) => sources(join(ROOT, folder))).map(texts)

describe('messages of the core', () => {
  it('name tools, arguments and places by parts, which each dialect words', () => {
    const wrong = all
      .flatMap(({ spoken }) => spoken)
      .filter(({ text }) => / /.test(text) && !text.includes('\n') && !isOfPart(text))
      .flatMap(({ at, text }) => {
        const words = text.match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ?? []
        const names = words.filter((word) => NAMES.has(word) && !AS_THEY_ARE.includes(word))
        const places = PLACES.exec(text) ?? []
        return [...names, ...places].map((word) => `${at}: ${word} in ${JSON.stringify(text)}`)
      })
    expect(wrong).toEqual([])
  })

  it('have their parts in a say`…`: elsewhere they would become "[object Object]"', () => {
    expect(all.flatMap(({ lost }) => lost)).toEqual([])
  })

  it('name only tools that there are', () => {
    const known = new Set(TOOLS.map(({ name }) => name))
    expect(Object.keys(TOOL_PHRASES).filter((name) => !known.has(name))).toEqual([])
  })

  it('are found by this test', () => {
    expect(all.flatMap(({ spoken }) => spoken).length).toBeGreaterThan(500)
  })
})
