import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { tarGzBytes } from '../support/archives.ts'
import { scratchDirectory } from '../support/sandboxd.ts'
import { startWorkerd, type Workerd } from '../support/worker/workerd.ts'

/** Moments at which the server is killed: spread over the time that a fork takes, and after its answer. */
const MOMENTS = 6
const TENANT = 'dev'
/** Small contents, which may not be in the store yet, and large ones, which are. */
const SMALL = 800
const LARGE = 40

const FILES = [
  ...Array.from({ length: SMALL }, (_, at) => ({ name: `d${at % 20}/f${at}.txt`, content: `file ${at}` })),
  ...Array.from({ length: LARGE }, (_, at) => ({ name: `large${at}.bin`, content: `${at}-`.padEnd(70_000, 'x') })),
]

const send = (worker: Workerd, method: string, path: string, body?: object | Uint8Array<ArrayBuffer>) =>
  fetch(`${worker.url}/v1/sessions${path}`, {
    method,
    ...(body && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
  })

async function status(worker: Workerd, ...sent: [method: string, path: string, body?: object]) {
  const answer = await send(worker, ...sent)
  await answer.body?.cancel()
  return answer.status
}

/** Numbers of all files of a session, and of their bytes. */
async function filesOf(worker: Workerd, name: string) {
  const { files } = (await (await send(worker, 'GET', `/${name}`)).json()) as { files: object }
  return files
}

/** Node ids of the tenant's sessions, and of what refers to contents, by itself or with others. */
const NODES = {
  sessions: 'SELECT node_id FROM sessions',
  refs: `SELECT node_id FROM ref_pools UNION SELECT node_id FROM ref_names UNION SELECT node_id FROM ref_releases
    UNION SELECT coalesce(n.node_id, r.node_id) FROM (SELECT DISTINCT node_id FROM refs) r
      LEFT JOIN ref_names n ON r.node_id = n.node_id || '.' || n.number
      WHERE r.node_id NOT IN (SELECT pool FROM ref_pools)`,
}

const nodesIn = async (worker: Workerd, where: keyof typeof NODES) =>
  (
    (await worker.ask('TenantObject', TENANT, { operation: 'exec', query: NODES[where], values: [] })) as {
      node_id: string
    }[]
  ).map(({ node_id }) => node_id)

/** Nodes that refer to contents, and are no session's of the tenant. */
async function unlisted(worker: Workerd) {
  const nodes = await nodesIn(worker, 'sessions')
  return (await nodesIn(worker, 'refs')).filter((node) => !nodes.includes(node))
}

it('a fork whose server is killed at any moment is whole or is not there, its name is free then, and nothing refers to what it had', async () => {
  const state = await scratchDirectory()
  let worker = await startWorkerd(state, {})
  try {
    expect(await status(worker, 'POST', '', { name: 'origin' })).toBe(201)
    const archive = tarGzBytes(FILES.map(({ name, content }) => ({ name, content: new TextEncoder().encode(content) })))
    expect((await send(worker, 'PUT', '/origin/archive', archive)).status).toBe(200)
    const all = await filesOf(worker, 'origin')
    const begun = performance.now()
    expect(await status(worker, 'POST', '/origin/fork', { name: 'measured' })).toBe(201)
    const took = performance.now() - begun
    const ends = new Set<string>()
    for (let moment = 0; moment < MOMENTS; moment++) {
      const name = `fork-${moment}`
      const forked = status(worker, 'POST', '/origin/fork', { name }).catch(() => 0)
      const time = new Promise((resolve) => setTimeout(resolve, (took * moment) / MOMENTS))
      await (moment < MOMENTS - 1 ? time : forked)
      await worker.kill()
      const answered = await forked
      worker = await startWorkerd(state, {})
      const there = await status(worker, 'GET', `/${name}`)
      ends.add(`${there}`)
      // What was acknowledged is there.
      if (answered === 201) expect(there).toBe(200)
      if (there !== 200) {
        expect(there).toBe(404)
        expect(await status(worker, 'POST', '/origin/fork', { name })).toBe(201)
      }
      expect(await filesOf(worker, name)).toEqual(all)
      const read = await send(worker, 'GET', `/${name}/files/large${LARGE - 1}.bin`)
      expect((await read.text()).length).toBe(70_000)
      expect(await (await send(worker, 'GET', `/${name}/files/d1/f1.txt`)).text()).toBe('file 1')
      // The session that was cut off has gone with what it referred to. One that was whole, but not yet in the tenant's list, is
      // put there by its alarm.
      await expect.poll(() => unlisted(worker)).toEqual([])
    }
    // The moments are of both kinds: before the fork was there, and after.
    expect([...ends].sort()).toEqual(['200', '404'])
    for (let moment = 0; moment < MOMENTS; moment++) expect(await status(worker, 'DELETE', `/fork-${moment}`)).toBe(204)
    expect(await status(worker, 'DELETE', '/measured')).toBe(204)
    expect(await filesOf(worker, 'origin')).toEqual(all)
    expect(await status(worker, 'DELETE', '/origin')).toBe(204)
    expect(await nodesIn(worker, 'refs')).toEqual([])
  } finally {
    await worker.kill()
    await rm(state, { recursive: true, force: true })
  }
})
