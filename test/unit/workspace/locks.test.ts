import { describe, expect, it } from 'vitest'
import { FailureError } from '../../../src/core/failure.ts'
import { MAX_INLINE_BLOB_BYTES, MAX_LOCKS } from '../../../src/core/limits/workspace.ts'
import type { Change } from '../../../src/ports/workspace.ts'
import { largeContent, link, mkdir, move, openWorkspace, p, remove, text, write } from './open.ts'

const ANN = { name: 'ann', level: 2 }

/** A workspace in which `dir/` and `a.txt` are locked. */
async function locked() {
  const opened = openWorkspace()
  await opened.workspace.commit([write('dir/b.txt', 'b'), write('a.txt', 'a'), write('free.txt', 'f'), mkdir('empty')])
  opened.workspace.locks.lock(p('dir'), ANN)
  opened.workspace.locks.lock(p('a.txt'), ANN)
  return opened
}

const chmod = (path: string): Change => ({ op: 'chmod', path: p(path), mode: 0o600 })

describe('a lock', () => {
  it.each([
    ['writing the file', write('a.txt', 'x'), 'a.txt'],
    ['writing a large file', write('a.txt', largeContent(MAX_INLINE_BLOB_BYTES + 1)), 'a.txt'],
    ['writing below the directory', write('dir/deep/c.txt', 'x'), 'dir/deep/c.txt'],
    ['a new directory below it', mkdir('dir/new'), 'dir/new'],
    ['a link below it', link('dir/l', '../a.txt'), 'dir/l'],
    ['other permissions', chmod('a.txt'), 'a.txt'],
    ['removing the file', remove('a.txt'), 'a.txt'],
    ['removing what is below', remove('dir/b.txt'), 'dir/b.txt'],
    ['moving it away', move('dir', 'elsewhere'), 'dir'],
    ['moving something onto it', move('free.txt', 'a.txt'), 'a.txt'],
    ['moving something into it', move('free.txt', 'dir/free.txt'), 'dir/free.txt'],
  ])('holds against %s', async (_, change, path) => {
    const { workspace } = await locked()
    const before = workspace.headSeq()
    const failed = await workspace.commit([write('other.txt', 'x'), change]).catch((thrown: unknown) => thrown)
    expect(failed).toBeInstanceOf(FailureError)
    const { failure } = failed as FailureError
    expect(failure.code).toBe('conflict')
    expect(failure.message).toMatch(`${path} is locked by "ann" (level 2)`)
    expect(failure.message).toMatch(/file_unlock with file_path "(dir|a\.txt)" and unlocker_name "ann"/)
    expect(failure.data).toMatchObject({ locked_file: path, lock_info: { locker_name: 'ann', level: 2 } })
    expect(workspace.headSeq()).toBe(before)
    expect(workspace.stat(p('other.txt'))).toBeNull()
  })

  it('of something inside holds against removing or moving what it lies in, and against moving onto its place', async () => {
    const { workspace } = openWorkspace()
    await workspace.commit([write('d/deep/a.txt', 'a'), write('x/deep/a.txt', 'x')])
    workspace.locks.lock(p('d/deep/a.txt'), ANN)
    workspace.locks.lock(p('reserved/deep'), ANN)
    for (const change of [remove('d'), remove('d/deep'), move('d', 'e'), move('x', 'reserved')]) {
      await expect(workspace.commit([change])).rejects.toThrow(/is locked by "ann"/)
    }
    await workspace.commit([write('d/deep/other.txt', 'o')])
    expect(await text(workspace, 'd/deep/other.txt')).toBe('o')
  })

  it('leaves all else free: reading, neighbours, names that begin alike', async () => {
    const { workspace } = await locked()
    await workspace.commit([
      write('free.txt', '2'),
      write('dir.txt', 'x'),
      write('dir2/a', 'x'),
      write('a.txt.bak', 'x'),
    ])
    expect(await text(workspace, 'dir/b.txt')).toBe('b')
    expect(await text(workspace, 'dir2/a')).toBe('x')
  })

  it('does not hold back what is taken over from elsewhere', async () => {
    const { workspace } = await locked()
    await workspace.takeOver([write('a.txt', 'by a command')])
    expect(await text(workspace, 'a.txt')).toBe('by a command')
  })

  it('is still there for a new object over the same tables, and gone for good once it is taken away', async () => {
    const { workspace, reopen } = await locked()
    await expect(reopen().commit([write('a.txt', 'x')])).rejects.toThrow(/is locked/)
    workspace.locks.unlock(p('a.txt'), ANN)
    await workspace.commit([write('a.txt', 'x')])
    await reopen().commit([write('a.txt', 'y')])
    expect(reopen().locks.list()).toMatchObject([{ path: 'dir', name: 'ann', level: 2, lockedAt: 1_000_000 }])
  })

  it('costs a workspace without locks one look in all, and none of the statements of a commit', async () => {
    const { workspace, sql } = openWorkspace()
    await workspace.commit([write('a.txt', 'a')])
    const statements = async () => {
      const before = sql.statements
      await workspace.commit([write('a.txt', String(before))])
      return sql.statements - before
    }
    const without = await statements()
    workspace.locks.lock(p('b.txt'), ANN)
    expect(await statements()).toBe(without)
  })

  it('is one of a bounded number', () => {
    const { workspace } = openWorkspace()
    for (let n = 0; n < MAX_LOCKS; n += 1) workspace.locks.lock(p(`f${n}`), ANN)
    expect(() => workspace.locks.lock(p('one more'), ANN)).toThrow(/MAX_LOCKS/)
  })
})
