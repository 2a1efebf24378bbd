import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Result } from '../../../src/core/outcome.ts'
import type { Results } from '../../../src/ports/results.ts'
import { defineTool } from '../../../src/tools/define.ts'
import { Registry } from '../../../src/tools/registry.ts'
import { budgeted } from '../../../src/tools/within-budget.ts'

/** Result of a tool that answers so, within a budget. */
async function shown(answer: Result, args: object = {}, handle: string | null = null): Promise<Result> {
  const tool = defineTool({
    name: 'long_answer',
    description: 'Answers.',
    effect: 'read',
    uses: [],
    input: z.object({}),
    run: async () => answer,
  })
  const results: Results = { keep: () => handle, find: async () => answer }
  const registry = new Registry([], [budgeted(tool)])
  const result = await registry.prepare({ tool: 'long_answer', args }).run({ results }, AbortSignal.timeout(5_000))
  return result as Result
}

const papers = (count: number, chars: number) =>
  Array.from({ length: count }, (_, at) => ({ id: at, abstract: 'x'.repeat(chars) }))

describe('an answer', () => {
  it('within its budget is what the tool answered', async () => {
    const answer = { text: 'found', data: { results: papers(10, 1_000), total: 10 } }
    expect(await shown(answer)).toEqual(answer)
  })

  it('beyond its budget has a text once that stands in it twice', async () => {
    const abstract = 'The dominant models. '.repeat(50)
    const answer = { text: 'A paper', data: { title: 'A paper', abstract, content: abstract } }
    const data = { title: 'A paper', abstract, content: '(the same as abstract)' }
    expect(await shown(answer, { max_chars: 2_000 })).toEqual({ text: 'A paper', data })
    expect((await shown(answer, { max_chars: 3_000 })).data).toEqual(answer.data)
  })

  it('beyond 64,000 characters has the first entries of its list, and says how many are left out', async () => {
    const { text, data } = await shown({ text: 'y'.repeat(100_000), data: { results: papers(100, 1_000), total: 100 } })
    expect(JSON.stringify(data).length).toBeLessThan(64_300)
    expect(data).toMatchObject({ total: 100, truncated: true })
    const kept = (data.results as unknown[]).length
    expect(kept).toBeGreaterThan(60)
    expect(data.results).toEqual(papers(100, 1_000).slice(0, kept))
    const note = `cut to 64000 characters: results has 100 entries, shown ${kept}; max_chars shows more, at most 1048576`
    expect(data.notes).toEqual([note])
    expect(text.length).toBeLessThan(64_300)
    expect(text.endsWith(`\n[${note}]`)).toBe(true)
  })

  it('beyond its budget names the whole where it is kept, and what shows it', async () => {
    const answer = { text: '', data: { results: papers(100, 1_000) } }
    const { data } = await shown(answer, {}, 'result_c7')
    expect(data.notes).toEqual([
      expect.stringMatching(/at most 1048576; result_query shows any part of result_c7, which is the whole$/),
    ])
    expect((await shown({ text: '', data: {} }, {}, 'result_c7')).data).toEqual({})
  })

  it('keeps its small fields whole beside a text that is too long, and notes that it had', async () => {
    const { data } = await shown({
      text: '',
      data: { title: 'On 😀', content: '😀'.repeat(50_000), deep: { chunk: 'z'.repeat(300) }, notes: ['before'] },
    })
    expect(data).toMatchObject({ title: 'On 😀', deep: { chunk: 'z'.repeat(300) }, truncated: true })
    expect(String(data.content).isWellFormed()).toBe(true)
    expect(data.notes).toEqual([
      'before',
      expect.stringMatching(/^cut to 64000 characters: content has 100000 characters/),
    ])
  })

  it('of one entry that is too long has the beginning of that', async () => {
    const { data } = await shown({ text: '', data: { contents: [{ content: 'c'.repeat(200_000) }] } })
    const [entry] = data.contents as { content: string }[]
    expect(entry?.content.length).toBeGreaterThan(60_000)
    expect(JSON.stringify(data).length).toBeLessThan(64_400)
  })

  it('is as long as max_chars asks for', async () => {
    const answer = { text: '', data: { results: papers(100, 1_000) } }
    expect(await shown(answer, { max_chars: 200_000 })).toEqual(answer)
    expect(JSON.stringify((await shown(answer, { max_chars: '5000' })).data).length).toBeLessThan(5_300)
  })
})
