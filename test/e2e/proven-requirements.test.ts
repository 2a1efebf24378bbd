import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import configured from '../../vitest.config.ts'

const SUPPORT = resolve('test/support')
const FILES = {
  'vitest.config.ts': `
    import { provenRequirements } from '${SUPPORT}/proven-requirements.ts'
    export default {
      plugins: [provenRequirements(import.meta.dirname + '/dialects')],
      test: { globals: true, include: ['dialects/**/*.test.ts'] },
    }`,
  'dialects/whole/requirements.ts': `export const REQUIREMENTS = { one: { behaviour: 'a' }, two: { behaviour: 'b' } }`,
  'dialects/whole/a.test.ts': `
    import { verifierOf } from '${SUPPORT}/requirements.ts'
    import { REQUIREMENTS } from './requirements.ts'
    const verifies = verifierOf(REQUIREMENTS)
    verifies(['one', 'two'], async () => expect(1).toBe(1))`,
  'dialects/alone/requirements.ts': `export const REQUIREMENTS = { one: { behaviour: 'one' }, two: { behaviour: 'b' } }`,
  'dialects/alone/a.test.ts': `
    import { verifierOf } from '${SUPPORT}/requirements.ts'
    import { REQUIREMENTS } from './requirements.ts'
    verifierOf(REQUIREMENTS)('one', async () => expect(1).toBe(1))`,
  'dialects/alone/b.test.ts': `it('is another', () => {})`,
  'dialects/holes/requirements.ts': `
    const ids = ['passed', 'commented', 'left-out', 'failed', 'asserted-nothing', 'cited-elsewhere']
    export const REQUIREMENTS = Object.fromEntries(ids.map((id) => [id, { behaviour: id }]))`,
  'dialects/holes/a.test.ts': `
    import { verifierOf } from '${SUPPORT}/requirements.ts'
    import { REQUIREMENTS } from './requirements.ts'
    const verifies = verifierOf(REQUIREMENTS)
    verifies('passed', async () => expect(1).toBe(1))
    // verifies('commented', async () => expect(1).toBe(1))
    describe.skip('for now', () => verifies('left-out', async () => expect(1).toBe(1)))
    verifies('failed', async () => expect(1).toBe(2))
    verifies('asserted-nothing', async () => {})`,
  'dialects/holes/b.test.ts': `it("verifies('cited-elsewhere')", () => {})`,
}

let directory: string
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'proven-')))
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(join(directory, name, '..'), { recursive: true })
    await writeFile(join(directory, name), text)
  }
})
afterAll(() => rm(directory, { recursive: true }))

/** The lines that end a run and tell of requirements, and its exit code. */
function run(...parameters: string[]) {
  const vitest = resolve('node_modules/vitest/vitest.mjs')
  const { stdout, status } = spawnSync(process.execPath, [vitest, 'run', '--root', directory, ...parameters], {
    encoding: 'utf8',
  })
  return { report: stdout.split('\n').filter((line) => /^(?:alone|holes|whole): /.test(line)), status }
}

it('a requirement is proven by a test that ran and passed, and by nothing else; whatever reporter the run has', () => {
  expect(run('--reporter=json')).toEqual({
    report: [
      'alone: no test that ran and passed proves two',
      'holes: no test that ran and passed proves commented, left-out, failed, asserted-nothing, cited-elsewhere',
      'whole: 2 of 2 requirements proven',
    ],
    status: 1,
  })
})

it('a requirement without a test fails the run of its dialect, and not that of one file or one test of it', () => {
  const missing = 'alone: no test that ran and passed proves two'
  expect(run('alone')).toEqual({ report: [missing], status: 1 })
  expect(run('alone/a')).toEqual({ report: [], status: 0 })
  expect(run('alone', '-t', 'one')).toEqual({ report: [], status: 0 })
})

it('the tests of this repository are counted so', () => {
  const e2e = configured.test?.projects?.find(
    (project) => typeof project === 'object' && 'test' in project && project.test?.name === 'e2e',
  )
  expect(e2e).toMatchObject({
    plugins: expect.arrayContaining([expect.objectContaining({ name: 'proven-requirements' })]),
  })
})
