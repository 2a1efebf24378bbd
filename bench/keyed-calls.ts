import { randomUUID } from 'node:crypto'
import type { Caller } from './caller.ts'
import type { DirectWorker } from './direct-worker.ts'
import { compareCosts, type Work } from './measure.ts'

const CALLERS = 8

/** Costs of one and the same call with an idempotency key, another one each time, and without. */
export async function keyedCosts(worker: DirectWorker, call: Caller, quick: boolean, progress: (done: number) => void) {
  await call.create('keyed')
  let written = 0
  const write = (headers?: Readonly<Record<string, string>>) => {
    const params = { file_path: `w${written % 50}.txt`, content: `${written++} ${'x'.repeat(100)}` }
    return call.tool('keyed', 'file_write', params, headers)
  }
  const works = {
    plain: () => write(),
    keyed: () => write({ 'Idempotency-Key': randomUUID() }),
  } satisfies Record<string, Work>
  const size = { rounds: quick ? 5 : 16, perRound: 320, concurrent: CALLERS }
  return compareCosts(works, size, worker.processorMs, progress)
}
