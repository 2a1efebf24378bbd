import { expect, it } from 'vitest'
import { MAX_MARKET_REQUESTS_PER_MINUTE as LIMIT } from '../../../../src/core/limits/marketplace.ts'
import type { Market } from '../../../../src/ports/market.ts'
import { openV1 } from './open.ts'

it('lets each tenant ask the marketplace so often a minute, and says when to come again', async () => {
  const market = { search: async () => ({ hits: [], more: false }) } as unknown as Market
  const [acme, other] = [openV1({ market }), openV1({ market })]
  const search = ({ fetch }: typeof acme) => fetch('GET', '/v1/marketplace/tools?q=x', undefined, ['read'])
  const statuses = async (tenant: typeof acme, count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => search(tenant)))
    return answers.map(({ status }) => status)
  }
  expect(new Set(await statuses(acme, LIMIT))).toEqual(new Set([200]))
  const refused = await search(acme)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('Retry-After')).toBe('1')
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('MAX_MARKET_REQUESTS_PER_MINUTE') })
  expect(await statuses(other, 1)).toEqual([200])
  acme.time.now += 1_000
  expect(await statuses(acme, LIMIT / 60 + 1)).toEqual([...Array.from({ length: LIMIT / 60 }, () => 200), 429])
})
