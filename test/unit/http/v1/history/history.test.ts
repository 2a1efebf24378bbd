import { describe, expect, it } from 'vitest'
import { zipBytes } from '../../../../support/archives.ts'
import { openFiles } from '../files/open-files.ts'

/** Three commits: a file, another one in a directory, and the first one changed and the other gone. */
async function opened() {
  const bench = openFiles()
  await bench.put('a.txt', 'one\n')
  await bench.put('dir/b.txt', 'b\n')
  await bench.json('POST', '/files:edit', { body: { file_path: 'a.txt', old_text: 'one', new_text: 'two' } })
  await bench.json('DELETE', '/files/dir/b.txt')
  return bench
}

describe('the history of files', () => {
  it('says of each commit who made it, by which tool, and what it changed, newest first and by pages', async () => {
    const { json } = await opened()
    const { body } = await json('GET', '/history?limit=3')
    expect(body).toMatchObject({
      data: [
        { commit: 4, author: 'delete:k', tool: null, changed: 1, changes: [{ path: 'dir/b.txt', change: 'deleted' }] },
        {
          commit: 3,
          author: expect.stringMatching(/^call_[0-9a-z]{21}$/),
          tool: 'file_edit',
          changes: [{ path: 'a.txt', change: 'modified', kind: 'file', size: 4 }],
          more_changes: 0,
        },
        {
          commit: 2,
          tool: null,
          changed: 2,
          changes: [
            { path: 'dir', change: 'created', kind: 'directory', size: null },
            { path: 'dir/b.txt', change: 'created', kind: 'file', size: 2 },
          ],
        },
      ],
      next_cursor: '2',
    })
    expect(await json('GET', '/history?limit=3&cursor=2')).toMatchObject({
      body: {
        data: [{ commit: 1, author: 'upload:k', changes: [{ path: 'a.txt', change: 'created' }] }],
        next_cursor: null,
      },
    })
  })

  it('is that of one file or directory where a path is given', async () => {
    const { json, put } = await opened()
    await put('dir.txt', 'beside')
    const commits = async (path: string) =>
      ((await json('GET', `/history?path=${path}`)).body.data as { commit: number }[]).map(({ commit }) => commit)
    expect(await commits('dir')).toEqual([4, 2])
    expect(await commits('dir/b.txt')).toEqual([4, 2])
    expect(await commits('a.txt')).toEqual([3, 1])
    expect(await commits('none')).toEqual([])
  })

  it('shows a few changes of a large commit, those of repositories last, and all of them by pages of that commit', async () => {
    const { json } = openFiles()
    const names = [...Array.from({ length: 12 }, (_, n) => `.git/${n + 10}`), 'z1', 'z2']
    const body = zipBytes(names.map((name) => ({ name, content: 'x', method: 0 })))
    expect((await json('PUT', '/archive', { body })).status).toBe(200)
    const { data } = (await json('GET', '/history')).body as {
      data: { changes: { path: string }[]; more_changes: number }[]
    }
    expect(data[0]?.changes.slice(0, 4).map(({ path }) => path)).toEqual(['.git', 'z1', 'z2', '.git/10'])
    expect(data[0]).toMatchObject({ changed: 15, more_changes: 5 })
    const first = await json('GET', '/history/1?limit=10')
    expect(first.body).toMatchObject({ commit: 1, author: 'unpack:k', changed: 15 })
    const rest = await json('GET', `/history/1?limit=10&cursor=${first.body.next_cursor}`)
    const paths = [first, rest].flatMap((page) => (page.body.data as { path: string }[]).map(({ path }) => path))
    expect(paths).toEqual(['.git', ...names.slice(0, 12), 'z1', 'z2'])
    expect(rest.body.next_cursor).toBeNull()
  })

  it('refuses what is no commit, and names what to do', async () => {
    const { json } = await opened()
    expect(await json('GET', '/history/9')).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('no commit 9') },
    })
    expect(await json('GET', '/history/-1')).toMatchObject({ status: 400 })
    expect(await json('GET', '/history/first')).toMatchObject({ status: 404 })
    expect(await json('GET', '/history/1?cursor=%2B')).toMatchObject({ status: 400 })
    expect(await json('GET', '/history?path=../x')).toMatchObject({ status: 400 })
    expect(await json('GET', '/diff?from=1&to=99')).toMatchObject({ status: 404 })
    expect(await json('GET', '/diff?form=1')).toMatchObject({ status: 400 })
  })
})
