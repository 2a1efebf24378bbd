import { expect, it } from 'vitest'
import { tenantId } from '../../../src/core/ids.ts'
import { NODE_NAME_CACHE_ENTRIES } from '../../../src/core/limits/sessions.ts'
import { NodeNames } from '../../../src/http/node-names.ts'

const ACME = tenantId('acme')
const OTHER = tenantId('other')

it('asks the tenant once for what it has, and each time for what it has not', async () => {
  const lookups: string[] = []
  const list = {
    find: async (nodeId: string) => {
      lookups.push(nodeId)
      return nodeId === 'n1' ? 'task' : null
    },
  }
  const names = new NodeNames()
  expect([await names.find(ACME, 'n1', list), await names.find(ACME, 'n1', list)]).toEqual(['task', 'task'])
  expect([await names.find(ACME, 'n2', list), await names.find(ACME, 'n2', list)]).toEqual([null, null])
  expect(lookups).toEqual(['n1', 'n2', 'n2'])
})

it('never answers one tenant with what another was told', async () => {
  const names = new NodeNames()
  await names.find(ACME, 'n1', { find: async () => 'task' })
  expect(await names.find(OTHER, 'n1', { find: async () => null })).toBeNull()
})

it('does not grow without bound', async () => {
  const names = new NodeNames()
  let lookups = 0
  const list = {
    find: async (nodeId: string) => {
      lookups++
      return nodeId
    },
  }
  for (let at = 0; at <= NODE_NAME_CACHE_ENTRIES; at++) await names.find(ACME, `n${at}`, list)
  await names.find(ACME, 'n0', list)
  expect(lookups).toBe(NODE_NAME_CACHE_ENTRIES + 2)
})
