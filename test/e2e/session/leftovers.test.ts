import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

it('what commands left in the sandbox goes with the first one after the session was loaded anew', async () => {
  const bench = sessionBench(sandboxd)
  for (const n of [1, 2, 3]) await bench.sh(`echo ${n}; echo ${n} >&2; # ${'x'.repeat(30_000)}`)
  const left = async () => (await bench.host.inside('ls ~/.toolyard')).split('\n').filter((name) => /^c.*\./.test(name))
  expect(await left()).toHaveLength(9)
  bench.evict()
  const [one, other] = await Promise.all([bench.sh('sleep 0.2; echo one'), bench.sh('echo other >&2')])
  expect([one.stdout, one.stderr, other.stdout, other.stderr]).toEqual(['one\n', '', '', 'other\n'])
  expect(await left()).toHaveLength(4)
})
