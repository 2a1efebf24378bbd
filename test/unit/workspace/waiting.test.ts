import { describe, expect, it } from 'vitest'
import { COMMIT_RETENTION_MS } from '../../../src/core/limits/workspace.ts'
import type { SessionWorkspace } from '../../../src/workspace/workspace.ts'
import { hashOf } from '../../support/blobs-memory.ts'
import { openSessionTables } from '../../support/tables.ts'
import { checkCounts } from './counts.ts'
import { largeContent, openWorkspace, remove, text, write } from './open.ts'

const FEW = { contents: 8, bytes: 10_000 }

/** Does all that is due. @returns the number of contents that went to the store */
async function keptUp({ workspace, blobs }: Pick<ReturnType<typeof openWorkspace>, 'workspace' | 'blobs'>) {
  const before = blobs.contents.size
  for (let round = 0; workspace.needsFlush(); round++) {
    if (round > 50) throw new Error('it never ends')
    await workspace.flush()
  }
  return blobs.contents.size - before
}

/** Number of contents that a fork that begins now must copy. */
async function copied({ workspace }: Pick<ReturnType<typeof openWorkspace>, 'workspace'>) {
  const { parts } = await workspace.forkContents('')
  return parts.flatMap(({ places }) => JSON.parse(places) as string[]).length
}

async function writeAll(workspace: SessionWorkspace, numbers: readonly number[]) {
  for (const number of numbers) await workspace.commit([write(`file-${number}`, `text ${number}`)])
}

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number)

describe('small contents that may wait', () => {
  it('stay out of the store while they are few, and a part of them goes together when they are more', async () => {
    const at = openWorkspace({ mayWait: { contents: 300, bytes: 10_000 } })
    await at.workspace.commit(upTo(300).map((number) => write(`file-${number}`, `text ${number}`)))
    expect(at.workspace.needsFlush()).toBe(false)
    await at.workspace.flush()
    expect(at.blobs.calls).toEqual([])

    await writeAll(at.workspace, [300])
    expect(await keptUp(at)).toBeGreaterThan(75)
    const again = at.reopen()
    for (const number of upTo(301)) expect(await text(again, `file-${number}`)).toBe(`text ${number}`)

    await writeAll(again, [301])
    expect(again.needsFlush()).toBe(false)
  })

  it('go when they are too long together, however few', async () => {
    const at = openWorkspace({ mayWait: FEW })
    await at.workspace.commit([write('a', largeContent(6_000, 1))])
    expect(await keptUp(at)).toBe(0)
    await at.workspace.commit([write('b', largeContent(6_000, 2))])
    expect(await keptUp(at)).toBe(2)
  })

  it('that were replaced and forgotten before cost the store nothing', async () => {
    const at = openWorkspace({ mayWait: FEW })
    for (const number of upTo(6)) await at.workspace.commit([write('same', `text ${number}`)])
    at.time.now += 30 * 24 * 60 * 60_000
    while (at.workspace.expire());
    expect(await keptUp(at)).toBe(0)
    expect(at.blobs.calls).toEqual([])
    expect(at.sql.all('SELECT size FROM workspace_contents')).toHaveLength(1)
  })

  it('are read again when the object ended while they were sent, and are sent by the next one', async () => {
    for (const when of ['before', 'after'] as const) {
      const at = openWorkspace({ mayWait: FEW })
      await writeAll(at.workspace, upTo(9))
      at.blobs[when] = (call: string) => {
        if (call === 'put') throw new Error('crash')
      }
      await expect(at.workspace.flush()).rejects.toThrow('crash')
      at.blobs[when] = () => undefined
      const workspace = at.reopen()
      for (const number of upTo(9)) expect(await text(workspace, `file-${number}`)).toBe(`text ${number}`)
      await keptUp({ ...at, workspace })
      expect(workspace.needsFlush()).toBe(false)
      expect(at.sql.all("SELECT count(*) AS waiting FROM workspace_blobs WHERE remote <> 'yes'")).toEqual([
        { waiting: expect.toSatisfy((count: number) => count <= FEW.contents) },
      ])
    }
  })

  it('go when a fork copied them, so that the next fork has none to copy', async () => {
    const at = openWorkspace({ mayWait: FEW })
    await writeAll(at.workspace, upTo(3))
    expect(await copied(at)).toBe(3)
    expect(await keptUp(at)).toBe(3)
    expect(await copied(at)).toBe(0)

    await writeAll(at.workspace, [3])
    expect(await keptUp(at)).toBe(0)
  })

  it('reach the store after newer ones were dropped that it had', async () => {
    for (const last of ['', 'text']) {
      const at = openWorkspace()
      await at.workspace.commit([write('kept', 'kept'), write('gone', last)])
      expect(await keptUp(at)).toBe(2)
      await at.workspace.commit([remove('gone')])
      at.time.now += COMMIT_RETENTION_MS + 1
      while (at.workspace.expire());
      await keptUp(at)
      checkCounts(at.sql)
      await at.workspace.commit([write('new', 'new')])
      await keptUp(at)
      expect([...at.blobs.contents.keys()].sort()).toEqual([hashOf('kept'), hashOf('new')].sort())
    }
  })

  it('do not go because of newer ones that are dropped, and of none that the store has', async () => {
    const at = openWorkspace({ mayWait: FEW })
    await writeAll(at.workspace, upTo(12))
    expect(await keptUp(at)).toBe(12)
    for (const number of upTo(20)) await at.workspace.commit([write('same', `other ${number}`)])
    at.time.now += COMMIT_RETENTION_MS + 1
    while (at.workspace.expire());
    expect(await keptUp(at)).toBe(0)
    checkCounts(at.sql)
    expect(at.workspace.needsFlush()).toBe(false)
  })

  it('of a session from before there was a mark go as they would have gone, each once', async () => {
    const at = openWorkspace({ mayWait: FEW })
    await writeAll(at.workspace, upTo(9))
    await keptUp(at)
    const sent = at.blobs.calls.length
    await writeAll(at.workspace, [9, 10])
    for (const statement of BEFORE_THE_MARK) at.sql.all(statement)
    openSessionTables(at.sql)
    checkCounts(at.sql)
    const workspace = at.reopen()
    await workspace.forkContents('')
    await keptUp({ ...at, workspace })
    expect(at.blobs.calls.length - sent).toBe(11 - sent)
    expect([...at.blobs.contents.keys()].sort()).toEqual(
      upTo(11)
        .map((number) => hashOf(`text ${number}`))
        .sort(),
    )
  })
})

/** Takes back what version 8 changed. */
const BEFORE_THE_MARK = [
  'ALTER TABLE workspace_state DROP COLUMN sent_to',
  'DROP INDEX workspace_blobs_cut_off',
  `CREATE INDEX workspace_blobs_unsent ON workspace_blobs (hash) WHERE remote <> 'yes'`,
  'UPDATE migrations SET number = 7',
]
