import { expect, it } from 'vitest'
import { blobsR2 } from '../../../src/adapters/blobs-r2.ts'
import { tenantId } from '../../../src/core/ids.ts'
import {
  COMMIT_RETENTION_MS,
  FLUSH_BATCH_BLOBS,
  MAX_WAITING_CONTENT_BYTES,
  MAX_WAITING_CONTENTS,
} from '../../../src/core/limits/workspace.ts'
import type { BlobLedger } from '../../../src/ports/blob-ledger.ts'
import { BlobReferences } from '../../../src/tenant/blob-references.ts'
import { SessionWorkspace } from '../../../src/workspace/workspace.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables, openTenantTables } from '../../support/tables.ts'
import { largeContent, remove, write } from './open.ts'

const USUAL = { contents: MAX_WAITING_CONTENTS, bytes: MAX_WAITING_CONTENT_BYTES }
const WRITES = 1_000

/** References of a tenant, of whose messages those of each method are counted, and a bucket that takes all. */
function aTenant() {
  const sql = new NodeSql()
  openTenantTables(sql)
  const time = { now: 1_000_000 }
  const clock = { now: () => time.now }
  const parts = { databaseBytes: () => 0, wakeAt: async () => undefined, deleter: { delete: async () => undefined } }
  const references = new BlobReferences({ sql, clock, ...parts })
  const messages = { retain: 0, stored: 0, release: 0 }
  const ledger: BlobLedger = {
    retain: (...given) => {
      messages.retain += 1
      return references.retain(...given)
    },
    stored: (hashes) => {
      messages.stored += 1
      return references.stored(hashes)
    },
    release: (...given) => {
      messages.release += 1
      return references.release(...given)
    },
    share: (...given) => references.share(...given),
  }
  const bucket = { put: async () => ({}) } as unknown as R2Bucket
  const own = new NodeSql()
  openSessionTables(own)
  const blobs = blobsR2({ bucket, ledger, tenant: tenantId('t'), nodeId: 'node' })
  const session = new SessionWorkspace({ sql: own, blobs, clock, callId: () => 'call', mayWait: USUAL })
  const rows = () => Number(sql.all<{ rows: number }>('SELECT total_changes() AS rows')[0]?.rows)
  return { session, messages, rows, time }
}

/** Messages to the tenant's object that work in a session causes, and rows that change there, without those of indexes. */
async function causedBy(work: (session: SessionWorkspace, time: { now: number }) => Promise<void>) {
  const { session, messages, rows, time } = aTenant()
  const before = rows()
  await work(session, time)
  return { ...messages, rows: rows() - before }
}

const keepUp = async (session: SessionWorkspace) => {
  while (session.needsFlush()) await session.flush()
}
const writeAll = async (session: SessionWorkspace, from: number) => {
  for (let at = 0; at < WRITES; at++) {
    await session.commit([write(`${from + at}`, `text ${from + at}`)])
    if (at % 10 === 0) await keepUp(session)
  }
}

it('the first thousand small contents of a session cause no message about references', async () => {
  expect(await causedBy((session) => writeAll(session, 0))).toEqual({ retain: 0, stored: 0, release: 0, rows: 0 })
})

it('more small contents cause two messages for each 64 of them, and three rows each', async () => {
  const { rows, retain, stored } = await causedBy(async (session) => {
    await writeAll(session, 0)
    await writeAll(session, WRITES)
  })
  const sent = retain * FLUSH_BATCH_BLOBS
  expect({ rows, stored }).toEqual({ rows: 3 * sent, stored: retain })
  expect(sent).toBeGreaterThan(2 * WRITES - MAX_WAITING_CONTENTS)
  expect(sent).toBeLessThan(2 * WRITES - MAX_WAITING_CONTENTS / 2)
})

it('large contents cause two messages each, and their release one for a thousand', async () => {
  const large = 40
  const caused = await causedBy(async (session, time) => {
    for (let at = 0; at < large; at++) await session.commit([write('same', largeContent(70_000, at))])
    await session.commit([remove('same')])
    time.now += COMMIT_RETENTION_MS + 1
    while (session.expire());
    await keepUp(session)
  })
  expect(caused).toEqual({ retain: large, stored: large, release: 1, rows: 5 * large })
})
