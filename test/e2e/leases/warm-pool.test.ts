import { expect, it } from 'vitest'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { SANDBOX_HOST_KEY } from '../../support/sandboxd.ts'
import { newOwner } from '../../support/tenants.ts'

const server = runningToolyard(async () => ({ vars: { SANDBOX_SPARES: '0' } }))

/** Ids of the running sandboxes that were made for a tenant's warm pool. */
async function poolOf(tenant: string): Promise<string[]> {
  const query = new URLSearchParams({ metadata: `spare=true&tenant=${tenant}` })
  const answer = await fetch(`${server().sandboxd.url}/v2/sandboxes?${query}`, {
    headers: { 'X-API-KEY': SANDBOX_HOST_KEY },
  })
  return ((await answer.json()) as { sandboxID: string }[]).map(({ sandboxID }) => sandboxID)
}

/** A tenant of its own, and what the owner of the server changes of it. */
async function tenant() {
  const { id, key } = await newOwner(server())
  const send = async (method: string, path: string, body?: object, credential = key) => {
    const answer = await fetch(`${server().url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${credential}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as Record<string, unknown>
  }
  return {
    id,
    change: (body: object) => send('PATCH', `/admin/tenants/${id}`, body, server().adminToken),
    remove: () => send('DELETE', `/admin/tenants/${id}`, undefined, server().adminToken),
    /** The id of the sandbox in which a new session's first command runs. */
    async firstCommand(session: string) {
      await send('POST', '/v1/sessions', { name: session })
      const call = { tool: 'execute_shell', args: { command: 'echo $E2B_SANDBOX_ID' } }
      return JSON.stringify(await send('POST', `/v1/sessions/${session}/calls`, call))
    },
    async warmSeconds() {
      const { data } = await send('GET', '/v1/usage?group_by=tool')
      const rows = data as { tool: string; calls: number; sandbox_running_seconds: number }[]
      return rows.find(({ tool }) => tool === '@warm')
    },
  }
}

it('a tenant’s warm pool serves the first commands of its sessions alone, at its expense, until it is disabled', async () => {
  const acme = await tenant()
  const other = await tenant()
  expect(await acme.change({ warm_sandboxes: 1 })).toMatchObject({ warm_sandboxes: 1 })
  await expect.poll(() => poolOf(acme.id)).toHaveLength(1)
  const [waiting = ''] = await poolOf(acme.id)

  expect(await other.firstCommand('s')).not.toContain(waiting)
  // It runs before it is prepared: a session that comes too early makes a sandbox of its own.
  let sessions = 0
  await expect.poll(() => acme.firstCommand(`s${++sessions}`)).toContain(waiting)
  await expect.poll(acme.warmSeconds).toMatchObject({ calls: 0, sandbox_running_seconds: expect.any(Number) })
  expect((await acme.warmSeconds())?.sandbox_running_seconds).toBeGreaterThan(0)
  expect(await other.warmSeconds()).toBeUndefined()

  await expect.poll(() => poolOf(acme.id)).toHaveLength(2)
  await acme.change({ disabled: true })
  await expect.poll(() => poolOf(acme.id)).toEqual([])
})

it('the warm pool of a deleted tenant is ended', async () => {
  const acme = await tenant()
  await acme.change({ warm_sandboxes: 2 })
  await expect.poll(() => poolOf(acme.id)).toHaveLength(2)
  await acme.remove()
  await expect.poll(() => poolOf(acme.id)).toEqual([])
})
