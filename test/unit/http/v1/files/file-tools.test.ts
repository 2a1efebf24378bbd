import { expect, it } from 'vitest'
import { sha256 } from '../../../../../src/core/sha256.ts'
import { openFiles } from './open-files.ts'

const post = (what: string, body: object, headers: Record<string, string> = {}) =>
  ['POST', `/files:${what}`, { body, headers }] as const
const tag = (text: string) => `"${sha256(text)}"`

it('files are moved, copied, edited, patched, searched and found by calls that stand in the history', async () => {
  const { json, send, put, session } = openFiles()
  await put('a.txt', 'one\ntwo\n')
  const text = async (path: string) => (await send('GET', `/files/${path}`)).text()
  expect(await json(...post('copy', { src_path: 'a.txt', dest_path: 'd/b.txt' }))).toEqual({
    status: 200,
    body: { copied_from: 'a.txt', copied_to: 'd/b.txt' },
  })
  expect((await json(...post('move', { src_path: 'd/b.txt', dest_path: 'c.txt' }))).status).toBe(200)
  expect(await json(...post('edit', { file_path: 'c.txt', old_text: 'two', new_text: '2' }))).toMatchObject({
    status: 200,
    body: { file_path: 'c.txt', replacements: 1 },
  })
  expect(await text('c.txt')).toBe('one\n2\n')
  const patch = '--- a/c.txt\n+++ b/c.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n 2\n'
  expect((await json(...post('patch', { patch }))).status).toBe(200)
  expect(await text('c.txt')).toBe('1\n2\n')
  expect(await json(...post('search', { search_text: 'two' }))).toMatchObject({
    status: 200,
    body: { total_matches: 1 },
  })
  expect(await json(...post('glob', { pattern: '*.txt' }))).toMatchObject({
    status: 200,
    body: { files: [{ path: 'a.txt' }, { path: 'c.txt' }] },
  })
  const tools = session.calls.page({ limit: 10 }).calls.map(({ tool }) => tool)
  expect(tools).toEqual(['file_glob', 'file_search', 'file_patch', 'file_edit', 'file_move', 'file_copy'])
})

it('an edit is made only while the file is what the client knows', async () => {
  const { json, send, put } = openFiles()
  const etag = await put('a.txt', 'one')
  const edit = (old_text: string, new_text: string, ifMatch: string) =>
    send(...post('edit', { file_path: 'a.txt', old_text, new_text }, { 'If-Match': ifMatch }))
  expect((await edit('one', 'two', etag)).status).toBe(200)
  const refused = await edit('two', 'three', etag)
  expect([refused.status, refused.headers.get('ETag')]).toEqual([412, tag('two')])
  expect(await refused.json()).toMatchObject({ code: 'precondition_failed' })
  expect(await (await send('GET', '/files/a.txt')).text()).toBe('two')
  expect((await edit('two', 'three', 'nonsense')).status).toBe(400)
  const none = { file_path: 'none.txt', old_text: 'a', new_text: 'b' }
  expect((await json(...post('edit', none, { 'If-Match': '*' }))).status).toBe(412)
})

it('a patch is applied only while each of the files that it names by ETag has its own', async () => {
  const { send, put } = openFiles()
  const a = await put('a.txt', '1\n')
  await put('b.txt', '2\n')
  const patch = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-1\n+one\n'
  const refused = await send(...post('patch', { patch, if_match: { 'a.txt': a, 'b.txt': tag('other') } }))
  expect([refused.status, refused.headers.get('ETag')]).toEqual([412, tag('2\n')])
  expect((await send(...post('patch', { patch, if_match: { 'a.txt': a, 'b.txt': tag('2\n') } }))).status).toBe(200)
})

it('what a tool cannot do is a problem with the status of its reason, and an unknown field is refused by its name', async () => {
  const { json } = openFiles()
  expect(await json(...post('move', { src_path: 'none', dest_path: 'x' }))).toMatchObject({
    status: 404,
    body: { code: 'not_found', detail: expect.stringMatching(/Source not found: none/) },
  })
  expect(await json(...post('copy', { src_path: 'a', dest_path: 'b', force: true }))).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/force/) },
  })
  expect(await json(...post('glob', {}))).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/pattern/) },
  })
  expect(await json(...post('move', { src_path: '../x', dest_path: 'y' }))).toMatchObject({ status: 400 })
  expect((await json('POST', '/files:delete', { body: {} })).status).toBe(404)
})
