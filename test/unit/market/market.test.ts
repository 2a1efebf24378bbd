import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fail } from '../../../src/core/failure.ts'
import { tenantId } from '../../../src/core/ids.ts'
import { MAX_MARKET_CHARS_PER_TENANT } from '../../../src/core/limits/marketplace.ts'
import { market } from '../../../src/market/market.ts'
import { marketModeration } from '../../../src/market/moderation.ts'
import { type DatabaseRow, type Statement, sql } from '../../../src/ports/database.ts'
import type { NewVersion } from '../../../src/ports/market.ts'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { NodeDatabase } from '../../support/database-node.ts'
import { fakeClock } from '../../support/fake-clock.ts'

function open() {
  const db = new NodeDatabase(
    ...['0001_keys', '0003_marketplace'].map((name) => readFileSync(`migrations/${name}.sql`, 'utf8')),
  )
  const rules = {
    isBuiltin: (tool: string) => tool === 'file_read',
    checkTarget: (url: string) => {
      if (url.includes('10.0.0.1')) fail('forbidden', 'a private address')
    },
  }
  return {
    db,
    moderation: marketModeration(db),
    as: (tenant: string) => market({ db, tenant: tenantId(tenant), clock: fakeClock(), rules }),
  }
}

const NO_RULES = { isBuiltin: () => true, checkTarget: () => {} }

const definition = (more: object = {}) =>
  ToolDefinition.parse({
    id: 'own.id',
    name: 'Weather',
    description: 'Says whether it rains in a city.',
    input_schema: { type: 'object', properties: { city: { type: 'string' } } },
    executor: { kind: 'http', target: 'https://weather.example/{city}', request: {} },
    toolkit: 'mine',
    hidden: true,
    ...more,
  })

const version = (more: Partial<NewVersion> & { readonly def?: object } = {}): NewVersion => {
  const { def = {}, ...rest } = more
  return { publisher: 'acme', tool: 'weather', definition: definition(def), readme: '# Rain', examples: [], ...rest }
}

describe('publishing', () => {
  it('keeps a numbered snapshot without what is only the own registry’s, and none of what is the same', async () => {
    const own = open().as('acme')
    const first = await own.publish(version())
    expect(first).toMatchObject({ version: 1, created: true, installs: 0, breaking: false })
    expect(first.definition).toMatchObject({ id: 'acme/weather', toolkit: null, hidden: false })
    expect(first.needs).toEqual({
      secrets: [],
      hosts: ['https://weather.example'],
      tools: [],
      packages: [],
      code: false,
    })
    expect(await own.publish(version())).toMatchObject({ version: 1, created: false })
    const def = { input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } }
    expect(await own.publish(version({ def }))).toMatchObject({ version: 2, created: true, breaking: true })
    expect((await own.versions({ publisher: 'acme', tool: 'weather' })).map((one) => one.version)).toEqual([2, 1])
    expect((await own.find({ publisher: 'acme', tool: 'weather' }, 1)).definition.input_schema).not.toHaveProperty(
      'required',
    )
  })

  it('gives a publisher’s name to one tenant for good', async () => {
    const { as } = open()
    await as('one').publish(version())
    await expect(as('two').publish(version({ tool: 'other' }))).rejects.toThrow('the publisher acme is taken')
    await expect(as('one').publish(version({ publisher: 'acme-2' }))).rejects.toThrow('you publish as acme')
    await expect(as('two').publish(version({ publisher: 'toolyard' }))).rejects.toThrow('is taken')
    await expect(as('two').publish(version({ publisher: 'Acme' }))).rejects.toThrow('publisher: must be')
    await expect(as('two').publish(version({ publisher: 'b', tool: '../x' }))).rejects.toThrow('must be')
    await expect(as('two').publish(version({ publisher: 'beta', tool: '../x' }))).rejects.toThrow('tool: must be')
  })

  it.each([
    [
      'a key in the source',
      'definition: something in it looks like',
      { def: { executor: { kind: 'python', target: 'a:b', source: `k = "ghp_${'a'.repeat(36)}"` } } },
    ],
    ['a key in the readme', 'readme: something in it looks like', { readme: 'try AKIAIOSFODNN7EXAMPLE' }],
    [
      'a token in an example',
      'examples: something in it looks like',
      { examples: [{ args: {}, result: `Bearer ${'x1'.repeat(20)}` }] },
    ],
    [
      'a password in an address',
      'definition: something in it looks like',
      { def: { description: 'asks https://user:hunter2hunter2@db.example/' } },
    ],
    [
      'a constant key in a header',
      'the request has a constant',
      {
        def: {
          executor: { kind: 'http', target: 'https://a.example', request: { headers: { 'X-Api-Key': 'abc123' } } },
        },
      },
    ],
    [
      'a private address',
      '[forbidden] a private address',
      { def: { executor: { kind: 'http', target: 'http://10.0.0.1/' } } },
    ],
    [
      'a tool that only the publisher has',
      'step a calls own.other',
      { def: { executor: { kind: 'chain', chain: { steps: [{ id: 'a', tool: 'own.other' }] } } } },
    ],
    [
      'an example that the tool does not take',
      'examples[1].args do not fit input_schema: city: must be string, and is integer: 5; send examples',
      {
        examples: [
          { args: { city: 'Kyiv' }, result: 1 },
          { args: { city: 5 }, result: 1 },
        ],
      },
    ],
    ['too long a readme', 'MAX_README_CHARS', { readme: 'x'.repeat(40_000) }],
    ['too many examples', 'MAX_EXAMPLES', { examples: Array.from({ length: 11 }, () => ({ args: {}, result: 1 })) }],
  ])('refuses %s, and says so', async (_, why, more) => {
    const own = open().as('acme')
    await expect(own.publish(version(more))).rejects.toThrow(why)
    await expect(own.find({ publisher: 'acme', tool: 'weather' })).rejects.toThrow('there is no acme/weather')
  })

  it('keeps no more of a tenant than may be kept, published at once or not, and says so', async () => {
    const own = open().as('acme')
    const source = 'x'.repeat(250_000)
    const large = (no: number) =>
      version({ tool: `t${no}`, def: { executor: { kind: 'python', target: 'a:b', source } } })
    const fitting = Math.floor(MAX_MARKET_CHARS_PER_TENANT / 251_000)
    for (let no = 1; no < fitting; no++) await own.publish(large(no))
    const ends = await Promise.allSettled([own.publish(large(100)), own.publish(large(101)), own.publish(large(102))])
    const refused = ends.filter((end) => end.status === 'rejected')
    expect(refused.map(({ reason }) => reason.failure.code)).toEqual(Array(ends.length - 1).fill('limit_exceeded'))
    const all = await own.search({ words: '', limit: 100, offset: 0 })
    expect(all.hits).toHaveLength(fitting)
    expect((await own.search({ words: 'weather', limit: 100, offset: 0 })).hits).toHaveLength(fitting)
    await own.unpublish({ publisher: 'acme', tool: 't1' })
    expect(await own.publish(large(103))).toMatchObject({ created: true })
  })

  it('lets a version be found that is published while the one before is taken back', async () => {
    const { db, as } = open()
    const own = as('acme')
    await own.publish(version())
    const meanwhile: unknown[] = []
    const slow = {
      batch: (statements: Statement[]) => db.batch(statements),
      async rows<Row extends DatabaseRow>(statement: Statement) {
        const rows = await db.rows<Row>(statement)
        // It has read by then that there is no version.
        if (rows.length === 0) meanwhile.push(await own.publish(version({ readme: '# Anew' })))
        return rows
      },
    }
    const parts = { db: slow, tenant: tenantId('acme'), clock: fakeClock(), rules: NO_RULES }
    expect(await market(parts).unpublish({ publisher: 'acme', tool: 'weather' }, 1)).toEqual([1])
    expect(meanwhile).toMatchObject([{ version: 2, created: true }])
    expect((await own.search({ words: 'weather', limit: 5, offset: 0 })).hits).toMatchObject([{ version: 2 }])
  })

  it('publishes two at the same time as two versions, or refuses one', async () => {
    const own = open().as('acme')
    const ends = await Promise.allSettled([
      own.publish(version({ readme: 'one' })),
      own.publish(version({ readme: 'two' })),
    ])
    const done = ends.filter(({ status }) => status === 'fulfilled').length
    expect((await own.versions({ publisher: 'acme', tool: 'weather' })).length).toBe(done)
    expect(ends.every((end) => end.status === 'fulfilled' || String(end.reason).includes('meanwhile'))).toBe(true)
  })
})

describe('searching', () => {
  it('finds by words of name, description and readme, the name first, page by page', async () => {
    const { as } = open()
    const own = as('acme')
    await own.publish(version({ tool: 'weather', readme: 'Nothing about trains.' }))
    await own.publish(version({ tool: 'rails', def: { name: 'Trains', description: 'When trains leave.' } }))
    await own.publish(version({ tool: 'paper', def: { name: 'Papers', description: '查找论文' } }))
    const found = async (words: string, limit = 10, offset = 0) => {
      const { hits, more } = await as('somebody').search({ words, limit, offset })
      return [...hits.map(({ tool }) => tool), ...(more ? ['…'] : [])]
    }
    expect(await found('train')).toEqual(['rails', 'weather'])
    expect(await found('train', 1)).toEqual(['rails', '…'])
    expect(await found('train', 1, 1)).toEqual(['weather'])
    expect(await found('论文')).toEqual(['paper'])
    expect(await found('')).toEqual(['paper', 'rails', 'weather'])
    expect(await found('submarine')).toEqual([])
    expect((await found('acme')).sort()).toEqual(['paper', 'rails', 'weather'])
    expect((await found('acme weather'))[0]).toBe('weather')
  })

  it.each([
    '"',
    "'; DROP TABLE market_packages; --",
    'name:train OR *',
    'NEAR(a b)',
    '" OR name:"x',
    'trains AND NOT',
    '^train*',
    '\u0000',
    '🚆🚆',
    '-',
    '(((',
    'x'.repeat(50_000),
  ])('takes %j for words', async (words) => {
    // biome-ignore format: a list of texts
    const own = open().as('acme')
    await own.publish(version())
    const { hits } = await own.search({ words, limit: 5, offset: 0 })
    expect(hits.length).toBeLessThanOrEqual(1)
    expect((await own.search({ words: 'weather', limit: 5, offset: 0 })).hits).toHaveLength(1)
  })
})

describe('taking back', () => {
  const name = { publisher: 'acme', tool: 'weather' }

  it('lets a publisher take back one version or all, and never gives a number again', async () => {
    const { as } = open()
    const own = as('acme')
    await own.publish(version())
    await own.publish(version({ readme: 'second' }))
    await expect(as('other').unpublish(name)).rejects.toThrow('there is no acme/weather')
    expect(await own.unpublish(name, 2)).toEqual([2])
    await expect(own.find(name, 2)).rejects.toThrow('there is no acme/weather@2')
    expect(await own.find(name)).toMatchObject({ version: 1 })
    expect(await own.unpublish(name)).toEqual([1])
    await expect(own.find(name)).rejects.toThrow('there is no')
    expect((await own.search({ words: 'weather', limit: 5, offset: 0 })).hits).toEqual([])
    expect((await own.search({ words: '', limit: 5, offset: 0 })).hits).toEqual([])
    expect(await own.publish(version())).toMatchObject({ version: 3 })
    expect((await own.search({ words: 'weather', limit: 5, offset: 0 })).hits).toHaveLength(1)
  })

  it('lets the operator block a package, for all and whatever is published, and let it be again', async () => {
    const { as, moderation } = open()
    const own = as('acme')
    await own.publish(version())
    await as('other').report(name, 'first')
    await as('other').report(name, 'it sends my files elsewhere')
    await expect(own.report(name, 'x')).rejects.toThrow('your own')
    expect(await moderation.reports({ limit: 5, offset: 0 })).toMatchObject([
      { ...name, reason: 'it sends my files elsewhere', blocked: false },
    ])
    await moderation.block(name, 'malware')
    await expect(own.find(name)).rejects.toThrow('there is no')
    await expect(own.publish(version({ readme: 'harmless now' }))).rejects.toThrow('blocked it: malware')
    expect((await own.search({ words: 'weather', limit: 5, offset: 0 })).hits).toEqual([])
    await moderation.block(name, null)
    expect(await own.find(name)).toMatchObject({ version: 1 })
    expect((await own.search({ words: 'weather', limit: 5, offset: 0 })).hits).toHaveLength(1)
  })

  it('shows nothing of a tenant that is disabled, page by page', async () => {
    const { as, db } = open()
    for (const tenant of ['acme', 'beta', 'gamma']) await as(tenant).publish(version({ publisher: tenant }))
    await db.rows(sql('INSERT INTO tenants (id, name, created_at, disabled_at) VALUES (?, ?, 0, 1)', 'beta', 'Beta'))
    const reader = as('reader')
    await expect(reader.find({ publisher: 'beta', tool: 'weather' })).rejects.toThrow('there is no beta/weather')
    for (const words of ['weather', '']) {
      const first = await reader.search({ words, limit: 1, offset: 0 })
      const second = await reader.search({ words, limit: 1, offset: 1 })
      expect([...first.hits, ...second.hits].map((hit) => hit.publisher).sort()).toEqual(['acme', 'gamma'])
      expect([first.more, second.more]).toEqual([true, false])
    }
  })

  it('counts tenants that installed, each once', async () => {
    const { as } = open()
    await as('acme').publish(version())
    await as('one').noteInstall(name)
    await as('one').noteInstall(name)
    await as('two').noteInstall(name)
    expect(await as('acme').find(name)).toMatchObject({ installs: 2 })
  })
})
