import { expect, it } from 'vitest'
import { FailureError } from '../../../src/core/failure.ts'
import { outermost } from '../../../src/registry/chain/budget.ts'
import type { Sandboxd } from '../../support/sandboxd.ts'
import { sessionBench } from '../../support/session-bench.ts'

it('a call that waits its turn within another does nothing once that one is stopped', async () => {
  // No tool of this test needs a sandbox.
  const bench = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd)
  const outer = new AbortController()
  const write = (file_path: string, signal: AbortSignal | null) =>
    bench.session.call(
      { tool: 'file_write', args: { file_path, content: 'x' } },
      { key: null, agent: null },
      signal && { callId: 'outer', signal, nesting: outermost() },
    )
  const before = write('before.md', null)
  const waiting = write('waiting.md', outer.signal)
  outer.abort(new FailureError({ code: 'timeout', message: 'the chain took too long' }))
  expect((await before).kind).toBe('done')
  expect(await waiting).toMatchObject({
    kind: 'failed',
    failure: { code: 'timeout', message: 'the chain took too long' },
  })
  expect([await bench.text('before.md'), await bench.text('waiting.md')]).toEqual(['x', null])
})
