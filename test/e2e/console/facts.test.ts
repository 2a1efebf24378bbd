import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { durationText } from '../../../src/console/parts/format.ts'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench

beforeAll(async () => {
  bench = await startConsole()
  const prices = [{ tool: 'file_write', per_call: 250_000 }]
  await bench.ask('PUT', '/v1/limits', { rules: [], prices })
})
afterAll(() => bench?.end())

interface Receipt {
  readonly executed_on: string
  readonly queued_ms: number
  readonly boot_ms: number
  readonly sync_ms: number
  readonly exec_ms: number
}
type Calls = {
  readonly data: readonly { readonly call_id: string; readonly started_at: string; readonly receipt: Receipt }[]
}

describe('what the console says of a session', () => {
  it('is its state, last use, calls, failures and cost, in one row', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'counted', title: 'Counting bees' })
    for (const text of ['a', 'b', 'c']) await bench.call('counted', 'file_write', { file_path: 'f', content: text })
    await bench.call('counted', 'file_read', { file_path: 'absent' })
    await expect
      .poll(async () => {
        const { data } = await bench.ask<{ data: readonly object[] }>('GET', '/v1/usage?group_by=session')
        return data
      })
      .toEqual(expect.arrayContaining([expect.objectContaining({ session: 'counted', calls: 4, failed: 1 })]))
    const { page, errors } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions`)
    const facts = /Counting bees.*counted.*no sandbox.*(now|ago).*4.*1 failed.*0\.75/
    await page.getByRole('main').getByRole('listitem').filter({ hasText: facts }).waitFor()
    expect(errors).toEqual([])
  })

  it('has exact times on hover, in the time zone of who looks', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'timed' })
    await bench.call('timed', 'file_write', { file_path: 'f', content: 'x' })
    const { data } = await bench.ask<Calls>('GET', '/v1/sessions/timed/calls')
    const at = data[0]?.started_at ?? ''
    const { page } = await bench.newPage({ timezoneId: 'Asia/Tokyo' })
    await page.goto(`${bench.url}/console/sessions/timed/calls`)
    const time = page.getByRole('link', { name: /file_write/ }).locator(`time[datetime="${at}"]`)
    await time.waitFor()
    const exact = new Date(Date.parse(at) + 9 * 3_600_000).toISOString()
    const title = (await time.getAttribute('title')) ?? ''
    expect(title).toContain(exact.slice(0, 4))
    expect(title).toContain(exact.slice(11, 19))
  })

  it('has the receipt of a call: where it ran, and what each step took', async () => {
    await bench.ask('POST', '/v1/sessions', { name: 'receipted' })
    const call = await bench.call('receipted', 'execute_shell', { command: 'sleep 0.2' })
    const { data } = await bench.ask<Calls>('GET', '/v1/sessions/receipted/calls')
    const receipt = data.find(({ call_id }) => call_id === call)?.receipt
    expect(receipt?.exec_ms).toBeGreaterThanOrEqual(200)
    const { page } = await bench.newPage()
    await page.goto(`${bench.url}/console/sessions/receipted/calls/${call}`)
    const fact = async (name: string) => {
      const term = page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) })
      return term.locator('xpath=following-sibling::dd').textContent()
    }
    expect(await fact('Ran')).toMatch(/^in (the|a new) sandbox$/)
    expect(await fact('Queue')).toBe(durationText(receipt?.queued_ms))
    expect(await fact('Boot')).toBe(durationText(receipt?.boot_ms))
    expect(await fact('Files in and out')).toBe(durationText(receipt?.sync_ms))
    expect(await fact('Work')).toBe(durationText(receipt?.exec_ms))
  })
})
