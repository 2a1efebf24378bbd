import { describe, expect, it } from 'vitest'
import { MAX_SECRET_CHARS, MAX_SECRETS_PER_TENANT } from '../../../src/core/limits/tenants.ts'
import { answerOf } from '../../support/answer-of.ts'
import { isWaiting, openTenant } from './open.ts'

const VALUE = 'ghp_0123456789 and ünïcode'

describe('secrets of a tenant', () => {
  it('are put, listed by name, replaced and removed', async () => {
    const { tenant, time } = openTenant()
    expect(await tenant.secrets.put('GITHUB_TOKEN', VALUE)).toEqual({ name: 'GITHUB_TOKEN', changedAt: time.now })
    await tenant.secrets.put('A_KEY', 'a')
    time.now += 5
    await tenant.secrets.put('A_KEY', 'b')
    expect(await tenant.secrets.list()).toEqual([
      { name: 'A_KEY', changedAt: time.now },
      { name: 'GITHUB_TOKEN', changedAt: time.now - 5 },
    ])
    expect(await tenant.secrets.open('GITHUB_TOKEN')).toBe(VALUE)
    expect(await tenant.secrets.open('A_KEY')).toBe('b')
    expect(await tenant.secrets.remove('A_KEY')).toBe(true)
    expect(await tenant.secrets.remove('A_KEY')).toBe(false)
    expect(await tenant.secrets.open('A_KEY')).toBe(null)
  })

  it('are removed when the request is answered for every session, also where another request removed them', async () => {
    const { tenant, sessions } = openTenant()
    await tenant.sessions.add({ name: 'one', nodeId: 'node-one', title: 'one', createdAt: 1 })
    await tenant.secrets.put('A_KEY', 'a')
    const informed = Promise.withResolvers<void>()
    sessions.toolsChanged = () => informed.promise
    const first = tenant.secrets.remove('A_KEY')
    const again = tenant.secrets.remove('A_KEY')
    expect([await isWaiting(first), await isWaiting(again)]).toEqual([true, true])
    informed.resolve()
    expect([await first, await again]).toEqual([true, false])
  })

  it('outlive the object, and cannot be read in what is stored', async () => {
    const { tenant, reopen, sql } = openTenant()
    await tenant.secrets.put('ONE', VALUE)
    await tenant.secrets.put('TWO', VALUE)
    expect(await reopen().secrets.open('ONE')).toBe(VALUE)
    const rows = sql.all<{ closed: Uint8Array }>('SELECT closed FROM secrets')
    const [one, two] = rows.map(({ closed }) => Buffer.from(closed).toString('latin1'))
    expect(one).not.toContain('ghp_')
    expect(one).not.toBe(two)
  })

  it('open under no other key, no other name and for no other tenant', async () => {
    const { tenant, reopen, sql } = openTenant()
    await tenant.secrets.put('ONE', VALUE)
    const message = expect.stringContaining('put it again')
    expect(await answerOf(reopen('another key').secrets.open('ONE'))).toEqual({
      failure: { code: 'upstream', message },
    })
    sql.all(`UPDATE secrets SET name = 'OTHER'`)
    expect(await answerOf(tenant.secrets.open('OTHER'))).toEqual({ failure: { code: 'upstream', message } })
    sql.all(`UPDATE secrets SET name = 'ONE'`)
    expect(await tenant.secrets.open('ONE')).toBe(VALUE)
    expect(await answerOf(reopen(null).secrets.open('ONE'))).toMatchObject({ failure: { code: 'upstream' } })
  })

  it.each([
    ['lower_case', 'x', 'invalid_input'],
    ['1ST', 'x', 'invalid_input'],
    ['A'.repeat(65), 'x', 'invalid_input'],
    ['__proto__', 'x', 'invalid_input'],
    ['EMPTY', '', 'invalid_input'],
    ['BLANK', ' \n', 'invalid_input'],
    ['HALF', 'a\ud800', 'invalid_input'],
    ['LONG', 'x'.repeat(MAX_SECRET_CHARS + 1), 'limit_exceeded'],
  ])('%s = %.9s is refused', async (name, value, code) => {
    const { tenant } = openTenant()
    expect(await answerOf(tenant.secrets.put(name, value))).toMatchObject({ failure: { code } })
    expect(await tenant.secrets.list()).toEqual([])
  })

  it('are bounded in number, and one can be replaced all the same', async () => {
    const { tenant } = openTenant()
    for (let n = 0; n < MAX_SECRETS_PER_TENANT; n++) await tenant.secrets.put(`S${n}`, 'x')
    const full = { failure: { code: 'limit_exceeded', message: expect.stringContaining('MAX_SECRETS_PER_TENANT') } }
    expect(await answerOf(tenant.secrets.put('ONE_MORE', 'x'))).toEqual(full)
    expect(await tenant.secrets.put('S0', 'y')).toMatchObject({ name: 'S0' })
  })

  it('are not kept by a server that has no key to close them with', async () => {
    const tenant = openTenant().reopen(null)
    const refused = { failure: { code: 'conflict', message: expect.stringContaining('SECRETS_KEY') } }
    expect(await answerOf(tenant.secrets.put('ONE', 'x'))).toEqual(refused)
  })
})
