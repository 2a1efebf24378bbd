import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { tenantId } from '../../../src/core/ids.ts'
import { MAX_HELD_TOOLS } from '../../../src/core/limits/tool-search.ts'
import { TenantToolCache } from '../../../src/http/tenant-tools.ts'
import { ToolFinder } from '../../../src/http/tool-finder.ts'
import type { Semantics } from '../../../src/ports/semantics.ts'
import { embeddingCorpus, embeddingId } from '../../../src/registry/tool-embedding.ts'
import { Neighbours } from '../../../src/retrieval/neighbours.ts'
import type { ShownTool, ToolsSince } from '../../../src/tenant/tools-api.ts'
import { FakeSemantics } from '../../support/fake-semantics.ts'

const table = new Neighbours(Uint8Array.from(readFileSync('src/assets/neighbours.bin')).buffer)
const newFinder = () => new ToolFinder(async () => table)
const aCache = (semantics: Semantics | null = null) =>
  new TenantToolCache({ shared: newFinder(), newFinder, semantics })

const tool = (id: string): ShownTool => ({
  id,
  name: id,
  description: '',
  inputSchema: {},
  toolkit: null,
  hidden: false,
  source: null,
  policy: { enabled: true, allowed_agents: null },
})

/** A tenant's object with these tools, which counts what it is asked. */
function aTenant(given: readonly ShownTool[]) {
  const state = { revision: given.length, notices: [...given], requests: [] as number[] }
  return {
    state,
    since: async (revision: number): Promise<ToolsSince> => {
      state.requests.push(revision)
      await new Promise(setImmediate)
      const tools = state.notices.slice(revision)
      return { revision: state.revision, anew: false, tools, gone: [], more: false }
    },
    add(one: ShownTool) {
      state.notices.push(one)
      state.revision++
    },
  }
}

const ACME = tenantId('acme')

afterEach(() => vi.useRealTimers())

describe('the tools of tenants', () => {
  it('are asked for once, and then only what changed since', async () => {
    const [cache, tenant] = [aCache(), aTenant([tool('b'), tool('a')])]
    const first = await cache.of(ACME, tenant)
    expect(first.tools.map(({ id }) => id)).toEqual(['a', 'b'])
    expect((await cache.of(ACME, tenant)).tools).toBe(first.tools)
    tenant.add(tool('c'))
    expect((await cache.of(ACME, tenant)).tools.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(tenant.state.requests).toEqual([0, 2, 2])
  })

  it('are there for others when the request that asks for them is cut off, and its promise never settles', async () => {
    const [cache, tenant] = [aCache(), aTenant([tool('a')])]
    const never = { since: () => new Promise<ToolsSince>(() => undefined) }
    cache.of(ACME, never).catch(() => undefined)
    const others = await Promise.all([cache.of(ACME, tenant), cache.of(ACME, tenant)])
    for (const { tools } of others) expect(tools.map(({ id }) => id)).toEqual(['a'])
    expect((await cache.of(ACME, tenant)).tools).toHaveLength(1)
  })

  it('are refused where their schemas are too much for an isolate, and take no room from those of others then', async () => {
    const cache = aCache()
    const rival = aTenant([tool('a')])
    const first = (await cache.of(tenantId('rival'), rival)).tools
    const inputSchema = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x${at}`, {}]))
    const large = aTenant(Array.from({ length: 100 }, (_, at) => ({ ...tool(`t${at}`), inputSchema })))
    await expect(cache.of(ACME, large)).rejects.toThrow('MAX_HELD_TOOL_CHARS')
    expect((await cache.of(tenantId('rival'), rival)).tools).toBe(first)
  })

  it('of one that asked long ago go where those of two are too much together', async () => {
    const cache = aCache()
    const inputSchema = { description: 'x'.repeat(500_000) }
    const thirty = () => aTenant(Array.from({ length: 30 }, (_, at) => ({ ...tool(`t${at}`), inputSchema })))
    const [one, other] = [thirty(), thirty()]
    const first = (await cache.of(ACME, one)).tools
    expect((await cache.of(ACME, one)).tools).toBe(first)
    await cache.of(tenantId('rival'), other)
    expect((await cache.of(ACME, one)).tools).not.toBe(first)
  })

  it('are never older than the request', async () => {
    // A machine that stands still for a moment would end the time in which requests share a fetch.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const [cache, tenant] = [aCache(), aTenant([tool('a')])]
    const before = cache.of(ACME, tenant)
    tenant.add(tool('b'))
    const after = Array.from({ length: 10 }, () => cache.of(ACME, tenant))
    await before
    for (const { tools } of await Promise.all(after)) expect(tools).toHaveLength(2)
    expect(tenant.state.requests.length).toBe(2)
  })

  it('are asked for again after a failure', async () => {
    const cache = aCache()
    await expect(cache.of(ACME, { since: () => Promise.reject(new Error('gone')) })).rejects.toThrow('gone')
    expect((await cache.of(ACME, aTenant([tool('a')]))).tools).toHaveLength(1)
  })

  it('of one tenant are not those of another, and those of who asked longest ago go first', async () => {
    const cache = aCache()
    const half = (name: string) => aTenant(Array.from({ length: MAX_HELD_TOOLS / 2 }, (_, n) => tool(`${name}-${n}`)))
    const tenants = ['a', 'b', 'c'].map((name) => ({ id: tenantId(name), ...half(name) }))
    for (const tenant of tenants) {
      const { tools } = await cache.of(tenant.id, tenant)
      expect(tools.every(({ id }) => id.startsWith(`${tenant.id}-`))).toBe(true)
    }
    for (const tenant of tenants.toReversed()) await cache.of(tenant.id, tenant)
    expect(tenants.map(({ state }) => state.requests.filter((revision) => revision === 0).length)).toEqual([2, 1, 1])
  })
})

describe('a question', () => {
  const ask = async (semantics: Semantics | null, question: string, tenant = ACME) => {
    const tools = [tool('weather'), tool('bamboo')]
    const { find } = await aCache(semantics).of(tenant, aTenant(tools))
    const findable = tools.map(({ id, name }) => ({ id: `Env_${id}`, name }))
    return find({ findable, question, limit: 5, idOf: (id) => `Env_${id}` })
  }

  it('finds by meaning what no word of it fits, and joins both', async () => {
    const semantics = new FakeSemantics()
    const put = (tenant: typeof ACME, id: string) =>
      semantics.put(embeddingCorpus(tenant), [{ id: embeddingId(tenant, id), text: id, year: null }])
    for (const id of ['weather', 'bamboo', 'no longer there']) await put(ACME, id)
    await put(tenantId('rival'), 'weather')
    await semantics.put('tenant/acme', [{ id: '7', text: 'bamboo: a paper', year: null }])
    semantics.near = (text) => text.startsWith('bamboo')
    expect(await ask(semantics, 'qwxzv')).toEqual(['Env_bamboo'])
    expect(await ask(semantics, 'weather')).toEqual(['Env_weather', 'Env_bamboo'])
    expect(await ask(semantics, 'qwxzv', tenantId('rival'))).toEqual([])
    expect(await ask(null, 'qwxzv')).toEqual([])
    const queries: (readonly string[])[] = []
    semantics.nearest = async ({ corpora }) => {
      queries.push(corpora)
      return []
    }
    await ask(semantics, 'qwxzv')
    expect(queries).toEqual([[embeddingCorpus(ACME)]])
  })

  it('is answered by words where meaning cannot be asked', async () => {
    const semantics = new FakeSemantics()
    semantics.nearest = () => Promise.reject(new Error('the model is away'))
    expect(await ask(semantics, 'weather')).toEqual(['Env_weather'])
  })
})
