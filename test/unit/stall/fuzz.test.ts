import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { caseRunner, fuzzCase, type RunCase } from '../../security/stall/fuzz.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

/** As many as half a minute of one core reads; `npm run fuzz` reads others. */
const CASES = 3_000
const FIRST_SEED = 10_000
/** Seeds whose files were once answered with an error that no reader should throw. */
const FOUND = [359, 1_402, 1_426, 2_679, 6_314]

// pdf.js leaves promises behind that fail after their page was answered; nobody waits for them.
const ignore = () => {}
let run: RunCase
beforeAll(async () => {
  process.on('unhandledRejection', ignore)
  run = await caseRunner()
})
afterAll(() => {
  process.off('unhandledRejection', ignore)
})

/** @returns what went wrong, with the place where the file is kept */
async function troubleWith(seed: number): Promise<string[]> {
  const fuzz = fuzzCase(seed)
  const trouble = await run(fuzz)
  if (trouble === null) return []
  const file = join(tmpdir(), `toolyard-fuzz-${seed}.${fuzz.format}`)
  await writeFile(file, fuzz.bytes)
  return [`seed ${seed}, kept as ${file}: ${trouble}`]
}

describe('changed files', () => {
  it('are read, or refused with a reason, soon', async () => {
    const troubles: string[] = []
    for (let seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) troubles.push(...(await troubleWith(seed)))
    expect(troubles).toEqual([])
  })

  it.each(FOUND)('that were once answered with an error are refused: seed %i', async (seed) => {
    expect(await troubleWith(seed)).toEqual([])
  })
})
