import { describe, expect, it } from 'vitest'
import { COMMIT_RETENTION_MS, FLUSH_BATCH_BLOBS, MAX_LOCAL_CONTENT_BYTES } from '../../../src/core/limits/workspace.ts'
import type { Change, StoredContent } from '../../../src/ports/workspace.ts'
import { streamOf } from '../../../src/workspace/bytes.ts'
import { readState } from '../../../src/workspace/manifest.ts'
import type { SessionWorkspace } from '../../../src/workspace/workspace.ts'
import { hashOf, MemoryBlobs } from '../../support/blobs-memory.ts'
import { largeContent, openWorkspace, p, remove, text, tree, write } from './open.ts'

const BIG = largeContent(100_000)
const OTHER = largeContent(100_000, 2)

/** Nothing here waits for anything outside of this process: after one turn of its loop all has gone as far as it can. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

async function flushAll(workspace: SessionWorkspace): Promise<void> {
  for (let round = 0; workspace.needsFlush(); round++) {
    if (round > 50) throw new Error('it never ends')
    await workspace.flush()
  }
}

/** Every reference in the tables is counted, and no content is kept that nothing refers to. */
function expectConsistent({ sql }: ReturnType<typeof openWorkspace>): void {
  const counted = sql.all(`SELECT hash, count(*) AS refs FROM (SELECT hash FROM workspace_entries UNION ALL
    SELECT hash FROM workspace_changes) WHERE hash IS NOT NULL GROUP BY hash ORDER BY hash`)
  expect(sql.all('SELECT hash, refs FROM workspace_blobs WHERE refs > 0 ORDER BY hash')).toEqual(counted)
  expect(sql.all('SELECT hash FROM workspace_contents WHERE hash NOT IN (SELECT hash FROM workspace_blobs)')).toEqual(
    [],
  )
  const [kept] = sql.all('SELECT coalesce(sum(size), 0) AS bytes FROM workspace_contents')
  expect(readState(sql).local_bytes).toBe(kept?.bytes)
  expect(sql.all('SELECT local AS id, hash FROM workspace_blobs WHERE local IS NOT NULL ORDER BY id')).toEqual(
    sql.all('SELECT id, hash FROM workspace_contents ORDER BY id'),
  )
}

describe('contents', () => {
  it('commits a small file without asking the blob store, and carries it there later', async () => {
    const { workspace, blobs } = openWorkspace()
    await workspace.commit([write('a', 'small'), write('b', 'small'), write('c', 'other')])
    expect(blobs.calls).toEqual([])
    expect(workspace.needsFlush()).toBe(true)
    await workspace.flush()
    expect([...blobs.contents.keys()].sort()).toEqual([hashOf('small'), hashOf('other')].sort())
    expect(workspace.needsFlush()).toBe(false)
  })

  it.each([40, 300])('keeps %i small files of one commit, empty, equal and known ones among them', async (count) => {
    const at = openWorkspace()
    await at.workspace.commit([write('known', 'text 3')])
    const contents = Array.from({ length: count }, (_, n) => (n === 0 ? '' : `text ${n % (count / 2)}`))
    await at.workspace.commit(contents.map((content, n) => write(`many/${n}`, content)))
    for (const [n, content] of contents.entries()) expect(await text(at.workspace, `many/${n}`)).toBe(content)
    expectConsistent(at)
  })

  it('reads small files without the blob store, also after they went there', async () => {
    const { workspace, blobs } = openWorkspace()
    await workspace.commit([write('a', 'small')])
    await flushAll(workspace)
    blobs.before = () => {
      throw new Error('the store is not asked')
    }
    expect(await text(workspace, 'a')).toBe('small')
  })

  it('makes room in SQLite by what arrived first, and then reads that from the store', async () => {
    const at = openWorkspace()
    await at.workspace.commit([write('a', 'first')])
    await at.workspace.commit([write('b', 'second')])
    at.sql.all('UPDATE workspace_state SET local_bytes = local_bytes + ?', MAX_LOCAL_CONTENT_BYTES - 11)
    await at.workspace.flush()
    expect(at.sql.all('SELECT hash FROM workspace_contents')).toHaveLength(2)
    await at.workspace.commit([write('c', 'third')])
    await at.workspace.flush()
    expect(at.sql.all('SELECT hash FROM workspace_contents')).toEqual([
      { hash: hashOf('second') },
      { hash: hashOf('third') },
    ])
    expect(await text(at.workspace, 'a')).toBe('first')
  })

  it('keeps what many files were fetched for, while there is room, and reads it without the store from then on', async () => {
    const at = openWorkspace()
    const { workspace, sql, blobs } = at
    const paths = Array.from({ length: 20 }, (_, n) => `f${n}`)
    await workspace.commit([...paths.map((path) => write(path, `content of ${path}`)), write('big', BIG)])
    await flushAll(workspace)
    sql.all('UPDATE workspace_state SET local_bytes = local_bytes + ?', MAX_LOCAL_CONTENT_BYTES)
    await workspace.flush()
    expect(sql.all('SELECT hash FROM workspace_contents')).toEqual([])
    const files = [...workspace.entries()].filter((entry) => entry.kind === 'file')
    const some = files.slice(0, 4)

    expect((await workspace.readMany(some)).fetched).toBe(4)
    expect((await workspace.readMany(some)).fetched).toBe(4)
    sql.all('UPDATE workspace_state SET local_bytes = 0')
    sql.isReadOnly = true
    expect((await workspace.readMany(some)).fetched).toBe(4)
    sql.isReadOnly = false

    const first = await workspace.readMany(files)
    expect(first.fetched).toBe(21)
    let requests = 0
    blobs.before = () => {
      requests += 1
    }
    const second = await workspace.readMany(files)
    expect([second.fetched, requests]).toEqual([1, 1])
    expect(second.contents).toEqual(first.contents)
    expectConsistent(at)
  })

  it('never makes room by what the store does not have yet', async () => {
    const { workspace, sql, blobs } = openWorkspace()
    blobs.before = () => {
      throw new Error('out of order')
    }
    await workspace.commit([write('a', 'first')])
    sql.all('UPDATE workspace_state SET local_bytes = ?', MAX_LOCAL_CONTENT_BYTES * 2)
    await expect(workspace.flush()).rejects.toThrow('out of order')
    expect(await text(workspace, 'a')).toBe('first')
  })

  it('sends a large content once, however many files have it', async () => {
    const { workspace, blobs } = openWorkspace()
    await workspace.commit([write('a', BIG), write('b', BIG.slice())])
    await workspace.commit([write('c', BIG)])
    expect(blobs.calls).toEqual([`put ${hashOf(BIG)}`])
  })

  it('flushes in batches', async () => {
    const { workspace, blobs } = openWorkspace()
    await workspace.commit(Array.from({ length: FLUSH_BATCH_BLOBS + 1 }, (_, n) => write(`${n}`, `${n}`)))
    await Promise.all([workspace.flush(), workspace.flush()])
    expect(blobs.contents.size).toBe(FLUSH_BATCH_BLOBS)
    await flushAll(workspace)
    expect(blobs.contents.size).toBe(FLUSH_BATCH_BLOBS + 1)
  })
})

describe('garbage', () => {
  it('keeps a content as long as a file or a kept commit refers to it', async () => {
    const at = openWorkspace()
    const { workspace, blobs, time } = at
    await workspace.commit([write('a', BIG), write('b', 'small')])
    await workspace.commit([remove('a'), write('b', 'else')])
    await flushAll(workspace)
    expect(blobs.contents.size).toBe(3)
    expectConsistent(at)

    time.now += COMMIT_RETENTION_MS + 1
    workspace.expire()
    expectConsistent(at)
    await flushAll(workspace)
    expect([...blobs.contents.keys()]).toEqual([hashOf('else')])
    expect(await text(workspace, 'b')).toBe('else')
    expectConsistent(at)
  })

  it('drops a small content that was never sent without asking the store', async () => {
    const at = openWorkspace()
    await at.workspace.commit([write('a', '1')])
    await at.workspace.commit([remove('a')])
    at.time.now += COMMIT_RETENTION_MS + 1
    at.workspace.expire()
    await flushAll(at.workspace)
    expect(at.blobs.calls).toEqual([])
    expect(at.sql.all('SELECT * FROM workspace_contents')).toEqual([])
    expectConsistent(at)
  })

  it('keeps no content of a file that was made and removed in one commit', async () => {
    const at = openWorkspace()
    await at.workspace.commit([write('a', '1'), write('b', '2'), remove('a'), write('big', BIG), remove('big')])
    expectConsistent(at)
    await flushAll(at.workspace)
    expect([...at.blobs.contents.keys()]).toEqual([hashOf('2')])
  })

  it("leaves another session's reference alone", async () => {
    const blobs = new MemoryBlobs()
    const one = openWorkspace({ blobs, nodeId: 'one' })
    const two = openWorkspace({ blobs, nodeId: 'two' })
    await one.workspace.commit([write('a', BIG)])
    await two.workspace.commit([write('a', BIG)])
    await one.workspace.destroy()
    expect(blobs.contents.size).toBe(1)
    await two.workspace.destroy()
    expect(blobs.contents.size).toBe(0)
  })

  it('takes a content back that is written again while it is given up', async () => {
    for (const content of [new TextEncoder().encode('small'), BIG]) {
      const at = openWorkspace()
      const { workspace, blobs, time } = at
      await workspace.commit([write('a', content)])
      await flushAll(workspace)
      await workspace.commit([remove('a')])
      time.now += COMMIT_RETENTION_MS + 1
      workspace.expire()

      const { promise, resolve } = Promise.withResolvers<void>()
      blobs.before = (call) => (call === 'release' ? promise : undefined)
      const flushed = workspace.flush()
      await turn()
      const committed = workspace.commit([write('again', content)])
      await turn()
      resolve()
      await Promise.all([flushed, committed])
      await flushAll(workspace)
      expect(blobs.contents.has(hashOf(content))).toBe(true)
      expect(hashOf((await workspace.read(p('again'))) ?? '')).toBe(hashOf(content))
      expectConsistent(at)
    }
  })

  it('gives nothing up while a content is on its way', async () => {
    const at = openWorkspace()
    const { promise, resolve } = Promise.withResolvers<void>()
    at.blobs.after = (call) => (call === 'put' ? promise : undefined)
    const committed = at.workspace.commit([write('a', BIG)])
    await turn()
    expect([await at.workspace.flush(), at.workspace.needsFlush()]).toEqual([false, true])
    expect(at.blobs.calls).toEqual([`put ${hashOf(BIG)}`])
    resolve()
    await committed
    await flushAll(at.workspace)
    expect(at.blobs.contents.has(hashOf(BIG))).toBe(true)
    expectConsistent(at)
  })
})

describe('contents stored ahead of their commit', () => {
  const SMALL = new TextEncoder().encode('small')

  const file = (path: string, content: StoredContent): Change => ({ op: 'write', path: p(path), content })

  it.each([
    ['small', SMALL],
    ['large', BIG],
  ])('are there for the commit, and for a second one: %s', async (_, content) => {
    const at = openWorkspace()
    await at.workspace.storing(async (store) => {
      const stored = await store(content)
      expect(stored).toEqual({ hash: hashOf(content), size: content.length })
      await at.workspace.flush()
      await at.workspace.commit([file('a', stored)])
    })
    const entry = at.workspace.stat(p('a'))
    if (entry?.kind !== 'file') throw new Error('there is no file')
    await at.workspace.commit([file('b', entry)])
    await flushAll(at.workspace)
    expect(hashOf((await at.workspace.read(p('b'))) ?? '')).toBe(hashOf(content))
    const opened = await at.workspace.forCall('c').openContent(entry)
    expect(hashOf(new Uint8Array(await new Response(opened).arrayBuffer()))).toBe(hashOf(content))
    expectConsistent(at)
  })

  it('may come as a stream', async () => {
    const at = openWorkspace()
    await at.workspace.storing(async (store) => {
      const stored = await store({ stream: streamOf(BIG), size: BIG.length })
      expect(stored).toEqual({ hash: hashOf(BIG), size: BIG.length })
      await at.workspace.commit([file('a', stored)])
    })
    expect(at.workspace.totals().bytes).toBe(BIG.length)
  })

  it('are given up when the commit never comes, and then no commit can name them', async () => {
    for (const reopened of [false, true]) {
      const at = openWorkspace()
      const stored = await at.workspace.storing(async (store) => [await store(SMALL), await store(BIG)])
      const workspace = reopened ? at.reopen() : at.workspace
      await flushAll(workspace)
      expect(at.blobs.contents.size).toBe(0)
      expect(at.sql.all('SELECT hash FROM workspace_contents')).toEqual([])
      for (const content of stored) {
        await expect(workspace.commit([file('a', content)])).rejects.toMatchObject({
          failure: { code: 'conflict', message: expect.stringContaining('store it again') },
        })
      }
      expectConsistent(at)
    }
  })

  it('are never those of another session, whose hash one knows', async () => {
    const blobs = new MemoryBlobs()
    await openWorkspace({ blobs, nodeId: 'one' }).workspace.commit([write('secret', BIG)])
    const two = openWorkspace({ blobs, nodeId: 'two' }).workspace
    const content = { hash: hashOf(BIG), size: BIG.length }
    await expect(two.commit([file('mine', content)])).rejects.toMatchObject({
      failure: { code: 'conflict' },
    })
  })

  it('count with the size that they have, whatever the commit says', async () => {
    const { workspace } = openWorkspace()
    await workspace.storing(async (store) => {
      const { hash } = await store(BIG)
      await workspace.commit([file('a', { hash, size: 1 })])
    })
    expect(workspace.totals().bytes).toBe(BIG.length)
  })
})

describe('views for calls', () => {
  it("note their commits under their call, and keep out of each other's way", async () => {
    const at = openWorkspace()
    const [one, two] = [at.workspace.forCall('c-one'), at.workspace.forCall('c-two')]
    await one.commit([write('a', BIG)])
    await two.commit([remove('a')])
    expect(at.workspace.commits({ limit: 2 }).commits.map(({ callId }) => callId)).toEqual(['c-two', 'c-one'])
    at.time.now += COMMIT_RETENTION_MS + 1
    at.workspace.expire()

    const { promise, resolve } = Promise.withResolvers<void>()
    at.blobs.before = (call) => (call === 'release' ? promise : undefined)
    const flushed = at.workspace.flush()
    await turn()
    const committed = two.commit([write('b', BIG)])
    await turn()
    resolve()
    await Promise.all([flushed, committed])
    expect(at.blobs.calls).toEqual([`put ${hashOf(BIG)}`, `release ${hashOf(BIG)}`, `put ${hashOf(BIG)}`])
    await at.workspace.destroy()
    await expect(two.commit([write('c', 'late')])).rejects.toMatchObject({ failure: { code: 'not_found' } })
  })
})

describe('crashes', () => {
  it.each(['before', 'after'] as const)(
    'leaves all as it was when the store fails %s a large content arrived',
    async (when) => {
      const at = openWorkspace()
      await at.workspace.commit([write('a', 'old')])
      const crash = () => {
        throw new Error('crash')
      }
      at.blobs[when] = crash
      const stream = { op: 'write' as const, path: p('s'), content: { stream: streamOf(OTHER), size: OTHER.length } }
      await expect(at.workspace.commit([write('a', 'new'), write('b', BIG)])).rejects.toThrow('crash')
      await expect(at.workspace.commit([write('a', 'new'), stream])).rejects.toThrow('crash')
      expect(tree(at.workspace)).toEqual(['a'])
      expect(await text(at.workspace, 'a')).toBe('old')
      at.blobs[when] = () => undefined

      // A new object over the same tables cleans up what the announced content left.
      const again = at.reopen()
      await flushAll(again)
      expect(at.blobs.contents.has(hashOf(BIG))).toBe(false)
      expect(at.blobs.contents.has(hashOf('old'))).toBe(true)
      expectConsistent(at)
      await again.commit([write('b', BIG)])
      expect(hashOf((await again.read(p('b'))) ?? '')).toBe(hashOf(BIG))
    },
  )

  it('gives up the contents of a commit that lost against another one', async () => {
    const at = openWorkspace()
    const { promise, resolve } = Promise.withResolvers<void>()
    at.blobs.after = () => promise
    const late = at.workspace.commit([write('a/b', BIG)])
    await turn()
    await at.workspace.commit([write('a', 'a file')])
    resolve()
    await expect(late).rejects.toMatchObject({ failure: { code: 'conflict' } })
    await flushAll(at.workspace)
    expect([...at.blobs.contents.keys()]).toEqual([hashOf('a file')])
    expectConsistent(at)
  })

  it.each(['put', 'release'] as const)('does a flush again that was cut off around a %s', async (during) => {
    for (const when of ['before', 'after'] as const) {
      const at = openWorkspace()
      await at.workspace.commit([write('gone', 'gone'), write('big', BIG), write('a', 'kept')])
      if (during === 'release') await flushAll(at.workspace)
      await at.workspace.commit([remove('gone'), remove('big')])
      at.time.now += COMMIT_RETENTION_MS + 1
      at.workspace.expire()
      at.blobs[when] = (call: string) => {
        if (call === during) throw new Error('crash')
      }
      await expect(at.workspace.flush()).rejects.toThrow('crash')
      at.blobs[when] = () => undefined

      const again = at.reopen()
      await flushAll(again)
      expect([...at.blobs.contents.keys()]).toEqual([hashOf('kept')])
      expect(await text(again, 'a')).toBe('kept')
      expectConsistent(at)
    }
  })

  it('lets a content be written again after its release was cut off', async () => {
    for (const content of [new TextEncoder().encode('small'), BIG]) {
      const at = openWorkspace()
      await at.workspace.commit([write('a', content)])
      await flushAll(at.workspace)
      await at.workspace.commit([remove('a')])
      at.time.now += COMMIT_RETENTION_MS + 1
      at.workspace.expire()
      at.blobs.after = () => {
        throw new Error('crash')
      }
      await expect(at.workspace.flush()).rejects.toThrow('crash')
      at.blobs.after = () => undefined
      const again = at.reopen()
      await again.commit([write('b', content)])
      await flushAll(again)
      expect([...at.blobs.contents.keys()]).toEqual([hashOf(content)])
      expectConsistent(at)
    }
  })
})

describe('the end', () => {
  it('waits for what is under way, refuses more, and gives all contents up', async () => {
    const at = openWorkspace()
    await at.workspace.commit([write('a', 'small'), write('b', BIG)])
    const { promise, resolve } = Promise.withResolvers<void>()
    at.blobs.before = (call) => (call === 'put' ? promise : undefined)
    const flushing = at.workspace.flush()
    const committing = at.workspace.commit([write('c', OTHER)])
    const refused = expect(committing).rejects.toMatchObject({ failure: { code: 'not_found' } })
    await turn()
    const destroyed = Promise.all([at.workspace.destroy(), at.workspace.destroy()])
    await expect(at.workspace.commit([write('d', 'late')])).rejects.toMatchObject({ failure: { code: 'not_found' } })
    resolve()
    await Promise.all([flushing, refused, destroyed])
    expect(at.blobs.contents.size).toBe(0)
    await expect(at.workspace.flush()).rejects.toMatchObject({ failure: { code: 'not_found' } })
    await at.workspace.destroy()
  })
})
