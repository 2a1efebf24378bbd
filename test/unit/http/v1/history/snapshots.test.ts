import { describe, expect, it } from 'vitest'
import { openFiles } from '../files/open-files.ts'

/** Three commits of one file, the first of which is the snapshot `start`. */
async function opened() {
  const bench = openFiles()
  await bench.put('a.txt', 'one\n')
  expect(await bench.json('PUT', '/snapshots/start', { body: {} })).toMatchObject({ status: 201, body: { commit: 1 } })
  await bench.put('a.txt', 'two\n')
  await bench.put('b.txt', 'b\n')
  return bench
}

describe('snapshots', () => {
  it('are listed by pages in order of their names, with who made them and when, and shown one by one', async () => {
    const { json } = await opened()
    for (const name of ['b', 'a.2', 'c_-'])
      expect(await json('PUT', `/snapshots/${name}`, { body: {} })).toMatchObject({
        status: 201,
        body: { name, commit: 3, author: 'snapshot:k', created_at: expect.stringMatching(/Z$/) },
      })
    const first = (await json('GET', '/snapshots?limit=2')).body
    expect(first).toMatchObject({ data: [{ name: 'a.2' }, { name: 'b' }], next_cursor: expect.any(String) })
    expect((await json('GET', `/snapshots?limit=2&cursor=${first.next_cursor}`)).body).toMatchObject({
      data: [{ name: 'c_-' }, { name: 'start', commit: 1 }],
      next_cursor: null,
    })
    expect(await json('GET', '/snapshots/start')).toMatchObject({ status: 200, body: { name: 'start', commit: 1 } })
  })

  it('keep their commit, unless they are told to take another one', async () => {
    const { json } = await opened()
    expect(await json('PUT', '/snapshots/start', { body: { commit: 1 } })).toMatchObject({ status: 200 })
    expect(await json('PUT', '/snapshots/start', { body: {} })).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/of commit 1 and not of 3; .*"replace": true/) },
    })
    const moved = { body: { commit: 2, replace: true } }
    expect(await json('PUT', '/snapshots/start', moved)).toMatchObject({ status: 201, body: { commit: 2 } })
    expect(await json('PUT', '/snapshots/again', { body: { commit: 'start' } })).toMatchObject({ body: { commit: 2 } })
    expect((await json('DELETE', '/snapshots/start')).status).toBe(204)
    for (const method of ['GET', 'DELETE'])
      expect(await json(method, '/snapshots/start')).toMatchObject({
        status: 404,
        body: { detail: expect.stringContaining('there is no snapshot start; list the snapshots') },
      })
  })

  it('are noted for the audit log when they are made, moved and removed', async () => {
    const { json, noted } = await opened()
    await json('PUT', '/snapshots/start', { body: { commit: 1 } })
    await json('PUT', '/snapshots/start', { body: { commit: 2 } })
    await json('PUT', '/snapshots/start', { body: { commit: 2, replace: true } })
    await json('DELETE', '/snapshots/start')
    await json('DELETE', '/snapshots/start')
    const snapshot = { session: 's', name: 'start', by: { key: 'k', agent: null } }
    expect(noted).toEqual([
      { ...snapshot, action: 'snapshot.create', detail: { commit: 1 } },
      { ...snapshot, action: 'snapshot.replace', detail: { commit: 2, before: 1 } },
      { ...snapshot, action: 'snapshot.delete', detail: { commit: 2 } },
    ])
  })

  it('refuse names that no snapshot can have, commits that are not there, and what they do not know', async () => {
    const { json } = await opened()
    for (const name of ['1', '-a', 'a%2Fb', 'a'.repeat(65)])
      expect(await json('PUT', `/snapshots/${name}`, { body: {} }), name).toMatchObject({ status: 400 })
    expect((await json('PUT', '/snapshots/x', { body: { commit: 9 } })).status).toBe(404)
    expect((await json('PUT', '/snapshots/x', { body: { commit: 'none' } })).status).toBe(404)
    expect((await json('PUT', '/snapshots/x', { body: { comit: 1 } })).status).toBe(400)
    expect((await json('GET', '/snapshots?after=x')).status).toBe(400)
    expect((await json('PUT', '/snapshots/x', { body: {}, scopes: ['read'] })).status).toBe(403)
  })
})

describe("a snapshot's name", () => {
  it('is taken where a commit is: by the diff, one commit of the history, a restore, and files as of a moment', async () => {
    const { json, send } = await opened()
    expect((await json('GET', '/diff?from=start')).body).toMatchObject({
      ...{ from: 1, to: 3, data: [{ path: 'a.txt', change: 'modified' }, { path: 'b.txt' }] },
    })
    expect((await json('GET', '/diff?to=start')).body).toMatchObject({ from: 0, to: 1, data: [{ change: 'created' }] })
    expect((await json('GET', '/history/start')).body).toMatchObject({ commit: 1, data: [{ path: 'a.txt' }] })
    expect(await (await send('GET', '/files/a.txt?as_of=start')).text()).toBe('one\n')
    expect(await json('POST', '/restore', { body: { commit: 'start' } })).toMatchObject({
      status: 200,
      body: { restored: true, commit: 4, from_commit: 1, changed: 2 },
    })
    expect(await (await send('GET', '/files/a.txt')).text()).toBe('one\n')
  })

  it('is given by a request without a body, as curl -X PUT sends none', async () => {
    const { json } = await opened()
    expect(await json('PUT', '/snapshots/bare')).toMatchObject({ status: 201, body: { name: 'bare', commit: 3 } })
    expect(await json('PUT', '/snapshots/bare', { body: { unknown: 1 } })).toMatchObject({ status: 400 })
  })

  it.each([
    ['HEAD', 3],
    ['HEAD~2', 1],
  ])('may be %s, the commit counted from the newest', async (moment, commit) => {
    const { json } = await opened()
    expect((await json('GET', `/history/${moment}`)).body).toMatchObject({ commit })
    expect((await json('GET', `/diff?to=${moment}`)).body).toMatchObject({ to: commit, from: commit - 1 })
    expect((await json('PUT', `/snapshots/${moment}`, { body: {} })).status).toBe(400)
  })

  it('that is of no snapshot is not found, and what is neither name nor number is refused with what to give', async () => {
    const { json } = await opened()
    const requests = [
      ['GET', '/diff?from=never'],
      ['GET', '/diff?to=never'],
      ['GET', '/history/never'],
      ['POST', '/restore', { body: { commit: 'never' } }],
    ] as const
    for (const [method, path, more] of requests)
      expect(await json(method, path, more), path).toMatchObject({
        status: 404,
        body: {
          detail: expect.stringContaining('there is no snapshot never; there are: start; the newest commit is 3'),
        },
      })
    const refused = [
      ['GET', '/diff?from=-1'],
      ['GET', '/diff?to=1.5'],
      ['GET', '/history/1.5'],
      ['GET', '/history/-1'],
      ['POST', '/restore', { body: { commit: '7' } }],
    ] as const
    for (const [method, path, more] of refused)
      expect(await json(method, path, more), path).toMatchObject({
        status: 400,
        body: {
          detail: expect.stringContaining(
            'give the number of a commit, the name of a snapshot, or HEAD~1 for the commit before the newest',
          ),
        },
      })
  })
})
