import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'

const PICTURES = 'docs/console'
const PNG = '89504e470d0a1a0a'
const files = readdirSync(PICTURES).map((name) => `${PICTURES}/${name}`)

/** Pictures of the console that a page shows, by their paths from the root. */
const shownIn = (page: string, from: string) =>
  [...readFileSync(page, 'utf8').matchAll(/[("]((?:docs\/)?console\/[\w-]+\.png)/g)].map(([, path]) => `${from}${path}`)

it('are there for each that a page shows, and shown in README too', () => {
  const shown = { readme: shownIn('README.md', ''), page: shownIn('docs/console.md', 'docs/') }
  expect(shown.readme.length).toBeGreaterThan(0)
  expect(shown.page.length).toBeGreaterThan(5)
  expect([...shown.readme, ...shown.page].filter((path) => !files.includes(path))).toEqual([])
})

it('are small enough to be kept with the sources', () => {
  expect(files.filter((path) => readFileSync(path).subarray(0, 8).toString('hex') !== PNG)).toEqual([])
  expect(files.filter((path) => statSync(path).size > 150 * 1_024)).toEqual([])
  expect(files.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(2 * 1_024 * 1_024)
})
