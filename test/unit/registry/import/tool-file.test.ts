import { describe, expect, it } from 'vitest'
import { MAX_FILE_PROBLEMS, MAX_YAML_CHARS } from '../../../../src/core/limits/imports.ts'
import { readTools } from '../../../../src/registry/import/tool-file.ts'
import { readYaml } from '../../../../src/registry/import/yaml-file.ts'
import { grownMib } from '../../../support/grown-memory.ts'
import { expectCost, plainPassMs } from '../../../support/processor-time.ts'

function read(text: string) {
  const file = readYaml(text)
  return 'problems' in file ? file : readTools(file, (id) => (id === 'taken' ? 'is taken' : null))
}

function tools(text: string) {
  const file = read(text)
  expect(file).not.toHaveProperty('problems')
  return 'tools' in file ? file.tools : []
}

/** `line:column path: message` of each problem. */
function problems(text: string) {
  const file = read(text)
  if (!('problems' in file)) throw new Error('nothing is wrong with it')
  return file.problems.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)
}

const tool = (fields = '', id = 'a') => `  - id: ${id}
    name: A
    description: Does a thing.
    input_schema: {}
    output_schema: {type: object}
    target: http://a.example/run
${fields}`

describe("Toolcore's config.yaml", () => {
  it('is read with its defaults, in its order', () => {
    expect(tools(`tools:\n${tool()}${tool('', 'b')}logging: {log_calls: true}\n`)).toMatchObject([
      {
        definition: {
          id: 'a',
          name: 'A',
          description: 'Does a thing.',
          input_schema: {},
          output_schema: { type: 'object' },
          executor: { kind: 'http', target: 'http://a.example/run' },
          timeout: 30,
          toolkit: null,
          hidden: false,
          checks: { input: false, output: false },
        },
        policy: { enabled: true, allowed_agents: null },
      },
      { definition: { id: 'b' } },
    ])
  })

  it('may have all fields, what pydantic makes of them, and others that mean nothing', () => {
    const fields = `    executor: python
    allowed_agents: ["agent:sofia", pm]
    timeout: "10"
    enabled: off
    owner: someone
`
    expect(tools(`tools:\n${tool(fields)}`)).toMatchObject([
      {
        definition: { executor: { kind: 'python' }, timeout: 10 },
        policy: { enabled: false, allowed_agents: ['agent:sofia', 'pm'] },
      },
    ])
    for (const timeout of ['2.0', '"2"', '2']) {
      expect(tools(`tools:\n${tool(`    timeout: ${timeout}\n`)}`)).toMatchObject([{ definition: { timeout: 2 } }])
    }
    expect(tools(`tools:\n${tool('    enabled: "no"\n    allowed_agents: []\n')}`)).toMatchObject([
      { policy: { enabled: false, allowed_agents: [] } },
    ])
    expect(tools(`tools:\n${tool('    checks: {input: true, output: false}\n    toolkit: desk\n')}`)).toMatchObject([
      { definition: { checks: { input: true }, toolkit: 'desk' } },
    ])
  })

  it('of two tools with one id has the last, at the place of the first', () => {
    const text = `tools:\n${tool('    timeout: 1\n')}${tool('', 'b')}${tool('    timeout: 2\n')}`
    expect(tools(text).map(({ definition: { id, timeout } }) => [id, timeout])).toEqual([
      ['a', 2],
      ['b', 30],
    ])
  })

  it('without the key tools has none; an empty one is wrong', () => {
    expect(tools('logging: {}')).toEqual([])
    expect(tools('tools: []')).toEqual([])
    expect(problems('')).toEqual(['1:1 : the file is empty; write "tools:" and a list below it'])
    expect(problems('tools:\n')).toEqual(['1:1 tools: must be a list; write [] for none'])
    expect(problems('tools:\n  a: {}\n')).toEqual(['1:1 tools: must be a list; write [] for none'])
    expect(problems('just words')).toEqual(['1:1 : the file must be a map; write "tools:" and a list below it'])
  })

  it('says of each thing that is wrong where it is and what to do', () => {
    const text = `tools:
  - id: a
    name: 12
    description: d
    input_schema: null
    target: http://a.example
    timeout: 2.5
    allowed_agents: sofia
  - words
${tool('    timeout: 500\n', 'b')}${tool('    executor: soap\n', '"c@2"')}${tool('', 'taken')}`
    expect(problems(text)).toEqual([
      '2:5 tools[0].output_schema: is missing',
      '3:5 tools[0].name: must be text; put it in quotes',
      '5:5 tools[0].input_schema: must be a map; write {} for one that takes anything',
      '7:5 tools[0].timeout: must be a whole number of seconds',
      '8:5 tools[0].allowed_agents: must be a list of agents, or null for all',
      '9:5 tools[1]: a tool must be a map with id, name, description and more',
      expect.stringMatching(/^16:5 tools\[2\]\.timeout: .*300/),
      '23:5 tools[3].executor: must be http or python',
      '24:5 tools[4].id: is taken',
    ])
    expect(problems(`tools:\n${tool('', '"c@2"')}`)).toEqual([
      '2:5 tools[0].id: must be text without "@" and control characters',
    ])
    expect(problems(`tools:\n${tool('', '..')}`)).toEqual([
      '2:5 tools[0].id: must not be "." or "..": no path can name it',
    ])
  })

  it('that is no YAML is told by its line', () => {
    expect(problems('tools:\n  - id: "a\n')).toEqual([expect.stringMatching(/^\d+:\d+ : this is not YAML: Missing/)])
    expect(problems('a: 1\n---\nb: 2\n')).toEqual([expect.stringContaining('multiple documents')])
    expect(problems('tools: !!python/object:os.system [x]')).toEqual([expect.stringMatching(/^1:8 : .*python/)])
    expect(problems('tools: *none')).toEqual([expect.stringMatching(/^1:8 .*none/)])
    expect(problems('tools: .nan')).toEqual([expect.stringMatching(/^1:8 .*neither text nor a number/)])
    expect(problems('a: {[x]: 1}')).toEqual([expect.stringMatching(/must be a word/)])
  })

  it('may use anchors and merge keys, and names that come twice', () => {
    const text = `base: &base
  description: d
  timeout: 5
  input_schema: &any {}
  output_schema: *any
  target: http://a.example
tools:
  - {<<: *base, id: a, name: A, timeout: 7}
  - <<: [{timeout: 9}, *base]
    id: b
    name: ignored
    name: B
`
    expect(tools(text).map(({ definition: { id, name, timeout } }) => [id, name, timeout])).toEqual([
      ['a', 'A', 7],
      ['b', 'B', 9],
    ])
  })

  it('reads YAML 1.1, as PyYAML does, and gives no name a power', () => {
    const file = readYaml('a: yes\nb: 010\nc: "x"\n1: d\n__proto__: {polluted: true}\n')
    expect(file).toMatchObject({ value: { a: true, b: 8, c: 'x', 1: 'd' } })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect('value' in file && Object.keys(file.value as object)).toContain('__proto__')
  })

  it('takes for text what PyYAML does, and YAML 1.1 does not', () => {
    const point = '{properties: {x: {}, y: {}}, required: [x, y]}'
    expect(readYaml(point)).toMatchObject({ value: { properties: { x: {}, y: {} }, required: ['x', 'y'] } })
    for (const word of ['n', 'Y', '1e3', '1.5e3', '-.5', '08', '0:30']) {
      expect(readYaml(`a: ${word}`)).toMatchObject({ value: { a: word } })
    }
    const numbers = { 'no': false, 'On': true, '0': 0, '-1_0': -10, '0b11': 3, '0x1F': 31, '1:30': 90, '.5': 0.5, '1.5e+3': 1500 } // biome-ignore format: pairs
    for (const [text, value] of Object.entries(numbers)) {
      expect(readYaml(`a: ${text}`)).toMatchObject({ value: { a: value } })
    }
  })
})

describe('a list of definitions', () => {
  const own = [
    { id: 'a', name: 'A', description: 'd', input_schema: {}, executor: { kind: 'http', target: 'http://x' } },
  ]

  it('is taken as JSON and as YAML, with who may call beside', () => {
    const expected = [
      { definition: { id: 'a', output_schema: {}, executor: own[0]?.executor }, policy: { enabled: true } },
    ]
    expect(tools(JSON.stringify(own))).toMatchObject(expected)
    expect(tools(JSON.stringify({ tools: own }))).toMatchObject(expected)
    expect(tools(JSON.stringify([{ ...own[0], allowed_agents: ['x*'], enabled: false }]))).toMatchObject([
      { policy: { enabled: false, allowed_agents: ['x*'] } },
    ])
    expect(problems(JSON.stringify([{ ...own[0], executor: { kind: 'http' } }], null, 1))[0]).toMatch(
      /^\d+:3 \[0\]\.executor\.target: /,
    )
  })
})

describe('a hostile file', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghij']
    .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[at]}`).join(',')}]`)
    .join('\n')}\ntools: []\n`

  it.each([
    ['aliases of aliases', bomb, /aliases/],
    ['an alias of itself', 'tools: &a [*a]', /deeper/],
    ['lists in lists', '['.repeat(100_000), /deeper/],
    ['dashes in dashes', '- '.repeat(100_000), /deeper/],
    ['keys in keys', '? '.repeat(100_000), /deeper/],
    ['maps in maps', Array.from({ length: 500 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'), /deeper/],
    ['very many aliases', `a: &a 1\nb: [${'*a,'.repeat(300_000)}]`, /MAX_YAML_TOKENS/],
    ['a long text', 'x'.repeat(MAX_YAML_CHARS + 1), /MAX_YAML_CHARS/],
  ])('%s is refused soon', async (_, text, message) => {
    await expectCost(() => expect(problems(text)).toEqual([expect.stringMatching(message)]), {
      below: () => 500 * plainPassMs(1_000_000),
    })
  })

  it.each([
    ['brackets that close nothing', ']'.repeat(190_000)],
    ['brackets behind a document', `- a\n${']'.repeat(190_000)}`],
    ['commas with nothing between them', `[${','.repeat(190_000)}`],
    ['directives that are none', '%a\n'.repeat(60_000)],
    ['words that none may begin with', '- @\n'.repeat(30_000)],
  ])('%s are read no further than the mistakes that are told', async (_, text) => {
    const found = await expectCost(() => problems(text), { below: () => 100, measure: grownMib })
    expect(found.length).toBeLessThanOrEqual(MAX_FILE_PROBLEMS)
    expect(found[0]).toContain('this is not YAML')
  })
})
