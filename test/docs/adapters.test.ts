import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { blocksIn, textOf } from './documents.ts'

const PAGE = textOf('docs/adapters.md')
const FOLDER = 'examples/adapters'
const EXAMPLES = readdirSync(FOLDER)
  .filter((name) => /\.(ts|py)$/.test(name))
  .sort()

it('prints whole examples', () => {
  const printed = blocksIn(PAGE).flatMap(({ language, text }) => (/^(ts|python)$/.test(language) ? [text] : []))
  const sources = EXAMPLES.map((name) => readFileSync(`${FOLDER}/${name}`, 'utf8'))
  expect(printed.filter((text) => !sources.includes(text))).toEqual([])
  expect(printed).toHaveLength(3)
})

it('has a row for each example', () => {
  const linked = [...PAGE.matchAll(/\.\.\/examples\/adapters\/([\w.-]+\.(?:ts|py))\)/g)].map(([, name]) => name)
  expect(linked.sort()).toEqual(EXAMPLES)
})
