import { afterEach, expect, it, vi } from 'vitest'
import { NO_TOOLS } from '../../support/no-tools.ts'
import type { Sandboxd } from '../../support/sandboxd.ts'
import { sessionBench } from '../../support/session-bench.ts'

afterEach(() => void vi.restoreAllMocks())

it('reading a file asks the tenant nothing, and writes one row with its history and its end', async () => {
  const [admit, tell] = [vi.spyOn(NO_TOOLS.calls, 'admit'), vi.spyOn(NO_TOOLS.calls, 'end')]
  // No tool of this test needs a sandbox.
  const bench = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd)
  await bench.write('a.txt', 'text')
  admit.mockClear()
  const statements = vi.spyOn(bench.sql, 'all')
  expect((await bench.call('file_read', { file_path: 'a.txt' })).kind).toBe('done')
  const written = statements.mock.calls.map(([query]) => query.trim()).filter((query) => !query.startsWith('SELECT'))
  expect(written.map((query) => query.split(' ', 3).join(' '))).toEqual(['INSERT INTO calls'])
  expect([admit.mock.calls, tell.mock.calls]).toEqual([[], []])
})

it('a call of no tool’s name is told without what looks like a credential', async () => {
  const tell = vi.spyOn(NO_TOOLS.calls, 'end')
  const bench = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd)
  const secret = 'https://user:hunter2-hunter2@example.com/'
  expect((await bench.call(secret, {})).kind).toBe('refused')
  await bench.session.accounting.outbox.tell()
  expect(tell.mock.calls).toMatchObject([['bench', [{ isRefused: true, failure: 'not_found' }], {}]])
  expect(JSON.stringify(tell.mock.calls)).not.toContain('hunter2')
})
