import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  BaseAction,
  BaseParser,
  type DescribedFunction,
  fromLagent,
  functionName,
  TupleParser,
  toAnthropic,
  toLagent,
  toOpenAi,
  tool,
  toolApi,
  toolkit,
  toolkitToLagent,
} from '../../../src/lagent/index.ts'
import { Bold } from './sample-actions.ts'

const words = z.object({ text: z.string().describe('input text') })
const described = ({ apiDescription }: DescribedFunction) => apiDescription
const JSON_ZH = '如果调用该工具,你必须使用Json格式 {key: value} 传参,其中key为参数名称'
const JSON_EN =
  'If you call this tool, you must pass arguments in the JSON format {key: value}, where the key is the parameter name.'

describe('toolApi', () => {
  it('describes a function by its schema, with the keys in their order', () => {
    const bold = toolApi(
      { name: 'bold', description: 'make text bold', parameters: words },
      ({ text }) => `**${text}**`,
    )
    expect(bold.apiDescription).toEqual({
      name: 'bold',
      description: 'make text bold',
      parameters: [{ name: 'text', type: 'STRING', description: 'input text' }],
      required: ['text'],
    })
    expect(Object.keys(bold.apiDescription)).toEqual(['name', 'description', 'parameters', 'required'])
    expect(bold({ text: 'x' })).toBe('**x**')
  })

  it.each([
    [z.string(), 'STRING'],
    [z.enum(['a', 'b']), 'STRING'],
    [z.literal(1), 'NUMBER'],
    [z.int(), 'NUMBER'],
    [z.number(), 'FLOAT'],
    [z.boolean(), 'BOOLEAN'],
    [z.array(z.string()), 'Array'],
    [z.tuple([z.int(), z.string()]), 'Array'],
    [z.object({ a: z.int() }), 'STRING'],
    [z.record(z.string(), z.int()), 'STRING'],
    [z.union([z.int(), z.string()]), 'STRING'],
    [z.union([z.int(), z.number()]), 'FLOAT'],
    [z.union([z.boolean(), z.int()]), 'NUMBER'],
    [z.union([z.string(), z.array(z.string())]), 'Array'],
    [z.int().nullable(), 'NUMBER'],
    [z.date(), 'STRING'],
    [z.unknown(), 'STRING'],
  ])('names types as Lagent has them: %#', (schema, type) => {
    const api = toolApi({ name: 'f', parameters: z.object({ x: schema }) }, () => null)
    expect(api.apiDescription.parameters).toEqual([{ name: 'x', type, description: '' }])
  })

  it('requires what has neither a default nor leave to be missing', () => {
    const parameters = z.object({
      a: z.string(),
      b: z.int().default(1),
      c: z.string().optional(),
      d: z.int().nullable(),
    })
    const api = toolApi({ name: 'f', parameters }, (args) => args)
    expect(api.apiDescription.required).toEqual(['a', 'd'])
    expect(api({ a: 'x', d: null })).toEqual({ a: 'x', b: 1, d: null })
  })

  it('names what comes back with returnsNamedValue', () => {
    const named = (returns: z.ZodType) =>
      described(toolApi({ name: 'bold', parameters: words, returns, returnsNamedValue: true }, ({ text }) => text))
    expect(named(z.object({ bold_text: z.string().describe('bold text') })).return_data).toEqual([
      { name: 'bold_text', description: 'bold text', type: 'STRING' },
    ])
    expect(named(z.int().describe('the value')).return_data).toEqual([{ description: 'the value', type: 'NUMBER' }])
    expect(named(z.unknown().describe('just words')).return_data).toEqual([{ description: 'just words' }])
  })

  it('tells each member of what comes back with explodeReturn, which wins', () => {
    const api = toolApi(
      {
        name: 'list_args',
        description: 'Return arguments in dict format',
        parameters: z.object({ a: z.string(), b: z.int(), c: z.number().default(0) }),
        returns: z.object({
          a: z.string().describe('a'),
          b: z.int().describe('b'),
          c: z.unknown().describe('c'),
        }),
        explodeReturn: true,
        returnsNamedValue: true,
      },
      (args) => args,
    )
    expect(api.apiDescription.return_data).toEqual([
      { name: 'a', description: 'a', type: 'STRING' },
      { name: 'b', description: 'b', type: 'NUMBER' },
      { name: 'c', description: 'c' },
    ])
  })

  it('says nothing of what comes back unless told to, or when there is nothing to say', () => {
    const one = { name: 'f', parameters: words }
    const returns = z.object({ a: z.string() })
    expect(described(toolApi({ ...one, returns }, () => 1))).not.toHaveProperty('return_data')
    expect(described(toolApi({ ...one, returnsNamedValue: true }, () => 1))).not.toHaveProperty('return_data')
    const empty = { returns: z.object({}), explodeReturn: true }
    expect(described(toolApi({ ...one, ...empty }, () => 1))).not.toHaveProperty('return_data')
    expect(() => toolApi({ ...one, explodeReturn: true }, () => 1)).toThrow('toolApi f: explodeReturn tells what')
  })

  it('leaves out parameters, or all but some', () => {
    const parameters = z.object({ a: z.int(), session_id: z.string(), b: z.int() })
    const names = (options: object) =>
      described(toolApi({ name: 'f', parameters, ...options }, () => 1)).parameters.map(({ name }) => name)
    expect(names({ excludeArguments: 'session_id' })).toEqual(['a', 'b'])
    expect(names({ excludeArguments: ['a', 'b'] })).toEqual(['session_id'])
    expect(names({ includeArguments: ['b'], excludeArguments: 'b' })).toEqual(['b'])
    expect(described(toolApi({ name: 'f', parameters, excludeArguments: 'a' }, () => 1)).required).toEqual([
      'session_id',
      'b',
    ])
  })
})

describe('the description of an action', () => {
  it('says how arguments are written, in Chinese as published, or in English', () => {
    const format = (options: object) => new Bold(options).description
    expect(format({})).toHaveProperty('parameter_description', JSON_ZH)
    expect(format({ language: 'zh' })).toHaveProperty('parameter_description', JSON_ZH)
    expect(format({ language: 'en' })).toHaveProperty('parameter_description', JSON_EN)
    expect(format({ parser: TupleParser, language: 'zh' })).toHaveProperty(
      'parameter_description',
      '如果调用该工具，你必须使用Tuple格式 (arg1, arg2, arg3) 传参，且参数是有序的',
    )
    expect(format({ parser: BaseParser })).not.toHaveProperty('parameter_description')
  })

  it('is the one that it was given', () => {
    const given = {
      name: 'bold',
      description: 'a function used to make text bold',
      parameters: [{ name: 'text', type: 'STRING' as const, description: 'input content' }],
      required: ['text'],
    }
    expect(new BaseAction({ description: given }).description).toEqual({ ...given, parameter_description: JSON_ZH })
    expect(given).not.toHaveProperty('parameter_description')
  })

  it('lists the APIs of a toolkit in their order', () => {
    const api = (name: string) => toolApi({ name, description: `make text ${name}`, parameters: words }, () => name)
    const Emphasis = toolkit({ name: 'PhraseEmphasis', doc: 'styles of text', apis: [api('bold'), api('italic')] })
    const parameters = [{ name: 'text', type: 'STRING', description: 'input text' }]
    const rest = { parameters, required: ['text'], parameter_description: JSON_ZH }
    expect(new Emphasis().description).toEqual({
      name: 'PhraseEmphasis',
      description: 'styles of text',
      api_list: [
        { name: 'bold', description: 'make text bold', ...rest },
        { name: 'italic', description: 'make text italic', ...rest },
      ],
    })
    expect([new Emphasis().isToolkit, new Bold().isToolkit]).toEqual([true, false])
  })

  it('is that of the class alone, without what it inherits', () => {
    const Parent = tool(toolApi({ name: 'Parent', parameters: words }, ({ text }) => text))
    class Child extends Parent {
      static override readonly toolName = 'Child'
      static override readonly doc = 'Child text'
    }
    expect(new Child().description).toEqual({
      name: 'Child',
      description: 'Child text',
      parameters: [],
      required: [],
      parameter_description: JSON_ZH,
    })
  })

  it('is not what a class inherits of words and names either', () => {
    const Parent = toolkit({
      name: 'Parent',
      doc: 'Parent text',
      apis: [toolApi({ name: 'a', parameters: words }, () => 1)],
    })
    class Child extends Parent {}
    expect(new Child().description).toMatchObject({ name: 'Child', description: '' })
    expect(new BaseAction().description).toMatchObject({
      name: 'BaseAction',
      description: 'Base class for all actions.',
    })
  })

  it('takes the name of the class where it has no other', () => {
    class Plain extends BaseAction {
      run() {
        return 'ran'
      }
    }
    expect(new Plain().name).toBe('Plain')
  })
})

describe('a tool with a JSON Schema', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Which file' },
      lines: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      ratio: { type: ['number', 'null'] },
      tags: { type: 'array', items: { type: 'string' } },
      deep: { type: 'object', properties: {} },
      point: { $ref: '#/$defs/Point' },
      loop: { $ref: '#/$defs/Loop' },
      odd: true,
    },
    required: ['path', 'unknown'],
    $defs: { Point: { type: 'array' }, Loop: { $ref: '#/$defs/Loop' } },
  }
  const read = { name: 'files.read', description: 'Reads a file', inputSchema }

  it("has Lagent's form", () => {
    expect(toLagent(read)).toEqual({
      name: 'files.read',
      description: 'Reads a file',
      parameters: [
        { name: 'path', type: 'STRING', description: 'Which file' },
        { name: 'lines', type: 'NUMBER', description: '' },
        { name: 'ratio', type: 'FLOAT', description: '' },
        { name: 'tags', type: 'Array', description: '' },
        { name: 'deep', type: 'STRING', description: '' },
        { name: 'point', type: 'Array', description: '' },
        { name: 'loop', type: 'STRING', description: '' },
        { name: 'odd', type: 'STRING', description: '' },
      ],
      required: ['path'],
      parameter_description: JSON_ZH,
    })
    expect(toLagent(read, { language: 'zh' }).parameter_description).toBe(JSON_ZH)
    expect(toLagent({ ...read, inputSchema: {} })).toMatchObject({ parameters: [], required: [] })
  })

  it('tells what comes back, where it has a schema of that', () => {
    const returned = (outputSchema: Record<string, unknown>) => toLagent({ ...read, outputSchema }).return_data
    const properties = { total: { type: 'integer', description: 'how many' }, rows: { $ref: '#/$defs/Rows' }, more: {} }
    expect(returned({ type: 'object', properties, $defs: { Rows: { type: 'array' } } })).toEqual([
      { name: 'total', description: 'how many', type: 'NUMBER' },
      { name: 'rows', description: '', type: 'Array' },
      { name: 'more', description: '' },
    ])
    expect(returned({ type: 'array' })).toEqual([{ description: '', type: 'Array' }])
    expect(returned({})).toBeUndefined()
  })

  it('is one of a toolkit', () => {
    expect(toolkitToLagent({ name: 'files', description: 'Files', tools: [read] }, { parser: TupleParser })).toEqual({
      name: 'files',
      description: 'Files',
      api_list: [toLagent(read, { parser: TupleParser })],
    })
    expect(toLagent(read, { parser: TupleParser }).parameter_description).toMatch(/Tuple格式/)
    expect(toLagent(read, { parser: TupleParser, language: 'en' }).parameter_description).toMatch(/tuple format/)
    expect(toLagent(read, { parser: BaseParser })).not.toHaveProperty('parameter_description')
  })

  it("has OpenAI's and Anthropic's forms, with its whole schema and a name that they allow", () => {
    expect(toOpenAi(read)).toEqual({
      type: 'function',
      function: { name: 'files__read', description: 'Reads a file', parameters: inputSchema },
    })
    expect(toAnthropic(read)).toEqual({ name: 'files__read', description: 'Reads a file', input_schema: inputSchema })
    expect(functionName(`工具.${'x'.repeat(100)}`)).toMatch(/^[A-Za-z0-9_-]{64}$/)
  })
})

it("makes schema tools of an action in Lagent's form", () => {
  const Kit = toolkit({
    name: 'Kit',
    apis: [
      toolApi(
        {
          name: 'all',
          description: 'All types',
          parameters: z.object({
            s: z.string().describe('S'),
            n: z.int(),
            f: z.number().default(1),
            b: z.boolean(),
            l: z.array(z.string()),
          }),
        },
        () => null,
      ),
    ],
  })
  expect(fromLagent(new Kit().description)).toEqual([
    {
      name: 'Kit.all',
      description: 'All types',
      inputSchema: {
        type: 'object',
        properties: {
          s: { type: 'string', description: 'S' },
          n: { type: 'integer' },
          f: { type: 'number' },
          b: { type: 'boolean' },
          l: { type: 'array', items: {} },
        },
        required: ['s', 'n', 'b', 'l'],
      },
    },
  ])
  expect(fromLagent(new Bold().description).map(({ name }) => name)).toEqual(['Bold'])
})

it('tells other systems a description that is no text, as one of Python may be, as text', () => {
  // The cast: what Annotated[int, 5] makes of a parameter.
  const parameters = [{ name: 'n', type: 'NUMBER', description: 5 as unknown as string }] as const
  const [described] = fromLagent({ name: 'f', description: '', parameters: [...parameters], required: [] })
  expect(described?.inputSchema).toMatchObject({ properties: { n: { type: 'integer', description: '5' } } })
})
