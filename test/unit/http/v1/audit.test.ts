import { describe, expect, it } from 'vitest'
import { AUDIT_PAGE_ENTRIES } from '../../../../src/core/limits/audit.ts'
import { openV1 } from './open.ts'

describe('GET /v1/audit and /v1/audit/export', () => {
  async function noted(count: number) {
    const opened = openV1()
    for (let n = 0; n < count; n++) await opened.tenant.secrets.put('S', `${n}`)
    return {
      ...opened,
      async numbers(query: string) {
        const response = await opened.fetch('GET', `/v1/audit/export${query}`)
        expect(response.headers.get('Content-Type')).toBe('application/x-ndjson')
        const lines = (await response.text()).split('\n')
        expect(lines.pop()).toBe('')
        return lines.map((line) => (JSON.parse(line) as { seq: number }).seq)
      },
    }
  }

  it('has every entry, over as many pages as there are, or those that are asked for', async () => {
    const { numbers, call, tenant } = await noted(AUDIT_PAGE_ENTRIES + 2)
    const all = await numbers('')
    expect(all).toEqual(Array.from({ length: AUDIT_PAGE_ENTRIES + 2 }, (_, n) => n + 1))
    expect(await numbers('?after=5&limit=2')).toEqual([6, 7])
    expect(await numbers(`?after=1&limit=${AUDIT_PAGE_ENTRIES + 1}`)).toEqual(all.slice(1))
    expect(await numbers('?after=100000')).toEqual([])
    expect(await call('GET', '/v1/audit/head')).toEqual({ status: 200, body: await tenant.audit.head() })
  })

  it('lists the entries in pages, oldest first', async () => {
    const { call } = await noted(5)
    const seqs = ({ body }: Awaited<ReturnType<typeof call>>) => (body.data as { seq: number }[]).map(({ seq }) => seq)
    const first = await call('GET', '/v1/audit?limit=3')
    expect(seqs(first)).toEqual([1, 2, 3])
    const second = await call('GET', `/v1/audit?limit=3&cursor=${first.body.next_cursor}`)
    expect(seqs(second)).toEqual([4, 5])
    expect(second.body.next_cursor).toBeNull()
  })

  it('says which key changed something by the API', async () => {
    const { call, fetch } = await noted(0)
    await call('PUT', '/v1/limits', { rules: [] })
    await call('PUT', '/v1/secrets/TOKEN', { value: 'x' })
    await call('DELETE', '/v1/secrets/TOKEN')
    const lines = (await (await fetch('GET', '/v1/audit/export')).text()).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { action: 'limits.put', key: 'k' },
      { action: 'secret.put', key: 'k', subject: 'TOKEN' },
      { action: 'secret.remove', key: 'k', subject: 'TOKEN' },
    ])
  })

  it('is for keys with the scope admin alone, and says which key asked without it', async () => {
    const { call, fetch } = await noted(0)
    for (const path of ['/v1/audit', '/v1/audit/export', '/v1/audit/head']) {
      expect(await call('GET', path, undefined, ['execute'])).toMatchObject({ status: 403 })
    }
    await call('DELETE', '/v1/secrets/NAME', undefined, ['read'])
    const lines = (await (await fetch('GET', '/v1/audit/export')).text()).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { action: 'request.refused', key: 'k', subject: 'GET /v1/audit', reason: 'forbidden' },
      { action: 'request.refused', key: 'k', subject: 'DELETE /v1/secrets', reason: 'forbidden' },
    ])
    expect(await call('GET', '/v1/audit/export?after=-1')).toMatchObject({ status: 400 })
  })
})
