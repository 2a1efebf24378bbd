import { describe, expect, it } from 'vitest'
import { MAX_REGISTERED_TOOLS, MAX_SHOWN_PAGE_CHARS } from '../../../src/core/limits/registry.ts'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { ToolRevisions } from '../../../src/tenant/tool-revisions.ts'
import { failureOf } from '../../support/failure-of.ts'
import { openTenant } from './open.ts'

const BY = { key: null, agent: null }

const put = (id: string, description = '') => ({
  op: 'put' as const,
  definition: ToolDefinition.parse({
    id,
    name: id,
    description,
    input_schema: {},
    executor: { kind: 'http', target: 'https://tools.example/run' },
  }),
})

describe('toolsSince', () => {
  it('tells what changed, and what is gone, in the state that it is in now', async () => {
    const { tenant } = openTenant()
    await tenant.tools.change([put('a'), put('b'), put('c')], BY)
    const all = await tenant.tools.since(0)
    expect(all).toMatchObject({ anew: false, gone: [], more: false })
    expect(all.tools.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(await tenant.tools.since(all.revision)).toMatchObject({ revision: all.revision, tools: [], gone: [] })

    await tenant.tools.change([put('b', 'new'), put('a'), { op: 'delete', id: 'c' }], BY)
    await tenant.tools.change([{ op: 'policy', id: 'a', policy: { enabled: false } }], BY)
    const notices = await tenant.tools.since(all.revision)
    expect(notices.tools.map(({ id, description, policy }) => [id, description, policy.enabled])).toEqual([
      ['b', 'new', true],
      ['a', '', false],
    ])
    expect(notices.gone).toEqual(['c'])
    expect(notices.revision).toBeGreaterThan(all.revision)
  })

  it('tells nothing of what was taken back', async () => {
    const { tenant } = openTenant()
    const taken = tenant.tools.change([put('a'), { op: 'delete', id: 'none' }], BY)
    expect(await failureOf(taken)).toMatchObject({ code: 'not_found' })
    expect(await tenant.tools.since(0)).toEqual({ revision: 0, anew: false, tools: [], gone: [], more: false })
  })

  it('comes in pages', async () => {
    const { tenant } = openTenant()
    const long = 'x'.repeat(15_000)
    const ids = Array.from({ length: Math.ceil((2.5 * MAX_SHOWN_PAGE_CHARS) / long.length) }, (_, n) => `tool-${n}`)
    await tenant.tools.change(
      ids.map((id) => put(id, long)),
      BY,
    )
    const got: string[] = []
    let pages = 0
    for (let [revision, more] = [0, true]; more; pages++) {
      const page = await tenant.tools.since(revision)
      got.push(...page.tools.map(({ id }) => id))
      expect(JSON.stringify(page).length).toBeLessThan(1.1 * MAX_SHOWN_PAGE_CHARS)
      ;({ revision, more } = page)
    }
    expect([pages, got]).toEqual([3, ids])
  })

  it('forgets the deleted ones some day, and has those begin anew who did not hear of them', async () => {
    const { tenant, sql } = openTenant()
    await tenant.tools.change([put('stays')], BY)
    const before = await tenant.tools.since(0)
    const revisions = new ToolRevisions(sql)
    revisions.note(Array.from({ length: 2 * MAX_REGISTERED_TOOLS }, (_, n) => `gone-${n}`))
    const [{ rows } = { rows: 0 }] = sql.all<{ rows: number }>('SELECT count(*) AS rows FROM tool_revisions')
    expect(rows).toBe(2)
    const anew = await tenant.tools.since(before.revision)
    expect(anew).toMatchObject({ anew: true, gone: [], more: false, tools: [{ id: 'stays' }] })
    expect(await tenant.tools.since(anew.revision)).toMatchObject({ anew: false, tools: [] })
    expect((await tenant.tools.since(0)).tools).toHaveLength(1)
  })
})
