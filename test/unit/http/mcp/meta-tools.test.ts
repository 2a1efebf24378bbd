import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../../src/core/outcome.ts'
import { openMcp, textOf } from './open.ts'

const SEARCH = { kind: 'search' } as const

async function opened() {
  const open = openMcp()
  await open.register('lakes.Wind')
  await open.register('secret_one', { hidden: true })
  const client = await open.client('modern', SEARCH)
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args })
  return { ...open, client, call }
}

describe('search_tools', () => {
  it('finds tools of the server and registered ones, as a name and a sentence', async () => {
    const { call } = await opened()
    expect(textOf(await call('search_tools', { query: 'find text in files', limit: 3 }))).toMatch(
      /^file_search: Find /m,
    )
    expect(textOf(await call('search_tools', { query: 'wind over the lake', limit: 1 }))).toBe(
      'lakes.Wind: Predicts the wind over a lake.',
    )
    expect(textOf(await call('search_tools', { query: 'qqqqq' }))).toContain('no tool fits')
    expect(await call('search_tools', {})).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('query') }],
    })
  })
})

describe('describe_tools', () => {
  it('has the whole description and schema, and says which name is none', async () => {
    const { call } = await opened()
    const text = textOf(await call('describe_tools', { names: ['file_read', 'lakes.Wind', 'read_file'] }))
    const [file, wind, none] = text.split('\n')
    expect(JSON.parse(file ?? '')).toMatchObject({ name: 'file_read', inputSchema: { properties: { max_chars: {} } } })
    expect(JSON.parse(wind ?? '')).toMatchObject({
      name: 'lakes.Wind',
      description: expect.stringContaining('a while'),
    })
    expect(none).toContain('did you mean file_read?')
  })
})

describe('describe_tools with stubs', () => {
  const stubs = async (as: string, ...names: string[]) => {
    const { call } = await opened()
    return textOf(await call('describe_tools', { names, as }))
  }

  it('has Python that calls each tool, with types and what each argument is', async () => {
    const text = await stubs('python', 'file_read', 'lakes.Wind')
    expect(text).toMatch(/^# Read .*\ntools\.file_read\(\n {4}file_path: str, {2}# /)
    expect(text).toMatch(/\n {4}max_chars: int = \.\.\., {2}# .*\n/)
    expect(text).toMatch(/\n# Predicts .*\ntools\["lakes\.Wind"\]\(\n {4}lake: str = \.\.\.,\n\) -> dict$/)
  })

  it('has TypeScript that calls each tool', async () => {
    const text = await stubs('typescript', 'file_read', 'lakes.Wind')
    expect(text).toMatch(/^\/\/ Read .*\ntools\.file_read\(args: \{\n {2}file_path: string \/\/ /)
    expect(text).toMatch(/\n {2}max_chars\?: number \/\/ /)
    expect(text).toContain('tools["lakes.Wind"](args?: {\n  lake?: string\n}): Promise<Record<string, any>>')
  })
})

describe('call_tool', () => {
  it('runs code that calls tools, which no list has', async () => {
    const { call, sessions } = await opened()
    sessions.answer = (): Outcome => ({ kind: 'done', result: { text: 'printed', data: {} } })
    expect(textOf(await call('call_tool', { name: 'code_run_tools', arguments: { code: 'print(1)' } }))).toBe('printed')
    expect(sessions.calls.at(-1)?.call).toMatchObject({ tool: 'code_run_tools', args: { code: 'print(1)' } })
  })

  it('calls a tool of the server, and a registered one by its id or its name in MCP', async () => {
    const { call, sessions } = await opened()
    sessions.answer = (): Outcome => ({ kind: 'done', result: { text: 'did', data: {} } })
    expect(textOf(await call('call_tool', { name: 'dir_list', arguments: { path: '.' } }))).toBe('did')
    await call('call_tool', { name: 'lakes.Wind', arguments: '{"lake":"Como"}' })
    await call('call_tool', { name: 'dir_list' })
    expect(sessions.calls.map(({ call }) => [call.tool, call.args]).slice(-3)).toEqual([
      ['dir_list', { dir_path: '.' }],
      ['registered_call', { tool_id: 'lakes.Wind', args: { lake: 'Como' } }],
      ['dir_list', {}],
    ])
  })

  it('refuses what is no tool, no arguments, or itself', async () => {
    const { call } = await opened()
    for (const [args, words] of [
      [{ name: 'read_file', arguments: {} }, 'file_read'],
      [{ name: 'dir_list', arguments: '{' }, 'no JSON'],
      [{ name: 'dir_list', arguments: [1] }, 'object'],
      [{ name: 'call_tool', arguments: {} }, 'call_tool'],
      [{ arguments: {} }, 'name'],
    ] as const) {
      const result = await call('call_tool', args)
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(words) }] })
    }
  })

  it('calls in the session that is named', async () => {
    const { call, sessions } = await opened()
    const { structuredContent } = await call('session_create', {})
    const { session } = structuredContent as { session: string }
    await call('call_tool', { name: 'dir_list', arguments: {}, session })
    expect(sessions.calls.at(-1)?.session).toBe(session)
  })
})

describe('tool_status', () => {
  it('says how a call ended, and which there is not', async () => {
    const { call, sessions } = await opened()
    await call('call_tool', { name: 'file_write', arguments: { file_path: 'a', content: 'b' } })
    const bench = sessions.made.get('usual')
    const { calls } = await (bench?.session.calls.page({ limit: 1 }) ?? { calls: [] })
    const status = textOf(await call('tool_status', { call_id: calls[0]?.callId }))
    expect(status).toContain('file_write')
    expect(await call('tool_status', { call_id: 'call_none' })).toMatchObject({ isError: true })
  })
})

describe('tools of a registered toolkit', () => {
  it('give what their schema promises as structured content', async () => {
    const open = openMcp()
    const schema = { type: 'object', properties: { knots: { type: 'number' } }, required: ['knots'] } as const
    await open.register('Lake-Wind', { toolkit: 'lakes', output_schema: schema, checks: { input: true, output: true } })
    await open.register('unchecked', { toolkit: 'lakes', output_schema: schema })
    const client = await open.client('modern', { kind: 'toolkits', names: ['lakes'] })
    const { tools } = await client.listTools()
    const [wind, unchecked] = tools
    expect(wind?.outputSchema).toEqual(schema)
    expect(unchecked).not.toHaveProperty('outputSchema')
    open.sessions.answer = () => ({ kind: 'done', result: { text: '{"knots":7}', data: { result: { knots: 7 } } } })
    const result = await client.callTool({ name: wind?.name ?? '', arguments: {} })
    expect(result).toMatchObject({ structuredContent: { knots: 7 }, content: [{ text: '{"knots":7}' }] })
    expect(open.sessions.calls.at(-1)?.call).toMatchObject({ tool: 'registered_call', args: { tool_id: 'Lake-Wind' } })
  })
})
