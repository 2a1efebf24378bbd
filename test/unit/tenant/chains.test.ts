import { describe, expect, it } from 'vitest'
import { MAX_NAMED_CHAINS } from '../../../src/core/limits/chains.ts'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import type { ToolChange } from '../../../src/tenant/tools-api.ts'
import { answerOf } from '../../support/answer-of.ts'
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
      const answer = await answerOf(tenant.tools.change(changes, BY))
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
    expect(await save(chainOf('outer', 'inner@7'))).toMatch(/not found: inner@7. Its newest version is 1/)
    expect(await save(chainOf('outer', 'list_locks@1'))).toMatch(/list_locks has no versions; write list_locks alone/)
  })

  it('knows what a tool of the tenant gives beside its result: what Python printed', async () => {
    const { tenant } = openTenant()
    const registered = (id: string, executor: object) =>
      ToolDefinition.parse({
        ...{ id, name: id, description: '', input_schema: {}, executor },
        output_schema: { properties: { url: {} } },
        checks: { output: true },
      })
    const source = 'def f():\n    print(1)\n    return {"url": 1}'
    const python = registered('py', { kind: 'python', target: 'tool:f', source })
    const http = registered('web', { kind: 'http', target: 'https://a.example' })
    await tenant.tools.change(
      [python, http].map((definition) => ({ op: 'put', definition })),
      BY,
    )
    const save = async (tool: string, path: string) => {
      const chain = { steps: [{ id: 'a', tool }], output: `\${{ steps.a.result.${path} }}` }
      const answer = await answerOf(tenant.tools.change([put('c', chain)], BY))
      return 'failure' in answer ? answer.failure.message : 'saved'
    }
    expect(await save('py', 'result.url')).toBe('saved')
    expect(await save('py', 'stdout')).toBe('saved')
    expect(await save('py', 'url')).toMatch(/steps.a.result has no url; it has result, stdout, stderr/)
    expect(await save('web', 'result.uri')).toMatch(/steps.a.result.result has no uri; it has url/)
    expect(await save('web', 'stdout')).toMatch(/steps.a.result has no stdout; it has result/)
  })

  it('cannot lead back to itself: not alone, not by others, and not by a change of another', async () => {
    const { tenant } = openTenant()
    const save = async (...changes: ReturnType<typeof put>[]) => {
      const answer = await answerOf(tenant.tools.change(changes, BY))
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
    expect((await tenant.tools.find('a@latest')).version).toBe(1)
  })

  it('is named by the answer to a change of a tool that it calls, when the change reaches it', async () => {
    const { tenant } = openTenant()
    const usedBy = async (...changes: ToolChange[]) => {
      const [changed] = await tenant.tools.change(changes, BY)
      return changed?.usedBy ?? []
    }
    const version = (required: string[], staged = false) => {
      const executor = { kind: 'http', target: 'https://a.example' }
      const input_schema = { type: 'object', required }
      const fields = { id: 'a', name: 'a', description: '', input_schema, executor }
      return { op: 'put' as const, definition: ToolDefinition.parse(fields), staged }
    }
    await usedBy(version([]), chainOf('b', 'a'))
    const pinned = [chainOf('exact', 'a@1'), chainOf('newest', 'a@latest'), chainOf('same', 'a@^1')]
    const others = [chainOf('other', 'b'), chainOf('longer', 'ab'), chainOf('ab', 'list_locks')]
    expect(await usedBy(...pinned, ...others)).toEqual([])
    expect(await usedBy(version(['x'], true))).toEqual(['newest'])
    expect(await usedBy({ op: 'stable', id: 'a', version: 2 })).toEqual(['b'])
    expect(await usedBy({ op: 'stable', id: 'a', version: 2 })).toEqual([])
    expect(await usedBy(version([]))).toEqual([])
    expect(await usedBy(version(['y']))).toEqual(['b', 'newest'])
    expect(await usedBy({ op: 'policy', id: 'a', policy: { enabled: true } })).toEqual([])
    expect(await usedBy({ op: 'policy', id: 'a', policy: { enabled: false } })).toEqual([
      'b',
      'exact',
      'newest',
      'same',
    ])
    expect(await usedBy({ op: 'delete', id: 'a' }, { op: 'delete', id: 'exact' })).toEqual(['b', 'newest', 'same'])
  })

  it('is named although many others call versions that the change does not reach', async () => {
    const { tenant } = openTenant()
    const version = (required: string[]) => {
      const executor = { kind: 'http', target: 'https://a.example' }
      const fields = { id: 'a', name: 'a', description: '', input_schema: { type: 'object', required }, executor }
      return { op: 'put' as const, definition: ToolDefinition.parse(fields) }
    }
    const pinned = Array.from({ length: MAX_NAMED_CHAINS }, (_, n) => chainOf(`pinned-${n}`, 'a@1'))
    const callers = Array.from({ length: MAX_NAMED_CHAINS + 1 }, (_, n) => chainOf(`caller-${n}`, 'a'))
    await tenant.tools.change([version([]), ...pinned], BY)
    await tenant.tools.change(callers, BY)
    const answer = await tenant.tools.change([version(['x'])], BY)
    const named = callers.slice(0, MAX_NAMED_CHAINS).map(({ definition }) => definition.id)
    expect(answer).toMatchObject([{ usedBy: named }])
  })

  it('is named as well when a tool is put that was staged, that was changed while staged, or that lets fewer in', async () => {
    const { tenant } = openTenant()
    const change = async (...changes: ToolChange[]) => {
      const [changed] = await tenant.tools.change(changes, BY)
      return changed
    }
    const version = (required: string[], rest: object = {}) => {
      const executor = { kind: 'http', target: 'https://a.example' }
      const fields = { id: 'a', name: 'a', description: '', input_schema: { type: 'object', required }, executor }
      return { op: 'put' as const, definition: ToolDefinition.parse(fields), ...rest }
    }
    await change(version([]), chainOf('b', 'a'), chainOf('first', 'a@1'))
    expect(await change(version(['x'], { staged: true }))).toMatchObject({ breaking: true, staged: true })
    // Does not break callers of the staged one, but those of the stable one.
    const third = { ...version(['x']), definition: { ...version(['x']).definition, description: 'Said better.' } }
    expect(await change(third)).toMatchObject({ version: 3, breaking: true, usedBy: ['b'] })
    expect(await change({ op: 'stable', id: 'a', version: 1 })).toMatchObject({ breaking: false, usedBy: ['b'] })
    expect(await change(third)).toMatchObject({ op: 'stable', version: 3, breaking: true, usedBy: ['b'] })
    const closed = { policy: { allowed_agents: ['pm'] } }
    expect(await change({ ...third, ...closed })).toMatchObject({ outcome: 'updated', usedBy: ['b', 'first'] })
    expect(await change({ ...third, ...closed })).not.toHaveProperty('usedBy')
    expect(
      (await tenant.audit.page({ after: 0, limit: 99 })).lines.map((line) => JSON.parse(line)).slice(3),
    ).toMatchObject([
      { action: 'tool.update', detail: { version: 2, breaking: true, staged: true } },
      { action: 'tool.update', detail: { version: 3, breaking: true } },
      { action: 'tool.stable', detail: { version: 1 } },
      { action: 'tool.stable', detail: { version: 3, breaking: true } },
      { action: 'tool.update', detail: { version: 3, allowed_agents: ['pm'] } },
    ])
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
