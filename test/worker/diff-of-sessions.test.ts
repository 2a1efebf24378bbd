import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { type SessionName, sessionKey, type TenantId } from '../../src/core/ids.ts'
import { sessionClient } from '../../src/objects.ts'

const EMPTY = { title: 'origin', requirements: [], directories: [], files: [] }
const ALL = { from: null, to: null, path: '', limit: 50, chars: 2_000_000 }
const put = (path: string) => ({ path, author: 'test', match: null, noneMatch: null, sha256: null })
const bytes = (text: string) => new TextEncoder().encode(text)

const NO_END = '\\ No newline at end of file'
const LARGE = [`-${'x'.repeat(300_000)}`, NO_END, `+${'y'.repeat(300_000)}`, NO_END]

/** A session `origin` with four files, and its fork `fork`. */
async function forked() {
  const tenant = `t-${crypto.randomUUID()}` as TenantId
  const session = (name: string) => sessionClient(() => env.SESSIONS.getByName(sessionKey(tenant, name as SessionName)))
  const origin = session('origin')
  await origin.create(EMPTY)
  for (const name of ['dir/a', 'dir/b', 'kept', 'large'])
    await origin.files.put(put(name), bytes(name === 'large' ? 'x'.repeat(300_000) : `${name}\n`))
  await origin.forks.make({ name: 'fork', moment: null })
  return { session, origin, fork: session('fork') }
}

describe('two sessions', () => {
  it('differ in nothing after a fork, and then in what each of them changed', async () => {
    const { origin, fork } = await forked()
    expect(await fork.forks.diff({ ...ALL, against: 'origin' })).toEqual({ from: 4, to: 0, files: [], next: null })

    await origin.files.put(put('dir/a'), bytes('by the origin\n'))
    await origin.files.put(put('new/of-origin'), bytes('new\n'))
    await fork.files.put(put('dir/b'), bytes('by the fork\n'))
    await fork.files.remove({ ...put('kept'), recursive: false })
    await fork.files.put(put('large'), bytes('y'.repeat(300_000)))
    const { files, next } = await fork.forks.diff({ ...ALL, against: 'origin' })
    expect(next).toBe(null)
    expect(files.map(({ path, change, hunks }) => [path, change, ...hunks.flatMap(({ lines }) => lines)])).toEqual([
      ['dir/a', 'modified', '-by the origin', '+dir/a'],
      ['dir/b', 'modified', '-dir/b', '+by the fork'],
      ['kept', 'deleted', '-kept'],
      ['large', 'modified', ...LARGE],
      ['new', 'deleted'],
      ['new/of-origin', 'deleted', '-new'],
    ])
  })

  it('are compared by pages, at moments of both, and below a directory', async () => {
    const { origin, fork } = await forked()
    await origin.snapshots.put({ name: 'start', moment: 1, replaces: false, author: 'test' })
    for (const name of ['dir/a', 'dir/b', 'dir/c']) await fork.files.put(put(name), bytes('changed\n'))
    const pathsOf = async (query: object) => {
      const page = await fork.forks.diff({ ...ALL, ...query, against: 'origin' })
      return [...page.files.map(({ path }) => path), page.next]
    }
    expect(await pathsOf({ limit: 2 })).toEqual(['dir/a', 'dir/b', 'dir/b'])
    expect(await pathsOf({ limit: 2, after: 'dir/b' })).toEqual(['dir/c', null])
    expect(await pathsOf({ path: 'dir/c' })).toEqual(['dir/c', null])
    expect(await pathsOf({ to: 1 })).toEqual(['dir/a', null])
    expect(await pathsOf({ from: 'start', to: 0 })).toEqual(['dir/b', 'kept', 'large', null])
    await expect(fork.forks.diff({ ...ALL, from: 9, against: 'origin' })).rejects.toMatchObject({
      failure: { code: 'not_found', message: expect.stringContaining('no commit 9') },
    })
    await expect(fork.forks.diff({ ...ALL, against: 'nobody' })).rejects.toMatchObject({
      failure: { code: 'session_not_found' },
    })
  })
})
