import { describe, expect, it } from 'vitest'
import { MAX_PROMPT_ARGUMENT_CHARS } from '../../../../src/core/limits/mcp-resources.ts'
import { EXAMPLE_TOOL } from '../../../../src/http/dialects/mcp/server/prompts/make-tool.ts'
import { PROMPTS } from '../../../../src/http/dialects/mcp/server/prompts/texts.ts'
import { EXAMPLE_CHAIN } from '../../../../src/http/dialects/mcp/server/prompts/write-chain.ts'
import { checkChain } from '../../../../src/registry/chain/check.ts'
import { FUNCTIONS, LAZY_FUNCTIONS } from '../../../../src/registry/chain/expression/functions.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { toolCreate } from '../../../../src/tools/registered/tool-create.ts'
import { TOOLKITS } from '../../../../src/tools/toolkits.ts'
import { openResources } from './open-resources.ts'

const TOOLS = new Map([...catalog.list(), ...TOOLKITS.flatMap(({ tools }) => tools)].map((tool) => [tool.name, tool]))
const META_TOOLS = ['search_tools', 'describe_tools', 'call_tool']
const ARGUMENTS = { task: 'Count bees', purpose: 'Count words', goal: 'Search and note' }
const textOf = async (name: string, args: Record<string, string> = ARGUMENTS, bench = openResources()) => {
  const { result } = await bench.ask('prompts/get', { name, arguments: args })
  expect(result.messages).toHaveLength(1)
  return result.messages[0].content.text as string
}

describe('prompts', () => {
  it('are listed with titles, descriptions and arguments', async () => {
    const { result } = await openResources().ask('prompts/list')
    expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' })
    expect(result.prompts.map(({ name }: { name: string }) => name)).toEqual([
      'work_in_session',
      'make_tool',
      'write_chain',
    ])
    for (const prompt of result.prompts) {
      expect(prompt).toMatchObject({ title: expect.any(String), description: expect.any(String) })
      expect(prompt.arguments[0]).toMatchObject({ required: true, description: expect.any(String) })
      expect(prompt).not.toHaveProperty('text')
    }
  })

  it.each(PROMPTS.map(({ name }) => name))('name in %s tools that exist, and no others', async (name) => {
    const text = await textOf(name)
    const named = [...text.matchAll(/`([a-z0-9_]+)`/g)].map(([, tool = '']) => tool)
    expect(named.length).toBeGreaterThan(1)
    expect(named.filter((tool) => !TOOLS.has(tool) && !META_TOOLS.includes(tool))).toEqual([])
  })

  it('hold what the caller gives', async () => {
    expect(await textOf('work_in_session', { task: 'Count bees', session: 'hive "1"' })).toContain('"hive \\"1\\""')
    expect(await textOf('make_tool', { purpose: 'Count words', kind: 'python' })).toContain('"python"')
    expect(await textOf('write_chain', { goal: 'Search', tool_id: 'a.b' })).toContain('"id": "a.b"')
  })

  it('say how tools are found where the address lists four alone', async () => {
    const text = await textOf('make_tool', ARGUMENTS, openResources({ tools: { kind: 'search' } }))
    expect(text).toContain('`search_tools`')
    expect(await textOf('make_tool')).toContain('?tools=all')
  })

  it('show arguments that tool_create takes', () => {
    expect(toolCreate.input.safeParse(EXAMPLE_TOOL).success).toBe(true)
  })

  it('show a chain without a mistake, and functions that exist', async () => {
    const resolve = (name: string) => {
      const tool = catalog.list().find((one) => one.name === name)
      return tool ? ({ kind: 'tool', name, inputSchema: tool.inputSchema } as const) : null
    }
    const called = { name: 'shown', inputSchema: { properties: { topic: {} } } }
    expect((await checkChain(EXAMPLE_CHAIN, called, resolve)).issues).toEqual([])
    const [, listed = ''] = /Functions: (.*?)\./.exec(await textOf('write_chain')) ?? []
    expect(listed.split(', ').toSorted()).toEqual([...FUNCTIONS.keys(), ...LAZY_FUNCTIONS.keys()].toSorted())
  })

  it.each([
    [{ name: 'none' }, 'work_in_session'],
    [{ name: 'constructor', arguments: {} }, 'make_tool'],
    [{ name: 'work_in_session' }, '"task"'],
    [{ name: 'work_in_session', arguments: { task: '  ' } }, '"task"'],
    [{ name: 'make_tool', arguments: { kind: 'http' } }, '"purpose"'],
    [
      { name: 'write_chain', arguments: { goal: 'x'.repeat(MAX_PROMPT_ARGUMENT_CHARS + 1) } },
      'MAX_PROMPT_ARGUMENT_CHARS',
    ],
  ])('refuse %#, naming what is wrong', async (params, named) => {
    const { error } = await openResources().ask('prompts/get', params)
    expect(error?.code).toBe(-32602)
    expect(error?.message).toContain(named)
  })

  it('come to clients of the older revisions too', async () => {
    const { client } = await openResources().legacy()
    expect((await client.listPrompts()).prompts).toHaveLength(3)
    const { messages } = await client.getPrompt({ name: 'write_chain', arguments: { goal: 'Search' } })
    expect(messages[0]?.content).toMatchObject({ type: 'text', text: expect.stringContaining('Search') })
    await expect(client.getPrompt({ name: 'none' })).rejects.toMatchObject({ code: -32602 })
  })
})
