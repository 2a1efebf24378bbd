import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { durableSql } from '../../src/adapters/sql-durable.ts'
import { tenantClient, tenantOwnerClient } from '../../src/objects.ts'
import { SealedRecords } from '../../src/tenant/sealed-records.ts'
import { placeOfAnswer, placeOfSecret, placeOfWebhook, SecretBox } from '../../src/tenant/secret-box.ts'

const EARLIER = 'k1:the earlier key of the tests'
const NOW = `k2:the newer key of the tests,${EARLIER}`

it('records in the database of an object are counted by key and encrypted by the present one', async () => {
  const tenant = `sealed-${crypto.randomUUID()}`
  const stub = env.TENANTS.getByName(tenant)
  // Makes the tables.
  await tenantClient(() => stub).secrets.list()
  await runInDurableObject(stub, async (_, { storage }) => {
    const box = new SecretBox(EARLIER)
    const sql = durableSql(storage)
    sql.run('INSERT INTO secrets VALUES (?, ?, 0)', 'TOKEN', await box.close('ghp_1', placeOfSecret(tenant, 'TOKEN')))
    const webhook = await box.close('whsec_1', placeOfWebhook(tenant, 'w'))
    sql.run(
      `INSERT INTO webhooks (id, url, description, wants, secret, created_at) VALUES ('w', '', '', '{}', ?, 0)`,
      webhook,
    )
    const answer = await box.close('{}', placeOfAnswer(tenant, 'r'))
    sql.run(
      `INSERT INTO ledger (id, request, attempt, about, at, status, bytes, closed, answer) VALUES ('r', '', '', '', 0, 200, 1, 1, ?)`,
      answer,
    )
  })
  const owner = tenantOwnerClient(() => stub)
  const one = { secrets: 1, webhooks: 1, answers: 1 }
  expect(await owner.sealed()).toEqual({ keyId: null, records: [{ keyId: 'k1', ...one }], remaining: 3 })

  await runInDurableObject(stub, async (_, { storage }) => {
    const sql = durableSql(storage)
    const parts = { webhooks: { forget() {} }, audit: { append() {} }, upkeep: { plan: async () => {} } }
    const records = new SealedRecords({ ...parts, sql, tenant, box: new SecretBox(NOW) })
    expect(await records.renew()).toMatchObject({ changed: 3, unreadable: 0, remaining: 0 })
    const [row] = sql.all<{ closed: ArrayBuffer }>('SELECT closed FROM secrets')
    const closed = new Uint8Array(row?.closed ?? new ArrayBuffer())
    expect(await new SecretBox('k2:the newer key of the tests').open(closed, placeOfSecret(tenant, 'TOKEN'))).toBe(
      'ghp_1',
    )
    expect(sql.all('SELECT 1 FROM ledger WHERE bytes = length(answer)')).toHaveLength(1)
  })
  expect(await owner.sealed()).toMatchObject({ records: [{ keyId: 'k2', ...one }], remaining: 3 })
})
