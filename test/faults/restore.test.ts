import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { OBJECT_STATES_DAYS } from '../../src/core/limits/recovery.ts'
import { MAX_INLINE_BLOB_BYTES } from '../../src/core/limits/workspace.ts'
import { endServers, startedState, startServer } from '../support/npm-start.ts'
import { scratchDirectory, startSandboxd } from '../support/sandboxd.ts'
import { startWorkerd } from '../support/worker/workerd.ts'

/**
 * Drills of docs/operating.md, "Restoring": a session's object is set back by a copy of its database, as the platform does it, while the
 * store of contents and the tenant's object stay as they are; then every byte is compared.
 */
const SESSION = 'restored'
const OBJECTS = 'v3/do/toolyard-SessionObject'
const DAY_MS = 24 * 60 * 60_000

let state: string
beforeEach(async () => {
  state = await scratchDirectory()
})
afterEach(async () => {
  await endServers()
  await rm(state, { recursive: true, force: true })
})

/** Requests of a client, and of the server's owner. */
function clientOf(url: string, adminToken: string) {
  const send = async (method: string, path: string, body?: Uint8Array<ArrayBuffer> | object) => {
    const answer = await fetch(url + path, {
      method,
      headers: path.startsWith('/admin/') ? { Authorization: `Bearer ${adminToken}` } : {},
      ...(body && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${bytes.toString('utf8', 0, 300)}`)
    return bytes
  }
  const json = async (method: string, path: string, body?: object) =>
    JSON.parse((await send(method, path, body)).toString()) as Record<string, unknown>
  const session = `/v1/sessions/${SESSION}`
  return {
    make: () => json('POST', '/v1/sessions', { name: SESSION }),
    put: (path: string, content: Uint8Array<ArrayBuffer>) => send('PUT', `${session}/files/${path}`, content),
    remove: (path: string) => send('DELETE', `${session}/files/${path}`),
    removeSession: () => send('DELETE', session),
    async shell(command: string): Promise<string> {
      const body = { task_id: SESSION, tool_name: 'execute_shell', params: { command, workdir: '.' } }
      const { success, data, error } = await json('POST', '/api/tool/execute', body)
      expect({ command, success, error }).toEqual({ command, success: true, error: null })
      return (data as { stdout: string }).stdout
    },
    recover: () => json('POST', `/admin/tenants/dev/sessions/${SESSION}/recovery`, {}),
    /** Digest of every file's bytes, by its path. */
    async digests(): Promise<Record<string, string>> {
      const { data, next_cursor } = await json('GET', `${session}/files?recursive=true&limit=1000`)
      expect(next_cursor).toBeNull()
      const files = (data as { path: string; type: string }[]).filter(({ type }) => type === 'file')
      const digest = async ({ path }: { path: string }) => {
        const bytes = await send('GET', `${session}/files/${path}`)
        return [path, createHash('sha256').update(bytes).digest('hex')]
      }
      return Object.fromEntries(await Promise.all(files.map(digest)))
    },
  }
}

type Client = ReturnType<typeof clientOf>

/** Bytes that go to the store of contents at once. */
const large = () => randomBytes(3 * MAX_INLINE_BLOB_BYTES)
/** Digests in the sandbox, without its own environment for Python. */
const digestsInSandbox = async (client: Client) => {
  const lines = (await client.shell('find . -name code_env -prune -o -type f -exec sha256sum {} +')).trim().split('\n')
  return Object.fromEntries(lines.map((line) => line.split('  ./').reverse()))
}

/** Files of all kinds: in the database and in the store of contents, put by a client and made by a command. */
async function fill(client: Client): Promise<void> {
  await client.make()
  for (let n = 0; n < 20; n++) await client.put(`small/${n}.txt`, Buffer.from(`small file ${n}`))
  for (const name of ['kept', 'changed', 'deleted']) await client.put(`large/${name}.bin`, large())
  await client.shell(`head -c ${2 * MAX_INLINE_BLOB_BYTES} /dev/urandom > made.bin; echo made > made.txt`)
}

/** What somebody does by mistake later. */
async function spoil(client: Client): Promise<void> {
  await client.put('large/changed.bin', large())
  await client.put('small/1.txt', Buffer.from('overwritten'))
  await client.put('new.bin', large())
  await client.remove('large/deleted.bin')
  await client.shell('rm -r small made.txt; echo spoilt > made.bin')
}

it('npm start: a session that was spoilt and deleted is whole again when a copy of its object is put back', async () => {
  const directory = await startedState()
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const start = async () => {
    const server = await startServer('node', { TOOLYARD_STATE: directory, SANDBOX_SPARES: '0' })
    return { server, client: clientOf(server.url, readFileSync(join(directory, 'admin-token'), 'utf8').trim()) }
  }
  const first = await start()
  await fill(first.client)
  const before = await first.client.digests()
  expect(Object.keys(before)).toHaveLength(25)
  await first.server.end('SIGTERM')
  const objects = join(directory, 'worker', OBJECTS)
  await cp(objects, join(state, 'copy'), { recursive: true })

  const second = await start()
  await spoil(second.client)
  await second.client.removeSession()
  await second.server.end('SIGTERM')
  await rm(objects, { recursive: true })
  await cp(join(state, 'copy'), objects, { recursive: true })

  const third = await start()
  expect(await third.client.recover()).toMatchObject({ contents: { missing: 0 }, missing_files: [] })
  expect(await third.client.digests()).toEqual(before)
  // The sandbox is a new one, with the files as they were.
  expect(await digestsInSandbox(third.client)).toEqual(before)
  expect(await third.server.end('SIGTERM')).toMatchObject({ left: [] })
})

it.each([
  [`${OBJECT_STATES_DAYS} days, as production does`, `${OBJECT_STATES_DAYS}`, []],
  ['a day', '1', ['large/changed.bin', 'large/deleted.bin', 'large/kept.bin', 'made.bin']],
])(
  'a deletion that is 29 days old: a server that keeps deleted contents for %s has of them what was not collected',
  async (_, days, missing) => {
    const sandboxd = await startSandboxd()
    onTestFinished(() => sandboxd.stop())
    const adminToken = 'admin-token-of-the-tests'
    const start = async () => {
      const vars = { ...sandboxd.vars, ADMIN_TOKEN: adminToken, DELETED_CONTENTS_DAYS: days }
      const worker = await startWorkerd(join(state, 'worker'), vars)
      onTestFinished(() => worker.kill())
      return { worker, client: clientOf(worker.url, adminToken) }
    }
    const first = await start()
    await fill(first.client)
    const before = await first.client.digests()
    await first.worker.kill()
    const objects = join(state, 'worker', OBJECTS)
    await cp(objects, join(state, 'copy'), { recursive: true })

    const second = await start()
    await second.client.removeSession()
    const tenant = (operation: object) => second.worker.ask('TenantObject', 'dev', operation)
    const released = 'SELECT hash FROM blobs WHERE unreferenced_since IS NOT NULL'
    await expect.poll(() => tenant({ operation: 'exec', query: released, values: [] })).toHaveLength(4)
    const aged = 'UPDATE blobs SET unreferenced_since = unreferenced_since - ?'
    await tenant({ operation: 'exec', query: aged, values: [29 * DAY_MS] })
    await tenant({ operation: 'call', method: 'alarmNow', args: [] })
    await second.worker.kill()
    await rm(objects, { recursive: true })
    await cp(join(state, 'copy'), objects, { recursive: true })

    const { client } = await start()
    expect(await client.recover()).toMatchObject({
      contents: { held: 4 - missing.length, missing: missing.length },
      missing_files: missing,
    })
    if (missing.length === 0) {
      expect(await client.digests()).toEqual(before)
      expect(await digestsInSandbox(client)).toEqual(before)
    }
  },
)
