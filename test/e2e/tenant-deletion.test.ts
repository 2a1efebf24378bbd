import { execFileSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sha256 } from '../../src/core/sha256.ts'
import { SANDBOX_HOST_KEY, type Sandboxd, scratchDirectory, startSandboxd } from '../support/sandboxd.ts'
import { startWorkerd, type Workerd } from '../support/worker/workerd.ts'

const ADMIN_TOKEN = 'admin-token-of-the-tests'
/** Sessions of a tenant: one has a sandbox with a command in it, the others have files. */
const SESSIONS = 6
/** Times after which the server is killed while a deletion is under way, in milliseconds: its own is a second or so. */
const MOMENTS = [0, 40, 250]

let sandboxd: Sandboxd
let state: string
let worker: Workerd

beforeAll(async () => {
  sandboxd = await startSandboxd()
  state = await scratchDirectory()
  worker = await start()
})
afterAll(async () => {
  await worker?.kill()
  await sandboxd?.stop()
  if (state) await rm(state, { recursive: true, force: true })
})

const start = () => startWorkerd(state, { ...sandboxd.vars, ADMIN_TOKEN, SECRETS_KEY: 'secrets-key-of-the-tests' })

async function ask(key: string, method: string, path: string, body?: object) {
  const answer = await fetch(worker.url + path, {
    method,
    headers: { Authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = /[/+]json\b/.test(answer.headers.get('Content-Type') ?? '')
  return { status: answer.status, text, body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown> }
}

async function done(key: string, method: string, path: string, body?: object) {
  const answer = await ask(key, method, path, body)
  expect(answer, `${method} ${path}`).toMatchObject({ status: expect.toSatisfy((status) => status < 300) })
  return answer.body
}

/** A tenant with so many sessions with a file; in the first one's sandbox a command goes on without end. */
async function aTenant(sessions: number) {
  const id = String((await done(ADMIN_TOKEN, 'POST', '/admin/tenants', { name: 'T' })).id)
  const key = String(
    (await done(ADMIN_TOKEN, 'POST', `/admin/tenants/${id}/keys`, { name: 'k', scopes: ['admin'] })).key,
  )
  for (let at = 0; at < sessions; at++) {
    await done(key, 'POST', '/v1/sessions', { name: `s${at}`, files: [{ path: 'a.txt', text: `${id} ${at}` }] })
  }
  const shell = (command: string, more: object = {}) =>
    done(key, 'POST', '/v1/sessions/s0/calls', {
      tool: 'execute_shell',
      arguments: { command, workdir: '.', ...more },
    })
  expect(await shell('echo kept > made.txt')).toMatchObject({ state: 'done' })
  expect(await shell('sleep 100000', { background: true })).toMatchObject({ state: 'done' })
  return { id, key }
}

/** States of the sandboxes that a tenant has at the host. */
async function sandboxesOf({ id }: { readonly id: string }) {
  const answer = await fetch(`${sandboxd.url}/v2/sandboxes`, { headers: { 'X-API-Key': SANDBOX_HOST_KEY } })
  const listed = (await answer.json()) as { readonly state: string; readonly metadata: Record<string, string> }[]
  return listed.filter(({ metadata }) => metadata.tenant === id).map((sandbox) => sandbox.state)
}

const deletionOf = async ({ id }: { readonly id: string }) =>
  (await ask(ADMIN_TOKEN, 'GET', `/admin/tenants/${id}/deletion`)).body

it('the sandboxes of a disabled tenant are ended with what runs in them, and its files are kept', async () => {
  const [late, other] = [await aTenant(1), await aTenant(1)]
  expect([await sandboxesOf(late), await sandboxesOf(other)]).toEqual([['running'], ['running']])
  await done(ADMIN_TOKEN, 'PATCH', `/admin/tenants/${late.id}`, { disabled: true })
  await expect.poll(() => sandboxesOf(late)).toEqual([])
  expect(await sandboxesOf(other)).toEqual(['running'])
  await done(ADMIN_TOKEN, 'PATCH', `/admin/tenants/${late.id}`, { disabled: false })
  await expect
    .poll(() => ask(late.key, 'GET', '/v1/sessions/s0/files/made.txt'))
    .toMatchObject({ status: 200, text: 'kept\n' })
})

it('an export has what a running sandbox has written, byte by byte, and no value of a secret', async () => {
  const { id, key } = await aTenant(2)
  await done(key, 'PUT', '/v1/secrets/SOME_TOKEN', { value: 'a value that stays here' })
  const made = 'head -c 3000000 /dev/urandom > made.bin && sha256sum made.bin'
  const shell = { tool: 'execute_shell', arguments: { command: made, workdir: '.' } }
  const sum = /[0-9a-f]{64}/.exec(JSON.stringify(await done(key, 'POST', '/v1/sessions/s0/calls', shell)))?.[0]
  const answer = await fetch(`${worker.url}/admin/tenants/${id}/export`, {
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
  })
  const archive = Buffer.from(await answer.arrayBuffer())
  const directory = await scratchDirectory()
  try {
    await writeFile(join(directory, 'tenant.tar'), archive)
    execFileSync('tar', ['-xf', 'tenant.tar'], { cwd: directory })
    const read = (path: string) => readFile(join(directory, id, path))
    expect(sha256(await read('sessions/000001-s0/files/made.bin'))).toBe(sum)
    expect((await read('sessions/000001-s0/files/made.txt')).toString()).toBe('kept\n')
    expect((await read('sessions/000002-s1/files/a.txt')).toString()).toBe(`${id} 1`)
    expect((await read('secrets/000001.jsonl')).toString()).toContain('SOME_TOKEN')
    const manifest = JSON.parse((await read('manifest.json')).toString())
    expect(manifest).toMatchObject({ tenant: id, sessions: 2 })
    expect(sha256(archive.subarray(0, manifest.before_manifest.bytes))).toBe(manifest.before_manifest.sha256)
    for (const secret of ['a value that stays here', key]) expect(archive.includes(secret), secret).toBe(false)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})

it('a deletion goes on when the server is killed at any moment: its sandboxes are ended, and nothing is left but the receipt', async () => {
  const [gone, other] = [await aTenant(SESSIONS), await aTenant(1)]
  await done(gone.key, 'PUT', '/v1/secrets/SOME_TOKEN', { value: 'secret' })
  const begun = await ask(ADMIN_TOKEN, 'DELETE', `/admin/tenants/${gone.id}`)
  expect(begun).toMatchObject({ status: 202, body: { sessions: { total: SESSIONS } } })
  for (const moment of MOMENTS) {
    await new Promise((resolve) => setTimeout(resolve, moment))
    await worker.kill()
    worker = await start()
    // The id and the keys are gone from the first answer on.
    expect((await ask(gone.key, 'GET', '/v1/sessions')).status).toBe(401)
  }
  await expect
    .poll(() => deletionOf(gone))
    .toMatchObject({
      status: 'deleted',
      requested_at: begun.body.requested_at,
      sessions: { total: SESSIONS, removed: SESSIONS },
      rows: { keys: 1 },
      problem: null,
    })
  expect(await sandboxesOf(gone)).toEqual([])
  const tables =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' ORDER BY name"
  const query = { operation: 'exec', query: tables, values: [] }
  expect(await worker.ask('TenantObject', gone.id, query)).toEqual(
    ['migrations', 'owner_work', 'tenant'].map((name) => ({ name })),
  )
  for (let at = 0; at < SESSIONS; at++) {
    expect(await worker.ask('SessionObject', `${gone.id}/s${at}`, query)).toEqual([])
  }
  expect(await ask(other.key, 'GET', '/v1/sessions/s0/files/a.txt')).toMatchObject({ text: `${other.id} 0` })
  expect(await sandboxesOf(other)).toHaveLength(1)
})
