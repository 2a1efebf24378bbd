import { afterAll, beforeAll, expect, it } from 'vitest'
import { costText, durationText } from '../../../src/console/parts/format.ts'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole({ OPEN_TENANT: '' })
})
afterAll(() => bench?.end())

interface Used {
  readonly key: string
  readonly calls: number
  readonly latency_ms: { readonly p50: number; readonly p95: number }
  readonly sandbox_seconds: number
  readonly cost: number
}

const SLEPT_SECONDS = 1
/** Percentiles come from buckets: they are at most 4.5 % off. */
const OFF = 0.955

it('use by key has p50 and p95, seconds in sandboxes and money, and what is left of its budget today', async () => {
  const own = await bench.newTenant('figures')
  const wanted = { name: 'worker', scopes: ['read', 'execute'] }
  const worker = await bench.ask<{ id: string; key: string }>('POST', '/v1/keys', wanted, own)
  const rules = [{ scope: 'key', name: worker.id, per_day: 10, budget_per_day: 2_000_000 }]
  await bench.ask('PUT', '/v1/limits', { rules, prices: [{ tool: 'file_write', per_call: 250_000 }] }, own)
  await bench.ask('POST', '/v1/sessions', { name: 'figures' }, worker)
  for (let call = 0; call < 3; call++) {
    await bench.call('figures', 'execute_shell', { command: `sleep ${SLEPT_SECONDS}` }, worker)
  }
  for (const content of ['a', 'b']) await bench.call('figures', 'file_write', { file_path: 'f', content }, worker)
  const usedBy = async (period: string) => {
    const { data } = await bench.ask<{ data: Used[] }>('GET', `/v1/usage?group_by=key${period}`, undefined, own)
    return data.find(({ key }) => key === worker.id)
  }
  await expect.poll(async () => (await usedBy(''))?.calls).toBe(5)
  const used = (await usedBy('')) as Used
  expect(used.latency_ms.p50).toBeGreaterThanOrEqual(SLEPT_SECONDS * 1_000 * OFF)
  expect(used.latency_ms.p95).toBeGreaterThanOrEqual(used.latency_ms.p50)
  expect(used.sandbox_seconds).toBeGreaterThanOrEqual(3 * SLEPT_SECONDS)
  expect(used.cost).toBe(500_000)

  const { page, errors } = await bench.newPage()
  await bench.signIn(page, own.key)
  await page.goto(`${bench.url}/console/usage?by=key`)
  const row = page.getByRole('region', { name: 'Use' }).getByRole('row').filter({ hasText: worker.id })
  await row.waitFor()
  expect((await row.getByRole('cell').allTextContents()).slice(1)).toEqual([
    ...['5', '0', '0', '0', '0'],
    ...[durationText(used.latency_ms.p50), durationText(used.latency_ms.p95)],
    ...[used.sandbox_seconds.toFixed(1), '0.50'],
  ])
  for (const [figure, unit] of [
    ['latency', 'Latency (ms)'],
    ['sandbox', 'In sandboxes (s)'],
    ['cost', 'Cost (unit of prices)'],
  ]) {
    await page.getByRole('combobox', { name: 'Chart' }).selectOption(figure ?? '')
    await page.getByRole('img', { name: `${unit} by day` }).waitFor()
  }
  const today = new Date().toISOString().slice(0, 10)
  const now = (await usedBy(`&from=${today}&to=${today}`)) ?? { calls: 0, cost: 0 }
  const left = page.getByRole('region', { name: 'Left today' }).getByRole('row').filter({ hasText: worker.id })
  const cells = await Promise.all((await left.all()).map((one) => one.getByRole('cell').allTextContents()))
  expect(cells).toEqual([
    [`key ${worker.id}, calls`, String(now.calls), '10', String(10 - now.calls)],
    [`key ${worker.id}, cost`, costText(now.cost), '2.00', costText(2_000_000 - now.cost)],
  ])
  expect(errors).toEqual([])
})
