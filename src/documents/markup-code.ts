import { BLOCKS, firstOf, isSkipped, type MarkupNode, nameOf, shortAttribute, TEXT } from './markup-node.ts'

/** The lines of a `<pre>` as they are shown, without the buttons and line numbers that pages put among them. */
export const codeOf = (pre: MarkupNode, maxDepth: number): string =>
  linesOf(pre, maxDepth).replaceAll('\u00a0', ' ').replace(/^\n/, '')

function linesOf(node: MarkupNode, depth: number): string {
  if (depth < 0) return node.textContent ?? ''
  let text = ''
  for (const inner of node.childNodes) {
    if (inner.nodeType === TEXT) text += inner.textContent ?? ''
    else if (nameOf(inner) === 'br') text += '\n'
    else if (nameOf(inner) !== '' && !isSkipped(inner)) {
      const lines = linesOf(inner, depth - 1)
      // Some highlighters make an element for each line.
      if (BLOCKS.has(nameOf(inner)))
        text += `${text === '' || text.endsWith('\n') ? '' : '\n'}${lines.replace(/\n$/, '')}\n`
      else text += lines
    }
  }
  return text
}

const CLASSES = [
  /(?:^|\s)(?:language|lang|highlight-source|highlight)-([\w+#-]{1,30})/,
  /(?:^|\s)(?:brush:|sourceCode|hljs|highlight)\s{1,9}([\w+#-]{1,30})/,
]
/** Words in that place which name no language. */
const NONE = /^(?:default|none|text|plain|plaintext|txt|notranslate|linenums|line-numbers|code|language.*)$/i

const isLanguage = (word = '') => /^[\w+#-]{1,30}$/.test(word) && !NONE.test(word)

/** Language of a code block as highlighters mark it: at the `<pre>`, at the `<code>` in it, or at the element made for both. */
export function languageOf(pre: MarkupNode): string {
  for (const node of [pre, ...firstOf(pre.childNodes, MAX_WRAPPED), ...wrappersOf(pre)]) {
    const named = CLASSES.map((pattern) => pattern.exec(shortAttribute(node, 'class'))?.[1])
    const found = [...named, shortAttribute(node, 'data-lang'), shortAttribute(node, 'data-language')].find(isLanguage)
    if (found) return found
  }
  return ''
}

const MAX_WRAPPERS = 7
/** The `<code>` is the first in its `<pre>`, or after a few that operate it. */
const MAX_WRAPPED = 20

/** Ancestors up to the outermost one for highlighted code: a table with line numbers may be between. */
function wrappersOf(pre: MarkupNode): MarkupNode[] {
  const found: MarkupNode[] = []
  for (let node = pre.parentNode; node && found.length < MAX_WRAPPERS; node = node.parentNode) {
    if (!/^(?:div|figure|td|tr|tbody|table)$/.test(nameOf(node))) break
    found.push(node)
  }
  return found.filter((node) => /highlight|code|language-|brush/i.test(shortAttribute(node, 'class')))
}
