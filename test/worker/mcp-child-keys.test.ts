import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { createServer } from '../../src/server.ts'
import { migrateKeys } from '../support/keys-database.ts'
import { connected } from '../support/mcp-client.ts'
import { newKeyOf, newTenant } from '../support/mcp-keys.ts'

beforeAll(() => migrateKeys(env.DB))

const server = createServer({ ...env, SECRETS_KEY: 'a key for secrets, of the tests alone' })

/** Header with a new child key for some sessions. */
async function childFor(sessions: object) {
  const parent = await newKeyOf(env.DB, await newTenant(env.DB), ['read', 'execute', 'admin'])
  const body = JSON.stringify({ sessions })
  const made = await server.fetch(
    new Request('http://localhost/v1/keys/current/children', { method: 'POST', headers: parent, body }),
  )
  const { key } = (await made.json()) as { key: string }
  return { Authorization: `Bearer ${key}` }
}

it.each([
  ['auto', { prefixes: ['job-'] }, /^toolyard:\/\/job-mcp\/a\.md$/],
  ['auto', { names: ['only'] }, /^toolyard:\/\/only\/a\.md$/],
  ['legacy', { prefixes: ['job-'] }, /^toolyard:\/\/job-mcp_[0-9a-f]{12}\/a\.md$/],
  ['legacy', { names: ['only'] }, /^toolyard:\/\/only\/a\.md$/],
] as const)(
  'a child key works in a session that it may use, without naming one (%s, %j)',
  async (mode, sessions, link) => {
    const { client } = await connected({ mode, headers: await childFor(sessions), fetch: (sent) => server.fetch(sent) })
    const write = async (args: object) => {
      const content = { file_path: 'a.md', content: 'x' }
      const result = await client.callTool({ name: 'file_write', arguments: { ...content, ...args } })
      return { ...result, content: result.content as { readonly uri?: string }[] }
    }
    const { content, isError } = await write({})
    expect(isError).toBeFalsy()
    expect(content.find(({ uri }) => uri !== undefined)?.uri).toMatch(link)
    expect(await write({ session: 'another' })).toMatchObject({
      isError: true,
      _meta: { 'toolyard/code': 'forbidden' },
    })
  },
)
