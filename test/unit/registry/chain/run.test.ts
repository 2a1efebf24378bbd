import { describe, expect, it, vi } from 'vitest'
import {
  CHAIN_STEP_MS,
  MAX_CHAIN_CALLS,
  MAX_CHAIN_CONCURRENCY,
  MAX_CHAIN_DEPTH,
  MAX_CHAIN_KEPT_CHARS,
  MAX_CHAIN_MS,
  MAX_CHAIN_RESULT_CHARS,
} from '../../../../src/core/limits/chains.ts'
import type { Outcome } from '../../../../src/core/outcome.ts'
import { rateLimitedError } from '../../../../src/core/rate-limited.ts'
import { chainOutcome } from '../../../../src/registry/chain/result.ts'
import { done, failed, fakeRun } from './fake-run.ts'

const echo = (args: Record<string, unknown>) => done({ ...args })
const outcomes = (steps: readonly { id: string; outcome: string }[]) =>
  Object.fromEntries(steps.map(({ id, outcome }) => [id, outcome]))
/** Lets everything run on that waits for nothing but promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('inputs of steps', () => {
  it('are taken from the chain and from earlier results, with their types, or as text among other text', async () => {
    const { run, calls } = fakeRun({
      search: () => done({ hits: [{ url: 'u1' }, { url: 'u2' }], total: 2 }),
      write: echo,
    })
    const { ok, output, steps } = await run(
      {
        steps: [
          { id: 'find', tool: 'search', input: { query: '${{ input.topic }}', limit: 5 } },
          {
            id: 'note',
            tool: 'write',
            input: {
              whole: '${{ steps.find.result.hits }}',
              text: 'There are ${{ steps.find.result.total }}: ${{ join(pluck(steps.find.result.hits, "url")) }}.',
              nested: [{ first: '${{ steps.find.result.hits[0].url }}' }],
              shell: 'echo ${HOME} $${{ kept }}',
            },
          },
        ],
        output: { summary: '${{ steps.note.result.text }}', n: '${{ steps.find.result.total + 1 }}' },
      },
      { topic: 'bees' },
    )
    expect(calls[0]).toEqual({ tool: 'search', args: { query: 'bees', limit: 5 } })
    expect(calls[1]?.args).toEqual({
      whole: [{ url: 'u1' }, { url: 'u2' }],
      text: 'There are 2: u1, u2.',
      nested: [{ first: 'u1' }],
      shell: 'echo ${HOME} ${{ kept }}',
    })
    expect({ ok, output }).toEqual({ ok: true, output: { summary: 'There are 2: u1, u2.', n: 3 } })
    expect(steps).toEqual([
      expect.objectContaining({ id: 'find', tool: 'search', outcome: 'done', attempts: 1 }),
      expect.objectContaining({ id: 'note', tool: 'write', outcome: 'done', attempts: 1 }),
    ])
  })

  it("are the last step's result when the chain says no output", async () => {
    const { run } = fakeRun({ echo })
    expect(await run({ steps: [{ id: 'a', tool: 'echo', input: { x: 1 } }] })).toMatchObject({
      ok: true,
      output: { x: 1 },
    })
  })

  it('can be wholly an expression, and have a field called __proto__', async () => {
    const { run, calls } = fakeRun({ echo })
    const definition = {
      steps: [
        { id: 'a', tool: 'echo', input: '${{ input }}' },
        { id: 'b', tool: 'echo', input: JSON.parse('{"__proto__": {"x": 1}}') },
      ],
    }
    await run(definition, { y: 2 })
    expect(calls[0]?.args).toEqual({ y: 2 })
    expect(JSON.stringify(calls[1]?.args)).toBe('{"__proto__":{"x":1}}')
    expect({}).not.toHaveProperty('x')
  })

  it('name the place and what there is when a path leads to nothing', async () => {
    const { run } = fakeRun({ echo })
    const { ok, failure } = await run(
      { steps: [{ id: 'a', tool: 'echo', input: { url: '${{ input.link }}' } }] },
      { url: 1 },
    )
    expect(ok).toBe(false)
    expect(failure).toEqual({
      code: 'invalid_input',
      message:
        'step a (echo) failed: input.url: input has no "link"; it has url; write x ?? null for what may be missing',
    })
  })
})

describe('conditions', () => {
  it('skip a step, and with it the steps that need it, unless they say what to take instead', async () => {
    const { run, calls } = fakeRun({ echo })
    const { ok, output, steps } = await run(
      {
        steps: [
          { id: 'a', tool: 'echo', if: 'input.deep', input: { x: 1 } },
          { id: 'b', tool: 'echo', input: { x: '${{ steps.a.result.x }}' } },
          { id: 'c', tool: 'echo', input: { x: '${{ steps.b.result.x ?? "none" }}' } },
          { id: 'd', tool: 'echo', if: '${{ steps.a.outcome == "skipped" }}', input: {} },
        ],
        output: { b: '${{ steps.b.result }}', text: 'b: ${{ steps.b.result.x }}', c: '${{ steps.c.result.x }}' },
      },
      { deep: false },
    )
    expect(outcomes(steps)).toEqual({ a: 'skipped', b: 'skipped', c: 'done', d: 'done' })
    expect(steps[0]?.reason).toBe('its condition is false')
    expect(steps[1]?.reason).toMatch(/needs what is not there: step a was skipped/)
    expect({ ok, output }).toEqual({ ok: true, output: { b: null, text: 'b: ', c: 'none' } })
    expect(calls).toHaveLength(2)
  })

  it('are true or false and nothing else', async () => {
    const { run } = fakeRun({ echo })
    const { failure } = await run({ steps: [{ id: 'a', tool: 'echo', if: 'input.list' }] }, { list: [] })
    expect(failure?.message).toMatch(
      /step a \(echo\) failed: if: a condition needs true or false, and got a list; compare it/,
    )
  })
})

describe('order', () => {
  const gates = () => {
    const open = new Map<string, () => void>()
    const tool = async ({ id }: { id: string }) => {
      await new Promise<void>((resolve) => open.set(id, resolve))
      return done({ id })
    }
    return { open, tool }
  }
  const step = (id: string, more: object = {}) => ({ id, tool: 'gate', input: { id }, ...more })

  it('is that of the list: a step waits for all before it', async () => {
    const { open, tool } = gates()
    const { run } = fakeRun({ gate: tool }, { hurried: false })
    const running = run({ steps: [step('a'), step('b')] })
    await settled()
    expect([...open.keys()]).toEqual(['a'])
    open.get('a')?.()
    await settled()
    open.get('b')?.()
    expect((await running).ok).toBe(true)
  })

  it('is looser where `after` says so: only for those named, in it or in an expression', async () => {
    const { open, tool } = gates()
    const { run } = fakeRun({ gate: tool }, { hurried: false })
    const running = run({
      steps: [
        step('a', { after: [] }),
        step('b', { after: [] }),
        step('c', { after: [], input: { id: 'c', x: '${{ steps.b.result.id }}' } }),
        step('last'),
      ],
    })
    await settled()
    expect([...open.keys()]).toEqual(['a', 'b'])
    open.get('b')?.()
    await settled()
    expect([...open.keys()]).toEqual(['a', 'b', 'c'])
    open.get('c')?.()
    await settled()
    expect(open.has('last')).toBe(false)
    open.get('a')?.()
    await settled()
    open.get('last')?.()
    expect(outcomes((await running).steps)).toEqual({ a: 'done', b: 'done', c: 'done', last: 'done' })
  })

  it('lets no more than MAX_CHAIN_CONCURRENCY calls be under way, in the order in which they are written', async () => {
    const { open, tool } = gates()
    const { run } = fakeRun({ gate: tool }, { hurried: false })
    const ids = Array.from({ length: MAX_CHAIN_CONCURRENCY + 3 }, (_, n) => `s${n}`)
    const running = run({ steps: ids.map((id) => step(id, { after: [] })) })
    await settled()
    expect([...open.keys()]).toEqual(ids.slice(0, MAX_CHAIN_CONCURRENCY))
    open.get('s3')?.()
    await settled()
    expect(open.size).toBe(MAX_CHAIN_CONCURRENCY + 1)
    while (open.size < ids.length) {
      for (const end of open.values()) end()
      await settled()
    }
    for (const end of open.values()) end()
    expect((await running).ok).toBe(true)
  })

  it('stops what runs beside a step that ends the chain, and begins nothing more', async () => {
    const { run, calls } = fakeRun(
      {
        slow: (_, { signal }) =>
          new Promise<Outcome>((resolve) => signal.addEventListener('abort', () => resolve(failed('timeout')))),
        bad: () => failed('not_found', 'no such page'),
      },
      { hurried: false },
    )
    const { ok, failure, steps } = await run({
      steps: [
        { id: 'slow', tool: 'slow', after: [] },
        { id: 'bad', tool: 'bad', after: [] },
        { id: 'later', tool: 'bad' },
      ],
    })
    expect({ ok, failure }).toEqual({
      ok: false,
      failure: { code: 'not_found', message: 'step bad (bad) failed: no such page' },
    })
    expect(outcomes(steps)).toEqual({ slow: 'failed', bad: 'failed', later: 'skipped' })
    expect(steps[0]?.error?.message).toMatch(/it was stopped: step bad/)
    expect(steps[2]?.reason).toBe('the chain had ended: step bad (bad) failed: no such page')
    expect(calls).toHaveLength(2)
  })
})

describe('map', () => {
  it('calls the tool once for each item, no more at once than it says, and keeps their order', async () => {
    let running = 0
    let most = 0
    const { run, calls } = fakeRun({
      page: async ({ url, at }: { url: string; at: number }) => {
        most = Math.max(most, ++running)
        await settled()
        running--
        return done({ url, at }, `text of ${url}`)
      },
    })
    const { output, steps } = await run(
      {
        steps: [
          {
            id: 'pages',
            tool: 'page',
            map: { over: 'input.urls', as: 'link', concurrency: '3' },
            input: { url: '${{ link }}', at: '${{ index }}' },
          },
        ],
        output: { urls: '${{ pluck(steps.pages.result, "url") }}', text: '${{ steps.pages.items[6].text }}' },
      },
      { urls: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    )
    expect(most).toBe(3)
    expect(calls).toHaveLength(7)
    expect(output).toEqual({ urls: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], text: 'text of g' })
    expect(steps[0]?.items).toHaveLength(7)
  })

  const definition = (on_error: unknown) => ({
    steps: [
      { id: 'm', tool: 'odd', map: { over: 'input.list', concurrency: 1 }, input: { n: '${{ item }}' }, on_error },
    ],
    output: '${{ steps.m.result }}',
  })
  const odd = ({ n }: { n: number }) => (n % 2 === 1 ? done({ n }) : failed('not_found', `${n} is even`))

  it('ends at the first item that fails, and says which', async () => {
    const { run, calls } = fakeRun({ odd })
    const { failure, steps } = await run(definition('fail'), { list: [1, 2, 3] })
    expect(failure?.message).toBe('step m (odd) failed: item 1: 2 is even')
    expect(steps[0]?.items?.map((item) => item.outcome)).toEqual(['done', 'failed', 'skipped'])
    expect(calls).toHaveLength(2)
  })

  it('goes on with null, or with a value, for an item that failed', async () => {
    const { run } = fakeRun({ odd })
    const { output, steps } = await run(definition('continue'), { list: [1, 2, 3] })
    expect(output).toEqual([{ n: 1 }, null, { n: 3 }])
    expect(steps[0]?.items?.[1]).toEqual({
      outcome: 'failed',
      attempts: 1,
      error: { code: 'not_found', message: '2 is even' },
    })
    expect((await run(definition({ use: { n: 0 } }), { list: [2] })).output).toEqual([{ n: 0 }])
  })

  it('is skipped as a whole when its items need a step that was skipped', async () => {
    const { run, calls } = fakeRun({ odd })
    const { ok, steps } = await run(
      {
        steps: [
          { id: 'a', tool: 'odd', if: 'input.list == []' },
          { id: 'm', tool: 'odd', map: { over: 'input.list' }, input: { n: '${{ item + steps.a.result.n }}' } },
        ],
      },
      { list: [1, 2] },
    )
    expect({ ok, outcomes: outcomes(steps) }).toEqual({ ok: true, outcomes: { a: 'skipped', m: 'skipped' } })
    expect(calls).toEqual([])
  })

  it('of no item calls nothing; of what is no list it fails', async () => {
    const { run, calls } = fakeRun({ odd })
    expect((await run(definition('fail'), { list: [] })).output).toEqual([])
    expect(calls).toEqual([])
    expect((await run(definition('fail'), { list: { a: 1 } })).failure?.message).toMatch(
      /map.over: it needs a list, and got an object; values\(x\)/,
    )
  })

  it('over more items than there are calls left begins none of them', async () => {
    const { run, calls } = fakeRun({ odd })
    const { failure } = await run(definition('fail'), { list: Array.from({ length: MAX_CHAIN_CALLS + 1 }, () => 1) })
    expect(failure?.message).toMatch(/501 items.*MAX_CHAIN_CALLS.*slice/)
    expect(calls).toEqual([])
  })
})

describe('failures', () => {
  const flaky =
    (times: number, code: 'upstream' | 'not_found') =>
    (_: unknown, { call }: { call: number }) =>
      call <= times ? failed(code) : done({ call })

  it('that may pass are tried again after a pause that grows; others are not', async () => {
    const { run, slept, calls } = fakeRun({ flaky: flaky(2, 'upstream'), gone: flaky(9, 'not_found') })
    const retry = { attempts: 4, backoff_ms: 100 }
    expect((await run({ steps: [{ id: 'a', tool: 'flaky', retry }] })).steps[0]).toMatchObject({
      outcome: 'done',
      attempts: 3,
    })
    expect(slept).toEqual([100, 200])
    expect((await run({ steps: [{ id: 'a', tool: 'gone', retry }] })).steps[0]).toMatchObject({
      outcome: 'failed',
      attempts: 1,
    })
    const named = await run({ steps: [{ id: 'a', tool: 'gone', retry: { ...retry, on: ['not_found'] } }] })
    expect(named.steps[0]).toMatchObject({ outcome: 'failed', attempts: 4 })
    expect(calls.filter(({ tool }) => tool === 'gone')).toHaveLength(5)
  })

  it('of a limit or a busy service are tried again when it says so, and not where that is too far away', async () => {
    const limited =
      (retryAfterMs: number) =>
      (_: unknown, { call }: { call: number }) =>
        call > 1
          ? done({})
          : ({
              kind: 'refused',
              failure: rateLimitedError('too many', {
                scope: 'tool',
                kind: 'per-minute',
                limit: 9,
                remaining: 0,
                windowMs: 60_000,
                retryAfterMs,
              }).failure,
            } as const)
    const busy = { code: 'upstream', message: 'HTTP 503: ', data: { retry_after_seconds: 5 } } as const
    const { run, slept } = fakeRun({
      soon: limited(7_000),
      tomorrow: limited(3_600_000),
      busy: (_, { call }) => (call > 1 ? done({}) : { kind: 'failed', failure: busy }),
    })
    const retry = { attempts: 3, backoff_ms: 100 }
    expect((await run({ steps: [{ id: 'a', tool: 'soon', retry }] })).steps[0]).toMatchObject({
      outcome: 'done',
      attempts: 2,
    })
    expect((await run({ steps: [{ id: 'a', tool: 'busy', retry }] })).steps[0]).toMatchObject({ attempts: 2 })
    expect(slept).toEqual([7_100, 5_100])
    expect((await run({ steps: [{ id: 'a', tool: 'tomorrow', retry }] })).steps[0]).toMatchObject({
      outcome: 'failed',
      attempts: 1,
      error: { code: 'rate_limited' },
    })
  })

  it('let the chain go on where the step says so, and later steps can ask', async () => {
    const { run } = fakeRun({ gone: flaky(9, 'not_found'), echo })
    const { ok, output, steps } = await run({
      steps: [
        { id: 'a', tool: 'gone', on_error: 'continue' },
        { id: 'b', tool: 'gone', on_error: { use: { x: 7 } } },
        {
          id: 'c',
          tool: 'echo',
          if: 'has(steps.a.error)',
          input: { why: '${{ steps.a.error.code }}', x: '${{ steps.b.result.x }}' },
        },
        { id: 'd', tool: 'echo', input: '${{ steps.a.result }}' },
      ],
      output: '${{ steps.c.result }}',
    })
    expect(outcomes(steps)).toEqual({ a: 'failed', b: 'used_default', c: 'done', d: 'skipped' })
    expect({ ok, output }).toEqual({ ok: true, output: { why: 'not_found', x: 7 } })
    expect(steps[1]).toMatchObject({ result: { x: 7 }, error: { code: 'not_found' } })
  })

  it('of the caller of tools are one of the step, and tell nothing of what was thrown', async () => {
    const { run } = fakeRun({ bad: () => Promise.reject(new Error('secret of the host')) })
    const { failure } = await run({ steps: [{ id: 'a', tool: 'bad' }] })
    expect(failure).toEqual({ code: 'internal', message: expect.not.stringContaining('secret') })
  })

  it('of an unread definition are told with the step', async () => {
    const { run } = fakeRun({})
    expect((await run({ steps: [{ id: 'a', tool: 't', on_fail: 1 }] })).failure?.message).toMatch(
      /step a: there is no field on_fail/,
    )
  })
})

describe('time', () => {
  it('of a step ends its call by the signal, and another attempt gets time of its own', async () => {
    const aborted: unknown[] = []
    const { run, advance, sleepers } = fakeRun(
      {
        slow: (_, { signal, call }) =>
          call === 2
            ? done({ call })
            : new Promise(() => signal.addEventListener('abort', () => aborted.push(signal.reason))),
      },
      { hurried: false },
    )
    const running = run({
      steps: [{ id: 'a', tool: 'slow', timeout_ms: 5_000, retry: { attempts: 2, backoff_ms: 10 } }],
    })
    await settled()
    advance(5_000)
    await settled()
    expect(aborted).toHaveLength(1)
    advance(10)
    expect((await running).steps[0]).toMatchObject({ outcome: 'done', attempts: 2, ms: 5_010 })
    expect(sleepers.size).toBe(0)
  })

  it('that is over is a failure that says what to do', async () => {
    const { run, advance } = fakeRun({ slow: () => new Promise(() => {}) }, { hurried: false })
    const running = run({ steps: [{ id: 'a', tool: 'slow' }] })
    await settled()
    advance(CHAIN_STEP_MS)
    expect((await running).failure).toEqual({
      code: 'timeout',
      message:
        'step a (slow) failed: slow did not answer within 300000 ms; set a longer timeout_ms, or give it less to do',
    })
  })

  it('of the whole chain is bounded', async () => {
    const { run, advance } = fakeRun({ slow: () => new Promise(() => {}) }, { hurried: false })
    const running = run({
      steps: [
        { id: 'a', tool: 'slow', timeout_ms: MAX_CHAIN_MS, on_error: 'continue' },
        { id: 'b', tool: 'slow' },
      ],
    })
    await settled()
    advance(MAX_CHAIN_MS)
    const { failure, steps } = await running
    expect(failure).toMatchObject({ code: 'timeout', message: expect.stringMatching(/MAX_CHAIN_MS|timeout_ms/) })
    expect(outcomes(steps)).toEqual({ a: 'failed', b: 'skipped' })
  })

  it('says why a step waited that it did not wait for to the end', async () => {
    const { run } = fakeRun({ down: () => failed('upstream', 'no answer') }, { hurried: false })
    const caller = new AbortController()
    const step = { id: 'a', tool: 'down', retry: { attempts: 3, backoff_ms: 20_000 } }
    const running = run({ steps: [step] }, {}, { signal: caller.signal })
    await settled()
    caller.abort()
    expect((await running).failure).toEqual({
      code: 'conflict',
      message: 'the chain was stopped; step a (down) was under way, and had failed: no answer',
    })
  })

  it('ends when the caller gives up, whatever on_error says', async () => {
    const { run, sleepers } = fakeRun({ slow: () => new Promise(() => {}) }, { hurried: false })
    const caller = new AbortController()
    const running = run(
      {
        steps: [
          { id: 'a', tool: 'slow', on_error: 'continue' },
          { id: 'b', tool: 'slow' },
        ],
      },
      {},
      { signal: caller.signal },
    )
    await settled()
    caller.abort()
    const { ok, failure, steps } = await running
    expect({ ok, failure }).toEqual({
      ok: false,
      failure: { code: 'conflict', message: 'the chain was stopped; step a (slow) was under way' },
    })
    expect(outcomes(steps)).toEqual({ a: 'failed', b: 'skipped' })
    expect(sleepers.size).toBe(0)
  })

  it('of a call that goes on by itself is waited for', async () => {
    const { run, calls, slept } = fakeRun({
      job: ({ id }: { id?: string }, { call }) =>
        call === 3
          ? done({ made: true })
          : {
              kind: 'pending',
              soFar: { text: '', data: {} },
              next: { tool: 'job', args: { id: id ?? 'j1' } },
              retryAfterMs: 2_000,
            },
    })
    expect(await run({ steps: [{ id: 'a', tool: 'job' }] })).toMatchObject({
      ok: true,
      output: { made: true },
      calls: 3,
    })
    expect(calls.map(({ args }) => args)).toEqual([{}, { id: 'j1' }, { id: 'j1' }])
    expect(slept).toEqual([2_000, 2_000])
  })
})

describe('a chain that loops', () => {
  const nested = (definitions: Record<string, unknown>) => {
    const fake = fakeRun(
      Object.fromEntries(
        Object.entries(definitions).map(([name, definition]) => [
          name,
          async (input: unknown, { nesting, signal }) =>
            chainOutcome(await fake.run(definition, input, { name, nesting, signal })),
        ]),
      ),
    )
    return fake
  }
  const calling = (tool: string, more: object = {}) => ({ steps: [{ id: 'on', tool, on_error: 'continue', ...more }] })

  it('by calling itself ends at once and says so', async () => {
    const { run, calls } = nested({ a: calling('a') })
    const { steps } = await run(calling('a'), {}, { name: 'a' })
    expect(steps[0]?.error).toMatchObject({
      code: 'conflict',
      message: 'the chain loops: a → a; change one of these chains so that none leads back to itself',
    })
    expect(calls).toHaveLength(1)
  })

  it('by way of others ends when it comes round', async () => {
    const { run, calls } = nested({
      a: calling('b'),
      b: calling('c', { on_error: 'fail' }),
      c: calling('a', { on_error: 'fail' }),
    })
    const { steps } = await run(calling('b', { on_error: 'fail' }), {}, { name: 'a' })
    expect(steps[0]?.error?.message).toMatch(/the chain loops: a → b → c → a/)
    expect(calls.map(({ tool }) => tool)).toEqual(['b', 'c', 'a'])
  })

  it('through ever other names ends at a depth', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `c${n}`)
    const { run, calls } = nested(
      Object.fromEntries(names.map((name, n) => [name, calling(`c${n + 1}`, { on_error: 'fail' })])),
    )
    const { failure } = await run(calling('c1', { on_error: 'fail' }), {}, { name: 'c0' })
    expect(failure?.message).toMatch(/chains are 6 deep: c0 → c1 → .* → c5; .*MAX_CHAIN_DEPTH/)
    expect(calls).toHaveLength(MAX_CHAIN_DEPTH)
  })

  it('in breadth ends when all calls are made, whatever on_error and retry say', async () => {
    const wide = (tool: string) => ({
      steps: [
        {
          id: 'many',
          tool,
          map: { over: 'input.list' },
          input: { list: '${{ input.list }}' },
          on_error: 'continue',
          retry: { attempts: 10, backoff_ms: 0, on: ['limit_exceeded', 'conflict'] },
        },
      ],
    })
    const { run, calls, slept } = nested({ b: wide('c'), c: wide('d'), d: wide('gone') })
    const { ok, failure } = await run(wide('b'), { list: Array.from({ length: 20 }, () => 1) }, { name: 'a' })
    expect({ ok, failure }).toMatchObject({
      ok: false,
      failure: { code: 'limit_exceeded', message: expect.stringMatching(/500 calls \(MAX_CHAIN_CALLS\)/) },
    })
    expect(calls).toHaveLength(MAX_CHAIN_CALLS)
    expect(slept).toEqual([])
  })

  it('on work that goes on for ever ends when all calls are made', async () => {
    const { run, calls } = fakeRun({
      job: () => ({ kind: 'pending', soFar: { text: '', data: {} }, next: { tool: 'job', args: {} }, retryAfterMs: 0 }),
    })
    expect((await run({ steps: [{ id: 'a', tool: 'job', on_error: 'continue' }] })).failure?.message).toMatch(
      /MAX_CHAIN_CALLS/,
    )
    expect(calls).toHaveLength(MAX_CHAIN_CALLS)
  })
})

describe('what a run holds', () => {
  it('is bounded for each step', async () => {
    const { run } = fakeRun({ big: () => done({ x: 'x'.repeat(MAX_CHAIN_RESULT_CHARS) }) })
    expect((await run({ steps: [{ id: 'a', tool: 'big' }] })).failure).toMatchObject({
      code: 'limit_exceeded',
      message: expect.stringMatching(/its result has more than .*MAX_CHAIN_RESULT_CHARS.*write a file/),
    })
  })

  it('is bounded for all steps together', async () => {
    const { run } = fakeRun({ big: () => done({ x: 'x'.repeat(MAX_CHAIN_RESULT_CHARS - 100) }) })
    const steps = Array.from({ length: 6 }, (_, n) => ({ id: `s${n}`, tool: 'big', on_error: 'continue' }))
    const { ok, failure } = await run({ steps })
    expect(ok).toBe(false)
    expect(failure?.message).toMatch(new RegExp(`${MAX_CHAIN_KEPT_CHARS} characters \\(MAX_CHAIN_KEPT_CHARS\\)`))
  })

  it('does not grow by naming one result many times', async () => {
    const { run, calls } = fakeRun({ big: () => done({ x: 'x'.repeat(1_000_000) }), echo })
    const input = { list: Array.from({ length: 20 }, () => '${{ steps.a.result }}') }
    expect(
      (
        await run({
          steps: [
            { id: 'a', tool: 'big' },
            { id: 'b', tool: 'echo', input },
          ],
        })
      ).failure?.message,
    ).toMatch(/its input has more than/)
    expect(calls).toHaveLength(1)
  })

  it('is JSON of bounded depth, whatever a tool gives', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const { run } = fakeRun({ deep: () => done({ deep }), odd: () => done({ f: () => 1 }) })
    expect((await run({ steps: [{ id: 'a', tool: 'deep' }] })).failure?.message).toMatch(/MAX_JSON_DEPTH/)
    expect((await run({ steps: [{ id: 'a', tool: 'odd' }] })).failure?.message).toMatch(/is not JSON/)
  })
})

describe('the answer of a chain that is called as a tool', () => {
  it('has the output, and how each step ended without its result', async () => {
    const { run } = fakeRun({ echo })
    const outcome = chainOutcome(
      await run(
        {
          steps: [
            { id: 'a', tool: 'echo', input: { x: 1 } },
            { id: 'b', tool: 'echo', if: 'input.no' },
          ],
        },
        { no: false },
      ),
    )
    expect(outcome).toEqual({
      kind: 'done',
      result: {
        text: 'null\n\nSteps: a done; b skipped: its condition is false',
        data: {
          output: null,
          steps: [
            { id: 'a', tool: 'echo', outcome: 'done', attempts: 1, ms: 0 },
            { id: 'b', tool: 'echo', outcome: 'skipped', attempts: 0, ms: 0, reason: 'its condition is false' },
          ],
          calls: 1,
          ms: 0,
        },
      },
    })
  })

  it('is a failure when the chain failed, with the steps in its data', async () => {
    const { run } = fakeRun({ bad: () => failed('upstream', 'down') })
    const result = await run({
      steps: [
        { id: 'all', tool: 'bad', map: { over: '[1, 2]' }, on_error: 'continue' },
        { id: 'a', tool: 'bad' },
        { id: 'b', tool: 'bad' },
      ],
    })
    expect(chainOutcome(result)).toMatchObject({
      kind: 'failed',
      failure: {
        code: 'upstream',
        message: 'step a (bad) failed: down\n\nSteps: all done (2 of 2 items failed); a failed; b skipped',
        data: { steps: [{ outcome: 'done' }, { id: 'a', outcome: 'failed' }, { outcome: 'skipped' }] },
      },
    })
    expect(chainOutcome(result, true)).toMatchObject({ failure: { message: 'step a (bad) failed: down' } })
  })
})

it('waits without holding a timer once it is over', async () => {
  vi.useFakeTimers()
  try {
    const { run, sleepers } = fakeRun({ echo }, { hurried: false })
    await run({ steps: [{ id: 'a', tool: 'echo' }] })
    expect(sleepers.size).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
