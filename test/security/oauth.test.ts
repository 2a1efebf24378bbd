import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningToolyard } from '../support/running-toolyard.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { askWith, newTenant } from '../support/tenants.ts'
import { issuerAnswer, tokenIssuer } from '../support/token-issuer.ts'

const AUDIENCE = 'toolyard-of-the-tests'
const issuing = await tokenIssuer({ alg: 'ES256' })

/** Forms by which clients got tokens of the issuer. */
const tokenRequests: URLSearchParams[] = []
let tenantOfClients = ''
let issuer: StandIn
const toolyard = runningToolyard(async () => {
  issuer = await startStandIn((request) => {
    if (request.path === '/.well-known/oauth-authorization-server') {
      const own = `http://${request.headers.host}`
      const body = {
        issuer: own,
        jwks_uri: `${own}/keys`,
        authorization_endpoint: `${own}/authorize`,
        token_endpoint: `${own}/token`,
        response_types_supported: ['code'],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      }
      return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    }
    if (request.path !== '/token') return issuerAnswer(request, [issuing.jwk])
    const form = new URLSearchParams(request.body)
    tokenRequests.push(form)
    return (response) => {
      const claims = { sub: 'service.of-ann', tenant: tenantOfClients, scope: form.get('scope') ?? 'read' }
      void tokenOf(claims).then((access_token) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ access_token, token_type: 'Bearer', expires_in: 600, scope: claims.scope }))
      })
    }
  })
  return { vars: { OPEN_TENANT: '', OAUTH_ISSUER: issuer.url, OAUTH_AUDIENCE: AUDIENCE } }
})
afterAll(() => issuer.stop())

const tokenOf = (claims: Record<string, unknown>) => issuing.token(issuer.url, Date.now(), { aud: AUDIENCE, ...claims })

let ann: string
let other: string
beforeAll(async () => {
  ann = (await newTenant(toolyard())).id
  other = (await newTenant(toolyard())).id
  tenantOfClients = ann
})

const ask = (token: string, method: string, path: string, body?: object) =>
  askWith(token, toolyard(), method, path, body)

function sendMcp(token: string | null, message: object, headers: Record<string, string> = {}, path = '/mcp') {
  return fetch(`${toolyard().url}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  })
}

const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

describe('a client of MCP that knows nothing but the address', () => {
  it('finds the issuer, gets a token, and calls a tool, and the audit log names whom its token is about', async () => {
    const authProvider = new ClientCredentialsProvider({
      clientId: 'ann',
      clientSecret: 'secret',
      expectedIssuer: issuer.url,
    })
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${toolyard().url}/mcp`), { authProvider }))
    const made = await client.callTool({ name: 'session_create', arguments: {} })
    const { session } = made.structuredContent as { readonly session: string } // the tool's own schema
    const written = await client.callTool({
      name: 'file_write',
      arguments: { session, file_path: 'a.txt', content: 'hello' },
    })
    await client.close()
    expect(written.isError ?? false, JSON.stringify(written.content)).toBe(false)
    expect(tokenRequests.map((form) => [form.get('resource'), form.get('scope')])).toContainEqual([
      `${toolyard().url}/mcp`,
      'read execute',
    ])

    const admin = await tokenOf({ tenant: ann, scope: 'admin', sub: 'head' })
    const paths = ['/v1/audit', `/v1/sessions/${session}/history`, `/v1/sessions/${session}/calls`]
    const seen = await Promise.all(paths.map(async (path) => ask(admin, 'GET', path)))
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(JSON.stringify(seen[0]?.body)).toContain('oauth:service%2Eof-ann')
    expect(JSON.stringify(seen)).not.toContain('eyJ')
  })
})

describe('the challenge', () => {
  it('leads from a 401 to metadata that names issuer and resource', async () => {
    for (const path of ['/mcp', '/mcp/s/notes']) {
      const answer = await sendMcp(null, INITIALIZE, {}, path)
      expect(answer.status).toBe(401)
      const [, address = ''] = /resource_metadata="([^"]+)"/.exec(answer.headers.get('WWW-Authenticate') ?? '') ?? []
      expect(address).toBe(`${toolyard().url}/.well-known/oauth-protected-resource${path}`)
      expect(await (await fetch(address)).json()).toMatchObject({
        resource: `${toolyard().url}${path}`,
        authorization_servers: [issuer.url],
      })
    }
    const root = `${toolyard().url}/.well-known/oauth-protected-resource`
    expect((await fetch(root)).status).toBe(200)
    expect((await fetch(`${root}/nothing`)).status).toBe(404)
    expect((await fetch(root, { method: 'POST' })).status).toBe(405)
  })

  it('names the scope that a token lacks, and an invalid token as such', async () => {
    const reading = await tokenOf({ tenant: ann, scope: 'read' })
    const refused = await sendMcp(reading, INITIALIZE)
    expect(refused.status).toBe(200)
    const call = await fetch(`${toolyard().url}/v1/sessions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${reading}`, 'Content-Type': 'application/json' },
      body: '{"name":"x"}',
    })
    expect(call.status).toBe(403)
    expect(call.headers.get('WWW-Authenticate')).toMatch(/error="insufficient_scope".*scope="execute"/)
    const wrong = await sendMcp(await tokenOf({ tenant: ann, aud: 'other' }), INITIALIZE)
    expect([wrong.status, wrong.headers.get('WWW-Authenticate')]).toEqual([
      401,
      expect.stringContaining('invalid_token'),
    ])
  })
})

describe('a token', () => {
  it('is as good as a key in every door, by a header', async () => {
    const token = await tokenOf({ tenant: ann, sub: 'doors' })
    const current = await ask(token, 'GET', '/v1/keys/current')
    expect(current).toMatchObject({
      status: 200,
      body: { tenant: ann, id: 'oauth:doors', scopes: ['read', 'execute'], expires_at: expect.any(String) },
    })
    expect((await ask(token, 'GET', '/api/tools')).status).toBe(200)
    const admin = await tokenOf({ tenant: ann, sub: 'doors', scope: 'admin' })
    expect((await ask(token, 'GET', `/admin/tenants/${ann}/keys`)).status).toBe(403)
    expect((await ask(admin, 'GET', `/admin/tenants/${ann}/keys`)).status).toBe(200)
    expect((await ask(admin, 'GET', `/admin/tenants/${other}/keys`)).status).toBe(403)
  })

  it('is refused in a path and in a query', async () => {
    const token = await tokenOf({ tenant: ann })
    for (const path of [`/k/${token}/v1/keys/current`, `/v1/keys/current?access_token=${token}`]) {
      expect((await fetch(`${toolyard().url}${path}`)).status).toBe(401)
    }
  })

  it('of another tenant sees none of it, nor of a tenant that is none', async () => {
    const anns = await tokenOf({ tenant: ann })
    expect((await ask(anns, 'POST', '/v1/sessions', { name: 'secret' })).status).toBeLessThan(300)
    expect((await ask(await tokenOf({ tenant: other }), 'GET', '/v1/sessions/secret')).status).toBe(404)
    for (const tenant of ['nobody', `${ann}/x`, undefined, [ann]]) {
      expect((await ask(await tokenOf({ tenant }), 'GET', '/v1/sessions')).status).toBe(401)
    }
  })

  it('mints no child keys, and its links end with it', async () => {
    const token = await tokenOf({ tenant: ann, exp: Math.floor(Date.now() / 1_000) + 300 })
    expect(await ask(token, 'POST', '/v1/keys/current/children', { name: 'x' })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('access token') },
    })
    await ask(token, 'POST', '/v1/sessions', { name: 'linked' })
    const link = { path: 'a.txt', method: 'upload', expires_in_seconds: 3_000 }
    const { body } = await ask(token, 'POST', '/v1/sessions/linked/links', link)
    expect(Date.parse(String(body.expires_at))).toBeLessThanOrEqual(Date.now() + 301_000)
    const put = await fetch(`${toolyard().url}${String(body.url)}`, { method: 'PUT', body: 'hello' })
    expect(put.ok).toBe(true)
  })

  it('of another person of the tenant finds no connection of the first one', async () => {
    const [first, second] = [await tokenOf({ tenant: ann, sub: 'one' }), await tokenOf({ tenant: ann, sub: 'two' })]
    const begun = await sendMcp(first, INITIALIZE)
    await begun.text()
    const id = { 'Mcp-Session-Id': begun.headers.get('Mcp-Session-Id') ?? '' }
    expect((await sendMcp(second, { method: 'tools/list' }, id)).status).toBe(404)
    const renewed = await tokenOf({ tenant: ann, sub: 'one', jti: 'renewed' })
    expect((await sendMcp(renewed, { method: 'tools/list' }, id)).status).toBe(200)
  })
})
