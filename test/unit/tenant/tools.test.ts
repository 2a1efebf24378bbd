import { describe, expect, it } from 'vitest'
import { ToolDefinition, type ToolPolicy } from '../../../src/registry/definition.ts'
import { openTenant } from './open.ts'

const BY = { key: null, agent: null }

const definition = (id: string, fields: object = {}) =>
  ToolDefinition.parse({
    id,
    name: id,
    description: 'Does something.',
    input_schema: {},
    executor: { kind: 'http', target: 'https://tools.example/run' },
    ...fields,
  })

const policy = (fields: Partial<ToolPolicy>): ToolPolicy => ({ enabled: true, allowed_agents: null, ...fields })

const call = (reference: string, agent: string | null = 'sofia') => ({
  callId: crypto.randomUUID(),
  reference,
  session: 's',
  key: null,
  agent,
})

describe('registered tools of a tenant', () => {
  it('keeps every version, and gives those who name none the stable one', async () => {
    const { tenant } = openTenant()
    for (const timeout of [1, 2, 3]) {
      await tenant.changeTools([{ op: 'put', definition: definition('my.tool', { timeout }) }], BY)
    }
    await tenant.changeTools([{ op: 'stable', id: 'my.tool', version: 2 }], BY)
    const timeoutOf = async (reference: string) => {
      const found = await tenant.findTool(reference)
      return 'tool' in found ? found.tool.definition.timeout : found.failure.code
    }
    expect(
      await Promise.all(['my.tool', 'my.tool@1', 'my.tool@latest', 'my.tool@2-9', 'my.tool@>=4'].map(timeoutOf)),
    ).toEqual([2, 1, 3, 3, 'not_found'])
  })

  it('makes all changes or none', async () => {
    const { tenant } = openTenant()
    const answer = await tenant.changeTools(
      [
        { op: 'put', definition: definition('a') },
        { op: 'delete', id: 'b' },
      ],
      BY,
    )
    expect(answer).toMatchObject({ failure: { code: 'not_found', message: expect.stringContaining('b') } })
    expect(await tenant.listTools({ limit: 10 })).toEqual({ tools: [], total: 0 })
  })

  it('asks in this order whether a tool is there, on, and for this agent', async () => {
    const { tenant } = openTenant()
    await tenant.changeTools(
      [
        { op: 'put', definition: definition('off'), policy: policy({ enabled: false, allowed_agents: [] }) },
        { op: 'put', definition: definition('some'), policy: policy({ allowed_agents: ['so*a', 'pm'] }) },
      ],
      BY,
    )
    expect(await tenant.beginCall(call('none'))).toMatchObject({ failure: { message: 'Tool not found: none' } })
    expect(await tenant.beginCall(call('off'))).toMatchObject({ failure: { message: 'Tool is disabled: off' } })
    expect(await tenant.beginCall(call('some', 'cto'))).toMatchObject({
      failure: { code: 'forbidden', message: 'Agent cto not in allowlist for some' },
    })
    expect(await tenant.beginCall(call('some', 'sofia'))).toMatchObject({ tool: { definition: { id: 'some' } } })
    expect(await tenant.beginCall(call('some', 'so'))).toMatchObject({ failure: { code: 'forbidden' } })
  })
})
