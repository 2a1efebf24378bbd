import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { BUILT_INS } from '../../../src/lagent/built-in/classes.ts'
import {
  ActionExecutor,
  ActionRegistry,
  ArxivSearch,
  getTool,
  getToolCls,
  IPythonInterpreter,
  listTools,
  RegistryKeyError,
  register,
  TupleParser,
  tool,
  toolApi,
} from '../../../src/lagent/index.ts'
import { Bold, Kit } from './sample-actions.ts'

it('lists what is registered in its order, after what there is from the start', () => {
  const registry = new ActionRegistry()
  expect(registry.register(Bold)).toBe(Bold)
  registry.register(Kit)
  expect(registry.listTools()).toEqual([
    ...['BaseAction', 'InvalidAction', 'NoAction', 'FinishAction'],
    ...BUILT_INS.map(({ toolName }) => toolName),
    ...['Bold', 'Kit'],
  ])
  expect(registry.listTools({ withClass: true }).at(-1)).toEqual(['Kit', Kit])
})

it('makes a new action each time, with the arguments for its class', async () => {
  const registry = new ActionRegistry()
  registry.register(Bold)
  expect(registry.getTool('Bold')).not.toBe(registry.getTool('Bold'))
  const action = registry.getTool('Bold', { parser: TupleParser })
  expect((await action.call('("x",)')).formatResult()).toBe('**x**')
  expect(registry.getToolCls('Bold')).toBe(Bold)
})

it('refuses an unknown name and a name that is taken', () => {
  const registry = new ActionRegistry()
  registry.register(Bold)
  expect(() => registry.getTool('Zzz')).toThrow(new RegistryKeyError('Zzz'))
  expect(() => registry.getToolCls('__proto__')).toThrow(RegistryKeyError)
  expect(() => registry.register(Bold)).toThrow(/with key 'Bold' is already registered\.$/)
})

it('has one registry for a program', () => {
  register(Kit)
  expect(listTools()).toContain('Kit')
  expect(listTools({ withClass: true })).toContainEqual(['Kit', Kit])
  expect(getToolCls('Kit')).toBe(Kit)
  expect(new ActionExecutor({ actions: getTool('Kit') }).keys()).toEqual(['Kit'])
  expect(new ActionRegistry().listTools()).not.toContain('Kit')
})

describe('what comes with Lagent', () => {
  it('is in every registry, in the order of the published document, and described as there', () => {
    expect(new ActionRegistry().listTools().slice(4, 11)).toEqual([
      ...['ArxivSearch', 'BINGMap', 'GoogleScholar', 'GoogleSearch', 'IPythonInterpreter', 'PPT', 'PythonInterpreter'],
    ])
    const action = getTool('IPythonInterpreter', { parser: TupleParser })
    expect(action).toBeInstanceOf(IPythonInterpreter)
    expect(action.description).toMatchObject({
      name: 'IPythonInterpreter',
      parameters: [{ name: 'command' }, { name: 'timeout' }],
      required: ['command'],
      parameter_description: expect.stringContaining('Tuple格式'),
    })
    expect(new ArxivSearch().isToolkit).toBe(true)
  })

  it('runs on the server that it is given, and says so without one', async () => {
    const requests: { url: string; init: RequestInit }[] = []
    const answer = { args: { query: 'x' }, type: 'ArxivSearch', result: [{ type: 'text', content: 'found' }], state: 0 }
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      requests.push({ url, init })
      return Response.json(requests.length === 1 ? answer : { detail: 'no good key' }, {
        status: requests.length === 1 ? 200 : 401,
      })
    })
    const search = new ArxivSearch({ server: { url: 'http://localhost:8001/', key: 'k', session: 's' } })
    const api = 'get_arxiv_article_information'
    expect((await search.call({ query: 'x' }, api)).formatResult()).toBe('found')
    expect(requests[0]).toMatchObject({
      url: 'http://localhost:8001/lagent/execute',
      init: {
        headers: { Authorization: 'Bearer k' },
        body: JSON.stringify({ name: `ArxivSearch.${api}`, inputs: { query: 'x' }, session: 's' }),
      },
    })
    expect(await search.call({ query: 'x' }, api)).toMatchObject({
      state: -1002,
      errmsg: 'http://localhost:8001/ answered 401: no good key',
    })
    expect(await new ArxivSearch().call({ query: 'x' }, api)).toMatchObject({
      state: -1002,
      errmsg: expect.stringMatching(/^ArxivSearch is run by a server/),
    })
    vi.unstubAllGlobals()
  })
})

describe('a class that a function makes', () => {
  it('registers itself, the later of two in the place of the earlier, and never in that of one that was registered', () => {
    const made = (text: string) => tool(toolApi({ name: 'OfItself', parameters: z.object({}) }, () => text))
    made('first')
    const second = made('second')
    expect(getToolCls('OfItself')).toBe(second)
    register(second)
    made('third')
    expect(getToolCls('OfItself')).toBe(second)
    expect(() => register(made('fourth'))).toThrow(RegistryKeyError)
  })
})
