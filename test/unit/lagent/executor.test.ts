import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ActionExecutor,
  ActionPreprocessor,
  agentMessage,
  type FinishAction,
  FunctionCall,
  type Hook,
  InternLMActionProcessor,
  TupleParser,
  tool,
  toolApi,
} from '../../../src/lagent/index.ts'
import { Bold, Kit } from './sample-actions.ts'

const anExecutor = () => new ActionExecutor({ actions: [new Bold(), new Kit()] })
const INVALID = 'The action is invalid, please check the action name.'
const ask = (content: unknown, fields: object = {}) => agentMessage({ content, ...fields })

describe('a call by name', () => {
  it.each([
    ['Bold', '{"text": "a"}', { args: { text: 'a' }, type: 'Bold', result: [{ type: 'text', content: '**a**' }] }],
    ['Bold.run', { text: 'a' }, { args: { text: 'a' }, type: 'Bold', result: [{ type: 'text', content: '**a**' }] }],
    ['Kit.add', { x: 1 }, { type: 'Kit', result: [{ type: 'text', content: '{"sum": 3, "text": "和"}' }] }],
    [
      'Kit.add',
      { z: 1 },
      { args: { inputs: { z: 1 }, name: 'add' }, errmsg: "unknown arguments: {'z'}", state: -1001 },
    ],
    ['Kit.fail', {}, { args: {}, type: 'Kit', errmsg: 'no', state: -1002 }],
    ['Kit', {}, { type: 'Kit', errmsg: 'invalid API: run', state: -1002, valid: 0 }],
    ['Kit.zzz', {}, { type: 'Kit', errmsg: 'invalid API: zzz', state: -1002, valid: 0 }],
    ['Bold.', { text: 'a' }, { args: { inputs: { text: 'a' }, name: '' }, errmsg: 'invalid API: ', state: -1002 }],
    ['Nope', 'raw', { args: { text: 'raw' }, type: 'InvalidAction', errmsg: 'raw', state: -1002, valid: -2 }],
    ['Nope', {}, { args: { text: {} }, type: 'InvalidAction', errmsg: INVALID, valid: -2 }],
    ['Nope', { a: 1 }, { type: 'InvalidAction', errmsg: { a: 1 } }],
    ['Nope.zzz', {}, { type: 'InvalidAction', errmsg: INVALID }],
    ['', {}, { type: 'InvalidAction', errmsg: INVALID }],
    ['InvalidAction', null, { args: { text: null }, type: 'InvalidAction', errmsg: INVALID }],
    ['NoAction', null, { args: { text: null }, type: 'NoAction', errmsg: 'Please follow the format', valid: -2 }],
    ['FinishAction', 'all', { type: 'FinishAction', result: [{ type: 'text', content: 'all' }], state: 0, valid: 1 }],
    ['a.b.c', 'x', { type: 'InvalidAction', errmsg: expect.stringContaining('more than one dot'), valid: -2 }],
    ['__proto__', {}, { type: 'InvalidAction', errmsg: INVALID }],
    // The cast: what plain JavaScript takes from a model.
    [null as unknown as string, 'x', { type: 'InvalidAction', errmsg: 'x', valid: -2 }],
  ])('%s with %j', async (name, parameters, expected) => {
    expect(await anExecutor().call(name, parameters)).toMatchObject(expected)
  })

  it('knows the finishing action as any other when told to, and then says OPEN', async () => {
    const executor = new ActionExecutor({ actions: [new Bold(), new Kit()], finishInAction: true })
    expect(executor.keys()).toEqual(['Bold', 'Kit', 'FinishAction'])
    expect(await executor.call('FinishAction', 'all')).toMatchObject({ valid: 0, state: 0 })
  })
})

describe('the actions of an executor', () => {
  it('are told with the APIs of toolkits one by one', () => {
    const executor = new ActionExecutor({ actions: [new Bold({ parser: TupleParser }), new Kit()] })
    expect(executor.getActionsInfo().map(({ name }) => name)).toEqual([
      ...['Bold', 'Kit.add', 'Kit.items', 'Kit.nothing', 'Kit.fail', 'Kit.own', 'Kit.own_full', 'Kit.uni'],
      ...['Kit.floats', 'Kit.three'],
    ])
    expect(executor.description()).toEqual(executor.getActionsInfo())
    expect(executor.getActionsInfo()[0]).toEqual({
      name: 'Bold',
      description: 'make text bold',
      parameters: [{ name: 'text', type: 'STRING', description: 'input text' }],
      required: ['text'],
      parameter_description: '如果调用该工具，你必须使用Tuple格式 (arg1, arg2, arg3) 传参，且参数是有序的',
    })
  })

  it('come and go', () => {
    const executor = new ActionExecutor({ actions: new Bold() })
    executor.addAction({ type: Kit, parser: TupleParser })
    expect(executor.keys()).toEqual(['Bold', 'Kit'])
    executor.delAction('Bold')
    executor.delAction('Bold')
    expect([executor.has('Bold'), executor.has('Kit'), executor.get('Kit')?.name]).toEqual([false, true, 'Kit'])
  })

  it('are replaced by a later one of the same name', async () => {
    const louder = tool(
      toolApi({ name: 'Bold', parameters: z.object({ text: z.string() }) }, ({ text }) => `!${text}!`),
    )
    const executor = new ActionExecutor({ actions: [new Bold(), new louder()] })
    expect((await executor.call('Bold', { text: 'a' })).formatResult()).toBe('!a!')
  })

  it('are as unknown while they are disabled', async () => {
    const off = new Bold({ enable: false })
    const executor = new ActionExecutor({ actions: [off, new Kit()] })
    expect(await executor.call('Bold', '{"text": "a"}')).toMatchObject({ type: 'InvalidAction', valid: -2 })
    expect(executor.isValid('Bold')).toBe(false)
    expect(executor.actionNames()).toEqual(['Kit'])
    expect(executor.actionNames({ onlyEnable: false })).toEqual(['Bold', 'Kit'])
    expect(executor.getActionsInfo().some(({ name }) => name === 'Bold')).toBe(false)
    off.enable = true
    expect(executor.isValid('Bold')).toBe(true)
    expect(await executor.call('Bold', '{"text": "a"}')).toMatchObject({ type: 'Bold', state: 0 })
  })

  it('are actions, and nothing else', () => {
    const notOne = 'Bold' as unknown as FinishAction
    expect(() => new ActionExecutor({ actions: [notOne] })).toThrow('action must be BaseAction, but got string')
  })
})

describe('a message', () => {
  it('is answered with one from the executor', async () => {
    const answer = await anExecutor().respond(ask({ name: 'Bold', parameters: '{"text": "a"}' }))
    expect(JSON.parse(JSON.stringify(answer))).toEqual({
      content: expect.objectContaining({ type: 'Bold', result: [{ type: 'text', content: '**a**' }] }),
      sender: 'ActionExecutor',
      formatted: null,
      extra_info: null,
      type: null,
      receiver: null,
      stream_state: 0,
    })
    const named = new ActionExecutor({ actions: [], name: 'AsyncActionExecutor' })
    expect((await named.respond(ask({ name: 'Q', parameters: null }))).sender).toBe('AsyncActionExecutor')
  })

  it.each(['text', { name: 'Bold' }, null, 5])('must have a call for its content, which %j is not', async (content) => {
    await expect(anExecutor().respond(ask(content))).rejects.toThrow('has no `name` and `parameters`')
  })
})

describe('hooks', () => {
  it('see messages in the order they were registered, and may replace them', async () => {
    const seen: unknown[] = []
    const rename: Hook = {
      beforeAction: (_, message, sessionId) => {
        seen.push(['rename', sessionId])
        return { ...message, content: { name: 'Bold', parameters: { text: 'b' } } }
      },
      afterAction: async (_, message) => ({ ...message, extra_info: 'seen' }),
    }
    const look: Hook = { beforeAction: (_, { content }) => void seen.push(['look', content]) }
    const executor = new ActionExecutor({ actions: new Bold(), hooks: [rename] })
    const handle = executor.registerHook(look)

    const answer = await executor.respond(ask('no call at all'), 7)
    expect(answer).toMatchObject({ extra_info: 'seen', content: { result: [{ content: '**b**' }] } })
    expect(seen).toEqual([
      ['rename', 7],
      ['look', { name: 'Bold', parameters: { text: 'b' } }],
    ])

    handle.remove()
    handle.remove()
    await executor.respond(ask(''))
    expect(seen).toHaveLength(3)
  })

  it('take the call from what an agent parsed, and leave the text of the answer', async () => {
    const executor = new ActionExecutor({ actions: [new Bold(), new Kit()], hooks: [new ActionPreprocessor()] })
    const answerTo = (name: string, parameters: unknown) =>
      executor.respond(ask({ name: 'Kit.add', parameters: { x: 2 } }, { formatted: { action: { name, parameters } } }))
    expect(await answerTo('Bold', { text: 'a' })).toMatchObject({ content: '**a**', sender: 'ActionExecutor' })
    expect(await answerTo('Kit.add', { zz: 2 })).toMatchObject({ content: "unknown arguments: {'zz'}" })
    const flat = executor.respond(ask('', { formatted: { name: 'Bold', parameters: { text: 'a' } } }))
    await expect(flat).rejects.toThrow('no `formatted.action`')
    const action = { name: 'Kit.add', parameters: { text: 'b' } }
    expect(await executor.respond(ask('', { formatted: { name: 'Bold', action } }))).toMatchObject({ content: '**b**' })
    const call = new FunctionCall('Bold', { text: 'c' })
    expect(await executor.respond(ask('', { formatted: call }))).toMatchObject({ content: '**c**' })
    await expect(executor.respond(ask(null, { formatted: { action } }))).rejects.toThrow('no content')
    const finished = executor.respond(
      ask('', { formatted: { action: { name: 'FinishAction', parameters: { a: 1 } } } }),
    )
    await expect(finished).rejects.toThrow('no string but dict')
  })

  it('send code that stands alone to the first action', async () => {
    const echo = tool(
      toolApi({ name: 'Echo', parameters: z.object({ command: z.string() }) }, ({ command }) => `ran ${command}`),
    )
    const executor = new ActionExecutor({ actions: [new echo(), new Bold()], hooks: [new InternLMActionProcessor()] })
    const answerTo = (action: unknown) =>
      executor.respond(ask('', { formatted: { tool_type: 'interpreter', thought: '', action, status: 2 } }))
    expect((await answerTo('1 + 1')).content).toBe('ran 1 + 1')
    expect((await answerTo({ name: 'Bold', parameters: { text: 'a' } })).content).toBe('**a**')
    const unfinished = executor.respond(ask('', { formatted: { action: '1 + 1', thought: '' } }))
    await expect(unfinished).rejects.toThrow('no tool_type, status in `formatted`')
  })

  it("tell Lagent's asynchronous interpreter whose session it is", async () => {
    const parameters = z.object({ command: z.string(), session_id: z.int() })
    const interpreter = tool(toolApi({ name: 'AsyncIPythonInterpreter', parameters }, (args) => args))
    const executor = new ActionExecutor({ actions: new interpreter(), hooks: [new InternLMActionProcessor()] })
    const formatted = { tool_type: 'interpreter', thought: '', action: '1 + 1', status: 2 }
    expect((await executor.respond(ask('', { formatted }), 7)).content).toBe('{"command": "1 + 1", "session_id": 7}')
  })
})
