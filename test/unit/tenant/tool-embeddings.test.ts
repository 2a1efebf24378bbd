import { expect, it } from 'vitest'
import { tenantId } from '../../../src/core/ids.ts'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { embeddingCorpus, embeddingId } from '../../../src/registry/tool-embedding.ts'
import { FakeSemantics } from '../../support/fake-semantics.ts'
import { openTenant } from './open.ts'

const ACME = tenantId('acme')
const BY = { key: null, agent: null }

const put = (id: string, description = 'Does something.') => ({
  op: 'put' as const,
  definition: ToolDefinition.parse({
    id,
    name: `The ${id}`,
    description,
    toolkit: 'Kit',
    input_schema: {},
    executor: { kind: 'http', target: 'https://tools.example/run' },
  }),
})

const kept = ({ texts }: FakeSemantics) => [...texts.values()].map(({ corpus, text }) => [corpus, text])

it('tools get their vectors behind the change that made them, in batches, and lose them with it', async () => {
  const semantics = new FakeSemantics()
  const { tenant, alarm, time } = openTenant(semantics)
  const wakeWhileDue = async () => {
    for (let due = true; due; due = alarm.at !== null && alarm.at <= time.now) {
      alarm.at = null
      await tenant.wake()
    }
  }
  await tenant.tools.change([put('a'), ...Array.from({ length: 450 }, (_, n) => put(`t${n}`))], BY)
  expect(kept(semantics)).toEqual([])
  await wakeWhileDue()
  expect(kept(semantics)).toHaveLength(451)
  expect(kept(semantics)[0]).toEqual([embeddingCorpus(ACME), 'The a (Kit): Does something.'])
  await tenant.tools.change(
    [put('a', 'Other.'), ...Array.from({ length: 450 }, (_, n) => ({ op: 'delete' as const, id: `t${n}` }))],
    BY,
  )
  await wakeWhileDue()
  expect(semantics.texts.get(embeddingId(ACME, 'a'))?.text).toBe('The a (Kit): Other.')
  expect(kept(semantics)).toHaveLength(1)
})

it('a service that fails keeps no change from being made, and is asked again later', async () => {
  const semantics = new FakeSemantics()
  const working = semantics.put.bind(semantics)
  semantics.put = () => Promise.reject(new Error('no model'))
  const { tenant, time, alarm, errors, reopen } = openTenant(semantics)
  expect(await tenant.tools.change([put('a')], BY)).toMatchObject([{ id: 'a' }])
  await tenant.wake()
  expect([errors.length, kept(semantics)]).toEqual([1, []])
  expect(alarm.at).toBeLessThanOrEqual(time.now + 5 * 60_000)
  await tenant.wake()
  expect(errors.length).toBe(1)
  semantics.put = working
  // Also by another object that comes in its place.
  await reopen().wake()
  expect(kept(semantics)).toHaveLength(1)
})
