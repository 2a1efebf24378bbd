import { describe, expect, it } from 'vitest'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { openTenant } from './open.ts'

const BY = { key: null, agent: null }

const chainOf = (id: string, ...tools: string[]) => put(id, { steps: tools.map((tool, n) => ({ id: `s${n}`, tool })) })

const put = (id: string, chain: unknown, input_schema: object = {}) => ({
  op: 'put' as const,
  definition: ToolDefinition.parse({ id, name: id, description: '', input_schema, executor: { kind: 'chain', chain } }),
})

describe('a chain that is registered', () => {
  it('is checked against the tools that every session has, and those of the tenant', async () => {
    const { tenant } = openTenant()
    const save = async (...changes: ReturnType<typeof put>[]) => {
      const answer = await tenant.changeTools(changes, BY)
      return 'failure' in answer ? answer.failure.message : 'saved'
    }
    const steps = [{ id: 'w', tool: 'file_write', input: { content: '${{ input.topik }}' } }]
    expect((await save(put('my.note', { steps }, { properties: { topic: {} } }))).split('\n')).toEqual([
      'my.note: step w: input.content: input has no topik; it has topic',
      'step w: input: file_path is required and not given',
    ])
    expect(await save(chainOf('outer', 'inner@^2'))).toMatch(/there is no tool inner@\^2/)
    expect(await save(chainOf('outer', 'registered_call'))).toMatch(/not registered_call/)
    expect(await save(chainOf('outer', 'inner'), chainOf('inner', 'list_locks'))).toBe('saved')
  })

  it('cannot lead back to itself: not alone, not by others, and not by a change of another', async () => {
    const { tenant } = openTenant()
    const save = async (...changes: ReturnType<typeof put>[]) => {
      const answer = await tenant.changeTools(changes, BY)
      return 'failure' in answer ? answer.failure : 'saved'
    }
    const loop = (way: string) => ({
      code: 'invalid_input',
      message: expect.stringContaining(`the chain loops: ${way}`),
    })
    expect(await save(chainOf('a', 'a'))).toEqual(loop('a → a'))
    expect(await save(chainOf('a', 'b'), chainOf('b', 'a'))).toEqual(loop('a → b → a'))
    expect(await save(chainOf('a', 'list_locks'))).toBe('saved')
    expect(await save(chainOf('b', 'a@1'))).toBe('saved')
    expect(await save(chainOf('a', 'b'))).toEqual(loop('a → b → a'))
    expect(await save(chainOf('a', 'a@1'))).toEqual(loop('a → a'))
    const found = await tenant.findTool('a@latest')
    expect('tool' in found && found.tool.version).toBe(1)
  })

  it('does not fit when its definition is none', () => {
    const parsed = ToolDefinition.safeParse({
      id: 'x',
      name: 'x',
      description: '',
      input_schema: {},
      executor: { kind: 'chain', chain: { steps: [] } },
    })
    expect(parsed.error?.issues[0]?.message).toMatch(/at least one step/)
  })
})
