import { expect, it } from 'vitest'
import { BLOB_GRACE_MS, MAX_INLINE_BLOB_BYTES } from '../../../src/core/limits/workspace.ts'
import { entriesOf } from '../../../src/workspace/fork/packed-entries.ts'
import type { SessionWorkspace } from '../../../src/workspace/workspace.ts'
import type { MemoryBlobs } from '../../support/blobs-memory.ts'
import { checkCounts } from './counts.ts'
import { ModelledSession } from './model/modelled-session.ts'
import { ModelledTenant } from './model/modelled-tenant.ts'
import { largeContent, link, mkdir, openWorkspace, p, text, tree, write } from './open.ts'

// Within what a Durable Object takes for one value.
const MAX_TEXT_BYTES = 2_000_000

const folder = (name: string) => Array.from({ length: 11 }, () => `${name}${'\u0001'.repeat(253)}`).join('/')
const LONGEST = [
  ...Array.from({ length: 400 }, (_, at) => write(`${folder('d')}/${String(at).padStart(4, '0')}`, `${at}`)),
  link('z', 'a'.repeat(4_000)),
]
const NAMES = [
  write('empty', ''),
  write('😀/é "quoted" \\ \n', 'one', { mode: 0o755, mtimeMs: 1 }),
  write('before 1970', 'two', { mtimeMs: -1_234_567 }),
  write('far', 'two', { mode: 0, mtimeMs: 8.64e15 }),
  mkdir('nothing in it'),
  link('😀/link', '😀/target/ü'),
  link('ｚ', '../elsewhere'),
]

const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, at) => at)

it.each([
  ['the longest paths', LONGEST],
  ['names in all scripts, times of any age, links and directories', NAMES],
])('takes over %s, as they are now and as they were, in texts that a database takes', async (_, changes) => {
  const { workspace: origin } = openWorkspace({ nodeId: 'origin' })
  await origin.commit(changes)
  const now = await forkOf(origin)
  const entries = [...origin.entries()]
  const was = tree(origin)
  await origin.commit([write('later', 'not in it'), write('empty', 'changed')])
  const then = await forkOf(origin, 1)
  for (const { fork, texts } of [now, then]) {
    expect(Math.max(...texts.map((each) => Buffer.byteLength(each)))).toBeLessThan(MAX_TEXT_BYTES)
    expect(tree(fork)).toEqual(was)
    expect([...fork.entries()]).toEqual(entries)
    const rows = texts.flatMap(entriesOf)
    expect(rows.map(({ path, kind, mode, mtime, target }) => ({ path, kind, mode, mtime, target }))).toEqual(
      entries.map((entry) => ({
        ...{ path: entry.path, kind: entry.kind, mode: entry.mode, mtime: entry.mtimeMs },
        target: entry.kind === 'link' ? entry.target : null,
      })),
    )
  }
  expect(now.fork.totals().entries).toBe(entries.length)
})

it('keeps of contents that are not sent only those of its own files, and sends them', async () => {
  const { workspace: origin, blobs } = openWorkspace({ nodeId: 'origin' })
  await origin.commit([write('a', 'first'), write('b', 'same'), write('c', 'same')])
  const commit = origin.headSeq()
  await origin.commit([write('a', 'second')])

  const { fork, sql } = await forkOf(origin, commit, blobs)

  expect(await text(fork, 'a')).toBe('first')
  expect(await text(fork, 'c')).toBe('same')
  expect(fork.needsFlush()).toBe(true)
  while (await fork.flush());
  expect(fork.needsFlush()).toBe(false)
  expect(sql.all('SELECT size, refs, remote FROM workspace_blobs ORDER BY size')).toEqual([
    { size: 4, refs: 2, remote: 'yes' },
    { size: 5, refs: 1, remote: 'yes' },
  ])
})

it.each([
  ['bytes of all kinds, and none', [new Uint8Array(), Uint8Array.of(0), Uint8Array.of(0, 255, 0, 192, 128), ALL_BYTES]],
  ['an empty one alone', [new Uint8Array()]],
  ['more of them than go at once', Array.from({ length: 10_050 }, (_, at) => new TextEncoder().encode(`${at}`))],
  ['larger ones than go at once', Array.from({ length: 80 }, (_, at) => largeContent(MAX_INLINE_BLOB_BYTES - at, at))],
])('copies contents that are not sent yet: %s', async (_, contents) => {
  const { workspace: origin, sql: from } = openWorkspace({ nodeId: 'origin' })
  await origin.commit(contents.map((content, at) => write(`${at}`, content)))
  await origin.commit([write('again', contents[0] ?? ''), mkdir('a directory')])
  const { fork, sql } = await forkOf(origin)
  for (const [at, content] of contents.entries()) {
    if (at > 100 && at % 100 !== 49) continue
    expect(Buffer.from((await fork.read(p(`${at}`))) ?? []).equals(content)).toBe(true)
  }
  expect(await fork.read(p('again'))).toHaveLength(contents[0]?.length ?? 0)
  checkCounts(sql)
  checkCounts(from)
})

it('keeps no content of its origin that none of its own files has', async () => {
  const { workspace: origin } = openWorkspace({ nodeId: 'origin' })
  await origin.commit([write('a', 'first'), write('b', 'kept')])
  await origin.commit([write('a', 'second')])
  const { fork, sql } = await forkOf(origin)
  expect(sql.all('SELECT CAST(content AS TEXT) AS content FROM workspace_contents ORDER BY content')).toEqual([
    { content: 'kept' },
    { content: 'second' },
  ])
  checkCounts(sql)
  while (await fork.flush());
  checkCounts(sql)
})

it('keeps a few copied contents beside many stored ones, each with what refers to it, and checks its rows again', async () => {
  const { workspace: origin } = openWorkspace({ nodeId: 'origin' })
  await origin.commit(Array.from({ length: 30 }, (_, at) => write(`${at}`, `stored ${at % 20}`)))
  while (await origin.flush());
  await origin.commit([write('one', 'copied'), write('other', 'copied')])
  const { fork, sql } = await forkOf(origin)
  expect(await text(fork, 'one')).toBe('copied')
  expect(
    sql.all('SELECT remote, count(*) AS contents, sum(refs) AS refs FROM workspace_blobs GROUP BY remote'),
  ).toEqual([
    { remote: 'no', contents: 1, refs: 2 },
    { remote: 'yes', contents: 20, refs: 30 },
  ])
  checkCounts(sql)
  expect(() => sql.run(`UPDATE workspace_blobs SET remote = 'elsewhere'`)).toThrow('CHECK')
  expect(() => sql.run(`UPDATE workspace_entries SET kind = 'elsewhere'`)).toThrow('CHECK')
})

it('refers to no content of the history or of later changes of its origin, which go with the origin', async () => {
  const tenant = new ModelledTenant(async () => undefined)
  const origin = new ModelledSession(tenant)
  for (const word of ['first', 'second', 'third']) {
    await origin.write('file', word)
    while (await origin.flush());
  }
  const fork = await origin.fork(2)
  expect(tenant.contents.size).toBe(3)
  await origin.destroy()
  tenant.time.now += BLOB_GRACE_MS
  await tenant.references.sweep()
  expect([...tenant.contents.values()].map((content) => new TextDecoder().decode(content))).toEqual(['second'])
  await fork.checkAll()
  await fork.destroy()
})

it('refers to no content that it copied, though its origin has sent that meanwhile: the fork sends it itself', async () => {
  const { workspace: origin } = openWorkspace({ nodeId: 'origin' })
  await origin.commit([write('a', 'sent')])
  while (await origin.flush());
  await origin.commit([write('b', 'copied')])
  const { sql, released } = await forkOf(origin, undefined, undefined, async () => {
    while (await origin.flush());
  })
  const blobs = sql.all<{ hash: string; remote: string }>('SELECT hash, remote FROM workspace_blobs ORDER BY size')
  expect(blobs.map(({ remote }) => remote)).toEqual(['yes', 'no'])
  expect(released).toEqual([blobs[1]?.hash])
})

async function forkOf(
  origin: SessionWorkspace,
  commit = origin.headSeq(),
  blobs?: MemoryBlobs,
  meanwhile: () => Promise<void> = async () => undefined,
) {
  const { workspace: fork, sql } = openWorkspace({ nodeId: 'fork', ...(blobs && { blobs }) })
  const texts: string[] = []
  const released: string[] = []
  await fork.fillFrom({
    async entries(after) {
      await meanwhile()
      const page = origin.forkEntries(commit, after)
      texts.push(...page.texts)
      return page
    },
    unsent: async (after) => origin.forkContents(after),
    share: async () => undefined,
    countStored: async () => origin.countStored(),
    stored: async (after) => origin.forkStored(after),
    release: async (hashes) => void released.push(...hashes),
  })
  return { fork, sql, texts, released }
}
