import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../support/failure-of.ts'
import { bridgedServer, everythingServer } from '../../support/mcp-bridge.ts'
import { openServers } from './open.ts'

describe('the server with everything', () => {
  it('has its tools registered and called, with text, structured content, pictures and errors', async () => {
    const { url, host } = await everythingServer()
    const { add, run, tool, later } = openServers([host])
    const { status, body } = await add({ name: 'everything', url })
    expect({ status, ...body }).toMatchObject({ status: 201, name: 'everything', quarantined: 0, refused: 0 })
    expect(tool(body, 'get-sum')).toMatchObject({ id: 'everything_get_sum', state: 'active' })
    expect(await run('everything_get_sum', { a: 2, b: 3 })).toMatchObject({ text: expect.stringContaining('5') })
    expect(await run('everything_echo', { message: 'hello' })).toMatchObject({
      text: 'Echo: hello',
      data: { result: 'Echo: hello' },
    })
    const weather = await run('everything_get_structured_content', { location: 'New York' })
    expect(weather.data.result).toMatchObject({ temperature: expect.any(Number) })
    const picture = await run('everything_get_tiny_image')
    expect(picture.content?.[0]).toMatchObject({ type: 'image', mimeType: 'image/png' })
    expect(await failureOf(run('everything_get_sum', { a: 'two', b: 3 }), 'the call')).toMatchObject({
      message: expect.stringContaining('a'),
    })
    later(3_600_001)
    expect((await run('everything_echo', { message: 'again' })).text).toBe('Echo: again')
  })
})

describe('servers behind a bridge, one process for each session', () => {
  it('keeps the session of the memory server over calls, and makes another one when that is gone', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mcp-memory-'))
    const server = await bridgedServer('memory', [], { MEMORY_FILE_PATH: join(directory, 'memory.jsonl') })
    const { add, run } = openServers([server.host])
    expect((await add({ name: 'memory', url: `${server.url}/mcp` })).status).toBe(201)
    const entity = { name: 'Ann', entityType: 'person', observations: ['likes tea'] }
    await run('memory_create_entities', { entities: [entity] })
    const initialized = () => server.requests.filter(({ body }) => body.includes('"initialize"')).length
    const before = initialized()
    expect((await run('memory_read_graph')).data.result).toMatchObject({ entities: [entity] })
    expect(initialized()).toBe(before)
    server.forget()
    expect((await run('memory_read_graph')).data.result).toMatchObject({ entities: [entity] })
    expect(initialized()).toBe(before + 1)
  })

  it('reads files by the filesystem server', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mcp-files-'))
    await writeFile(join(directory, 'a.txt'), 'Hello, file.')
    const server = await bridgedServer('filesystem', [directory])
    const { add, run, tool } = openServers([server.host])
    const { body } = await add({ name: 'files', url: `${server.url}/mcp`, deny: ['write_file'] })
    expect(tool(body, 'write_file')).toMatchObject({ state: 'refused', why: 'the list deny names it', id: null })
    expect((await run('files_read_text_file', { path: join(directory, 'a.txt') })).text).toBe('Hello, file.')
    expect(await failureOf(run('files_write_file', {}), 'the call')).toMatchObject({ code: 'not_found' })
    expect(await failureOf(run('files_read_text_file', { path: '/etc/passwd' }), 'the call')).toMatchObject({
      code: 'upstream',
    })
  })
})
