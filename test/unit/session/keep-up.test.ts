import { expect, it } from 'vitest'
import * as z from 'zod'
import { FLUSH_AGAIN_MS, FLUSH_BATCH_BLOBS } from '../../../src/core/limits/workspace.ts'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import { keepUp } from '../../../src/session/keep-up.ts'
import { defineTool } from '../../../src/tools/define.ts'
import { Registry } from '../../../src/tools/registry.ts'
import type { Sandboxd } from '../../support/sandboxd.ts'
import { sessionBench } from '../../support/session-bench.ts'

const FILES = 3 * FLUSH_BATCH_BLOBS

it('sends one batch of contents beside a call that reads files, and the rest behind it', async () => {
  const gate = Promise.withResolvers<void>()
  const reading = defineTool({
    name: 'reading',
    description: 'Reads.',
    effect: 'read',
    uses: [],
    input: z.object({}),
    run: async () => {
      await gate.promise
      return { text: '', data: {} }
    },
  })
  // The tool needs no sandbox.
  const bench = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd, { registry: new Registry([], [reading]) })
  const content = (at: number) => new TextEncoder().encode(`content ${at}`)
  await bench.workspace.commit(
    Array.from({ length: FILES }, (_, at) => ({ op: 'write', path: workspacePath(`${at}`), content: content(at) })),
  )
  const wakes: number[] = []
  const keep = () => keepUp(bench.session, bench.workspace, async (ms) => void wakes.push(ms))
  const call = bench.session.call({ tool: 'reading', args: {} })
  await expect.poll(() => bench.session.hasFileCall).toBe(true)

  await keep()
  expect(bench.blobs.contents.size).toBe(FLUSH_BATCH_BLOBS)
  expect(wakes).toContain(FLUSH_AGAIN_MS)

  gate.resolve()
  expect(await call).toMatchObject({ kind: 'done' })
  await keep()
  expect(bench.blobs.contents.size).toBe(FILES)
})
