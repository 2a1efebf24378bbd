import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { RESULT_KEPT_MS } from '../../../src/core/limits/calls.ts'
import { defineTool } from '../../../src/tools/define.ts'
import { resultQuery } from '../../../src/tools/files/result-query.ts'
import { Registry } from '../../../src/tools/registry.ts'
import { budgeted } from '../../../src/tools/within-budget.ts'
import type { Sandboxd } from '../../support/sandboxd.ts'
import { sessionBench } from '../../support/session-bench.ts'

const FOUND = Array.from({ length: 2_000 }, (_, at) => ({ title: `paper ${at}`, abstract: 'x'.repeat(100) }))
const TEXT = FOUND.map(({ title }) => title).join('\n')

/** A tool whose answer is longer than its budget, and that tells a credential. */
const longAnswer = defineTool({
  name: 'long_answer',
  description: 'Answers.',
  effect: 'read',
  uses: [],
  input: z.object({}),
  run: async () => ({ text: `${TEXT}\nhttps://user:hunter2@example.com/`, data: { results: FOUND } }),
})

// No tool of these tests needs a sandbox.
function aBench() {
  const registry = new Registry([], [budgeted(longAnswer), resultQuery])
  const bench = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd, { registry })
  const query = (handle: string, view?: string, max_tokens?: number) =>
    bench.session.call({ tool: 'result_query', args: { handle, view, max_tokens } })
  /** A call that is cut, and the handle that its answer names. */
  const cut = async () => {
    const outcome = await bench.session.call({ tool: 'long_answer', args: {} })
    if (outcome.kind !== 'done') throw new Error('it is done')
    const [handle = ''] = /result_c\w+/.exec(outcome.result.text) ?? []
    return { handle, result: outcome.result, callId: outcome.callId }
  }
  return { bench, query, cut }
}

describe('a result that was cut', () => {
  it('is named in the answer, and shown by any view without another call of the tool, after an eviction too', async () => {
    const { bench, query, cut } = aBench()
    const { handle, result, callId } = await cut()
    expect(handle).toBe(`result_${callId}`)
    expect(result.data).toMatchObject({
      truncated: true,
      notes: [expect.stringContaining(`result_query shows any part of ${handle}`)],
    })
    bench.evict()
    const shown = async (view: string) => {
      const outcome = await query(handle, view)
      return outcome.kind === 'done' ? outcome.result.data.content : outcome
    }
    expect(await shown('grep:^paper 1999$')).toContain('2000:paper 1999')
    expect(await shown('lines:1500-1501')).toBe('1500:paper 1499\n1501:paper 1500')
    expect(await shown('jsonpath:$.results[1999].title')).toBe('"paper 1999"')
    expect(await shown('head')).toMatch(/^paper 0\n/)
    expect(await shown('tail')).toMatch(/https:/)
    expect(await shown('tail')).not.toContain('hunter2')
  })

  it('is shown within the tokens that the caller asks for', async () => {
    const { query, cut } = aBench()
    const { handle } = await cut()
    for (const view of ['head_tail', 'lines:1-2000', 'grep:paper', 'jsonpath:$.results']) {
      const outcome = await query(handle, view, 60)
      expect(outcome).toMatchObject({ kind: 'done', result: { data: { truncated: true, view } } })
      if (outcome.kind === 'done') expect(outcome.result.data.tokens).toBeLessThanOrEqual(60)
    }
  })

  it('is kept for a day', async () => {
    const { bench, query, cut } = aBench()
    const { handle } = await cut()
    bench.clock.ahead += RESULT_KEPT_MS
    await cut()
    const outcome = await query(handle, 'grep:^paper 1999$')
    expect(outcome).toMatchObject({ kind: 'done', result: { text: expect.stringContaining('matches') } })
  })
})

describe('any other call', () => {
  it('is shown by its id, as far as history has its answer, and an unknown one is refused', async () => {
    const { bench, query } = aBench()
    const short = await bench.session.call({ tool: 'result_query', args: { handle: 'result_none' } })
    expect(short).toMatchObject({ kind: 'failed', failure: { code: 'not_found' } })
    expect(await query(short.callId ?? '')).toMatchObject({
      kind: 'done',
      result: { text: expect.stringContaining('no such call') },
    })
    expect(await query('result_none', 'sideways')).toMatchObject({ kind: 'failed', failure: { code: 'invalid_input' } })
  })

  it('that was begun shows the answer that it gave', async () => {
    const { bench, query } = aBench()
    const { begun, ended } = bench.session.begin({ tool: 'long_answer', args: {} })
    const answer = await begun
    await ended
    const callId = 'callId' in answer ? answer.callId : ''
    const outcome = await query(`result_${callId}`, 'jsonpath:$.notes')
    expect(outcome).toMatchObject({
      kind: 'done',
      result: { text: expect.stringContaining('cut to 64000 characters') },
    })
  })

  it('is shown to a key for some tools where that key may call its tool, and is otherwise like one that never was', async () => {
    const { bench, cut } = aBench()
    const { handle } = await cut()
    const query = (tools: readonly string[], of = handle) =>
      bench.session.call(
        { tool: 'result_query', args: { handle: of } },
        { key: 'k', agent: null, restrictions: { tools, isMetered: false } },
      )
    expect(await query(['result_query', 'long_answer'])).toMatchObject({ kind: 'done' })
    const [hidden, unknown] = [await query(['result_query']), await query(['result_query'], 'result_cnone')]
    expect(hidden).toMatchObject({ kind: 'failed', failure: { code: 'not_found' } })
    expect(hidden).toMatchObject({ failure: 'failure' in unknown ? unknown.failure : null })
  })
})
