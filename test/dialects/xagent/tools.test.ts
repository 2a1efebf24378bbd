import { afterAll, expect } from 'vitest'
import {
  jsonAnswer,
  type StandIn,
  type StandInAnswer,
  type StandInRequest,
  startStandIn,
} from '../../support/stand-in.ts'
import { aServer, verifies } from './support.ts'

let serper: StandIn | undefined
let site: StandIn | undefined
const server = aServer(async () => {
  const pages = await startStandIn(asSite)
  site = pages
  serper = await startStandIn(({ body }) => {
    const { q } = JSON.parse(body) as { q: string }
    const organic = Array.from({ length: 10 }, (_, at) => ({
      title: `${q} ${at}`,
      link:
        q === 'otters' ? `https://example.com/${at}` : `${pages.url}${['/page', '/broken', '/file.pdf'][at] ?? '/x'}`,
      snippet: `about ${q}`,
      position: at + 1,
    }))
    return jsonAnswer({ organic: q === 'nothing' ? [] : organic })
  })
  return {
    vars: {
      SERPER_BASE_URL: serper.url,
      SERPER_API_KEY: 'key-of-the-operator',
      DANGEROUSLY_ALLOW_HOSTS: site.host,
    },
  }
})
afterAll(() => Promise.all([serper, site].map((standIn) => standIn?.stop())))

/** A site with a page, one that is gone, and one that does not want to be read. */
function asSite({ path }: StandInRequest): StandInAnswer {
  switch (path) {
    case '/page':
      return { headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: PAGE }
    case '/robots.txt':
      return { headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /secret\n' }
    case '/moved':
      return { status: 308, headers: { Location: '/page' } }
    default:
      return { status: 404, body: 'gone' }
  }
}

const PAGE = `<!doctype html><html><head><title>Otters</title><script>bad()</script></head><body>
<nav><a href="/menu">Menu</a></nav>
<main><h1>Otters</h1><p>They   hold <b>hands</b>, says <a href="https://example.com/a">a study</a>.${' And so on.'.repeat(20)}</p>


<ul><li>one</li><li>two</li></ul><a href="mailto:x@example.com">Mail</a><a href="/b?x=1#y">B</a><a href="#top">up</a></main>
</body></html>`

interface ToolJson {
  readonly name: string
  readonly description: string
  readonly parameters: {
    readonly type: string
    readonly properties: Readonly<Record<string, { readonly type: string; readonly description: string }>>
    readonly required: readonly string[]
  }
}

const READ = 'FileSystemEnv_read_from_file'

verifies(['xagent:tools:available', 'xagent:tools:json'], async () => {
  const node = await server.node()
  const { status, body } = await node.post('/get_available_tools', {})
  expect(status).toBe(200)
  const { available_envs, available_tools, tools_json } = body as {
    available_envs: { name: string; description: string; total_tools: number; tools: string[] }[]
    available_tools: string[]
    tools_json: ToolJson[]
  }
  expect(available_envs[0]).toEqual({
    name: 'FileSystemEnv',
    description: expect.any(String),
    total_tools: 3,
    tools: ['print_filesys_struture', 'read_from_file', 'write_to_file'],
  })
  const inEnvs = available_envs.flatMap(({ name, tools }) => tools.map((tool) => `${name}_${tool}`))
  expect(available_tools).toEqual([...inEnvs, 'bing_search', 'calculator', 'run_interpreter', 'shell_command_executor'])
  expect(tools_json.map(({ name }) => name)).toEqual(available_tools)
  expect(tools_json.find(({ name }) => name === READ)).toEqual({
    name: READ,
    description: expect.any(String),
    parameters: {
      type: 'object',
      properties: {
        filepath: { type: 'string', description: expect.any(String) },
        line_number: { type: 'integer', description: expect.any(String) },
      },
      required: ['filepath'],
    },
  })
  const write = tools_json.find(({ name }) => name === 'FileSystemEnv_write_to_file')?.parameters
  expect(Object.entries(write?.properties ?? {}).map(([name, { type }]) => [name, type])).toEqual([
    ['filepath', 'string'],
    ['truncating', 'boolean'],
    ['line_number', 'integer'],
    ['overwrite', 'boolean'],
    ['content', 'string'],
  ])
  expect(write?.required).toEqual(['filepath', 'content'])
  expect(tools_json[0]?.parameters).toEqual({ type: 'object', properties: {}, required: [] })
  for (const { name, description, parameters } of tools_json) {
    expect([name, description.length > 20, description.length <= 1_024]).toEqual([name, true, true])
    for (const { type } of Object.values(parameters.properties)) expect(type).toMatch(/^(string|integer|boolean)$/)
  }
  for (const ignored of [undefined, '{broken', []]) {
    expect((await node.post('/get_available_tools', ignored)).body).toEqual(body)
  }
})

verifies('xagent:tools:own', async () => {
  const node = await server.node()
  const { available_tools } = (await node.post('/get_available_tools')).body as { available_tools: string[] }
  const { data } = (await (await fetch(`${server.url()}/api/tools`)).json()) as { data: string[] }
  expect(available_tools.filter((name) => data.includes(name))).toEqual([])
  for (const name of ['file_read_numbered', 'file_edit_lines', 'file_tree', 'calculate'])
    expect(data).not.toContain(name)
  expect((await node.execute('file_read', { file_path: 'x' })).status).toBe(404)
  expect((await node.execute('file_tree', {})).status).toBe(404)
})

verifies('xagent:tools:schemas', async () => {
  const node = await server.node()
  for (const body of [
    [READ, 'nothing', 'calculator'],
    { tool_names: [READ, 'nothing', 'calculator'] },
    { tools: [READ, 'nothing', 'calculator'] },
  ]) {
    expect(await node.post('/get_json_schema_for_tools', body)).toEqual({
      status: 200,
      body: {
        tools_json: [expect.objectContaining({ name: READ }), expect.objectContaining({ name: 'calculator' })],
        missing_tools: ['nothing'],
      },
    })
  }
  expect((await node.post('/get_json_schema_for_tools', [])).body).toEqual({ tools_json: [], missing_tools: [] })
})

verifies('xagent:envs:schemas', async () => {
  const node = await server.node()
  for (const body of [
    ['FileSystemEnv', 'X'],
    { env_names: ['FileSystemEnv', 'X'] },
    { envs: ['FileSystemEnv', 'X'] },
  ]) {
    expect(await node.post('/get_json_schema_for_envs', body)).toEqual({
      status: 200,
      body: {
        envs_json: [
          {
            name: 'FileSystemEnv',
            description: expect.any(String),
            total_tools: 3,
            tools: ['print_filesys_struture', 'read_from_file', 'write_to_file'],
          },
        ],
        missing_envs: ['X'],
      },
    })
  }
})

verifies('xagent:schemas:invalid', async () => {
  const node = await server.node()
  for (const path of ['/get_json_schema_for_tools', '/get_json_schema_for_envs']) {
    for (const [body, type, loc] of [
      [undefined, 'missing', ['body']],
      ['{', 'json_invalid', ['body', 1]],
      [{ other: [] }, 'list_type', ['body']],
      ['"calculator"', 'list_type', ['body']],
      [['calculator', 5], 'string_type', ['body', 1]],
    ]) {
      const { status, body: answer } = await node.post(path, body)
      expect([status, answer]).toEqual([422, { detail: [expect.objectContaining({ type, loc })] }])
    }
  }
})

verifies('xagent:execute', async () => {
  const node = await server.node()
  const wanted = { status: 200, body: 7 }
  expect(await node.post('/execute_tool', { tool_name: 'calculator', arguments: { expression: '3 + 4' } })).toEqual(
    wanted,
  )
  expect(await node.post('/execute_tool', { tool: 'calculator', parameters: { expression: '3 + 4' } })).toEqual(wanted)
  await node.write('a.txt', 'x')
  for (const call of [
    { tool_name: READ, arguments: { filepath: 'a.txt' } },
    { env_name: 'FileSystemEnv', tool_name: 'read_from_file', arguments: { filepath: 'a.txt' } },
    { env_name: null, tool: READ, parameters: { filepath: 'a.txt' }, extra: 1 },
  ]) {
    expect(await node.post('/execute_tool', call)).toEqual({ status: 200, body: '    1: x\n' })
  }
})

verifies('xagent:execute:arguments-text', async () => {
  const node = await server.node()
  expect(await node.post('/execute_tool', { tool_name: 'calculator', arguments: '{"expression": "2 ** 10"}' })).toEqual(
    { status: 200, body: 1024 },
  )
})

verifies('xagent:execute:not-found', async () => {
  const node = await server.node()
  for (const [call, name] of [
    [{ tool_name: 'nothing', arguments: {} }, 'nothing'],
    [{ tool_name: 'x', env_name: 'FileSystemEnv', arguments: {} }, 'FileSystemEnv_x'],
    [{ tool_name: 'read_from_file', env_name: 'NoEnv', arguments: {} }, 'NoEnv_read_from_file'],
    [{ tool_name: '__proto__', arguments: {} }, '__proto__'],
  ] as const) {
    expect(await node.post('/execute_tool', call)).toEqual({
      status: 404,
      body: { detail: `The tool ${name} is not found!` },
    })
  }
})

verifies('xagent:execute:invalid', async () => {
  const node = await server.node()
  for (const [body, type, loc] of [
    [undefined, 'missing', ['body']],
    ['{"tool_name": "x", ', 'json_invalid', ['body', 19]],
    [{ arguments: {} }, 'missing', ['body', 'tool_name']],
    [{ tool_name: 'calculator' }, 'missing', ['body', 'arguments']],
    [{ tool_name: 5, arguments: {} }, 'string_type', ['body', 'tool_name']],
    [{ tool_name: 'calculator', arguments: [] }, 'dict_type', ['body', 'arguments']],
    [{ tool_name: 'calculator', arguments: 'expression = 1' }, 'dict_type', ['body', 'arguments']],
    [[], 'dict_type', ['body']],
  ] as const) {
    const { status, body: answer } = await node.post('/execute_tool', body)
    expect([body, status, answer]).toEqual([body, 422, { detail: [expect.objectContaining({ type, loc })] }])
  }
  const both = await node.post('/execute_tool', {})
  expect((both.body as { detail: unknown[] }).detail).toHaveLength(2)
})

verifies('xagent:execute:arguments', async () => {
  const node = await server.node()
  expect(await node.failure(READ)).toBe(`TypeError: ${READ}() missing 1 required positional argument: 'filepath'`)
  expect(await node.failure('FileSystemEnv_write_to_file')).toBe(
    "TypeError: FileSystemEnv_write_to_file() missing 2 required positional arguments: 'filepath' and 'content'",
  )
  expect(await node.failure(READ, { filepath: 'a', path: 'b' })).toBe(
    `TypeError: ${READ}() got an unexpected keyword argument 'path'. Known are: filepath, line_number`,
  )
})

verifies('xagent:execute:failed', async () => {
  const node = await server.node()
  expect(await node.failure(READ, { filepath: 'none.txt' })).toMatch(/^FileNotFoundError: [^\n]*none\.txt[^\n]*$/)
  await node.write('two', 'a\nb')
  expect(await node.failure(READ, { filepath: 'two', line_number: 5 })).toMatch(
    /^ValueError: Line number 5 is out of range\.[^\n]*$/,
  )
  expect(await node.failure(READ, { filepath: 'two', line_number: 'last' })).toBe(
    'ValueError: line_number: must be a whole number',
  )
})

verifies('xagent:execute:coerced', async () => {
  const node = await server.node()
  await node.write('two', 'a\nb')
  expect(await node.value(READ, { filepath: 'two', line_number: '2' })).toBe('    2: b\n')
  const args = { filepath: 'two', content: 'c', truncating: 'true' }
  expect(await node.value('FileSystemEnv_write_to_file', args)).toBe('    1: c\n')
})

verifies('xagent:calculator', async () => {
  const node = await server.node()
  expect(await node.value('calculator', { expression: '(123 + 234) / 23 * 1.5 - 8' })).toBeCloseTo(15.2826, 4)
  expect(await node.value('calculator', { expression: '2**70' })).toBe('1180591620717411303424')
  expect(await node.failure('calculator', { expression: "__import__('os').system('id')" })).toMatch(/^ValueError: /)
  expect(await node.failure('calculator', { expression: '9**9**9' })).toMatch(/^ValueError: .*MAX_INTEGER_BITS/)
})

verifies('xagent:bing-search', async () => {
  const node = await server.node()
  expect(await node.value('bing_search', { query: 'otters', region: 'en-US' })).toEqual([
    { url: 'https://example.com/0', name: 'otters 0', snippet: 'about otters' },
    { url: 'https://example.com/1', name: 'otters 1', snippet: 'about otters' },
    { url: 'https://example.com/2', name: 'otters 2', snippet: 'about otters' },
  ])
})

const BROWSE = { goals_to_browse: 'how otters sleep' }

verifies('xagent:web:browse', async () => {
  const node = await server.node()
  const text =
    `Otters\nThey hold **hands**, says a study.${' And so on.'.repeat(20)}\n* one\n* two\nMailBup\n\nLinks:\n` +
    `Menu (${site?.url}/menu)\na study (https://example.com/a)\nB (${site?.url}/b?x=1#y)\n`
  for (const path of ['/page', '/moved']) {
    expect(await node.value('WebEnv_browse_website', { url: `${site?.url}${path}`, ...BROWSE })).toBe(text)
  }
})

verifies('xagent:web:failed', async () => {
  const node = await server.node()
  const read = (path: string) => node.failure('WebEnv_browse_website', { url: `${site?.url}${path}`, ...BROWSE })
  expect(await read('/none')).toMatch(/^ConnectionError: [^\n]*404/)
  expect(await read('/secret/x')).toMatch(/^PermissionError: [^\n]*robots\.txt/)
})

verifies('xagent:web:guarded', async () => {
  const node = await server.node()
  for (const url of [server.url(), 'http://169.254.169.254/latest/', 'file:///etc/passwd', 'http://[::1]:1/', 'x']) {
    const failure = await node.failure('WebEnv_browse_website', { url, ...BROWSE })
    expect([url, failure]).toEqual([url, expect.stringMatching(/^(PermissionError|ValueError): /)])
  }
})

verifies('xagent:web:search', async () => {
  const node = await server.node()
  const args = { search_query: 'rivers', goals_to_browse: 'x', region: 'en-US' }
  expect(await node.value('WebEnv_search_and_browse', args)).toEqual([
    { name: 'rivers 0', snippet: 'about rivers', page: expect.stringMatching(/^Otters\nThey hold/) },
    { name: 'rivers 1', snippet: 'about rivers', page: expect.stringContaining('404') },
    { name: 'rivers 2', snippet: 'about rivers', page: expect.stringContaining('404') },
  ])
})

verifies('xagent:web:search:nothing', async () => {
  const node = await server.node()
  const failure = await node.failure('WebEnv_search_and_browse', { search_query: 'nothing', goals_to_browse: 'x' })
  expect(failure).toMatch(/: nothing found for nothing; try other words$/)
})
