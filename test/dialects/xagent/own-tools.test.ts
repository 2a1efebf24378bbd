import { expect } from 'vitest'
import { MAX_OWN_TOOL_CHARS } from '../../../src/core/limits/sessions.ts'
import { forgetSession } from '../../support/sandbox-control.ts'
import { aServer, type Client, taskOfLastNode, verifies } from './support.ts'

const server = aServer()

const JOIN = `
from core.register import toolwrapper

@toolwrapper()
def join(a: str, b: str = "!", secretly=None):
    """Joins two texts.

    The second one is optional.

    :param string a: The first.
    :param string? b: The second, defaults to !.
    """
    print("noise")
    return a + b
`
const JOIN_JSON = {
  name: 'join',
  description: 'Joins two texts.\nThe second one is optional.',
  parameters: {
    type: 'object',
    properties: {
      a: { type: 'string', description: 'The first.' },
      b: { type: 'string', description: 'The second, defaults to !.', default: '!' },
    },
    required: ['a'],
  },
}

const register = (node: Client, tool_name: string, code: string) => node.post('/register_new_tool', { tool_name, code })

/** A tool whose body is one expression. */
const returning = (expression: string) => `@toolwrapper()\ndef f(): return ${expression}`

verifies('xagent:register', async () => {
  const node = await server.node()
  expect(await register(node, 'join', JOIN)).toEqual({ status: 200, body: JOIN_JSON })
  expect((await node.post('/get_available_tools', {})).body).toMatchObject({
    available_tools: expect.arrayContaining(['join', 'calculator']),
    tools_json: expect.arrayContaining([JOIN_JSON]),
  })
  expect((await node.post('/get_json_schema_for_tools', ['none', 'join', 'calculator'])).body).toEqual({
    tools_json: [JOIN_JSON, expect.objectContaining({ name: 'calculator' })],
    missing_tools: ['none'],
  })
  expect(await node.value('join', { a: 'x' })).toBe('x!')
  expect(await node.value('join', { a: 'x', b: 'y', secretly: 1 })).toBe('xy')
  expect(await node.failure('join')).toMatch(/^TypeError: join\(\) missing 1 required positional argument: 'a'$/)
  await forgetSession(server.toolyard(), await taskOfLastNode(server.url()))
  expect(await node.value('join', { a: 'kept' })).toBe('kept!')
})

verifies('xagent:register:values', async () => {
  const node = await server.node()
  const code = `
@toolwrapper(name="value", visible=False)
async def other(which):
    import asyncio, os
    await asyncio.sleep(0)
    open("made.txt", "w").write(os.getcwd())
    return {"dict": {"a": [1, None]}, "bytes": b"\\xff", "pair": (1, b"x"), "none": None, "wrapped": {"type": "simple", "data": 5}}[which]
`
  expect(await register(node, 'value', code)).toMatchObject({ status: 200 })
  const value = async (which: string) => (await node.execute('value', { which })).body
  expect(await value('dict')).toEqual({ type: 'simple', data: { a: [1, null] } })
  expect(await value('bytes')).toEqual({ type: 'binary', media_type: 'bytes', data: '/w==' })
  expect(await value('pair')).toEqual({
    type: 'composite',
    data: [1, { type: 'binary', media_type: 'bytes', data: 'eA==' }],
  })
  expect(await value('none')).toBeNull()
  expect(await value('wrapped')).toEqual({ type: 'simple', data: 5 })
  expect(await node.value('FileSystemEnv_read_from_file', { filepath: 'made.txt' })).toBe('    1: /home/user/workspace')
  const { available_tools } = (await node.post('/get_available_tools', {})).body as { available_tools: string[] }
  expect(available_tools).not.toContain('value')
})

verifies('xagent:register:refused', async () => {
  const node = await server.node()
  expect(await register(node, 'join', JOIN)).toMatchObject({ status: 200 })
  for (const [name, code, why] of [
    ['join', JOIN, /join is registered already/],
    ['calculator', returning('1'), /calculator is there already/],
    ['g', returning('1'), /labels no function g .*labelled are: f$/],
    ['f', 'def f(): pass', /labels no function f /],
    ['f', '1/0', /ZeroDivisionError: division by zero$/],
    ['f', 'def f(:', /SyntaxError: /],
    ['f', 'raise SystemExit(3)', /SystemExit: 3$/],
    ['f', '@toolwrapper()\nclass f: pass', /only functions/],
    ['f', '@toolwrapper(enabled=False, disabled_reason="why")\ndef f(): pass', /disabled: why/],
    ['f', `#${'x'.repeat(MAX_OWN_TOOL_CHARS)}`, /MAX_OWN_TOOL_CHARS/],
    ['a b', returning('1'), /tool_name must be a name/],
  ] as const) {
    const { status, body } = await register(node, name, code)
    const { detail } = body as { detail: string }
    expect([why, status]).toEqual([why, 406])
    expect(detail).toMatch(/^Error happens when registering new tool:\n[^\n]+$/)
    expect(detail).toMatch(why)
  }
  expect(await node.post('/register_new_tool', { code: 'x' })).toMatchObject({ status: 422 })
  expect(await node.execute('f')).toEqual({ status: 404, body: { detail: 'The tool f is not found!' } })
})

verifies('xagent:register:failed', async () => {
  const node = await server.node()
  const raising = `
from core.exceptions import ToolExecutionError
@toolwrapper()
def f(how):
    if how == "object": raise ToolExecutionError({"Error": "so"})
    if how == "text": raise ToolExecutionError("so")
    if how == "exit": import os; os._exit(3)
    if how == "nan": return float("nan")
    if how == "big": return "x" * 1000000
    raise KeyError(how)
`
  expect(await register(node, 'f', raising)).toMatchObject({ status: 200 })
  expect(await node.failure('f', { how: 'object' })).toEqual({ Error: 'so' })
  expect(await node.failure('f', { how: 'text' })).toBe('so')
  expect(await node.failure('f', { how: 'exit' })).toMatch(/ended without a result/)
  expect(await node.failure('f', { how: 'nan' })).toMatch(/^ValueError: /)
  expect(await node.failure('f', { how: 'big' })).toMatch(/MAX_OUTPUT_BYTES/)
  expect(await node.failure('f', { how: 'other' })).toBe("KeyError: 'other'")
})

verifies('xagent:register:tenants', async () => {
  const [one, two] = [await server.node(), await server.node()]
  await register(one, 'join', JOIN)
  expect(await two.execute('join', { a: 'x' })).toMatchObject({ status: 404 })
  expect(
    ((await two.post('/get_available_tools')).body as { available_tools: string[] }).available_tools,
  ).not.toContain('join')
})
