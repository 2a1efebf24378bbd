import { afterEach, expect, it, vi } from 'vitest'
import { type Failure, FailureError } from '../../../../src/core/failure.ts'
import { NO_TOOLS } from '../../../support/no-tools.ts'
import type { Sandboxd } from '../../../support/sandboxd.ts'
import { sessionBench } from '../../../support/session-bench.ts'

afterEach(() => void vi.restoreAllMocks())

function open() {
  const begin = vi.spyOn(NO_TOOLS.calls, 'begin').mockImplementation((async ({ own }: { own?: object }) => {
    if (!own) throw new FailureError(ABSENT)
    return { tool: null, tight: false }
  }) as unknown as typeof NO_TOOLS.calls.begin)
  // No tool of these tests needs a sandbox.
  const bench = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd)
  const references = () =>
    (begin.mock.calls as unknown as [{ reference: string }][]).map(([{ reference }]) => reference)
  return { bench, references }
}

const ABSENT: Failure = { code: 'not_found', message: 'Tool not found' }

it('a step of a chain that names a tool of the server calls it, and the tenant is asked for the chain alone', async () => {
  const { bench, references } = open()
  await bench.write('a.txt', 'text')
  const made = await bench.call('tool_create', {
    id: 'reader',
    description: 'Reads.',
    executor: {
      kind: 'chain',
      chain: { steps: [{ id: 'a', tool: 'file_read', input: { file_path: 'a.txt' } }], output: 'steps.a.content' },
    },
    test: { args: {} },
  })
  expect(made).toMatchObject({ kind: 'done' })
  expect(references()).toEqual(['reader'])
  const calls = bench.session.history({ limit: 9 }).calls.map(({ tool }) => tool)
  expect(calls.toSorted()).toEqual(['file_read', 'file_write', 'tool_create'])
})

it('registered_call reaches no tool of the server: the tenant says that it has none of that name', async () => {
  const { bench, references } = open()
  await bench.write('a.txt', 'text')
  expect(await bench.call('registered_call', { tool_id: 'file_read', args: { file_path: 'a.txt' } })).toMatchObject({
    kind: 'refused',
    failure: ABSENT,
  })
  expect(references()).toEqual(['file_read'])
})
