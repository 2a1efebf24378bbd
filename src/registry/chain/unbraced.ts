import type { Template } from './template.ts'

/** Form of a path to a result, in dots and brackets. */
const PATH = String.raw`steps\.([A-Za-z_]\w{0,63})\.(?:outcome|result|text|error|items)\b`
const REST = String.raw`[\w.[\]"'-]{0,200}`
/** Expressions as other languages write them, and the path alone, as the whole text. */
const WHOLE = [
  new RegExp(String.raw`^(?:\$?\{{0,2}|\$\.|=) ?(${PATH}${REST}) ?\}{0,2}$`),
  new RegExp(String.raw`^(?:\{\{|\$\.) ?(input\.${REST}) ?(?:\}\})?$`),
]
/** Path within a text. Behind a space stands no other space, so no text costs more than its length. */
const WITHIN = new RegExp(String.raw`\{\{ ?(${PATH}${REST}) ?\}\}`)

/**
 * Texts that look like an expression of a result but have other braces: the tool would get them unchanged.
 * @param steps the ids of the chain's steps
 */
export function* unbraced(template: Template, where: string, steps: ReadonlySet<string>): Generator<string> {
  for (const [place, text] of textsOf(template, where)) {
    const [, path, step] = WHOLE.map((form) => form.exec(text.trim())).find(Boolean) ?? WITHIN.exec(text) ?? []
    if (path === undefined || (step !== undefined && !steps.has(step)) || text.includes('${{')) continue
    yield `${place}: ${JSON.stringify(text.trim().slice(0, 100))} is no expression and goes to the tool as it stands; write \${{ ${path} }}`
  }
}

/** Texts of a template without an expression. */
function* textsOf(template: Template, where: string): Generator<readonly [string, string]> {
  switch (template.kind) {
    case 'constant':
      yield* textsIn(template.value, where)
      return
    case 'text':
      for (const part of template.parts) if (typeof part === 'string') yield [where, part]
      return
    case 'list':
      for (const [at, item] of template.items.entries()) yield* textsOf(item, `${where}[${at}]`)
      return
    case 'object':
      for (const [key, field] of template.fields) yield* textsOf(field, `${where}.${key}`)
  }
}

/** Objects are no constants: {@link compileTemplate}. */
function* textsIn(value: unknown, where: string): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [where, value]
  if (!Array.isArray(value)) return
  for (const [at, item] of value.entries()) yield* textsIn(item, `${where}[${at}]`)
}
