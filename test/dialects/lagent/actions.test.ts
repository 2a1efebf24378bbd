import { expect } from 'vitest'
import { catalog } from '../../../src/tools/catalog.ts'
import { newTenant } from '../../support/tenants.ts'
import { aServer, fresh, verifies } from './support.ts'

const server = aServer()

interface Described {
  readonly name: string
  readonly parameters: readonly { readonly name: string; readonly type: string }[]
  readonly [field: string]: unknown
}
const list = async (query = '') => ((await server.ask(`/lagent/tools${query}`)).body as { tools: Described[] }).tools
const text = (content: string) => [{ type: 'text', content }]

verifies('lagent:list', async () => {
  const names = (await list()).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(catalog.list().map(({ name }) => name)))
  expect(names).toContain('files.file_edit_lines')
  expect(names).toHaveLength(new Set(names).size)
  expect((await list()).find(({ name }) => name === 'dir_create')).toEqual({
    name: 'dir_create',
    description: expect.any(String),
    parameters: [{ name: 'dir_path', type: 'STRING', description: expect.any(String) }],
    required: ['dir_path'],
    parameter_description: expect.stringMatching(/^如果调用该工具,你必须使用Json格式/),
  })
})

verifies('lagent:list:builtins', async () => {
  const all = await list()
  expect(all.find(({ name }) => name === 'GoogleSearch')).toMatchObject({
    parameters: [
      { name: 'query', type: 'STRING', description: 'the search content' },
      { name: 'k', type: 'NUMBER' },
    ],
    required: ['query'],
  })
  expect(all.find(({ name }) => name === 'ArxivSearch.get_arxiv_article_information')).toMatchObject({
    description: 'Run Arxiv search and get the article meta information.',
    return_data: [{ name: 'content', description: 'a list of 3 arxiv search papers', type: 'STRING' }],
  })
  expect(all.some(({ name }) => name === 'arxiv.arxiv_search')).toBe(false)
})

verifies('lagent:list:words', async () => {
  const format = async (query: string) =>
    (await list(query)).find(({ name }) => name === 'file_read')?.parameter_description
  expect(await format('?language=en')).toMatch(/JSON format/)
  expect(await format('?language=en&parser=tuple')).toMatch(/tuple format/)
  expect(await format('')).toBe(await format('?language=zh'))
  expect(await format('?language=zh')).toBe('如果调用该工具,你必须使用Json格式 {key: value} 传参,其中key为参数名称')
  expect(await format('?language=zh&parser=TupleParser')).toMatch(/^如果调用该工具，你必须使用Tuple格式/)
})

verifies('lagent:list:forms', async () => {
  const openai = (await list('?format=openai')) as unknown as { type: string; function: Described }[]
  const anthropic = await list('?format=anthropic')
  const names = (await list()).map(({ name }) => name.replace('.', '__'))
  expect(openai.map((tool) => tool.function.name)).toEqual(names)
  expect(anthropic.map(({ name }) => name)).toEqual(names)
  expect(names.filter((name) => !/^[\w-]{1,64}$/.test(name))).toEqual([])
  const { inputSchema } = catalog.list().find(({ name }) => name === 'file_read') ?? {}
  expect(openai.find((tool) => tool.function.name === 'file_read')?.function.parameters).toEqual(inputSchema)
  expect(anthropic.find(({ name }) => name === 'file_read')?.input_schema).toEqual(inputSchema)
})

verifies('lagent:describe', async () => {
  const one = async (path: string) => (await server.ask(`/lagent/tools/${path}`)).body as Described
  expect(await one('file_read')).toMatchObject({ name: 'file_read', required: ['file_path'] })
  expect(await one('files')).toMatchObject({ name: 'files', api_list: expect.any(Array) })
  expect(await one('files.file_tree')).toMatchObject({ name: 'files.file_tree', parameters: expect.any(Array) })
  expect(await one('BINGMap?format=anthropic')).toMatchObject({
    tools: [{ name: 'BINGMap__get_distance' }, {}, {}, {}],
  })
  expect(await one('files__file_tree?format=openai')).toMatchObject({ function: { name: 'files__file_tree' } })
  for (const unknown of ['nope', 'files.nope', 'file_read.nope', '__proto__']) {
    expect(await server.ask(`/lagent/tools/${unknown}`)).toMatchObject({
      status: 404,
      type: 'application/problem+json',
      body: { code: 'not_found', detail: expect.stringContaining(unknown) },
    })
  }
})

verifies(['lagent:execute:inputs', 'lagent:execute:return'], async () => {
  const session = fresh()
  const write = (inputs: unknown, more: object = {}) => server.execute({ session, name: 'file_write', inputs, ...more })
  const first = await write('{"file_path": "a.txt", "content": "A"}')
  expect(first).toEqual({
    args: { file_path: 'a.txt', content: 'A' },
    url: null,
    type: 'file_write',
    result: text(expect.any(String)),
    errmsg: null,
    state: 0,
    thought: null,
    valid: 0,
  })
  expect(Object.keys(first)).toEqual(['args', 'url', 'type', 'result', 'errmsg', 'state', 'thought', 'valid'])

  for (const inputs of [
    '```json\n{"file_path": "a.txt", "content": "A"}\n```',
    { file_path: 'a.txt', content: 'A' },
    "('a.txt', 'A')",
    ['a.txt', 'A'],
  ]) {
    expect(await write(inputs)).toEqual({ ...first, result: expect.any(Array) })
  }
  expect(await write('"a.txt", "A"', { parser: 'TupleParser' })).toMatchObject({ args: first.args, state: 0 })
  const parameters = { file_path: 'a.txt' }
  for (const given of [{ parameters }, { inputs: '("a.txt")' }, { inputs: '"a.txt"', parser: 'tuple' }]) {
    const read = await server.execute({ session, name: 'file_read', ...given })
    expect([read.args, read.result?.[0]?.content]).toEqual([parameters, expect.stringContaining('A')])
  }
})

verifies('lagent:execute:toolkit', async () => {
  const answer = await server.execute({ session: fresh(), name: 'math.calculate', inputs: { expression: '6 * 7' } })
  expect(answer).toMatchObject({ type: 'math', state: 0, args: { expression: '6 * 7' } })
  expect(answer.result?.[0]?.content).toContain('42')
})

verifies('lagent:execute:builtin', async () => {
  const session = fresh()
  const ppt = (api: string, inputs: object) => server.execute({ session, name: `PPT.${api}`, inputs })
  expect(await ppt('create_file', { theme: 'Default', abs_location: 'talk.pptx' })).toMatchObject({
    type: 'PPT',
    state: 0,
    result: text('{"status": "created a ppt file."}'),
  })
  expect(await ppt('add_first_page', { title: 'T', subtitle: 'S' })).toMatchObject({
    result: text('{"status": "added page"}'),
  })
})

verifies('lagent:execute:interpreters', async () => {
  const session = fresh()
  const run = (name: string, command: string) => server.execute({ session, name, inputs: { command } })
  const root = await run('IPythonInterpreter', 'import math;math.sqrt(100)')
  expect(root).toMatchObject({ args: { text: 'import math;math.sqrt(100)' }, state: 0, result: text('10.0') })
  expect(await run('IPythonInterpreter', 'math.sqrt(81)')).toMatchObject({ result: text('9.0') })
  expect(await run('IPythonInterpreter', 'nothing')).toMatchObject({
    type: 'IPythonInterpreter',
    args: { text: 'nothing' },
    result: null,
    errmsg: expect.stringContaining("name 'nothing' is not defined"),
    state: -1002,
  })
  const bad = 'class Bad:\n    def _repr_png_(self): return b"no image"\ndisplay(Bad())'
  expect(await run('IPythonInterpreter', bad)).toMatchObject({
    result: [...text(''), { type: 'text', content: expect.stringContaining('1 of 1 images were left out') }],
    state: 0,
  })
  expect(await run('IPythonInterpreter', 'import os; os._exit(3)')).toMatchObject({
    result: null,
    errmsg: expect.stringContaining('the kernel ended with exit code 3'),
    state: -1002,
  })
  expect(await run('PythonInterpreter', '```python\ndef solution():\n    return [1, "a"]\n```')).toMatchObject({
    args: { text: '```python\n\ndef solution():\n    return [1, "a"]\n\n```' },
    result: text("[1, 'a']"),
  })
  expect(await run('PythonInterpreter', 'def solution():\n    return 1 / 0')).toMatchObject({
    args: { text: '```python\ndef solution():\n    return 1 / 0\n```' },
    errmsg: "ZeroDivisionError('division by zero')",
    state: -1002,
  })
})

verifies('lagent:variants', async () => {
  const names = (await list()).map(({ name }) => name)
  expect(names.filter((name) => /Async|Interactive|ipython_(session|interactive)_run/.test(name))).toEqual([])
  const one = async (path: string) => (await server.ask(`/lagent/tools/${path}`)).body as Described
  expect(await one('AsyncIPythonInterpreter')).toMatchObject({
    name: 'AsyncIPythonInterpreter',
    parameters: [{ name: 'command' }, { name: 'timeout' }, { name: 'session_id', type: 'STRING' }],
  })
  expect(await one('AsyncPPT.create_file')).toMatchObject({ name: 'AsyncPPT.create_file' })
  expect(await one('AsyncPPT')).toMatchObject({ name: 'AsyncPPT', api_list: [{}, {}, {}, {}, {}] })

  const session = fresh()
  const execute = (name: string, inputs: object) => server.execute({ session, name, inputs })
  expect(await execute('AsyncPPT.create_file', { theme: 'Default', abs_location: 'a.pptx' })).toMatchObject({
    type: 'AsyncPPT',
    result: text('{"status": "created a ppt file."}'),
  })
  expect(await execute('AsyncPPT__add_first_page', { title: 'T', subtitle: 'S' })).toMatchObject({ type: 'AsyncPPT' })
  const run = (command: string, session_id: string) => execute('AsyncIPythonInterpreter', { command, session_id })
  await run('x = 1', 'one')
  expect(await run('print("a")\nx', 'one')).toMatchObject({
    args: { text: 'print("a")\nx' },
    type: 'AsyncIPythonInterpreter',
    result: text('1'),
    state: 0,
  })
  expect(await run('x', 'two')).toMatchObject({ state: -1002, errmsg: expect.stringMatching(/^NameError/) })
  for (const name of ['IPythonInteractive', 'AsyncIPythonInteractive']) {
    expect(await execute(name, { command: 'print("a")\nprint("b")' })).toMatchObject({ type: name, result: text('b') })
    expect(await execute(name, { command: 'print("some Error")' })).toMatchObject({
      args: { text: 'print("some Error")' },
      result: null,
      errmsg: 'some Error',
      state: -1002,
    })
  }
  expect(await one('IPythonInteractiveManager')).toMatchObject({ parameters: [], required: [] })
  expect(await execute('IPythonInteractiveManager', { command: '1' })).toMatchObject({
    type: 'IPythonInteractiveManager',
    result: null,
    errmsg: expect.stringContaining('call IPythonInteractive, or AsyncIPythonInterpreter with a session_id'),
    state: -1002,
    valid: 0,
  })
})

verifies('lagent:methods', async () => {
  for (const [method, path, allow] of [
    ['POST', '/lagent/tools', 'GET, HEAD'],
    ['DELETE', '/lagent/tools/file_read', 'GET, HEAD'],
    ['GET', '/lagent/execute', 'POST'],
    ['PUT', '/lagent/actions', 'POST'],
  ] as const) {
    const response = await fetch(`${server.toolyard().url}${path}`, { method })
    expect([path, response.status, response.headers.get('Allow')]).toEqual([path, 405, allow])
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed', hint: `use ${allow}` })
  }
})

verifies('lagent:execute:arguments', async () => {
  const call = (name: string, inputs: unknown, parser?: string) => server.execute({ name, inputs, parser })
  const refused = (inputs: unknown, name: string) => ({ args: { inputs, name }, state: -1001, result: null, valid: 0 })
  expect(await call('file_read', '{bad')).toMatchObject({
    ...refused('{bad', 'run'),
    type: 'file_read',
    errmsg: 'invalid json format: {bad',
  })
  expect(await call('file_read', {})).toMatchObject({ errmsg: "missing required arguments: {'file_path'}" })
  expect(await call('file_read', { file_path: 'a', zz: 1 })).toMatchObject({ errmsg: "unknown arguments: {'zz'}" })
  expect(await call('file_read', '(')).toMatchObject({ ...refused('(', 'run'), errmsg: 'invalid tuple format: (' })
  expect(await call('file_read', '{"file_path": "a"}', 'tuple')).toMatchObject({
    ...refused('{"file_path": "a"}', 'run'),
    errmsg: "the arguments must be a tuple, not a dict: {'file_path': 'a'}",
  })
  expect(await call('file_read', '{"a", 5', 'tuple')).toMatchObject({ errmsg: 'invalid tuple format: {"a", 5' })
  expect(await call('files.file_tree', '5')).toMatchObject({
    ...refused('5', 'file_tree'),
    errmsg: 'the arguments must be a JSON object, not 5',
  })
  expect(await call('file_read', ['a'], 'json')).toMatchObject({ errmsg: "invalid json format: ['a']" })
  expect(await call('file_read', { file_path: 'a', start_line: 'first' })).toMatchObject({
    args: { file_path: 'a', start_line: 'first' },
    state: -1001,
    errmsg: expect.stringContaining('start_line'),
  })
  for (const left of ['...', '1j']) {
    expect(await call('file_write', `("a.txt", ${left})`)).toMatchObject({
      state: -1001,
      errmsg: expect.stringContaining('is no argument for a tool'),
    })
  }
  expect(await call('file_read.', {})).toMatchObject({ errmsg: 'invalid API: ; call file_read', state: -1002 })
  const deep = `("a", ${'['.repeat(63)}${']'.repeat(63)})`
  expect(await call('file_read', deep)).toMatchObject({ state: -1001 })
  expect(await call('file_read', `(${'('.repeat(150)}1${',)'.repeat(150)},)`)).toMatchObject({
    state: -1001,
    errmsg: expect.stringContaining('MAX_JSON_DEPTH'),
  })
})

verifies('lagent:execute:fails', async () => {
  expect(
    await server.execute({ session: fresh(), name: 'file_read', inputs: { file_path: 'none.txt' } }),
  ).toMatchObject({
    args: { file_path: 'none.txt' },
    type: 'file_read',
    result: null,
    errmsg: expect.stringContaining('none.txt'),
    state: -1002,
    valid: 0,
  })
  const mapped = { session: fresh(), name: 'BINGMap.get_distance', inputs: { start: 'a', end: 'b' } }
  expect(await server.execute(mapped)).toMatchObject({
    type: 'BINGMap',
    state: expect.toBeOneOf([-1000, -1002]),
    errmsg: 'maps are not available on this server; do without them',
  })
})

verifies('lagent:execute:invalid-api', async () => {
  for (const [name, api] of [
    ['files.zzz', 'zzz'],
    ['files', 'run'],
    ['file_read.zzz', 'zzz'],
    ['files.call', 'call'],
    ['files.a.b', 'a.b'],
  ] as const) {
    expect(await server.execute({ name, inputs: '{}' })).toMatchObject({
      args: { inputs: '{}', name: api },
      errmsg: expect.stringMatching(new RegExp(`^invalid API: ${api}; call (file_read$|files\\.file_read_numbered, )`)),
      state: -1002,
      valid: 0,
    })
  }
})

verifies('lagent:execute:unknown', async () => {
  const given = 'call one of the tools that you were given, by its name'
  const hints = {
    Nope: given,
    'Nope.zzz': given,
    '': given,
    ['__proto__']: given,
    constructor: given,
    add_page: 'did you mean PPT.add_first_page, PPT.add_text_page, PPT.add_text_image_page?',
  }
  for (const [name, hint] of Object.entries(hints)) {
    expect(await server.execute({ name, inputs: { a: 1 } })).toEqual({
      args: { text: { a: 1 } },
      url: null,
      type: 'InvalidAction',
      result: null,
      errmsg: `there is no action ${name}; ${hint}`,
      state: -1002,
      thought: null,
      valid: -2,
    })
  }
  expect(await server.execute({ name: 'a.b.c' })).toMatchObject({ errmsg: expect.stringContaining('dot'), valid: -2 })
})

verifies('lagent:execute:pseudo', async () => {
  expect(await server.execute({ name: 'NoAction', inputs: null })).toMatchObject({
    args: { text: null },
    type: 'NoAction',
    errmsg: 'Please follow the format',
    state: -1002,
    valid: -2,
  })
  expect(await server.execute({ name: 'FinishAction', inputs: 'The answer is 42.' })).toMatchObject({
    type: 'FinishAction',
    result: text('The answer is 42.'),
    state: 0,
    valid: 1,
  })
})

verifies('lagent:execute:characters', async () => {
  const session = fresh()
  const content = '5 € für Ñandú 😀 한국'
  await server.execute({ session, name: 'file_write', inputs: { file_path: 'a.txt', content } })
  const read = await server.execute({ session, name: 'file_read', inputs: { file_path: 'a.txt' } })
  expect(read.result?.[0]?.content).toContain(content)
})

verifies('lagent:execute:pending', async () => {
  const session = fresh()
  const waiting = await server.execute({
    session,
    name: 'human_in_loop',
    inputs: { human_task: 'Sign', wait_seconds: 0 },
  })
  expect(waiting).toMatchObject({ type: 'human_in_loop', state: 1, errmsg: null, valid: 0 })
  expect(waiting.result?.map(({ type }) => type)).toEqual(['text', 'next'])
  expect(waiting.result?.[0]?.content).toContain('call human_in_loop with {"human_task_id":')
  const next = JSON.parse(waiting.result?.[1]?.content ?? '')
  expect(next).toEqual({
    session,
    name: 'human_in_loop',
    inputs: { human_task_id: expect.any(String) },
    retry_after_ms: expect.any(Number),
  })

  const path = `/api/human-tasks/${session}/${next.inputs.human_task_id}?completed=true&result=signed`
  await fetch(`${server.toolyard().url}${path}`, { method: 'PUT' })
  const done = await server.execute(next)
  expect(done).toMatchObject({ state: 0 })
  expect(done.result?.[0]?.content).toContain('signed')
})

verifies('lagent:execute:next-name', async () => {
  const inputs = { expression: '1 + 1' }
  for (const [name, type] of [
    ['math__calculate', 'math'],
    ['calculate', 'calculate'],
  ]) {
    expect(await server.execute({ name, inputs })).toMatchObject({ type, state: 0 })
  }
})

verifies('lagent:execute:no-call', async () => {
  for (const [body, detail] of [
    ['', 'not JSON'],
    ['{"name": ', 'not JSON'],
    ['[]', 'expected object'],
    ['{"inputs": {}}', 'missing required parameter: name'],
    ['{"name": 5}', 'name'],
    ['{"name": "file_read", "parser": "yaml"}', 'parser'],
    ['{"name": "file_read", "session": ""}', 'empty'],
    [`{"name": "file_read", "inputs": ${'['.repeat(100)}`, 'MAX_JSON_DEPTH'],
    [{ name: 'file_read', inputs: `("${'a'.repeat(1_000_001)}",)` }, 'MAX_INPUT_TEXT_CHARS'],
    [{ name: 'file_read', agent: 'a'.repeat(10_000) }, 'agent'],
  ]) {
    expect(await server.ask('/lagent/execute', body)).toMatchObject({
      status: 400,
      type: 'application/problem+json',
      body: { code: 'invalid_input', detail: expect.stringContaining(String(detail)) },
    })
  }
  expect(await server.ask('/lagent/tools?format=yaml')).toMatchObject({ status: 400 })
  expect(await server.ask('/lagent/elsewhere')).toMatchObject({ status: 404, type: 'application/problem+json' })
})

verifies('lagent:sessions', async () => {
  const [one, two] = [fresh(), fresh()]
  const [mine, others] = await Promise.all([newTenant(server.toolyard()), newTenant(server.toolyard())])
  const as = ({ key }: { key: string }) => ({ Authorization: `Bearer ${key}` })
  const read = (session: string, tenant: { key: string }) =>
    server.execute({ session, name: 'file_read', inputs: { file_path: 'a.txt' } }, as(tenant))

  const inputs = { file_path: 'a.txt', content: 'secret of one' }
  await server.execute({ session: one, name: 'file_write', inputs }, as(mine))
  expect((await read(one, mine)).result?.[0]?.content).toContain('secret of one')
  expect(await read(two, mine)).toMatchObject({ state: -1002, result: null })
  expect(await read(one, others)).toMatchObject({ state: -1002, result: null })

  const counted = { session: 7, name: 'file_read', inputs: { file_path: 'a.txt' } }
  await server.execute({ session: '7', name: 'file_write', inputs }, as(mine))
  expect((await server.execute(counted, as(mine))).result?.[0]?.content).toContain('secret of one')
  const unnamed = { session: null, name: 'file_write', inputs: { file_path: 'a.txt', content: 'of all' } }
  await server.execute(unnamed, as(mine))
  expect((await read('lagent', mine)).result?.[0]?.content).toContain('of all')
})

verifies('lagent:echo', async () => {
  const inputs = { file_path: 'long.txt', content: 'x'.repeat(50_000) }
  const { args, state } = await server.execute({ session: fresh(), name: 'file_write', inputs })
  expect(state).toBe(0)
  expect(args).toEqual({ file_path: 'long.txt', content: `${'x'.repeat(10_000)}… (50000 characters)` })
  const bad = await server.execute({ name: 'file_read', inputs: `{${'y'.repeat(50_000)}` })
  expect(JSON.stringify(bad).length).toBeLessThan(25_000)
})
