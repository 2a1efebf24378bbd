import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  AUDIT_RETENTION_DAYS,
  AUDIT_SEAL_RETRY_MS,
  AUDIT_SEGMENT_ENTRIES,
  MAX_AUDIT_ENTRIES,
  MAX_AUDIT_ROWS,
  MAX_AUDIT_SEGMENT_CHARS,
} from '../../../src/core/limits/audit.ts'
import { AuditLog, type AuditNote } from '../../../src/tenant/audit-log.ts'
import { packSegment, unpackSegment } from '../../../src/tenant/audit-segments/segment-file.ts'
import { SegmentTable } from '../../../src/tenant/audit-segments/segment-table.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openTenantTables } from '../../support/tables.ts'
import { openTenant } from './open.ts'
import { OWNER } from './registry-tools.ts'

type Opened = ReturnType<typeof openTenant>
type Tenant = Opened['tenant']

const DAY_MS = 24 * 3_600_000
const SEGMENTS = 2
const SEALED = SEGMENTS * AUDIT_SEGMENT_ENTRIES
/** Entries of a log that wants one more until its oldest are sealed. */
const FULL = MAX_AUDIT_ROWS + SEALED + 99
const NOTE: AuditNote = {
  action: 'secret.put',
  by: { key: 'k\u2028', agent: '😀\ud800' },
  subject: 'S',
  decision: 'done',
}

/** Rows of a log of such notes, as JSON. */
function rowsOf(notes: readonly AuditNote[]): string {
  const sql = new NodeSql()
  openTenantTables(sql)
  const log = new AuditLog(sql, { now: () => 1_000_000 }, new SegmentTable(sql))
  sql.transaction(() => log.append(notes))
  return JSON.stringify(sql.all('SELECT * FROM audit ORDER BY seq'))
}

let directory: string
let full: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'audit-segments-'))
  full = rowsOf(Array.from({ length: FULL }, (_, n) => ({ ...NOTE, detail: { n } })))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

function filled(rows = full) {
  const opened = openTenant()
  opened.sql.all(
    `INSERT INTO audit (seq, at, entry, hash)
       SELECT value ->> 'seq', value ->> 'at', value ->> 'entry', value ->> 'hash' FROM json_each(?)`,
    rows,
  )
  return opened
}

/** A log whose oldest entries are sealed. */
async function sealed() {
  const opened = filled()
  await opened.tenant.secrets.put('S', 'one more', OWNER)
  await opened.ring(opened.tenant, 0)
  return opened
}

/** All sealed entries, and some more. */
const START = SEALED + 10
/** Lines up to the entry of number START, as they are read in pages. */
async function start(tenant: Pick<Tenant, 'audit'>) {
  const all = await lines(tenant, 1_000, 0, START)
  return all.slice(0, all.findIndex((line) => line.startsWith(`{"seq":${START},`)) + 1)
}

/** Lines, as pages of that length have them: all of them, or so many. */
async function lines(tenant: Pick<Tenant, 'audit'>, limit = 1_000, from = 0, most = FULL * 2): Promise<string[]> {
  const all: string[] = []
  for (let after: number | null = from; after !== null && all.length < most; ) {
    const page = await tenant.audit.page({ after, limit })
    all.push(...page.lines)
    after = page.next
  }
  return all
}

const seqs = (of: readonly string[]) => of.map((line) => (JSON.parse(line) as { seq?: number }).seq)
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n)
const counted = (sql: NodeSql) => sql.all<{ n: number }>('SELECT count(*) AS n FROM audit')[0]?.n
const states = (sql: NodeSql) => sql.all('SELECT state, count(*) AS n FROM audit_segments GROUP BY state')

/** What the command for checking says of a file. */
async function verify(name: string, content: string | Uint8Array, ...options: string[]) {
  const file = join(directory, name)
  await writeFile(file, content)
  return new Promise<{ code: unknown; output: string }>((resolve) =>
    execFile(process.execPath, ['scripts/audit-verify.mjs', file, ...options], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    ),
  )
}
const verifyLines = (of: readonly string[], ...options: string[]) =>
  verify(`${crypto.randomUUID()}.jsonl`, of.map((line) => `${line}\n`).join(''), ...options)

describe('an audit log that is longer than a tenant keeps in its tables', () => {
  it('has its oldest entries in sealed segments, and is read and checked as one', async () => {
    const { tenant, sql, segments, alarm } = await sealed()
    const head = await tenant.audit.head()
    expect(head.seq).toBe(FULL + 1)
    expect(counted(sql)).toBe(MAX_AUDIT_ROWS + 100)
    expect([...segments.objects.keys()]).toEqual(upTo(SEGMENTS).map((n) => (n - 1) * AUDIT_SEGMENT_ENTRIES + 1))
    expect(states(sql)).toEqual([{ state: 'sealed', n: SEGMENTS }])
    expect(alarm.at).toBeGreaterThan(DAY_MS)

    const all = await lines(tenant)
    expect(seqs(all)).toEqual(upTo(head.seq))
    expect(await verifyLines(all, '--head', `${head.seq}:${head.hash}`)).toMatchObject({ code: 0 })
    const before = (JSON.parse(full) as { entry: string; hash: string }[]).map(
      ({ entry, hash }) => `${entry.slice(0, -1)},"hash":"${hash}"}`,
    )
    expect(all.slice(0, -1)).toEqual(before)
  })

  it('is read in pages of any length and from any entry on, a segment at a time', async () => {
    const { tenant, segments } = await sealed()
    segments.reads = 0
    expect(await lines(tenant, 1_000, FULL - 5)).toHaveLength(6)
    expect(segments.reads).toBe(0)
    expect(seqs((await tenant.audit.page({ after: 0, limit: 1_000 })).lines)).toEqual(upTo(1_000))
    expect(segments.reads).toBe(1)
    const across = await tenant.audit.page({ after: 990, limit: 20 })
    expect(seqs(across.lines)).toEqual(upTo(1_010, 991))
    expect(across.next).toBe(1_010)
    expect(segments.reads).toBe(3)
    const { lines: last } = await tenant.audit.page({ after: SEALED - 3, limit: 5 })
    expect(seqs(last)).toEqual(upTo(SEALED + 2, SEALED - 2))
    expect(seqs(await lines(tenant, 777, 0, START)).slice(0, START)).toEqual(upTo(START))
    expect(await tenant.audit.page({ after: FULL + 1, limit: 5 })).toEqual({ lines: [], next: null })
  })

  it('goes on where it was cut off, whichever step that was: no entry is lost, none comes twice', async () => {
    const cutOff = () => {
      throw new Error('cut off')
    }
    for (const step of ['put', 'stored', 'get', 'transaction'] as const) {
      const { tenant, reopen, sql, segments, ring, alarm, errors } = filled()
      await tenant.secrets.put('S', 'one more', OWNER)
      let left = 2
      const once = () => (--left === 0 ? cutOff() : undefined)
      const { transaction } = sql
      segments.at = (now) => {
        // A segment's transaction follows the reading of its object.
        if (step === 'transaction' && now === 'get') sql.transaction = cutOff
        else if (now === step) once()
      }
      await ring(tenant, 0)
      expect(errors, step).toMatchObject([{ message: 'cut off' }])
      segments.at = () => undefined
      sql.transaction = transaction
      // What was cut off between storing and noting it is in both places: it is read once.
      expect(seqs(await start(tenant)), step).toEqual(upTo(START))

      const anew = reopen()
      alarm.at = 0
      await ring(anew, 0)
      expect(seqs(await start(anew)), step).toEqual(upTo(START))
      expect(counted(sql), step).toBe(MAX_AUDIT_ROWS + 100)
      expect(states(sql), step).toEqual([{ state: 'sealed', n: SEGMENTS }])
      expect(segments.objects.size, step).toBe(SEGMENTS)
    }
  })

  it('keeps the entries of a segment that the store does not give back as it was sealed', async () => {
    const { tenant, segments, sql, ring, errors } = filled()
    await tenant.secrets.put('S', 'one more', OWNER)
    segments.at = (step) => {
      if (step === 'stored') segments.objects.set(1, new Uint8Array([1, 2, 3]))
    }
    await ring(tenant, 0)
    expect(errors).toMatchObject([{ message: expect.stringContaining('entries 1 to 1000') }])
    expect(counted(sql)).toBe(FULL + 1)
    expect(seqs(await start(tenant))).toEqual(upTo(START))
  })

  it('is written while the store is out of reach, which is asked again a minute later', async () => {
    const { tenant, segments, sql, ring, errors, time, alarm } = filled()
    segments.at = () => {
      throw new Error('out of reach')
    }
    await tenant.secrets.put('S', 'one more', OWNER)
    await ring(tenant, 0)
    for (let n = 0; n < 200; n++) await tenant.secrets.put('S', `${n}`, OWNER)
    expect(errors).toHaveLength(1)
    expect(alarm.at).toBe(time.now + AUDIT_SEAL_RETRY_MS)
    segments.at = () => undefined
    await ring(tenant, AUDIT_SEAL_RETRY_MS)
    expect(counted(sql)).toBe(MAX_AUDIT_ROWS + 300)
    expect(seqs(await start(tenant))).toEqual(upTo(START))
  })

  it('has smaller segments where entries are long', async () => {
    const { tenant, sql, ring } = filled()
    const long = 'x'.repeat(MAX_AUDIT_SEGMENT_CHARS / 8)
    sql.all("UPDATE audit SET entry = json_set(entry, '$.detail.n', ?) WHERE seq <= 20", long)
    await tenant.secrets.put('S', 'one more', OWNER)
    await ring(tenant, 0)
    expect(sql.all('SELECT first, last FROM audit_segments ORDER BY last LIMIT 3')).toEqual([
      { first: 1, last: 7 },
      { first: 8, last: 14 },
      { first: 15, last: expect.toSatisfy((last) => last > 900) },
    ])
    expect(seqs(await start(tenant))).toEqual(upTo(START))
  })
})

describe('a sealed segment', () => {
  const second = AUDIT_SEGMENT_ENTRIES + 1
  const flipped = (content: Uint8Array) => content.with(content.length >> 1, (content.at(content.length >> 1) ?? 0) ^ 1)

  it.each<[string, string, (objects: Map<number, Uint8Array>, content: Uint8Array) => void]>([
    ['changed', 'changed', (objects, content) => objects.set(second, flipped(content))],
    ['missing', 'missing', (objects) => objects.delete(second)],
    ['truncated', 'changed', (objects, content) => objects.set(second, content.slice(0, -20))],
    ['longer', 'changed', (objects, content) => objects.set(second, new Uint8Array([...content, 0]))],
    ['empty', 'changed', (objects) => objects.set(second, new Uint8Array())],
    ['another', 'changed', (objects) => objects.set(second, objects.get(1) ?? expect.unreachable())],
  ])('that is %s is said to be so, and what follows it is read', async (what, why, tamper) => {
    const { tenant, segments } = await sealed()
    tamper(segments.objects, segments.objects.get(second) ?? expect.unreachable())
    const all = await start(tenant)
    expect(JSON.parse(all[1_000] ?? '')).toEqual({
      unreadable: { first: second, last: second + 999, why },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(seqs(all)).toEqual([...upTo(1_000), undefined, ...upTo(START, second + 1_000)])
    if (what !== why) return
    expect(await verifyLines(all)).toEqual({
      code: 1,
      output: expect.stringMatching(`line 1001: entries ${second} to ${second + 999} cannot be read: .* is ${why}`),
    })
  })

  it('that was changed together with what the tenant knows of it breaks the chain', async () => {
    const { tenant, sql, segments } = await sealed()
    const forge = async (change: (lines: string[]) => string[]) => {
      const packed = await packSegment(change(await unpackSegment(segments.objects.get(1) ?? expect.unreachable())))
      segments.objects.set(second, packed.content)
      sql.all(
        'UPDATE audit_segments SET bytes = ?, sha256 = ? WHERE first = ?',
        ...[packed.content.length, packed.sha256, second],
      )
      return verifyLines(await start(tenant))
    }
    expect(await forge((of) => of)).toMatchObject({
      code: 1,
      output: expect.stringContaining('line 1001: entry 1 follows'),
    })
    expect(await forge((of) => of.map((line) => line.replace('"S"', '"T"')))).toMatchObject({
      code: 1,
      output: expect.stringContaining('line 1001: entry 1 was changed'),
    })
    expect(await forge((of) => of.slice(1))).toMatchObject({
      code: 1,
      output: expect.stringContaining('line 1001: entries 1001 to 2000 cannot be read'),
    })
  })

  it('that the tenant knows no more leaves a gap that shows', async () => {
    const { tenant, sql } = await sealed()
    sql.all('DELETE FROM audit_segments WHERE first = ?', second)
    expect(await verifyLines(await start(tenant))).toMatchObject({
      code: 1,
      output: expect.stringContaining('entry 2001 follows entry 1000'),
    })
  })

  it('can be checked by itself, as it is in the store', async () => {
    const { tenant, segments, sql } = await sealed()
    const [row = expect.unreachable()] = sql.all<{ prev: string; last: number; hash: string }>(
      'SELECT prev, last, hash FROM audit_segments WHERE first = ?',
      second,
    )
    const content = segments.objects.get(second) ?? expect.unreachable()
    const [line = ''] = (await tenant.audit.page({ after: second - 2, limit: 1 })).lines
    expect(JSON.parse(line)).toMatchObject({ seq: second - 1, hash: row.prev })
    const after = ['--after', `${second - 1}:${row.prev}`]
    expect(await verify('whole.gz', content, ...after)).toEqual({
      code: 0,
      output: expect.stringContaining(`1000 entries are as they were written; the last is ${row.last}:${row.hash}`),
    })
    expect(await verify('part.gz', content.slice(0, -20), ...after)).toMatchObject({ code: 1 })
  })

  it('is out of reach when its store is: those who read the log try again', async () => {
    const { tenant, segments } = await sealed()
    segments.at = () => {
      throw new Error('out of reach')
    }
    await expect(tenant.audit.page({ after: 0, limit: 10 })).rejects.toThrow('out of reach')
    expect(seqs((await tenant.audit.page({ after: FULL, limit: 10 })).lines)).toEqual([FULL + 1])
  })
})

describe('old segments', () => {
  const later = (AUDIT_RETENTION_DAYS + 1) * DAY_MS

  it('go when their newest entry is too old, and an entry says up to which, also when that is cut off', async () => {
    const { tenant, reopen, segments, sql, time, alarm, ring } = await sealed()
    expect(alarm.at).toBe(later)
    time.now = later
    segments.at = (step) => {
      if (step === 'deleted') throw new Error('cut off')
    }
    await tenant.wake()
    expect(seqs((await tenant.audit.page({ after: 0, limit: 2 })).lines)).toEqual([undefined, SEALED + 1, SEALED + 2])
    expect(states(sql)).toEqual([{ state: 'deleting', n: SEGMENTS }])

    segments.at = () => undefined
    const anew = reopen()
    // Rows of the same age follow, ten thousand at a time.
    alarm.at = time.now
    await ring(anew, 0)
    expect(segments.objects.size).toBe(0)
    expect(states(sql)).toEqual([])
    const all = await lines(anew)
    expect(all.length).toBeLessThan(10)
    expect(await verifyLines(all)).toMatchObject({ code: 0 })
  })

  it('go when the log is longer than it may be', async () => {
    const { tenant, sql, segments } = await sealed()
    const [{ hash } = expect.unreachable()] = sql.all<{ hash: string }>(
      'SELECT hash FROM audit_segments WHERE first = ?',
      AUDIT_SEGMENT_ENTRIES + 1,
    )
    // As if there had been so many: the numbers alone count.
    sql.all('UPDATE audit SET seq = ? WHERE seq = ?', MAX_AUDIT_ENTRIES + 2 * AUDIT_SEGMENT_ENTRIES, FULL + 1)
    await tenant.wake()
    expect([...segments.objects.keys()].slice(0, 1)).toEqual([2 * AUDIT_SEGMENT_ENTRIES + 1])
    const [line = ''] = (await tenant.audit.page({ after: 0, limit: 1 })).lines
    expect(JSON.parse(line)).toEqual({ checkpoint: 2 * AUDIT_SEGMENT_ENTRIES, hash })
  })

  it('that go while they are read are said to be gone, and not to be missing', async () => {
    const { tenant, segments, time } = await sealed()
    time.now = later
    let woken: Promise<void> | null = null
    const { get } = segments
    segments.get = async (...given) => {
      woken ??= tenant.wake()
      await woken
      return get.apply(segments, given)
    }
    const { lines: page } = await tenant.audit.page({ after: 0, limit: 1 })
    expect(JSON.parse(page[0] ?? '')).toMatchObject({ checkpoint: SEALED })
    expect(seqs(page.slice(1))).toEqual([SEALED + 1])
  })
})
