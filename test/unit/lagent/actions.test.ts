import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ActionReturn,
  BaseAction,
  FinishAction,
  InvalidAction,
  JsonParser,
  NoAction,
  ParseError,
  Tuple,
  TupleParser,
  tool,
  toolApi,
  toolkit,
} from '../../../src/lagent/index.ts'
import { Bold, Kit } from './sample-actions.ts'

const plain = (answer: ActionReturn) => JSON.parse(JSON.stringify(answer)) as Record<string, unknown>
/** An answer as JSON, with what is the same in most. */
const answered = (fields: object) => ({
  args: null,
  url: null,
  type: null,
  result: null,
  errmsg: null,
  state: 0,
  thought: null,
  valid: 0,
  ...fields,
})
const text = (content: string) => [{ type: 'text', content }]

describe('a call of an action', () => {
  it('answers with the arguments, the name and the result', async () => {
    const answer = await new Bold().call('{"text": "x"}')
    expect(plain(answer)).toEqual(answered({ args: { text: 'x' }, type: 'Bold', result: text('**x**') }))
    expect(Object.keys(plain(answer))).toEqual(['args', 'url', 'type', 'result', 'errmsg', 'state', 'thought', 'valid'])
    expect(answer.formatResult()).toBe('**x**')
  })

  it('does not take for given what every object of JavaScript has', async () => {
    const parameters = z.object({ constructor: z.string().optional(), toString: z.string().optional() })
    const Car = tool(toolApi({ name: 'Car', parameters }, (args) => Object.keys(args)))
    expect((await new Car().call('{}')).formatResult()).toBe('[]')
    expect((await new Car().call('{"constructor": "x"}')).formatResult()).toBe("['constructor']")
  })

  it('takes nothing for no arguments, and no other thing', () => {
    const pi = toolApi({ name: 'pi', parameters: z.object({}) }, () => 3)
    // The casts: the types ask for an object.
    expect(pi(undefined as unknown as Record<string, never>)).toBe(3)
    for (const given of [null, 'x', []]) {
      expect(() => pi(given as unknown as Record<string, never>)).toThrow(ParseError)
    }
  })

  it('takes tuples where the parser does', async () => {
    const action = new Bold({ parser: TupleParser })
    for (const inputs of ['("x",)', Tuple.of('x')]) {
      expect(plain(await action.call(inputs))).toEqual(
        answered({ args: { text: 'x' }, type: 'Bold', result: text('**x**') }),
      )
    }
  })

  it.each([
    [JsonParser, '{}', "missing required arguments: {'text'}"],
    [JsonParser, '{bad', 'invalid json format: {bad'],
    [JsonParser, 'null', 'the arguments must be a JSON object, not None'],
    [TupleParser, '(', 'invalid tuple format: ('],
    [TupleParser, '5', 'the arguments must be a tuple, not 5 of type int'],
  ])('shows what it was given when that cannot be read: %o %s', async (parser, inputs, errmsg) => {
    expect(plain(await new Bold({ parser }).call(inputs))).toEqual(
      answered({ args: { inputs, name: 'run' }, type: 'Bold', errmsg, state: -1001 }),
    )
  })

  it.each(['zzz', 'description', 'name', 'call', 'constructor', '__proto__', ''])('knows no API %j', async (name) => {
    const invalid = { args: { inputs: '{}', name }, errmsg: `invalid API: ${name}`, state: -1002 }
    expect(plain(await new Bold().call('{}', name))).toEqual(answered({ ...invalid, type: 'Bold' }))
    expect(plain(await new Kit().call('{}', name))).toEqual(answered({ ...invalid, type: 'Kit' }))
  })

  it('calls a toolkit by its APIs only', async () => {
    expect(plain(await new Kit().call('{}', 'run'))).toMatchObject({ errmsg: 'invalid API: run', state: -1002 })
  })

  it('cannot pass on a list', async () => {
    expect(plain(await new Bold().call('["text"]'))).toEqual(
      answered({
        args: ['text'],
        type: 'Bold',
        errmsg: 'Bold.run() argument after ** must be a mapping, not list',
        state: -1002,
      }),
    )
  })

  it.each([
    ['add', '{"x": 1}', { x: 1 }, '{"sum": 3, "text": "和"}'],
    ['items', '{}', {}, "[1, 'a', None, True]"],
    ['nothing', '{}', {}, 'None'],
    ['uni', '{}', {}, '中文 é ж    end'],
    ['floats', '{}', {}, '10.5'],
    ['three', '{"a": "s", "b": 2}', { a: 's', b: 2 }, "('s', 2, 1.5)"],
  ])('makes text of what %s gives back', async (api, inputs, args, content) => {
    expect(plain(await new Kit().call(inputs, api))).toEqual(answered({ args, type: 'Kit', result: text(content) }))
  })

  it("tells an exception's message", async () => {
    const failed = { type: 'Kit', state: -1002 }
    expect(plain(await new Kit().call('{}', 'fail'))).toEqual(answered({ ...failed, args: {}, errmsg: 'no' }))
    expect(plain(await new Kit().call({ why: 'it is late' }, 'fail'))).toEqual(
      answered({ ...failed, args: { why: 'it is late' }, errmsg: 'it is late' }),
    )
  })

  it('leaves an ActionReturn as it is, and fills in what it does not say', async () => {
    expect(plain(await new Kit().call('{"q": "a"}', 'own'))).toEqual(
      answered({ args: { q: 'a' }, type: 'Kit', errmsg: 'down', state: -1000 }),
    )
    const full = await new Kit().call('{"q": "a"}', 'own_full')
    expect(plain(full)).toEqual(
      answered({
        args: { mine: 1 },
        type: 'Other',
        url: 'http://u',
        thought: 't',
        result: [{ type: 'image', content: '/tmp/a.png' }],
      }),
    )
    expect(full.formatResult()).toBe('[image](/tmp/a.png)')
  })

  it('refuses arguments that do not fit the schema, which Lagent does not look at', async () => {
    const answer = await new Kit().call('{"x": "many"}', 'add')
    expect(answer).toMatchObject({ args: { x: 'many' }, state: -1001, result: null })
    expect(answer.errmsg).toMatch(/^x: .*number/)
  })

  it('waits for asynchronous functions, and tells how they fail', async () => {
    const later = tool(
      toolApi({ name: 'later', parameters: z.object({ ok: z.boolean() }) }, async ({ ok }) => {
        if (!ok) throw new Error('too late')
        return 'done'
      }),
    )
    expect((await new later().call('{"ok": true}')).result).toEqual(text('done'))
    expect(await new later().call('{"ok": false}')).toMatchObject({ errmsg: 'too late', state: -1002 })
  })

  it('fails, and does not throw, when a result has no text', async () => {
    const round: unknown[] = []
    round.push(round)
    const rounds = tool(toolApi({ name: 'rounds', parameters: z.object({}) }, () => round))
    expect(await new rounds().call('{}')).toMatchObject({ state: -1002, errmsg: expect.stringContaining('levels') })
  })

  it('has JSON for arguments of as many levels as can be read', async () => {
    const action = new Bold({ parser: TupleParser })
    const inputs = `(${'['.repeat(199)}${']'.repeat(199)},)`
    expect(plain(await action.call(inputs))).toMatchObject({ args: { text: expect.any(Array) }, state: -1001 })
    expect(await action.call(`(${inputs},)`)).toMatchObject({ args: { inputs: expect.any(String) }, state: -1001 })
  })

  it('has JSON for arguments that JSON has not', async () => {
    const any = new BaseAction({
      description: {
        name: 'any',
        description: '',
        parameters: [{ name: 'value', type: 'STRING', description: '' }],
        required: ['value'],
      },
      parser: TupleParser,
      caller: () => 'ok',
    })
    const answer = await any.call('([{1, 2}, {3: (4,)}, b"a", 12345678901234567890],)')
    expect(plain(answer).args).toEqual({ value: [[1, 2], { '3': [4] }, "b'a'", '12345678901234567890'] })
  })
})

describe('an action from a description', () => {
  const description = {
    name: 'Remote',
    description: 'elsewhere',
    api_list: [
      {
        name: 'double',
        description: '',
        parameters: [{ name: 'x', type: 'NUMBER' as const, description: '' }],
        required: ['x'],
      },
      { name: 'call', description: '', parameters: [], required: [] },
    ],
  }

  it('has its APIs run by the caller', async () => {
    const calls: unknown[] = []
    const remote = new BaseAction({
      description,
      caller: async (api, args) => {
        calls.push([api, args])
        return api === 'double' ? Number(args.x) * 2 : 'called'
      },
    })
    expect((await remote.call('{"x": 4}', 'double')).result).toEqual(text('8'))
    expect((await remote.call('{}', 'call')).result).toEqual(text('called'))
    expect(calls).toEqual([
      ['double', { x: 4 }],
      ['call', {}],
    ])
    expect(remote.isToolkit).toBe(true)
    expect(description.api_list[0]).not.toHaveProperty('parameter_description')
  })

  it('has its values made text by a parser of its own', async () => {
    class Labelled extends JsonParser {
      override parseOutputs(outputs: unknown) {
        return [{ type: 'text', content: `labelled: ${String(outputs)}` }]
      }
    }
    const remote = new BaseAction({ description, parser: Labelled, caller: () => '10.0 €' })
    expect((await remote.call('{"x": 4}', 'double')).result).toEqual(text('labelled: 10.0 €'))
  })

  it('has no API that nobody runs', async () => {
    expect(await new BaseAction({ description }).call('{"x": 1}', 'double')).toMatchObject({
      errmsg: 'invalid API: double',
    })
  })
})

describe('the actions for names that no action has', () => {
  it.each([
    [InvalidAction, 'The action is invalid, please check the action name.'],
    [NoAction, 'Please follow the format'],
  ])('%o says what it is given, or what is wrong', async (type, standard) => {
    const says = async (inputs: unknown, action = new type()) => plain(await action.call(inputs))
    const refused = { type: type.toolName, state: -1002, valid: -2 }
    expect(await says('hello')).toEqual(answered({ ...refused, args: { text: 'hello' }, errmsg: 'hello' }))
    expect(await says('')).toEqual(answered({ ...refused, args: { text: '' }, errmsg: standard }))
    expect(await says({ a: 1 })).toEqual(answered({ ...refused, args: { text: { a: 1 } }, errmsg: { a: 1 } }))
    expect(await says(null, new type({ errMsg: 'my text' }))).toEqual(
      answered({ ...refused, args: { text: null }, errmsg: 'my text' }),
    )
  })

  it('finishes with what it is given', async () => {
    for (const input of ['hello', '']) {
      expect(plain(await new FinishAction().call(input))).toEqual(
        answered({ args: { text: input }, type: 'FinishAction', result: text(input), valid: 1 }),
      )
    }
    const answer = await new FinishAction().call({ sum: 3 })
    expect(plain(answer)).toMatchObject({ result: [{ type: 'text', content: { sum: 3 } }], valid: 1 })
    expect(() => answer.formatResult()).toThrow('the content of a text is no string but dict')
  })
})

describe('what stands in the way of an action is told when it is made', () => {
  const api = (name: string) => toolApi({ name, parameters: z.object({}) }, () => name)

  it('two APIs of one name', () => {
    expect(() => toolkit({ name: 'Two', apis: [api('a'), api('a')] })).toThrow('Two: two APIs have one name')
  })

  it('two methods that have one name as APIs', () => {
    const Two = class extends BaseAction {}
    for (const method of ['one', 'other']) Object.defineProperty(Two.prototype, method, { value: api('same') })
    expect(() => new Two()).toThrow('Two: two APIs have the name same')
  })

  it('a decorator that cannot decorate what it stands at', () => {
    const decorate = toolApi({ name: 'a', parameters: z.object({}) })
    const method = { kind: 'method', name: 'a', static: false, private: false }
    for (const context of [{ ...method, static: true }, { ...method, private: true }, 'a', undefined]) {
      // The cast: what compilers that know other decorators give.
      expect(() => decorate(() => 1, context as unknown as ClassMethodDecoratorContext<unknown, () => number>)).toThrow(
        '@toolApi decorates public methods of objects',
      )
    }
  })

  it('`run` beside other APIs', () => {
    expect(() => toolkit({ name: 'Both', apis: [api('run'), api('other')] })).toThrow(
      '`run` and other tool APIs can not be implemented at the same time',
    )
  })

  it.each(['call', 'description', 'name', 'constructor', 'enable'])('an API named %s, as actions have that', (name) => {
    expect(() => toolkit({ name: 'Taken', apis: [api(name)] })).toThrow(`an API cannot be named ${name}`)
  })
})

it('answers without a result with no text', () => {
  expect(new ActionReturn().formatResult()).toBe('')
})

it('keeps the message of a ParseError under the name that Lagent has for it', () => {
  expect(new ParseError('why').errMsg).toBe('why')
})
