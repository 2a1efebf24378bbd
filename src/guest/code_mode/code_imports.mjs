// The package `tools`, for TypeScript that imports what is there without it. A module cannot have exports of any name, so this one
// has all names that the code contains: those that it imports are among them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import './tools.mjs'

const code = new URL('code.mts', import.meta.url)
const text = isMainThread ? readFileSync(code, 'utf8') : ''

/** Names of the code: its words, and those of its strings that have no space. */
function names() {
  const words = text.match(/[A-Za-z_$][\w$]*/g) ?? []
  const strings = text.match(/(?<=["'`])[\w$][\w$.@:/-]*(?=["'`])/g) ?? []
  return [...new Set([...words, ...strings])].filter((name) => !OWN.has(name))
}

const OWN = new Set(['default', 'then', 'tools', 'ToolError'])

const source = () => `import { tools, ToolError } from '../../tools.mjs'
export { tools as default, tools, ToolError }
const of = (name) => tools[name]
${names()
  .map((name, at) => `const _${at} = of(${JSON.stringify(name)}); export { _${at} as ${JSON.stringify(name)} }`)
  .join('\n')}
`

if (/["'`]tools["'`]/.test(text)) {
  const place = new URL('node_modules/tools/', code)
  mkdirSync(place, { recursive: true })
  writeFileSync(new URL('package.json', place), '{"type":"module","exports":"./index.js"}')
  writeFileSync(new URL('index.js', place), source())
}
