import { describe, expect, it } from 'vitest'
import type { FailureCode } from '../../../../src/core/failure.ts'
import { MAX_MCP_FILE_LINKS, MCP_TEXT_CHARS } from '../../../../src/core/limits/mcp.ts'
import type { Outcome } from '../../../../src/core/outcome.ts'
import { ERROR_CODE } from '../../../../src/http/dialects/mcp/server/failures.ts'
import { type Era, openMcp, textOf } from './open.ts'

const ERAS: readonly Era[] = ['modern', 'legacy']

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WRITE = { name: 'file_write', arguments: { file_path: 'a b.md', content: 'one\n' } }

const done = (text: string, data: Readonly<Record<string, unknown>> = {}): Outcome => ({
  kind: 'done',
  callId: 'call_1',
  result: { text, data },
})

describe.each(ERAS)('tools/call of a %s client', (era) => {
  it('works at the first call of a new user, and links to what it changed', async () => {
    const open = openMcp()
    const result = await (await open.client(era)).callTool(WRITE)
    expect(result).toMatchObject({
      content: [
        { type: 'text', text: expect.stringContaining('a b.md') },
        { type: 'resource_link', uri: 'toolyard://usual/a%20b.md', name: 'a b.md', size: 4 },
      ],
    })
    expect(result.isError).toBeFalsy()
    expect([...open.sessions.made.keys()]).toEqual(['usual'])
  })

  it('works in the session that is named, that the address binds, or that was made', async () => {
    const open = openMcp()
    const client = await open.client(era)
    const made = await client.callTool({ name: 'session_create', arguments: { title: 'Otters' } })
    const { session } = made.structuredContent as { session: string }
    expect(textOf(made)).toContain(session)
    await client.callTool({ ...WRITE, arguments: { ...WRITE.arguments, session } })
    const bound = await open.client(era, { kind: 'core' }, 'bound')
    await bound.callTool(WRITE)
    await bound.callTool({ ...WRITE, arguments: { ...WRITE.arguments, session: 'bound' } })
    expect(open.sessions.calls.map(({ session }) => session)).toEqual([session, 'bound', 'bound'])
    expect(await bound.callTool({ ...WRITE, arguments: { ...WRITE.arguments, session } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('leave session out') }],
    })
  })

  it('makes no session that a caller names and that there is not', async () => {
    const open = openMcp()
    const client = await open.client(era)
    const result = await client.callTool({ ...WRITE, arguments: { ...WRITE.arguments, session: 'ses_none' } })
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('session_create') }] })
    expect(open.sessions.made.size).toBe(0)
  })

  it('takes the names of arguments that other agents use, and says what a tool takes', async () => {
    const open = openMcp()
    const client = await open.client(era)
    await client.callTool(WRITE)
    expect(textOf(await client.callTool({ name: 'file_read', arguments: { path: 'a b.md' } }))).toContain('one')
    const wrong = await client.callTool({ name: 'file_read', arguments: { file_path: 'a b.md', page: 1 } })
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('unknown parameter: page') }],
    })
    const missing = await client.callTool({ name: 'file_read', arguments: {} })
    expect(missing).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('file_path') }] })
  })

  it('says which tool was meant by an unknown name', async () => {
    const open = openMcp()
    await open.register('lake_wind')
    const client = await open.client(era)
    const call = (name: string) => client.callTool({ name, arguments: {} })
    await expect(call('read_file')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('file_read'),
    })
    await expect(call('lake_wnd')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('lake_wind'),
    })
    await expect(call('zzz')).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('search_tools') })
  })

  it('shows why a tool failed in the words of its callers', async () => {
    const open = openMcp()
    const client = await open.client(era)
    const result = await client.callTool({ name: 'file_read', arguments: { file_path: '../../etc/passwd' } })
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('session directory') }] })
  })

  it('shows images of a cell, and leaves out what models refuse', async () => {
    const open = openMcp()
    const wide = btoa(atob(PNG).replace('\0\0\0\x01', '\0\x01\0\x01'))
    const output = (data: string) => ({ output_type: 'display_data', data: { 'image/png': data } })
    open.sessions.answer = () => done('cell 0', { outputs: [PNG, wide, `${PNG}!`, 'x'].map(output) })
    const { content } = await (await open.client(era)).callTool({ name: 'notebook_execute', arguments: { code: 'x' } })
    expect(content).toEqual([
      { type: 'text', text: 'cell 0' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
    ])
  })

  it('shows a picture that a tool reads', async () => {
    const open = openMcp()
    const client = await open.client(era)
    const file = { filename: 'dot.png', content: PNG, is_base64: true }
    await client.callTool({ name: 'file_upload', arguments: { files: [file] } })
    const { content } = await client.callTool({ name: 'image_read', arguments: { file_path: 'upload/dot.png' } })
    expect(content).toMatchObject([{ type: 'text' }, { type: 'image', data: PNG, mimeType: 'image/png' }])
  })

  it('cuts a long text, and says by which name the whole is asked for', async () => {
    const open = openMcp()
    open.sessions.answer = () => done('x'.repeat(2 * MCP_TEXT_CHARS), { notes: ['mind this'] })
    const client = await open.client(era)
    const text = textOf(await client.callTool({ name: 'dir_list', arguments: {} }))
    expect(text.length).toBeLessThan(MCP_TEXT_CHARS + 1_000)
    expect(text).toContain('result_query with handle result_call_1')
    expect(text).toContain('mind this')
    const more = textOf(await client.callTool({ name: 'dir_list', arguments: { max_chars: 200_000 } }))
    expect(more.length).toBeGreaterThan(2 * MCP_TEXT_CHARS)
  })

  it('links to some of many changed files, and to the whole of an output that was cut', async () => {
    const open = openMcp()
    const files = Array.from({ length: 30 }, (_, n) => ({ path: `f${n}`, change: 'created' as const, size: n }))
    const gone = { path: 'gone', change: 'deleted' as const, size: null }
    open.sessions.answer = () => ({
      ...done('did', { full_output: { stdout: 'logs/whole.log' } }),
      files: { files: [gone, ...files], more: 5 },
    })
    const { content } = await (await open.client(era)).callTool({
      name: 'execute_shell',
      arguments: { command: 'make' },
    })
    const links = content.filter(({ type }) => type === 'resource_link')
    expect(links).toHaveLength(MAX_MCP_FILE_LINKS)
    expect(links[0]).toMatchObject({ uri: 'toolyard://usual/logs/whole.log' })
    expect(JSON.stringify(content)).not.toContain('gone')
    expect(textOf({ content })).toContain('26 more files')
  })

  it('says how to wait on for what is not done', async () => {
    const open = openMcp()
    open.sessions.answer = () => ({
      ...{ kind: 'pending', retryAfterMs: 0, callId: 'call_1' },
      next: { tool: 'human_in_loop', args: { human_task_id: 'h' } },
      soFar: { text: 'no answer yet', data: {} },
    })
    const ask = { name: 'human_in_loop', arguments: { human_task: 'Yes?' } }
    const core = textOf(await (await open.client(era)).callTool(ask))
    expect(core).toContain('call_tool with {"name":"human_in_loop","arguments":{"human_task_id":"h"}}')
    const all = textOf(await (await open.client(era, { kind: 'all' })).callTool(ask))
    expect(all).toContain('human_in_loop with {"human_task_id":"h"}')
  })
})

describe('failures', () => {
  const CODES = Object.keys(ERROR_CODE) as FailureCode[]

  it.each(CODES)('%s of a call is a result that says why', async (code) => {
    const open = openMcp()
    const client = await open.client('modern')
    await client.callTool(WRITE)
    for (const kind of ['failed', 'refused'] as const) {
      open.sessions.answer = () => ({ kind, failure: { code, message: 'so it is' } })
      // A session that is gone is made anew, and answers the same.
      const result = await client.callTool(WRITE)
      expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'so it is' }] })
      expect(result._meta).toMatchObject({ 'toolyard/code': code })
    }
  })

  it('what nobody foresaw goes to the log, and not into the answer', async () => {
    const secret = new Error('the password is 1234')
    const open = openMcp({
      registeredTools: async () => {
        throw secret
      },
    })
    const client = await open.client('modern')
    const result = await client.callTool({ name: 'search_tools', arguments: { query: 'read a file' } })
    expect(result).toMatchObject({ isError: true })
    const unknown = await client.callTool({ name: 'none_of_them', arguments: {} }).catch((thrown: unknown) => thrown)
    expect(unknown).toMatchObject({ code: -32603 })
    expect(JSON.stringify([result, String(unknown)])).not.toContain('1234')
    expect(open.reported).toEqual([secret, secret])
  })
})
