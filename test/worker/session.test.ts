import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { EXPIRE_AGAIN_MS, EXPIRE_BATCH_COMMITS, EXPIRE_BATCHES, MAX_COMMITS } from '../../src/core/limits/workspace.ts'

it('a session drops its history beyond the limit faster than it can grow, in steps that leave room for calls', async () => {
  const stub = env.SESSIONS.getByName(`t-${crypto.randomUUID()}/s`)
  await stub.create({ title: '', requirements: [], directories: [], files: [] })
  const sql = <Row>(query: string, ...params: number[]) =>
    runInDurableObject(stub, (_, { storage }) => storage.sql.exec(query, ...params).toArray() as Row[])
  const commits = async () =>
    (await sql<{ count: number }>('SELECT count(*) AS count FROM workspace_commits'))[0]?.count
  const perAlarm = EXPIRE_BATCHES * EXPIRE_BATCH_COMMITS
  const tooMany = perAlarm + 700
  await sql(
    `INSERT INTO workspace_commits (seq, call_id, at, changed, superseded_bytes)
       WITH RECURSIVE n(seq) AS (VALUES (1) UNION ALL SELECT seq + 1 FROM n WHERE seq < ?1) SELECT seq, 'c', ?2, 0, 0 FROM n`,
    MAX_COMMITS + tooMany,
    Date.now(),
  )
  await sql('UPDATE workspace_state SET head = ?', MAX_COMMITS + tooMany)

  expect(await runDurableObjectAlarm(stub)).toBe(true)
  expect(await commits()).toBe(MAX_COMMITS + tooMany - perAlarm)
  const next = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
  expect(next).toBeLessThanOrEqual(Date.now() + EXPIRE_AGAIN_MS)
  expect(await runDurableObjectAlarm(stub)).toBe(true)
  expect(await commits()).toBe(MAX_COMMITS)
  await stub.remove()
})
