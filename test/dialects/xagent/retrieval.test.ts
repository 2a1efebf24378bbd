import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { Surface } from '../../../src/http/dialects/xagent/surface.ts'
import { ENVS, FUNCTIONS, type XAgentTool } from '../../../src/http/dialects/xagent/tools.ts'
import { ToolFinder } from '../../../src/http/tool-finder.ts'
import { Neighbours } from '../../../src/retrieval/neighbours.ts'
import { newTenant } from '../../support/tenants.ts'
import { aServer, type Client, verifies } from './support.ts'

const server = aServer()
const READ = 'FileSystemEnv_read_from_file'

interface Retrieved {
  readonly retrieved_tools: readonly string[]
  readonly tools_json: readonly { readonly name: string }[]
}

async function retrieve(node: Client, body: object): Promise<Retrieved> {
  const { status, body: answer } = await node.post('/retrieving_tools', body)
  expect({ body, status, answer }).toEqual({ body, status: 200, answer: expect.anything() })
  return answer as Retrieved
}

verifies(['xagent:retrieve', 'xagent:retrieve:json'], async () => {
  const node = await server.node()
  for (const [question, wanted] of [
    ['read the lines of a text file', READ],
    ['what folders and files are there?', 'FileSystemEnv_print_filesys_struture'],
    ['work out (3 + 4) * 5', 'calculator'],
    ['run some Python code in the notebook', 'PythonNotebook_execute_cell'],
    ['open a web page', 'WebEnv_browse_website'],
    ['look something up on the internet', 'WebEnv_search_and_browse'],
  ] as const) {
    const { retrieved_tools, tools_json } = await retrieve(node, { question, top_k: 2 })
    expect([question, retrieved_tools]).toEqual([question, expect.arrayContaining([wanted])])
    expect(await node.post('/get_json_schema_for_tools', retrieved_tools)).toEqual({
      status: 200,
      body: { tools_json, missing_tools: [] },
    })
    const more = await retrieve(node, { question, top_k: 4 })
    expect([question, more.retrieved_tools.slice(0, 2)]).toEqual([question, retrieved_tools])
  }
})

verifies('xagent:retrieve:chinese', async () => {
  const node = await server.node()
  for (const [question, wanted] of [
    ['读取一个文本文件的内容', READ],
    ['計算一個算術表達式', 'calculator'],
    ['浏览网页', 'WebEnv_browse_website'],
  ] as const) {
    const { retrieved_tools } = await retrieve(node, { question, top_k: 2 })
    expect([question, retrieved_tools]).toEqual([question, expect.arrayContaining([wanted])])
  }
})

verifies('xagent:retrieve:top-k', async () => {
  const node = await server.node()
  const count = async (top_k?: unknown) =>
    (await retrieve(node, { question: 'a web page or a file of the workspace', top_k })).retrieved_tools.length
  expect([await count(), await count(2), await count('2'), await count('5')]).toEqual([5, 2, 2, 5])
  expect(await retrieve(node, { question: 'a file', top_k: 0 })).toEqual({ retrieved_tools: [], tools_json: [] })
})

verifies('xagent:retrieve:nothing', async () => {
  const node = await server.node()
  expect(await retrieve(node, { question: 'qwxzv' })).toEqual({ retrieved_tools: [], tools_json: [] })
})

verifies('xagent:retrieve:empty', async () => {
  const node = await server.node()
  for (const question of ['', ' \n']) {
    expect(await node.post('/retrieving_tools', { question })).toEqual({
      status: 500,
      body: { detail: 'Error happens when retrieving tools: the question is empty; say what a tool is wanted for' },
    })
  }
})

verifies('xagent:retrieve:invalid', async () => {
  const node = await server.node()
  for (const [body, type, loc] of [
    [undefined, 'missing', ['body']],
    ['{', 'json_invalid', ['body', 1]],
    [[], 'dict_type', ['body']],
    [{ top_k: 5 }, 'missing', ['body', 'question']],
    [{ question: ['a file'] }, 'string_type', ['body', 'question']],
    [{ question: 'a file', top_k: null }, 'int_type', ['body', 'top_k']],
    [{ question: 'a file', top_k: 1.5 }, 'int_type', ['body', 'top_k']],
    [{ question: 'a file', top_k: 'many' }, 'int_type', ['body', 'top_k']],
    [{ question: 'a file', top_k: -1 }, 'greater_than_equal', ['body', 'top_k']],
    [{ question: 'a file', top_k: '201' }, 'less_than_equal', ['body', 'top_k']],
  ] as const) {
    const { status, body: answer } = await node.post('/retrieving_tools', body)
    expect([body, status, answer]).toEqual([body, 422, { detail: [expect.objectContaining({ type, loc })] }])
  }
  const { body } = await node.post('/retrieving_tools', { question: 'a file', top_k: 201 })
  expect(JSON.stringify(body)).toContain('MAX_RETRIEVED_TOOLS')
})

const weather: XAgentTool = {
  name: 'rapi_weather_forecast',
  tool: 'weather',
  description: 'The weather of the next days at a place.',
  parameters: [
    { name: 'city', type: 'string', description: 'Where.', as: 'city' },
    { name: 'internal', type: 'string', description: 'A submarine.', hidden: true, optional: true, as: null },
  ],
  value: () => null,
}

const aFinder = () =>
  new ToolFinder(async () => new Neighbours(Uint8Array.from(readFileSync('src/assets/neighbours.bin')).buffer))

verifies('xagent:retrieve:hidden', async () => {
  const hidden = { name: 'RapidAPIEnv', description: 'Services.', hidden: true as const, tools: [weather] }
  const surface = new Surface([...ENVS, hidden], FUNCTIONS)
  const found = await aFinder().findByWords(surface.findable, 'will it rain tomorrow in Paris?', 5)
  expect(found[0]).toBe('RapidAPIEnv_rapi_weather_forecast')
  expect(surface.available().available_tools).not.toContain(found[0])
  expect(surface.schemas(found.slice(0, 1)).tools_json).toMatchObject([{ name: found[0] }])
  expect(await aFinder().findByWords(surface.findable, 'submarine', 5)).toEqual([])
})

verifies('xagent:retrieve:own', async () => {
  const [node, neighbour] = [await server.node(), await server.node()]
  const { key } = await newTenant(server.toolyard())
  const stranger = await server.node(`/k/${key}`)
  const query = { question: 'a weather forecast: will it rain?', top_k: 200 }
  const named = async (one: Client) => (await retrieve(one, query)).retrieved_tools.includes('forecast')
  expect(await named(node)).toBe(false)
  const code = `@toolwrapper(visible=False)\ndef forecast(place):\n    """Forecasts the weather.\n\n    :param string place: Where.\n    """\n`
  const made = await node.post('/register_new_tool', { tool_name: 'forecast', code })
  expect(made).toMatchObject({ status: 200, body: { name: 'forecast' } })
  expect(await retrieve(node, { ...query, top_k: 1 })).toEqual({
    retrieved_tools: ['forecast'],
    tools_json: [made.body],
  })
  for (const one of [neighbour, stranger]) expect(await named(one)).toBe(false)
  expect(await named(node)).toBe(true)
})
