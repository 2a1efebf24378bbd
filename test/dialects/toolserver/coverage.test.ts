import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REQUIREMENTS } from './requirements.ts'

/** Every id that a test beside this file cites. */
async function cited(): Promise<Set<string>> {
  const here = import.meta.dirname
  const files = (await readdir(here)).filter((name) => name.endsWith('.test.ts'))
  const sources = await Promise.all(files.map((name) => readFile(join(here, name), 'utf8')))
  const calls = sources.flatMap((source) => [...source.matchAll(/\bverifies\(\s*(\[[^\]]*\]|'[^']*')/g)])
  return new Set(calls.flatMap(([, ids = '']) => [...ids.matchAll(/'([^']+)'/g)].map(([, id = '']) => id)))
}

it('every behaviour of the published server that is listed has a test', async () => {
  const tested = await cited()
  expect(Object.keys(REQUIREMENTS).filter((id) => !tested.has(id))).toEqual([])
})

it('no test cites a behaviour that is not listed', async () => {
  const listed = new Set(Object.keys(REQUIREMENTS))
  expect([...(await cited())].filter((id) => !listed.has(id))).toEqual([])
})
