import { describe, expect, it } from 'vitest'
import { openFiles } from '../files/open-files.ts'

type Bench = ReturnType<typeof openFiles>
const paths = async ({ json }: Bench) =>
  ((await json('GET', '/files?recursive=true')).body.data as { path: string }[]).map(({ path }) => path)
const text = async ({ send }: Bench, path: string) => (await send('GET', `/files/${path}`)).text()

describe('a restore', () => {
  it('brings one file back as a new commit, and leaves the others', async () => {
    const bench = openFiles()
    const { json, put } = bench
    await put('a.txt', 'good')
    await put('b.txt', '1')
    await put('a.txt', 'broken')
    await put('b.txt', '2')
    expect(await json('POST', '/restore', { body: { commit: 2, path: 'a.txt' } })).toMatchObject({
      status: 200,
      body: {
        restored: true,
        commit: 5,
        from_commit: 2,
        changed: 1,
        changes: [{ path: 'a.txt', change: 'modified', kind: 'file', size: 4 }],
        more_changes: 0,
        notes: [],
      },
    })
    expect([await text(bench, 'a.txt'), await text(bench, 'b.txt')]).toEqual(['good', '2'])
    expect((await json('GET', '/history?limit=1')).body).toMatchObject({ data: [{ commit: 5, author: 'restore:k' }] })
  })

  it('of a directory removes what was not there then, makes again what was, and leaves the rest', async () => {
    const bench = openFiles()
    const { json, put } = bench
    await put('d/e/old.txt', 'old')
    await put('other.txt', 'o')
    await json('DELETE', '/files/d?recursive=true')
    await put('d/new/x.txt', 'new')
    await put('d-side.txt', 'beside')
    expect((await json('POST', '/restore', { body: { commit: 2, path: 'd' } })).body).toMatchObject({ changed: 5 })
    expect(await paths(bench)).toEqual(['d', 'd-side.txt', 'd/e', 'd/e/old.txt', 'other.txt'])
    // And one file whose directory is gone comes back with it.
    await json('DELETE', '/files/d?recursive=true')
    expect((await json('POST', '/restore', { body: { commit: 2, path: 'd/e/old.txt' } })).body).toMatchObject({
      changed: 3,
    })
    expect(await text(bench, 'd/e/old.txt')).toBe('old')
  })

  it('of all files goes back to a commit, also to before the first, and can be taken back itself', async () => {
    const bench = openFiles()
    const { json, put } = bench
    await put('a', '1')
    await put('b/c', '2')
    expect((await json('POST', '/restore', { body: { commit: 0 } })).body).toMatchObject({ commit: 3, changed: 3 })
    expect(await paths(bench)).toEqual([])
    expect((await json('POST', '/restore', { body: { commit: 2 } })).body).toMatchObject({ commit: 4, changed: 3 })
    expect(await paths(bench)).toEqual(['a', 'b', 'b/c'])
  })

  it('is noted for the audit log, but not a dry run, nor one that changes nothing', async () => {
    const { json, put, noted } = openFiles()
    await put('a', '1')
    await put('a', '2')
    await json('POST', '/restore', { body: { commit: 1, dry_run: true } })
    await json('POST', '/restore', { body: { commit: 2 } })
    expect(noted).toEqual([])
    await json('POST', '/restore', { body: { commit: 1, path: 'a' } })
    await json('POST', '/restore', { body: { commit: 0 } })
    const restore = { action: 'session.restore', session: 's', by: { key: 'k', agent: null } }
    expect(noted).toEqual([
      { ...restore, path: 'a', detail: { from_commit: 1, changed: 1, commit: 3 } },
      { ...restore, path: '', detail: { from_commit: 0, changed: 1, commit: 4 } },
    ])
  })

  it('makes no commit where nothing differs, nor as a dry run, and says so', async () => {
    const bench = openFiles()
    const { json, put } = bench
    await put('a', '1')
    await put('a', '2')
    expect((await json('POST', '/restore', { body: { commit: 2 } })).body).toMatchObject({
      ...{ restored: false, commit: 2, changed: 0, changes: [] },
    })
    expect((await json('POST', '/restore', { body: { commit: 1, dry_run: true } })).body).toMatchObject({
      ...{ restored: false, commit: 2, changed: 1, changes: [{ path: 'a', change: 'modified', size: 1 }] },
    })
    expect([await text(bench, 'a'), (await json('GET', '/history?limit=1')).body.data]).toMatchObject([
      '2',
      [{ commit: 2 }],
    ])
  })

  it('is made only while the newest commit is the one that the client knows', async () => {
    const bench = openFiles()
    const { json, put, send } = bench
    await put('a', '1')
    await put('a', '2')
    const dry = await send('POST', '/restore', { body: { commit: 1, dry_run: true } })
    expect(dry.headers.get('ETag')).toBe('"2"')
    await put('a', '3')
    const headers = { 'If-Match': '"2"' }
    const refused = await send('POST', '/restore', { body: { commit: 1 }, headers })
    expect([refused.status, refused.headers.get('ETag')]).toEqual([412, '"3"'])
    expect(await refused.json()).toMatchObject({ code: 'precondition_failed', hint: expect.stringContaining('"3"') })
    expect((await json('POST', '/restore', { body: { commit: 1 }, headers: { 'If-Match': 'x' } })).status).toBe(400)
    expect((await json('POST', '/restore', { body: { commit: 1 }, headers: { 'If-Match': '"3"' } })).status).toBe(200)
  })

  it('is refused whole where a lock holds for something that it would change, at, below or above it', async () => {
    const bench = openFiles()
    const { json, put, session } = bench
    await put('keep.txt', '1')
    await put('d/locked.txt', '1')
    await put('d/locked.txt', '2')
    await put('keep.txt', '2')
    const lock = (path: string, tool = 'file_lock', more: object = { locker_name: 'me', locker_level: 1 }) =>
      session.call({ tool, args: { file_path: path, ...more } })
    const unlock = (path: string) => lock(path, 'file_unlock', { unlocker_name: 'me', unlocker_level: 1 })
    expect(await lock('d')).toMatchObject({ kind: 'done' })
    expect(await json('POST', '/restore', { body: { commit: 2 } })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('d/locked.txt is locked by "me"') },
    })
    expect(await text(bench, 'keep.txt')).toBe('2')
    // What does not touch it goes on.
    expect((await json('POST', '/restore', { body: { commit: 1, path: 'keep.txt' } })).status).toBe(200)
    await unlock('d')
    expect(await lock('d/none/yet.txt')).toMatchObject({ kind: 'done' })
    expect((await json('POST', '/restore', { body: { commit: 0 } })).status).toBe(409)
    expect((await json('POST', '/restore', { body: { commit: 2, path: 'd' } })).status).toBe(200)
  })

  it('leaves directories whose content the sandbox alone has, and says so', async () => {
    const bench = openFiles()
    const { json, put } = bench
    await put('a', '1')
    for (const path of ['app/node_modules', 'code_env', 'other'])
      await bench.session.call({ tool: 'dir_create', args: { dir_path: path } })
    await put('app/x', '1')
    expect((await json('POST', '/restore', { body: { commit: 0 } })).body).toMatchObject({
      notes: [expect.stringMatching(/alone: app\/node_modules$/)],
    })
    expect(await paths(bench)).toEqual(['app', 'app/node_modules', 'code_env'])
    expect(await json('POST', '/restore', { body: { commit: 1, path: 'code_env' } })).toMatchObject({ status: 400 })
  })

  it('refuses a file where now a file stands in place of its directory, a path that never was, and fields that it does not know', async () => {
    const { json, put } = openFiles()
    await put('d/x', '1')
    await json('DELETE', '/files/d?recursive=true')
    await put('d', 'a file now')
    expect(await json('POST', '/restore', { body: { commit: 1, path: 'd/x' } })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('restore d itself') },
    })
    expect((await json('POST', '/restore', { body: { commit: 1, path: 'd' } })).body).toMatchObject({ changed: 2 })
    expect((await json('POST', '/restore', { body: { commit: 1, path: 'none' } })).status).toBe(404)
    expect((await json('POST', '/restore', { body: { commit: 99 } })).status).toBe(404)
    expect((await json('POST', '/restore', { body: { commit: 1, paths: ['a'] } })).status).toBe(400)
  })
})
