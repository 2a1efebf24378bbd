import { describe, expect, it } from 'vitest'
import {
  MAX_DEFINITION_CHARS,
  MAX_REGISTERED_TOOLS,
  MAX_REGISTRY_CHARS,
  MAX_TOOL_VERSIONS,
} from '../../../src/core/limits/registry.ts'
import { ToolDefinition, type ToolPolicy } from '../../../src/registry/definition.ts'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import { answerOf } from '../../support/answer-of.ts'
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
      await tenant.tools.change([{ op: 'put', definition: definition('my.tool', { timeout }) }], BY)
    }
    await tenant.tools.change([{ op: 'stable', id: 'my.tool', version: 2 }], BY)
    const timeoutOf = async (reference: string) => {
      const found = await answerOf(tenant.tools.find(reference))
      return 'failure' in found ? found.failure.code : found.definition.timeout
    }
    expect(
      await Promise.all(['my.tool', 'my.tool@1', 'my.tool@latest', 'my.tool@2-9', 'my.tool@>=4'].map(timeoutOf)),
    ).toEqual([2, 1, 3, 3, 'not_found'])
  })

  it('makes all changes or none', async () => {
    const { tenant } = openTenant()
    const work = tenant.tools.change(
      [
        { op: 'put', definition: definition('a') },
        { op: 'delete', id: 'b' },
      ],
      BY,
    )
    expect(await answerOf(work)).toMatchObject({
      failure: { code: 'not_found', message: expect.stringContaining('b') },
    })
    expect(await tenant.tools.list({ limit: 10 })).toEqual({ tools: [], total: 0 })
  })

  it('asks in this order whether a tool is there, on, and for this agent', async () => {
    const { tenant } = openTenant()
    await tenant.tools.change(
      [
        { op: 'put', definition: definition('off'), policy: policy({ enabled: false, allowed_agents: [] }) },
        { op: 'put', definition: definition('some'), policy: policy({ allowed_agents: ['so*a', 'pm'] }) },
      ],
      BY,
    )
    expect(await answerOf(tenant.calls.begin(call('none')))).toMatchObject({
      failure: { message: 'Tool not found: none' },
    })
    expect(await answerOf(tenant.calls.begin(call('off')))).toMatchObject({
      failure: { message: 'Tool is disabled: off' },
    })
    expect(await answerOf(tenant.calls.begin(call('some', 'cto')))).toMatchObject({
      failure: { code: 'forbidden', message: 'Agent cto not in allowlist for some' },
    })
    expect(await tenant.calls.begin(call('some', 'sofia'))).toMatchObject({ tool: { definition: { id: 'some' } } })
    expect(await answerOf(tenant.calls.begin(call('some', 'so')))).toMatchObject({ failure: { code: 'forbidden' } })
  })

  it('says beforehand whether a call might begin, and counts none for it', async () => {
    const { tenant } = openTenant()
    await tenant.tools.change([{ op: 'put', definition: definition('t'), policy: { allowed_agents: ['pm'] } }], BY)
    await tenant.limits.put(LimitSettings.parse({ rules: [{ scope: 'tool', name: 't', concurrency: 1 }] }), BY)
    for (let time = 0; time < 3; time++) expect(await tenant.calls.permit(call('t', 'pm'))).toBeUndefined()
    expect(await answerOf(tenant.calls.permit(call('t', 'cto')))).toMatchObject({ failure: { code: 'forbidden' } })
    expect(await answerOf(tenant.calls.permit(call('none')))).toMatchObject({ failure: { code: 'not_found' } })
    expect(await tenant.calls.begin(call('t', 'pm'))).toMatchObject({ tool: { version: 1 } })
    expect(await answerOf(tenant.calls.begin(call('t', 'pm')))).toMatchObject({ failure: { code: 'rate_limited' } })
  })

  it('finds what a change made of a tool at once, and after one that came to nothing what was there', async () => {
    const { tenant } = openTenant()
    const found = async (reference: string) => {
      const answer = await answerOf(tenant.tools.find(reference))
      return 'failure' in answer ? answer.failure.code : [answer.version, answer.policy.enabled]
    }
    await tenant.tools.change([{ op: 'put', definition: definition('t') }], BY)
    expect([await found('t'), await found('t@latest')]).toEqual([
      [1, true],
      [1, true],
    ])
    const off = { op: 'policy', id: 't', policy: { enabled: false } } as const
    await tenant.tools.change([off], BY, { dryRun: true })
    await answerOf(tenant.tools.change([off, { op: 'delete', id: 'none' }], BY))
    expect(await found('t')).toEqual([1, true])
    await tenant.tools.change([off, { op: 'put', definition: definition('t', { timeout: 5 }), staged: true }], BY)
    expect([await found('t'), await found('t@latest')]).toEqual([
      [1, false],
      [2, false],
    ])
    await tenant.tools.change([{ op: 'delete', id: 't' }], BY)
    expect([await found('t'), await found('t@latest')]).toEqual(['not_found', 'not_found'])
  })

  it('follows "^" up to the first breaking change, whatever is stable', async () => {
    const { tenant } = openTenant()
    const taking = (...required: string[]) => definition('t', { input_schema: { type: 'object', required } })
    // 2 asks for less, 3 for more, 4 for less again.
    for (const made of [taking('a'), taking(), taking('a', 'b'), taking('b')]) {
      await tenant.tools.change([{ op: 'put', definition: made }], BY)
    }
    await tenant.tools.change([{ op: 'stable', id: 't', version: 1 }], BY)
    const versionOf = async (reference: string) => {
      const found = await answerOf(tenant.tools.find(reference))
      return 'failure' in found ? found.failure.code : found.version
    }
    expect(await Promise.all(['t', 't@^1', 't@^2', 't@^3', 't@^4', 't@^5', 't@>=1'].map(versionOf))).toEqual([
      ...[1, 2, 2, 4, 4, 'not_found', 4],
    ])
    const page = await tenant.tools.versions('t', { limit: 2 })
    expect(page).toMatchObject({
      versions: [
        { version: 4, stable: false, breaking: false },
        { version: 3, breaking: true, changes: [{ what: '"a" is required now' }, { what: '"b" is required now' }] },
      ],
      next: 3,
    })
    expect(await tenant.tools.versions('t', { limit: 2, before: 3 })).toMatchObject({
      versions: [{ version: 2 }, { version: 1, stable: true, breaking: false, madeBy: BY }],
    })
    expect(await answerOf(tenant.tools.versions('none', { limit: 2 }))).toMatchObject({
      failure: { code: 'not_found' },
    })
  })

  it('makes no version of what is there already, and goes forward again to one that is', async () => {
    const { tenant } = openTenant()
    const put = async (timeout: number, extra: object = {}) => {
      const change = { op: 'put', definition: definition('t', { timeout }), ...extra } as const
      const answer = await answerOf(tenant.tools.change([change], BY))
      return 'failure' in answer ? answer.failure : answer[0]
    }
    expect(await put(1)).toMatchObject({ outcome: 'created', version: 1 })
    expect(await put(1)).toMatchObject({ outcome: 'unchanged', version: 1 })
    expect(await put(2)).toMatchObject({ outcome: 'updated', version: 2 })
    await tenant.tools.change([{ op: 'stable', id: 't', version: 1 }], BY)
    expect(await put(1)).toMatchObject({ outcome: 'unchanged', version: 1 })
    expect(await put(2)).toMatchObject({ outcome: 'updated', version: 2 })
    expect(await put(3, { staged: true })).toMatchObject({ outcome: 'updated', version: 3 })
    expect(await tenant.tools.find('t')).toMatchObject({ version: 2, latest: 3 })
    expect(await put(4, { expected: 2 })).toMatchObject({ code: 'conflict', message: expect.stringContaining('3') })
    expect(await put(4, { expected: 3 })).toMatchObject({ version: 4 })
  })

  it('lets nobody in again who goes back to an older version', async () => {
    const { tenant } = openTenant()
    await tenant.tools.change([{ op: 'put', definition: definition('t') }], BY)
    await tenant.tools.change(
      [{ op: 'put', definition: definition('t', { timeout: 5 }), policy: { allowed_agents: ['pm'] } }],
      BY,
    )
    await tenant.tools.change([{ op: 'stable', id: 't', version: 1 }], BY)
    for (const reference of ['t', 't@1', 't@2']) {
      expect(await answerOf(tenant.calls.begin(call(reference)))).toMatchObject({ failure: { code: 'forbidden' } })
    }
    // What a change of the policy does not name stays.
    await tenant.tools.change([{ op: 'policy', id: 't', policy: { enabled: false } }], BY)
    expect(await tenant.tools.find('t')).toMatchObject({ policy: { enabled: false, allowed_agents: ['pm'] } })
    const same = await tenant.tools.change([{ op: 'policy', id: 't', policy: { enabled: false } }], BY)
    expect(same).toMatchObject([{ outcome: 'unchanged' }])
  })

  it('goes on with the numbers of a tool that was deleted, and has nothing else of it', async () => {
    const { tenant, sql } = openTenant()
    const put = { op: 'put', definition: definition('t') } as const
    await tenant.tools.change([{ ...put, policy: { enabled: false } }], BY)
    await tenant.tools.change([{ op: 'put', definition: definition('t', { timeout: 1 }) }], BY)
    expect(await tenant.tools.change([{ op: 'delete', id: 't' }], BY)).toMatchObject([
      { id: 't', outcome: 'deleted', version: null },
    ])
    expect(sql.all('SELECT * FROM tool_versions')).toEqual([])
    expect(await answerOf(tenant.tools.find('t'))).toMatchObject({ failure: { code: 'not_found' } })
    expect(await tenant.tools.change([put], BY)).toMatchObject([{ outcome: 'created', version: 3 }])
    expect(await answerOf(tenant.tools.find('t@1'))).toMatchObject({ failure: { code: 'not_found' } })
    expect(await answerOf(tenant.tools.find('t@^2'))).toMatchObject({ failure: { code: 'not_found' } })
    expect(await tenant.tools.find('t')).toMatchObject({ version: 3, policy: { enabled: true } })
  })

  it('says in a dry run what would be, and leaves everything as it is', async () => {
    const { tenant } = openTenant()
    const put = (timeout: number) => ({ op: 'put', definition: definition('t', { timeout }), source: 'f' }) as const
    await tenant.tools.change([put(1)], BY)
    const changes = [put(2), { op: 'delete_others', source: 'f', keep: [] }] as const
    expect(await tenant.tools.change(changes, BY, { dryRun: true })).toMatchObject([
      { outcome: 'updated', version: 2 },
      { op: 'delete', outcome: 'deleted' },
    ])
    expect(await tenant.tools.find('t')).toMatchObject({ version: 1, latest: 1, definition: { timeout: 1 } })
  })

  it('lists the others, and itself, although one would no longer be taken', async () => {
    const { tenant, sql } = openTenant()
    await tenant.tools.change([{ op: 'put', definition: definition('old') }], BY)
    await tenant.tools.change([{ op: 'put', definition: definition('new') }], BY)
    const old = { ...definition('old'), executor: { kind: 'soap' } }
    sql.all("UPDATE tool_versions SET definition = ? WHERE id = 'old'", JSON.stringify(old))
    const { tools } = await tenant.tools.list({ limit: 5 })
    expect(tools.map((tool) => tool.definition.id)).toEqual(['old', 'new'])
  })

  it('holds no definition of a tool that was deleted', async () => {
    const { tenant, sql } = openTenant()
    const put = (timeout: number) => tenant.tools.change([{ op: 'put', definition: definition('t', { timeout }) }], BY)
    await put(1)
    await tenant.tools.find('t')
    await tenant.tools.change([{ op: 'delete', id: 't' }], BY)
    // As when very many others were deleted since.
    sql.all('DELETE FROM deleted_tools')
    await put(2)
    expect(await tenant.tools.find('t')).toMatchObject({ version: 1, definition: { timeout: 2 } })
  })

  it('deletes what came from one place and is no longer there, and nothing else', async () => {
    const { tenant } = openTenant()
    const put = (id: string, source: string | null) => ({ op: 'put', definition: definition(id), source }) as const
    await tenant.tools.change([put('own', null), put('a', 'file'), put('b', 'file'), put('c', 'other')], BY)
    await tenant.tools.change([put('b', null)], BY)
    const answer = await tenant.tools.change([{ op: 'delete_others', source: 'file', keep: [] }], BY)
    expect(answer).toMatchObject([{ id: 'a', op: 'delete' }])
    const { tools } = await tenant.tools.list({ limit: 10 })
    expect(tools.map((tool) => tool.definition.id)).toEqual(['own', 'b', 'c'])
  })

  it('lists page by page, and ends a page early that would be long', async () => {
    const { tenant } = openTenant()
    const long = 'x'.repeat(400_000)
    const ids = Array.from({ length: 25 }, (_, n) => `t${n}`)
    const put = (id: string) => ({ op: 'put', definition: definition(id, { input_schema: { long } }) }) as const
    await tenant.tools.change(ids.map(put), BY)
    const seen: string[] = []
    let after = 0
    for (let pages = 1; ; pages++) {
      const { tools, total, next } = await tenant.tools.list({ limit: 15, after })
      expect(total).toBe(25)
      seen.push(...tools.map((tool) => tool.definition.id))
      if (next === undefined) {
        expect(pages).toBe(3)
        break
      }
      after = next
    }
    expect(seen).toEqual(ids)
  })

  it('has a bound for tools, for versions, and for a definition', async () => {
    const { tenant, sql } = openTenant()
    const put = (id: string, fields = {}) =>
      answerOf(tenant.tools.change([{ op: 'put', definition: definition(id, fields) }], BY))
    expect(await put('long', { input_schema: { x: 'x'.repeat(MAX_DEFINITION_CHARS) } })).toMatchObject({
      failure: { code: 'limit_exceeded', message: expect.stringMatching(/^long .*MAX_DEFINITION_CHARS/) },
    })
    await put('t')
    sql.all('UPDATE tools SET versions = ?', MAX_TOOL_VERSIONS)
    expect(await put('t', { timeout: 2 })).toMatchObject({ failure: { code: 'limit_exceeded' } })
    sql.all('UPDATE tools SET chars = ?', MAX_REGISTRY_CHARS)
    expect(await put('u')).toMatchObject({ failure: { message: expect.stringContaining('MAX_REGISTRY_CHARS') } })
    expect(await tenant.tools.list({ limit: 9 })).toMatchObject({ total: 1 })
    sql.all('UPDATE tools SET chars = 0')
    const many = Array.from({ length: MAX_REGISTERED_TOOLS }, (_, n) => definition(`many ${n}`))
    const work = tenant.tools.change(
      many.map((made) => ({ op: 'put', definition: made }) as const),
      BY,
    )
    expect(await answerOf(work)).toMatchObject({
      failure: { message: expect.stringContaining('MAX_REGISTERED_TOOLS') },
    })
    expect(await tenant.tools.list({ limit: 9 })).toMatchObject({ total: 1 })
  })
})
