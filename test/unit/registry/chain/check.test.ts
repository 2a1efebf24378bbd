import { describe, expect, it } from 'vitest'
import {
  MAX_CHAIN_CHARS,
  MAX_CHAIN_DEPTH,
  MAX_CHAIN_STEPS,
  MAX_CHAIN_TOOLS,
} from '../../../../src/core/limits/chains.ts'
import { checkChain, type Resolved } from '../../../../src/registry/chain/check.ts'
import { dryRunChain } from '../../../../src/registry/chain/dry-run.ts'
import { issuesText } from '../../../../src/registry/chain/issues.ts'

const TOOLS: Record<string, Resolved> = {
  search: {
    kind: 'tool',
    name: 'search',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string' }, limit: { type: 'integer' } },
      required: ['query'],
    },
    outputSchema: {
      type: 'object',
      properties: {
        total: { type: 'integer' },
        hits: { type: 'array', items: { type: 'object', properties: { url: { type: 'string' } } } },
      },
    },
  },
  strict: {
    kind: 'tool',
    name: 'strict',
    inputSchema: {
      type: 'object',
      properties: { url: { type: 'string' } },
      required: ['url'],
      additionalProperties: false,
    },
  },
  any: { kind: 'tool', name: 'any' },
}

/** @param chains by name, with or without "@version" */
const resolver =
  (chains: Record<string, unknown> = {}) =>
  (tool: string): Resolved | null =>
    Object.hasOwn(chains, tool)
      ? { kind: 'chain', name: tool.split('@')[0] ?? '', definition: chains[tool] }
      : (TOOLS[tool] ?? null)

async function issues(
  definition: unknown,
  { chains = {}, inputSchema = {} }: { chains?: Record<string, unknown>; inputSchema?: object } = {},
) {
  const checked = await checkChain(
    definition,
    { name: 'mine', inputSchema: inputSchema as Record<string, unknown> },
    resolver(chains),
  )
  return issuesText(checked.issues)
}

const calling = (...tools: string[]) => ({ steps: tools.map((tool, n) => ({ id: `s${n}`, tool })) })

describe('a chain that is saved', () => {
  it('has no issues when it can run', async () => {
    const definition = {
      steps: [
        { id: 'find', tool: 'search', input: { query: '${{ input.topic }}', limit: 3 } },
        {
          id: 'pages',
          tool: 'strict',
          map: { over: 'steps.find.result.hits' },
          input: { url: '${{ item.url }}' },
          retry: { attempts: '2' },
          after: null,
        },
      ],
      output: { urls: '${{ pluck(steps.find.result.hits, "url") }}', first: '${{ steps.pages.result[0].anything }}' },
    }
    expect(
      await issues(definition, { inputSchema: { type: 'object', properties: { topic: { type: 'string' } } } }),
    ).toBe('')
  })

  it.each([
    ['a list', [], /^must be an object with the fields steps, output/],
    ['nothing', null, /^must be an object/],
    ['no steps', { steps: [] }, /must have at least one step/],
    [
      'too many steps',
      calling(...Array.from({ length: MAX_CHAIN_STEPS + 1 }, () => 'any')),
      /at most 50 steps \(MAX_CHAIN_STEPS\)/,
    ],
    [
      'a field that is not known',
      { steps: [{ id: 'a', tool: 'any', on_fail: 'continue' }] },
      /^step a: there is no field on_fail; there are id, tool, input, if, map, after, timeout_ms, retry, on_error$/,
    ],
    ['an id that is no name', { steps: [{ id: 'a b', tool: 'any' }] }, /^step a b: id: must be 1 to 64 letters/],
    ['a step without an id', { steps: [{ tool: 'any' }] }, /^step #1: id: is missing$/],
    [
      'a bare list',
      { steps: [{ id: 'a', tool: 'any', map: 'input.x' }] },
      /^step a: map: must be an object as {"over"/,
    ],
    [
      'a list that is none',
      { steps: [{ id: 'a', tool: 'any', map: { over: [1] } }] },
      /map.over: must be a text with an/,
    ],
    ['a bare number', { steps: [{ id: 'a', tool: 'any', retry: 3 }] }, /retry: must be an object as {"attempts": 3/],
    [
      'an unknown way of failing',
      { steps: [{ id: 'a', tool: 'any', on_error: 'ignore' }] },
      /on_error: must be "fail", "continue" or/,
    ],
    [
      'too many attempts',
      { steps: [{ id: 'a', tool: 'any', retry: { attempts: 99 } }] },
      /retry.attempts: must be at most 10 \(MAX_CHAIN_ATTEMPTS\)/,
    ],
    [
      'too much concurrency',
      { steps: [{ id: 'a', tool: 'any', map: { over: 'input.x', concurrency: 99 } }] },
      /MAX_CHAIN_CONCURRENCY/,
    ],
    [
      'too long a timeout',
      { steps: [{ id: 'a', tool: 'any', timeout_ms: 1e9 }] },
      /timeout_ms: must be at most 3600000 \(MAX_CHAIN_MS\)/,
    ],
    [
      'too many characters',
      { steps: [{ id: 'a', tool: 'any', input: 'x'.repeat(MAX_CHAIN_CHARS) }] },
      /MAX_CHAIN_CHARS/,
    ],
    [
      'two steps with one id',
      {
        steps: [
          { id: 'a', tool: 'any' },
          { id: 'a', tool: 'any' },
        ],
      },
      /^step a: two steps have the id a/,
    ],
    ['an unknown tool', calling('nothing'), /^step s0: there is no tool nothing; look for its name/],
    [
      'a reference to a later step',
      {
        steps: [
          { id: 'a', tool: 'any', input: '${{ steps.b.result }}' },
          { id: 'b', tool: 'any' },
        ],
      },
      /^step a: input: step b stands later; put it before/,
    ],
    [
      'a reference to itself',
      { steps: [{ id: 'a', tool: 'any', if: 'steps.a.outcome == "done"' }] },
      /^step a: if: steps.a is this step itself/,
    ],
    [
      'a reference to no step',
      { steps: [{ id: 'a', tool: 'any' }], output: '${{ steps.aa.result }}' },
      /^output: there is no step aa; before it stand a/,
    ],
    [
      'all steps at once',
      { steps: [{ id: 'a', tool: 'any' }], output: '${{ keys(steps) }}' },
      /behind steps stands the id of one, as steps.a.result/,
    ],
    [
      'a name without its place',
      {
        steps: [
          { id: 'a', tool: 'any' },
          { id: 'b', tool: 'any', input: '${{ a.result }}' },
        ],
      },
      /a is not known here.*write steps.a/,
    ],
    [
      'a variable of a shell',
      { steps: [{ id: 'a', tool: 'any', input: '${{HOME}}' }] },
      /HOME is not known here.*write input.HOME/,
    ],
    [
      'an item outside of a map',
      { steps: [{ id: 'a', tool: 'any', input: '${{ item.x }}' }] },
      /item is not known here, only input, steps are/,
    ],
    [
      'another name for the input',
      { steps: [{ id: 'a', tool: 'any', input: '${{ inputs.x }}' }] },
      /called with is input$/,
    ],
    [
      'another name for the item',
      { steps: [{ id: 'a', tool: 'any', map: { over: 'input.x', as: 'hit' }, input: '${{ item.url }}' }] },
      /^step a: input: the item is called hit here/,
    ],
    [
      'a condition for each item',
      { steps: [{ id: 'a', tool: 'any', map: { over: 'input.x', as: 'hit' }, if: 'hit.score > 1' }] },
      /^step a: if: there is no item yet.*where\(list, "field", value\) in map.over$/,
    ],
    [
      'a field of a list',
      {
        steps: [
          { id: 'a', tool: 'any', map: { over: '[1]' } },
          { id: 'b', tool: 'any', input: '${{ steps.a.result.url }}' },
        ],
      },
      /^step b: input: steps.a.result is a list; write steps.a.result\[0\] for its first item, or pluck\(/,
    ],
    [
      'a field of a number',
      { steps: [{ id: 'a', tool: 'search', input: { query: 'x' } }], output: '${{ steps.a.result.total.of }}' },
      /^output: steps.a.result.total is a number, which has no fields/,
    ],
    [
      'a field that steps have not',
      { steps: [{ id: 'a', tool: 'any' }], output: '${{ steps.a.outputs.x }}' },
      /a step has outcome, result, text, error, items; write steps.a.result.outputs/,
    ],
    [
      'a condition that is never true',
      { steps: [{ id: 'a', tool: 'any', if: '1 > 2' }] },
      /^step a: if: the condition is always false/,
    ],
    [
      'a condition that is no condition',
      { steps: [{ id: 'a', tool: 'any', if: '"yes"' }] },
      /^step a: if: a condition is true or false, and this is neither/,
    ],
    [
      'a condition that cannot be read',
      { steps: [{ id: 'a', tool: 'any', if: 'a and b' }] },
      /^step a: if: write && for and/,
    ],
    [
      'an expression that is not closed',
      { steps: [{ id: 'a', tool: 'any', input: { q: ['x ${{ input.y'] } }] },
      /^step a: input.q\[0\]: "\${{" is not closed/,
    ],
    [
      'waiting for a later step',
      {
        steps: [
          { id: 'a', tool: 'any', after: ['b'] },
          { id: 'b', tool: 'any' },
        ],
      },
      /^step a: after: step b stands later/,
    ],
    [
      'an item that is called input',
      { steps: [{ id: 'a', tool: 'any', map: { over: 'input.x', as: 'input' } }] },
      /map.as: input means something already/,
    ],
    [
      'an expression for a default',
      { steps: [{ id: 'a', tool: 'any', on_error: { use: '${{ input.x }}' } }] },
      /on_error.use: it is taken as it is/,
    ],
    [
      'an input that is missing',
      { steps: [{ id: 'a', tool: 'search', input: { limit: 1 } }] },
      /^step a: input: query is required and not given/,
    ],
    [
      'an input that is unknown',
      { steps: [{ id: 'a', tool: 'strict', input: { url: 'x', uri: 'y' } }] },
      /input: the tool knows no uri; it knows url/,
    ],
    [
      "a field that a tool's result has not",
      { steps: [{ id: 'a', tool: 'search', input: { query: 'x' } }], output: '${{ steps.a.result.hits[0].link }}' },
      /^output: steps.a.result.hits\[0\] has no link; it has url/,
    ],
  ])('is refused with %s', async (_, definition, message) => {
    expect(await issues(definition)).toMatch(message)
  })

  it("is refused when it names a field that the chain's input has not, unless that may be missing", async () => {
    const inputSchema = { type: 'object', properties: { topic: { type: 'string' } } }
    const of = (value: string) => issues({ steps: [{ id: 'a', tool: 'any', input: { q: value } }] }, { inputSchema })
    expect(await of('${{ input.topik }}')).toBe('step a: input.q: input has no topik; it has topic')
    expect(await of('${{ input.topik ?? "bees" }}')).toBe('')
  })

  const afterA = (input: unknown) =>
    issues({
      steps: [
        { id: 'a', tool: 'any' },
        { id: 'b', tool: 'any', input },
      ],
    })

  it.each([
    '{{ steps.a.result.url }}',
    '{{steps.a.result[0]["url"]}}',
    '${steps.a.result.url}',
    '$.steps.a.result.url',
    '$steps.a.result',
    'steps.a.text',
    '=steps.a.text',
    'Found {{ steps.a.result.url }}, and more',
    '{{ input.topic }}',
  ])('is refused where %s would go to a tool as it stands', async (text) => {
    expect(await afterA({ q: [text] })).toMatch(
      /^step b: input.q\[0\]: .*goes to the tool as it stands; write \$\{\{ \S+ }}$/,
    )
  })

  it.each([
    '$${{ steps.a.result.url }}',
    '${{ "{{ steps.a.result.url }}" }}',
    '{{ steps.other.result.url }}',
    'steps.a.md',
    'input.csv',
    'The steps.a.result of it',
    'Dear {{ input.name }}, hello',
    '${HOME}',
  ])('may hold %s', async (text) => {
    expect(await afterA({ q: text })).toBe('')
  })

  it('may hold long texts that nearly name a result', async () => {
    const texts = [' '.repeat(20_000), '{{ '.repeat(5_000), `{{steps.a.result.${'a'.repeat(10_000)}`]
    expect(await afterA({ texts })).toBe('')
  })

  it("knows what a chain in it gives, but not what is in that chain's output", async () => {
    const of = (path: string) =>
      issues({ ...calling('inner'), output: `\${{ steps.s0.result.${path} }}` }, { chains: { inner: calling('any') } })
    expect(await of('output.url')).toBe('')
    expect(await of('url')).toBe('output: steps.s0.result has no url; it has output, steps, calls, ms')
  })

  it('is told all its mistakes at once', async () => {
    const text = await issues({
      steps: [
        { id: 'a', tool: 'nothing', input: '${{ input.x }}' },
        { id: 'b', tool: 'search' },
      ],
    })
    expect(text.split('\n')).toEqual([
      expect.stringMatching(/^step a: there is no tool/),
      'step b: input: query is required and not given',
    ])
    const steps = [
      { id: 'a', tool: 'nothing' },
      { id: 'b', tool: 'any', input: '${{ steps.c.result }}' },
      { id: 'd', tool: 'mine' },
    ]
    expect((await issues({ steps }, { chains: { mine: { steps } } })).split('\n')).toEqual([
      expect.stringMatching(/^step b: input: there is no step c/),
      expect.stringMatching(/^step a: there is no tool/),
      expect.stringMatching(/^step d: the chain loops/),
    ])
  })

  it('may be as deeply nested as JSON may, and no deeper', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 50_000; level++) deep = [deep]
    expect(await issues({ steps: [{ id: 'a', tool: 'any', input: deep }] })).toMatch(/MAX_JSON_DEPTH|MAX_CHAIN_CHARS/)
  })
})

describe('a chain that would loop', () => {
  it('by itself is refused, in whatever version', async () => {
    expect(await issues(calling('mine@^1'), { chains: { 'mine@^1': calling('any') } })).toMatch(
      /^step s0: the chain loops: mine → mine; no chain may lead back to itself, in whatever version/,
    )
  })

  it('by way of others is refused, with the way', async () => {
    const chains = { b: calling('any', 'c'), c: calling('mine'), mine: calling('any') }
    expect(await issues(calling('any', 'b'), { chains })).toMatch(/^step s1: the chain loops: mine → b → c → mine/)
  })

  it('is refused when the loop does not lead through it', async () => {
    const chains = { b: calling('c'), c: calling('b') }
    expect(await issues(calling('b'), { chains })).toMatch(/the chain loops: mine → b → c → b/)
  })

  it('is refused when a chain that was followed before leads back', async () => {
    const chains = { c: calling('b@1'), 'b@1': calling('any'), 'b@2': calling('c') }
    expect(await issues(calling('c', 'b@2'), { chains })).toMatch(/^step s1: the chain loops: mine → b → c → b/)
  })

  it('is not one that uses another twice, side by side', async () => {
    const chains = { b: calling('d', 'd'), c: calling('d'), d: calling('any') }
    expect(await issues(calling('b', 'c', 'd'), { chains })).toBe('')
  })
})

describe('chains in a chain', () => {
  const tower = (height: number) =>
    Object.fromEntries(
      Array.from({ length: height }, (_, n) => [`c${n}`, calling(n + 1 < height ? `c${n + 1}` : 'any')]),
    )

  it('may stand as deep as the limit says', async () => {
    expect(await issues(calling('c0'), { chains: tower(MAX_CHAIN_DEPTH - 1) })).toBe('')
    expect(await issues(calling('c0'), { chains: tower(MAX_CHAIN_DEPTH) })).toMatch(
      /more than 5 deep \(MAX_CHAIN_DEPTH\): mine → c0/,
    )
  })

  it('that were followed before count with their whole depth', async () => {
    const chains = tower(MAX_CHAIN_DEPTH - 1)
    expect(await issues(calling('c0', 'top'), { chains: { ...chains, top: calling('c0') } })).toMatch(
      /^step s1: chains stand more than 5 deep/,
    )
  })

  it('are each looked up once, and not more than the limit says', async () => {
    let lookups = 0
    const wide = calling(...Array.from({ length: 50 }, (_, n) => `t${n}`))
    const resolve = (tool: string): Resolved => {
      lookups++
      return /^w\d$/.test(tool)
        ? {
            kind: 'chain',
            name: tool,
            definition: { steps: wide.steps.map((step) => ({ ...step, tool: `${tool}.${step.tool}` })) },
          }
        : { kind: 'tool', name: tool }
    }
    const { issues: found } = await checkChain(calling('w1', 'w1', 'w2', 'w3', 'w4', 'w5'), { name: 'mine' }, resolve)
    expect(found[0]?.message).toMatch(/MAX_CHAIN_TOOLS/)
    expect(lookups).toBeLessThanOrEqual(MAX_CHAIN_TOOLS)
  })

  it('that are broken are named', async () => {
    expect(await issues(calling('b'), { chains: { b: { steps: 'none' } } })).toMatch(/^step s0: the chain b is broken/)
    expect(await issues(calling('b'), { chains: { b: calling('gone') } })).toMatch(
      /^step s0: there is no tool gone, which b calls/,
    )
  })
})

describe('a dry run', () => {
  const definition = {
    steps: [
      { id: 'find', tool: 'search', input: { query: '${{ upper(input.topic) }}', limit: '${{ input.limit ?? 3 }}' } },
      {
        id: 'pages',
        tool: 'strict',
        map: { over: 'steps.find.result.hits' },
        if: 'input.deep',
        input: { url: '${{ item.url }}' },
      },
      {
        id: 'each',
        tool: 'any',
        after: ['find'],
        map: { over: 'input.names', as: 'name' },
        input: { hello: 'Hello ${{ name }}, ${{ steps.find.result.total }} hits' },
      },
      { id: 'last', tool: 'any', if: 'steps.find.result.total > 0', input: { n: '${{ steps.find.result.total }}' } },
    ],
    output: { n: '${{ length(steps.pages.result) }}', topic: '${{ input.topic }}' },
  }

  it('shows what would be called, as far as it is known', async () => {
    const input = { topic: 'bees', deep: false, names: ['Ada', 'Bo'] }
    expect(await dryRunChain(definition, { name: 'mine', input }, resolver())).toEqual({
      ok: true,
      issues: [],
      steps: [
        {
          id: 'find',
          tool: 'search',
          kind: 'tool',
          waits_for: [],
          runs: 'yes',
          calls: 1,
          input: { query: 'BEES', limit: 3 },
        },
        {
          id: 'pages',
          tool: 'strict',
          kind: 'tool',
          waits_for: ['find'],
          runs: 'no',
          calls: 0,
          input: { url: '<item.url>' },
        },
        {
          id: 'each',
          tool: 'any',
          kind: 'tool',
          waits_for: ['find'],
          runs: 'yes',
          calls: 2,
          input: { hello: 'Hello Ada, <steps.find.result.total: integer> hits' },
        },
        {
          id: 'last',
          tool: 'any',
          kind: 'tool',
          waits_for: ['find', 'pages', 'each'],
          runs: 'perhaps',
          calls: 1,
          input: { n: '<steps.find.result.total: integer>' },
        },
      ],
      output: { n: '<length(steps.pages.result)>', topic: 'bees' },
    })
  })

  it('needs no input: its fields stand for themselves', async () => {
    const inputSchema = { type: 'object', properties: { topic: { type: 'string' }, deep: {}, names: {}, limit: {} } }
    const { ok, steps } = await dryRunChain(definition, { name: 'mine', inputSchema }, resolver())
    expect(ok).toBe(true)
    expect(steps.map(({ runs, calls }) => [runs, calls])).toEqual([
      ['yes', 1],
      ['perhaps', null],
      ['yes', null],
      ['perhaps', 1],
    ])
    expect(steps[0]?.input).toEqual({ query: '<upper(input.topic)>', limit: '<input.limit ?? 3>' })
  })

  it('says what is missing, unknown or cannot be evaluated, and shows the rest', async () => {
    const {
      ok,
      issues: found,
      steps,
    } = await dryRunChain(
      {
        steps: [
          { id: 'a', tool: 'search', input: {} },
          { id: 'b', tool: 'gone', input: { x: '${{ input.a.b }}', y: 1 } },
          { id: 'c', tool: 'any', map: { over: 'input.a' } },
        ],
      },
      { name: 'mine', input: { a: 1 } },
      resolver(),
    )
    expect(ok).toBe(false)
    expect(issuesText(found).split('\n')).toEqual([
      'step a: input: query is required and not given',
      expect.stringMatching(/^step b: there is no tool gone/),
      expect.stringMatching(/^step b: input.x: input.a is a number, which has no fields/),
      'step c: map.over: it needs a list, and got a number',
    ])
    expect(steps[1]).toMatchObject({ kind: null, input: { x: '<input.a.b>', y: 1 } })
  })

  it('of what cannot be read gives the mistakes alone', async () => {
    expect(await dryRunChain({}, { name: 'mine' }, resolver())).toMatchObject({
      ok: false,
      steps: [],
      issues: [{ step: null }],
    })
  })
})
