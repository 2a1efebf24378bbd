import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { aToolServer, newTaskId, Task } from '../dialects/toolserver/support.ts'
import { SANDBOX_HOST_KEY } from '../support/sandboxd.ts'
import { newTenant } from '../support/tenants.ts'

const server = aToolServer()

type Client = ReturnType<typeof server.as>
let ann: Client
let bob: Client
beforeAll(async () => {
  ann = server.as((await newTenant(server.toolyard())).key)
  bob = server.as((await newTenant(server.toolyard())).key)
})

/** Both tenants' task of one id. */
async function twins() {
  const task_id = newTaskId()
  return Promise.all(
    [ann, bob].map(async (client) => {
      expect((await client.create({ task_id, task_name: 'twin' })).status).toBe(200)
      return new Task(task_id, async (tool_name, params) => {
        const { body } = await client.execute({ task_id, tool_name, params })
        return body as Awaited<ReturnType<Task['call']>>
      })
    }),
  ) as Promise<[Task, Task]>
}

describe('two tenants', () => {
  it('with one task id have two tasks: files, commands, history and deletion are apart', async () => {
    const [anns, bobs] = await twins()
    await anns.write('upload/a.txt', "Ann's")
    expect(await bobs.failure('file_read', { file_path: 'upload/a.txt' })).toMatch(/^File not found/)
    await anns.shell('echo secret-of-ann > ~/home.txt; echo ann > a.txt')
    expect((await bobs.shell('cat ~/home.txt a.txt; ls')).stdout).toBe('')
    await bobs.write('upload/a.txt', "Bob's")
    expect(await anns.read('upload/a.txt')).toBe("Ann's")
    expect(await bobs.read(`logs/${bobs.id}_detail.log`)).not.toContain('secret-of-ann')
    expect((await bob.json(`/api/task/${bobs.id}`, { method: 'DELETE' })).status).toBe(200)
    expect(await anns.read('upload/a.txt')).toBe("Ann's")
    expect((await anns.shell('cat a.txt ~/home.txt')).stdout).toBe('ann\nsecret-of-ann\n')
  })

  it('see nothing of the other: not in lists, by status, by calls, by download, nor by deleting', async () => {
    const task = await ann.task()
    await task.write('upload/a.txt', "Ann's")
    const listed = JSON.stringify((await bob.json('/api/task/list')).body)
    expect(listed).not.toContain(task.id)
    const missing = { detail: `Task ${task.id} not found` }
    expect(await bob.json(`/api/task/${task.id}/status`)).toEqual({ status: 404, body: missing })
    expect(await bob.json(`/api/download/${task.id}/upload/a.txt`)).toEqual({ status: 404, body: missing })
    expect(await bob.json(`/api/task/${task.id}`, { method: 'DELETE' })).toEqual({ status: 400, body: missing })
    const call = { task_id: task.id, tool_name: 'file_read', params: { file_path: 'upload/a.txt' } }
    expect((await bob.execute(call)).body).toMatchObject({ success: false, error: missing.detail })
    expect(await task.read('upload/a.txt')).toBe("Ann's")
  })

  it('cannot name the other by any form of a task id', async () => {
    const { id: annsTenant, key } = await newTenant(server.toolyard())
    const anns = server.as(key)
    const task = await anns.task()
    await task.write('upload/a.txt', "Ann's")
    for (const task_id of [
      `${annsTenant}/${task.id}`,
      `../${annsTenant}/${task.id}`,
      `/${annsTenant}/${task.id}`,
      `x/../../${annsTenant}/${task.id}`,
      `${task.id}\u0000`,
      `${task.id} `,
    ]) {
      const { body } = await bob.execute({ task_id, tool_name: 'file_read', params: { file_path: 'upload/a.txt' } })
      expect(body).toMatchObject({ success: false })
      expect(JSON.stringify(body)).not.toContain("Ann's")
    }
    const path = `${annsTenant}%2F${task.id}`
    expect((await bob.json(`/api/download/${path}/upload/a.txt`)).status).toBe(404)
    expect((await bob.json(`/api/task/${path}/status`)).status).toBe(404)
  })

  it('cannot learn whether a content is stored already by anybody else: equal files are kept apart', async () => {
    const [anns, bobs] = await twins()
    const content = `${crypto.randomUUID()}`.repeat(10_000)
    await anns.write('upload/a.txt', content)
    await bobs.write('upload/a.txt', content)
    await ann.json(`/api/task/${anns.id}`, { method: 'DELETE' })
    expect(await bobs.read('upload/a.txt')).toBe(content)
  })

  it('share nothing with those who send no key', async () => {
    const task = await ann.task()
    expect((await server.json(`/api/task/${task.id}/status`)).status).toBe(404)
  })

  it('may not manage tenants or keys with a key of their own', async () => {
    for (const path of ['/admin/tenants', '/admin/tenants/dev', '/admin/tenants/dev/keys']) {
      expect((await ann.json(path)).status).toBe(403)
    }
    expect((await server.json('/admin/tenants')).status).toBe(401)
  })
})

describe('a script that looks for others', () => {
  it('finds no other task, no process, no file and no port of the host', async () => {
    const [anns, bobs] = await twins()
    const secret = `marker-${crypto.randomUUID()}`
    await anns.shell(`echo ${secret} > ~/marker.txt; (setsid sleep 60 >/dev/null 2>&1 &)`)
    const { port } = new URL(server.toolyard().sandboxd.url)
    const worker = new URL(server.url()).port
    const { stdout } = await bobs.shell(
      `grep -rls '${secret.slice(0, -1)}[${secret.slice(-1)}]' /home /tmp /root /opt /var /run /etc /dev/shm
cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -cx '[s]leep'
ls -d ${join(server.toolyard().sandboxd.state, 's')} /work /root/.[a-z]* /var/run/docker.sock 2>/dev/null
for host in 127.0.0.1 10.0.2.2 host.sandbox.internal localhost; do for port in ${port} ${worker}; do
(exec 5<>/dev/tcp/$host/$port) 2>/dev/null && echo "reached $host:$port"; done; done; true`,
      { timeout: 60 },
    )
    expect(stdout).toBe('0\n')
  })

  it('cannot reach the sandbox host by any of its names for it, and so no other sandbox', async () => {
    const [anns, bobs] = await twins()
    await anns.shell('true')
    const { url, state } = server.toolyard().sandboxd
    const ids = readdirSync(join(state, 's'))
    expect(ids.length).toBeGreaterThan(0)
    const command = `for id in ${ids.join(' ')}; do for host in 127.0.0.1 host.sandbox.internal 10.0.2.2; do
curl -sS -m 2 -X DELETE -H 'X-API-Key: ${SANDBOX_HOST_KEY}' http://$host:${new URL(url).port}/sandboxes/$id -o /dev/null -w '%{http_code}\\n' 2>/dev/null
done; done; true`
    expect(new Set((await bobs.shell(command)).stdout.trim().split('\n'))).toEqual(new Set(['000']))
    expect((await anns.shell('echo alive')).stdout).toBe('alive\n')
  })
})
