import { expect } from 'vitest'
import { elapsedMs } from '../../support/elapsed.ts'
import { expectCost } from '../../support/processor-time.ts'
import { forgetSession, sandboxOf, sessionStorage } from '../../support/sandbox-control.ts'
import { newTenant } from '../../support/tenants.ts'
import { wrongKey } from '../../support/wrong-key.ts'
import { aServer, Client, shellOfLastNode, taskOfLastNode, verifies } from './support.ts'

const server = aServer()

/** Every path that needs a node, with a body that it would take. */
const NODE_PATHS: readonly [path: string, body: unknown][] = [
  ['/', {}],
  ['/execute_tool', { tool_name: 'FileSystemEnv_print_filesys_struture', arguments: {} }],
  ['/get_available_tools', {}],
  ['/get_json_schema_for_tools', ['calculator']],
  ['/get_json_schema_for_envs', ['FileSystemEnv']],
  ['/retrieving_tools', { question: 'read a file' }],
  ['/upload_file', undefined],
  ['/download_file', { file_path: 'a.txt' }],
  ['/download_workspace', undefined],
  ['/get_workspace_structure', undefined],
  ['/register_new_tool', { tool_name: 'f', code: '@toolwrapper()\ndef f(): pass' }],
]
const SESSION_PATHS = ['/close_session', '/reconnect_session', '/release_session']
const HALF_HOUR_MS = 30 * 60_000
const UNKNOWN = 'f'.repeat(64)

verifies('xagent:alive', async () => {
  const { url } = server.toolyard()
  expect(await (await fetch(`${url}/alive`)).json()).toBe('alive')
})

verifies(['xagent:cookie', 'xagent:cookie:published-path', 'xagent:cookie:attributes'], async () => {
  for (const path of ['/get_cookie', '/get_cookies']) {
    const response = await fetch(`${server.url()}${path}`, { method: 'POST' })
    expect([response.status, await response.json()]).toEqual([200, { message: 'add cookie', version: '0.2' }])
    expect(response.headers.get('Set-Cookie')).toMatch(/^node_id=[0-9a-f]{64}; Path=\/; SameSite=lax$/)
    expect(response.headers.get('Server')).toBe('ToolServerManager/0.2')
  }
})

verifies('xagent:cookie:fresh', async () => {
  const first = await server.node()
  const again = await first.request('/get_cookie')
  expect(again.headers.get('Set-Cookie')).not.toContain(first.nodeId)
  expect((await first.post('/get_available_tools')).status).toBe(200)
})

verifies('xagent:cookie:soon', async () => {
  const node = await server.node() // the first one loads code
  await expectCost(() => server.node(), {
    below: async () => 500 + 10 * (await elapsedMs(() => node.post('/get_available_tools'))),
    measure: elapsedMs,
  })
  expect(await sandboxOf(server.toolyard(), await taskOfLastNode(server.url()))).toBeNull()
})

verifies('xagent:node:unknown', async () => {
  for (const [path, body] of NODE_PATHS.slice(1)) {
    expect(await server.client(null).post(path, body)).toEqual({
      status: 403,
      body: { detail: 'invalid node_id: None' },
    })
  }
  for (const id of [UNKNOWN, 'x', '', "' OR 1=1 --", 'a/../b']) {
    for (const [path, body] of NODE_PATHS) {
      const { status, body: answer } = await server.client(id).post(path, body)
      expect([path, status, answer]).toEqual([path, 403, { detail: `invalid node_id: ${id}` }])
    }
  }
})

verifies('xagent:node:first', async () => {
  expect((await server.client(UNKNOWN).post('/execute_tool', '{not json')).status).toBe(403)
})

verifies(['xagent:node:hello', 'xagent:node:root-without-cookie'], async () => {
  const node = await server.node()
  expect(await node.post('/')).toEqual({ status: 200, body: { message: 'Hello World' } })
  expect(await (await node.request('/', { method: 'GET' })).json()).toEqual({ message: 'Hello World' })
  const bare = await fetch(`${server.url()}/`, { headers: { Cookie: 'other=1' } })
  expect(await bare.json()).toMatchObject({ message: 'Tool Server is running' })
})

verifies('xagent:close', async () => {
  const node = await server.node()
  await node.write('kept.txt', 'here')
  for (let at = 0; at < 2; at++) {
    expect(await node.post('/close_session')).toEqual({ status: 200, body: `Close session: ${node.nodeId}` })
  }
  for (const [path, body] of NODE_PATHS) {
    const answer = await node.post(path, body)
    expect([path, answer]).toEqual([path, { status: 503, body: { detail: `node is not running: ${node.nodeId}` } }])
  }
  await node.post('/reconnect_session')
  expect(await node.value('FileSystemEnv_read_from_file', { filepath: 'kept.txt' })).toBe('    1: here\n')
})

verifies('xagent:close:processes', async () => {
  const node = await server.node()
  const shell = await shellOfLastNode(server.url())
  await shell(
    '(for i in $(seq 1000); do echo $i > new; mv new counted; sleep 0.05; done) > /dev/null 2>&1 & sleep 999 > /dev/null 2>&1 &',
  )
  await expect.poll(() => shell('cat counted')).not.toBe('')
  const before = Number(await shell('cat counted'))
  await node.post('/close_session')
  await node.post('/reconnect_session')
  const counted = (await node.value('FileSystemEnv_read_from_file', { filepath: 'counted' })) as string
  expect(Number(/: (\d+)/.exec(counted)?.[1])).toBeGreaterThanOrEqual(before)
  expect(await shell('pgrep -x sleep; cat counted')).toBe(counted.replace(/^ +1: /, ''))
})

verifies('xagent:reconnect', async () => {
  const node = await server.node()
  await node.post('/close_session')
  expect(await node.post('/reconnect_session')).toEqual({ status: 200, body: `Reconnect session: ${node.nodeId}` })
  expect((await node.post('/get_available_tools')).status).toBe(200)
})

verifies('xagent:reconnect:running', async () => {
  const node = await server.node()
  const shell = await shellOfLastNode(server.url())
  await shell('echo kept > kept; nohup sleep 1000 > /dev/null 2>&1 &')
  expect((await node.post('/reconnect_session')).status).toBe(200)
  expect(await shell('cat kept; pgrep sleep || echo none')).toBe('kept\nnone\n')
})

verifies('xagent:release', async () => {
  const node = await server.node()
  await node.write('a.txt', 'x')
  expect(await node.post('/release_session')).toEqual({ status: 200, body: `Release session: ${node.nodeId}` })
  const gone = `invalid node_id: ${node.nodeId}`
  expect(await node.post('/get_available_tools')).toEqual({ status: 403, body: { detail: gone } })
  for (const path of SESSION_PATHS) expect(await node.post(path)).toEqual({ status: 200, body: gone })
})

verifies('xagent:session:unknown', async () => {
  for (const path of SESSION_PATHS) {
    expect(await server.client(null).post(path)).toEqual({ status: 200, body: 'invalid node_id: None' })
    expect(await server.client(UNKNOWN).post(path)).toEqual({ status: 200, body: `invalid node_id: ${UNKNOWN}` })
  }
})

verifies('xagent:node:tenant', async () => {
  const [ann, bob] = await Promise.all([newTenant(server.toolyard()), newTenant(server.toolyard())])
  const node = await server.node(`/k/${ann.key}`)
  await node.write('secret.txt', "Ann's")
  const anns = `invalid node_id: ${node.nodeId}`
  for (const prefix of [`/k/${bob.key}`, '']) {
    const stranger = new Client(`${server.url()}${prefix}`, node.nodeId)
    for (const [path, body] of NODE_PATHS) {
      const answer = await stranger.post(path, body)
      expect([path, answer]).toEqual([path, { status: 403, body: { detail: anns } }])
    }
    for (const path of SESSION_PATHS) expect(await stranger.post(path)).toEqual({ status: 200, body: anns })
  }
  expect(await node.value('FileSystemEnv_read_from_file', { filepath: 'secret.txt' })).toBe("    1: Ann's\n")
})

verifies('xagent:node:key', async () => {
  const { key } = await newTenant(server.toolyard())
  const node = await server.node(`/k/${key}`)
  expect((await node.post('/get_available_tools')).status).toBe(200)
  const wrong = new Client(`${server.url()}/k/${wrongKey(key)}`, node.nodeId)
  for (const path of ['/get_cookie', '/get_available_tools', '/close_session']) {
    const { status, body } = await wrong.post(path)
    expect([path, status, body]).toEqual([path, 401, { detail: expect.stringContaining('this key is not valid') }])
  }
})

verifies('xagent:idle', async () => {
  const node = await server.node()
  await node.write('kept.txt', 'x')
  const task = await taskOfLastNode(server.url())
  const storage = sessionStorage(server.toolyard(), task)
  await storage.exec(
    `UPDATE calls SET started_at = started_at - ${HALF_HOUR_MS}, ended_at = ended_at - ${HALF_HOUR_MS}`,
  )
  await storage.exec(
    `UPDATE session SET record = json_set(record, '$.createdAt', 0, '$.visitedAt', json_extract(record, '$.visitedAt') - ${HALF_HOUR_MS})`,
  )
  await forgetSession(server.toolyard(), task)
  expect(await node.post('/')).toEqual({ status: 503, body: { detail: `node is not running: ${node.nodeId}` } })
  expect((await node.post('/reconnect_session')).status).toBe(200)
  expect(await node.value('FileSystemEnv_read_from_file', { filepath: 'kept.txt' })).toBe('    1: x\n')
})

verifies('xagent:not-found', async () => {
  const node = await server.node()
  for (const path of ['/nothing', '/execute_tool/x', '/retrieving_tools/x']) {
    expect(await node.post(path, {})).toEqual({ status: 404, body: { detail: 'Not Found' } })
  }
})

verifies('xagent:method-not-allowed', async () => {
  const node = await server.node()
  const paths = ['/get_cookie', '/get_cookies', ...SESSION_PATHS, ...NODE_PATHS.slice(1).map(([path]) => path)]
  for (const [method, path, allow] of [
    ...paths.map((path) => ['GET', path, 'POST']),
    ['POST', '/alive', 'GET'],
    ['PUT', '/', 'GET, POST'],
  ] as [string, string, string][]) {
    const response = await node.request(path, { method })
    expect([path, response.status, await response.json()]).toEqual([path, 405, { detail: 'Method Not Allowed' }])
    expect(response.headers.get('Allow')).toBe(allow)
  }
})
