import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { LASTING_COMMAND_MS } from '../../src/core/limits/lasting.ts'
import { READ_MS } from '../../src/core/limits/reader.ts'
import { OBJECT_STATES_DAYS } from '../../src/core/limits/recovery.ts'
import { expectCost } from '../support/processor-time.ts'
import { PLAIN_FUNCTIONS, READER, SERVER } from './deployment/budget.ts'
import { type BuiltWorker, builtWorker } from './deployment/built-worker.ts'
import { type StartedWorker, startMs, writePlainWorker } from './deployment/start-ms.ts'
import { textOf } from './documents.ts'

/** What is deployed, as wrangler reads it: an environment has some settings of the top level, and others not. */
const CONFIGURATION = {
  server: unstable_readConfig({ config: 'wrangler.toml', env: 'production' }, { hideWarnings: true }),
  reader: unstable_readConfig({ config: 'wrangler.reader.toml' }, { hideWarnings: true }),
}
const OPERATING = textOf('docs/operating.md')

describe.each([
  { name: 'server' as const, budget: SERVER, main: 'index.js' },
  { name: 'reader' as const, budget: READER, main: 'worker.js' },
])('the $name as it is deployed', ({ name, budget, main }) => {
  let built: BuiltWorker
  let plainDirectory: string
  beforeAll(async () => {
    built = await builtWorker(budget.command)
    plainDirectory = await mkdtemp(join(tmpdir(), 'toolyard-plain-'))
  })
  afterAll(async () => {
    await built?.remove()
    if (plainDirectory) await rm(plainDirectory, { recursive: true })
  })

  it('has the bindings and the size of its budget', () => {
    expect([...built.bindings].sort(), 'what is bound').toEqual([...budget.bindings].sort())
    if (name === 'server') expect(built.output).toMatch(/ENVIRONMENT \("production"\)/)
    expect(built.gzippedKib, 'KiB uploaded, gzipped').toBeLessThan(budget.gzippedKib)
  })

  it('starts within its budget of processor time, and wrangler can profile its start', async () => {
    const { compatibility_date, compatibility_flags, durable_objects } = CONFIGURATION[name]
    const ours: StartedWorker = {
      directory: built.directory,
      main,
      compatibilityDate: compatibility_date ?? '',
      // On by itself since its date; workerd says so of one that is named.
      compatibilityFlags: compatibility_flags.filter((flag: string) => flag !== 'nodejs_compat'),
      classes: durable_objects.bindings.map(({ class_name }: { readonly class_name: string }) => class_name),
    }
    const plain = { ...ours, directory: plainDirectory }
    await writePlainWorker(plain, PLAIN_FUNCTIONS)
    let plainMs = 0
    const ms = await expectCost(() => startMs(ours), {
      measure: async (work) => work(),
      async below() {
        plainMs = await startMs(plain)
        return plainMs * budget.start
      },
    })
    const profile = await built.profile()
    if (profile !== null) expect(profile).toMatch(/Active: [\d.]+ ms/)
    process.stdout.write(
      [
        `${budget.command}: ${built.gzippedKib} KiB gzipped, of ${budget.gzippedKib}`,
        `bindings and variables: ${built.bindings.join(', ') || 'none'}`,
        `start: ${ms} ms of the processor, ${(ms / plainMs).toFixed(2)} times ${PLAIN_FUNCTIONS} plain functions, of ${budget.start}`,
        profile ?? 'no profile of the start: wrangler gave up after ten seconds',
        '',
      ].join('\n'),
    )
  })
})

it('bounds the processor time of a request by more than the platform does, as the pages say', () => {
  expect(CONFIGURATION.server.limits).toEqual({ cpu_ms: 60_000 })
  expect(OPERATING).toContain('30 s of processor time, 60 here')
  expect(OPERATING).toContain('`limits.cpu_ms = 60_000`')
  expect(textOf('docs/decisions/093-limits-of-the-platform.md')).toContain('`cpu_ms` is 60,000')
})

it('ends a reading that only computes before who waits for it gives up', () => {
  expect(CONFIGURATION.reader.limits?.cpu_ms).toBeGreaterThan(30_000)
  expect(CONFIGURATION.reader.limits?.cpu_ms).toBeLessThan(READ_MS)
})

it('gives an object at work the five minutes in which commands that outlive no deployment end', () => {
  const { code_update_strategy } = CONFIGURATION.server.durable_objects
  expect(code_update_strategy).toEqual({ mode: 'deferred', max_delay: 300 })
  expect(OPERATING).toContain('until it rests, five minutes at most')
  expect(LASTING_COMMAND_MS).toBeLessThan(300_000)
})

it('keeps deleted contents for as long as the platform keeps the states of objects that refer to them', () => {
  expect(Number(CONFIGURATION.server.vars.DELETED_CONTENTS_DAYS)).toBeGreaterThanOrEqual(OBJECT_STATES_DAYS)
})
