import { expect } from 'vitest'
import { aServer, fresh, verifies } from './support.ts'

const server = aServer()

const SOURCE = `
from lagent.actions import BaseAction, BaseParser, tool_api
class Kit(BaseAction):
    """Sums"""
    @tool_api
    def add(self, x: int, y: float = 0.5):
        """Add

        Args:
            x (int): one
        """
        return x + y
@tool_api
def shout(text: str):
    """Loud"""
    return text.upper()
class Whole(BaseAction):
    def __init__(self):
        super().__init__(parser=BaseParser)
    def run(self, text: str):
        """As it came"""
        return text
`

verifies('lagent:python', async () => {
  const session = fresh()
  const brought = await server.ask('/lagent/actions', { session, source: SOURCE })
  expect(brought).toMatchObject({
    status: 200,
    body: { actions: [{ name: 'Kit' }, { name: 'shout' }, { name: 'Whole' }] },
  })
  const names = async (query: string) => {
    const { body } = await server.ask(`/lagent/tools${query}`)
    return (body as { tools: { name?: string; function?: { name: string } }[] }).tools.map(
      (tool) => tool.name ?? tool.function?.name,
    )
  }
  expect(await names(`?session=${session}`)).toEqual(expect.arrayContaining(['Kit.add', 'shout', 'dir_create']))
  expect(await names(`?session=${session}&format=openai`)).toContain('Kit__add')
  expect(await names('')).not.toContain('shout')
  expect(await names(`?session=${fresh()}`)).not.toContain('shout')

  const one = async (path: string) => await server.ask(`/lagent/tools/${path}`)
  expect(await one(`Kit.add?session=${session}`)).toMatchObject({
    body: { name: 'Kit.add', parameters: [{ name: 'x', type: 'NUMBER' }, { name: 'y' }] },
  })
  expect(await one(`Kit?session=${session}`)).toMatchObject({ body: { name: 'Kit', api_list: [{ name: 'add' }] } })
  expect(await one(`Kit__add?session=${session}&format=anthropic`)).toMatchObject({ body: { name: 'Kit__add' } })
  expect(await one(`Kit?session=${session}&format=openai`)).toMatchObject({
    body: { tools: [{ function: { name: 'Kit__add' } }] },
  })
  for (const path of [`Kit.nothing?session=${session}`, 'Kit.add', `Kit.add?session=${fresh()}`]) {
    expect(await one(path)).toMatchObject({ status: 404 })
  }

  const call = (name: string, inputs: unknown, more: object = {}) => server.execute({ session, name, inputs, ...more })
  expect(await call('Kit.add', '{"x": 2.0}')).toEqual({
    args: { x: 2 },
    url: null,
    type: 'Kit',
    result: [{ type: 'text', content: '2.5' }],
    errmsg: null,
    state: 0,
    thought: null,
    valid: 0,
  })
  const exactly = (inputs: string) =>
    server.ask('/lagent/execute', `{"session":"${session}","name":"Kit.add",${inputs}}`)
  expect(await exactly('"inputs":{"x":2.0,"y":1}')).toMatchObject({ body: { result: [{ content: '3.0' }] } })
  expect(await exactly('"parameters":{"x":12345678901234567890,"y":0}')).toMatchObject({
    body: { args: { x: '12345678901234567890' }, result: [{ content: '12345678901234567890' }] },
  })
  expect(await exactly('"parser":"tuple","inputs":[1e2,1]')).toMatchObject({ body: { result: [{ content: '101.0' }] } })
  expect(await call('Kit__add', '(1,)', { parser: 'tuple' })).toMatchObject({ result: [{ content: '1.5' }] })
  expect(await call('Kit.add', {})).toMatchObject({ errmsg: "missing required arguments: {'x'}", state: -1001 })
  for (const tuple of [[1], '(1,)']) {
    expect(await call('Kit.add', tuple, { parser: null })).toMatchObject({
      args: { x: 1 },
      result: [{ content: '1.5' }],
    })
  }
  expect(await call('shout', "('a',)")).toMatchObject({ result: [{ content: 'A' }] })
  expect(await call('Whole', "('a',)")).toMatchObject({ result: [{ content: "('a',)" }] })
  expect(await call('Kit.add', [1], { parser: 'json' })).toMatchObject({ args: { inputs: [1] }, state: -1002 })
  for (const [name, errmsg] of [
    ['Kit.nothing', 'invalid API: nothing; call Kit.add'],
    ['Kit', 'invalid API: run; call Kit.add'],
    ['shout.a.b', 'invalid API: a.b; call shout'],
  ] as const) {
    expect(await call(name, {})).toMatchObject({ type: name.split('.')[0], errmsg, state: -1002, valid: 0 })
  }
  expect(await call('shout', { text: 'a' })).toMatchObject({ type: 'shout', result: [{ content: 'A' }] })
  expect(await server.execute({ session: fresh(), name: 'shout', inputs: {} })).toMatchObject({ valid: -2 })
})

verifies('lagent:python:refused', async () => {
  const bring = (source: string) => server.ask('/lagent/actions', { session: fresh(), source })
  const untyped =
    'from lagent.actions import tool_api\n@tool_api\ndef f(a: int):\n    """F\n\n    Args:\n        a: no type\n    """\n'
  expect(await bring(untyped)).toMatchObject({
    status: 400,
    body: { code: 'invalid_input', detail: expect.stringMatching(/^f\(a\): AttributeError: /) },
  })
  expect(await bring('def f(:')).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('actions.py:1') },
  })
  expect(await server.ask('/lagent/actions', { session: fresh() })).toMatchObject({ status: 400 })

  const session = fresh()
  const named = (name: string) => `@tool_api\ndef ${name}(text: str):\n    return text\n`
  const source = `from lagent.actions import tool_api\n${named('file_read')}${named('mine')}${named('PPT')}`
  expect(await server.ask('/lagent/actions', { session, source })).toMatchObject({
    status: 409,
    body: {
      detail:
        'there are actions of these names already, give yours others: file_read, PPT; the rest of the source is registered',
    },
  })
  expect(await server.execute({ session, name: 'mine', inputs: { text: 'a' } })).toMatchObject({ state: 0 })
  const { body } = await server.ask(`/lagent/tools?session=${session}`)
  expect(
    (body as { tools: { name: string }[] }).tools.filter(({ name }) => /^(file_read|PPT|mine)$/.test(name)),
  ).toEqual([
    expect.objectContaining({ name: 'file_read', required: ['file_path'] }),
    expect.objectContaining({ name: 'mine' }),
  ])
})
