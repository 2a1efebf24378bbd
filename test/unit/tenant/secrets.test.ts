import { describe, expect, it } from 'vitest'
import { MAX_SECRET_CHARS, MAX_SECRETS_PER_TENANT } from '../../../src/core/limits/tenants.ts'
import { openTenant } from './open.ts'

const VALUE = 'ghp_0123456789 and ünïcode'

describe('secrets of a tenant', () => {
  it('are put, listed by name, replaced and removed', async () => {
    const { tenant, time } = openTenant()
    expect(await tenant.putSecret('GITHUB_TOKEN', VALUE)).toEqual({
      info: { name: 'GITHUB_TOKEN', changedAt: time.now },
    })
    await tenant.putSecret('A_KEY', 'a')
    time.now += 5
    await tenant.putSecret('A_KEY', 'b')
    expect(await tenant.listSecrets()).toEqual([
      { name: 'A_KEY', changedAt: time.now },
      { name: 'GITHUB_TOKEN', changedAt: time.now - 5 },
    ])
    expect(await tenant.openSecret('GITHUB_TOKEN')).toEqual({ value: VALUE })
    expect(await tenant.openSecret('A_KEY')).toEqual({ value: 'b' })
    expect(await tenant.removeSecret('A_KEY')).toBe(true)
    expect(await tenant.removeSecret('A_KEY')).toBe(false)
    expect(await tenant.openSecret('A_KEY')).toEqual({ value: null })
  })

  it('outlive the object, and cannot be read in what is stored', async () => {
    const { tenant, reopen, sql } = openTenant()
    await tenant.putSecret('ONE', VALUE)
    await tenant.putSecret('TWO', VALUE)
    expect(await reopen().openSecret('ONE')).toEqual({ value: VALUE })
    const rows = sql.all<{ closed: Uint8Array }>('SELECT closed FROM secrets')
    const [one, two] = rows.map(({ closed }) => Buffer.from(closed).toString('latin1'))
    expect(one).not.toContain('ghp_')
    expect(one).not.toBe(two)
  })

  it('open under no other key, no other name and for no other tenant', async () => {
    const { tenant, reopen, sql } = openTenant()
    await tenant.putSecret('ONE', VALUE)
    const message = expect.stringContaining('put it again')
    expect(await reopen('another key').openSecret('ONE')).toEqual({ failure: { code: 'upstream', message } })
    sql.all(`UPDATE secrets SET name = 'OTHER'`)
    expect(await tenant.openSecret('OTHER')).toEqual({ failure: { code: 'upstream', message } })
    sql.all(`UPDATE secrets SET name = 'ONE'`)
    expect(await tenant.openSecret('ONE')).toEqual({ value: VALUE })
    expect(await reopen(null).openSecret('ONE')).toMatchObject({ failure: { code: 'upstream' } })
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
    expect(await tenant.putSecret(name, value)).toMatchObject({ failure: { code } })
    expect(await tenant.listSecrets()).toEqual([])
  })

  it('are bounded in number, and one can be replaced all the same', async () => {
    const { tenant } = openTenant()
    for (let n = 0; n < MAX_SECRETS_PER_TENANT; n++) await tenant.putSecret(`S${n}`, 'x')
    const full = { failure: { code: 'limit_exceeded', message: expect.stringContaining('MAX_SECRETS_PER_TENANT') } }
    expect(await tenant.putSecret('ONE_MORE', 'x')).toEqual(full)
    expect(await tenant.putSecret('S0', 'y')).toMatchObject({ info: { name: 'S0' } })
  })

  it('are not kept by a server that has no key to close them with', async () => {
    const tenant = openTenant().reopen(null)
    const refused = { failure: { code: 'conflict', message: expect.stringContaining('SECRETS_KEY') } }
    expect(await tenant.putSecret('ONE', 'x')).toEqual(refused)
  })
})
