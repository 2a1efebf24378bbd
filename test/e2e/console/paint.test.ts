import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'
import { firstPaints, median } from '../../support/first-paint.ts'
import { expectCost } from '../../support/processor-time.ts'

/** The most that the console may be painted later than a bare text of the same server, in milliseconds. */
const BUDGET_MS = 300
const PROFILES = 5

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
})
afterAll(() => bench?.end())

/** Median of the first contentful paints of a page, each in a new profile: nothing of it is cached. */
async function paintOf(path: string): Promise<number> {
  const painted: number[] = []
  for (let profile = 0; profile < PROFILES; profile++) painted.push(...(await firstPaints(bench, bench.url + path, 1)))
  return median(painted)
}

it('the console is painted for the first time at most 300 ms later than a bare text of the same server', async () => {
  await paintOf('/console/sessions')
  const paint = await expectCost(() => paintOf('/console/sessions'), {
    measure: async (work) => work(),
    below: async () => BUDGET_MS + (await paintOf('/llms.txt')),
  })
  expect(paint).toBeGreaterThan(0)
})
