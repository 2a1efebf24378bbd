import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startOwnServer } from '../../bench/own-server.ts'

/** Starts the server as `npm start` does, with a state of its own. @returns its address with a key, for a client of MCP */
export async function startProduct() {
  const server = await startOwnServer({})
  try {
    const adminToken = readFileSync(join(server.state, 'admin-token'), 'utf8').trim()
    return { mcp: await mcpAddress(server.url, adminToken), stop: server.remove }
  } catch (thrown) {
    await server.remove()
    throw thrown
  }
}

/** Address of MCP with a new tenant's key in its path: the suite sends no headers. */
export async function mcpAddress(url: string, adminToken: string): Promise<string> {
  const made = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status !== 201) throw new Error(`${path} is answered ${answer.status}`)
    return (await answer.json()) as Record<string, string>
  }
  const { id } = await made('/admin/tenants', { name: 'Conformance' })
  const { key } = await made(`/admin/tenants/${id}/keys`, { name: 'suite', scopes: ['read', 'execute'] })
  return `${url}/k/${key}/mcp`
}
