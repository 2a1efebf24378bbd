import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { type StandIn, startStandIn } from '../../support/stand-in.ts'
import { askWith, newKey, newOwner } from '../../support/tenants.ts'
import { type ConfiguredTool, register } from '../toolcore/support.ts'
import { CLIENTS } from './clients.ts'
import { type DialectName, foreignWords } from './foreign-words.ts'
import { LAGENT } from './lagent.ts'
import { MCP, MCP_BEFORE } from './mcp.ts'
import { type Asking, type Before, type Provoked, SITE } from './provoked.ts'
import { asSite } from './site.ts'
import { REGISTERED, TOOLCORE } from './toolcore.ts'
import { TOOLSERVER, TOOLSERVER_BEFORE } from './toolserver.ts'
import { V1 } from './v1.ts'
import { XAGENT, XAGENT_BEFORE } from './xagent.ts'

interface Table {
  readonly before?: Before
  readonly errors: readonly Provoked[]
}

const TABLES: Readonly<Record<DialectName, Table>> = {
  xagent: { before: XAGENT_BEFORE, errors: XAGENT },
  toolcore: { errors: TOOLCORE },
  lagent: { errors: LAGENT },
  toolserver: { before: TOOLSERVER_BEFORE, errors: TOOLSERVER },
  v1: { before: TOOLSERVER_BEFORE, errors: V1 },
  mcp: { before: MCP_BEFORE, errors: MCP },
}

/** The site that all dialects' clients ask of: what is compared is how each dialect says what went wrong. */
let site: StandIn
const toolyard = runningToolyard(async () => {
  site = await startStandIn(asSite)
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: site.host, DNS_RESOLVER_URL: `${site.url}/dns-query` } }
})
afterAll(() => site.stop())

beforeAll(async () => {
  const tools = JSON.stringify(REGISTERED).replaceAll('"target":"/', `"target":"${site.url}/`)
  await register(toolyard(), JSON.parse(tools) as ConfiguredTool[])
})

/** A client whose texts have the site's address in place of what stands for it, and back. */
const atSite = (client: Asking, heard: (request: unknown) => void): Asking => {
  const given = <T>(value: T): T => JSON.parse(JSON.stringify(value ?? null).replaceAll(SITE, site.url)) ?? undefined
  const shown = (text: string) => text.replaceAll(site.url, SITE).replaceAll(site.host, new URL(SITE).host)
  return {
    call: async (tool, args) => {
      heard([tool, args])
      return shown(await client.call(tool, given(args)))
    },
    request: async (path, body) => {
      heard(body)
      return shown(await client.request(path, given(body)))
    },
    prepare: (tool, args) => client.prepare(tool, given(args)),
    sent: (path, body) => client.sent(path, given(body)),
  }
}

it('the settings that a server lacks are named in /v1 to keys that may administer, and not to those of agents', async () => {
  const { id, key: owners } = await newOwner(toolyard())
  const agents = await newKey(toolyard(), id, ['execute'])
  await askWith(agents, toolyard(), 'POST', '/api/task/create?task_id=t&task_name=t')
  const messageFor = async (key: string) => {
    const call = { tool: 'google_search', args: { query: 'x' } }
    const { body } = await askWith(key, toolyard(), 'POST', '/v1/sessions/t/calls', call)
    return (body.error as { readonly message: string }).message
  }
  const doWithout = 'web search is not available on this server; read pages whose address you know instead'
  expect(await messageFor(agents)).toBe(doWithout)
  expect(await messageFor(owners)).toMatch(`${doWithout}. It is not set up: set one of SERPER_API_KEY`)
})

describe.each(Object.keys(TABLES) as DialectName[])('what a client of %s reads', (dialect) => {
  const { before = [], errors } = TABLES[dialect]
  let client: Asking
  let request = ''
  beforeAll(async () => {
    client = atSite(await CLIENTS[dialect](toolyard().url), (sent) => {
      request = JSON.stringify(sent) ?? ''
    })
    for (const [tool, args] of before) await client.prepare(tool, args)
  })

  it('is provoked by at least 25 errors', () => expect(errors.length).toBeGreaterThanOrEqual(25))

  it.each(errors)('of $what has no foreign word in it', async ({ ask, says }) => {
    const text = await ask(client)
    expect({ text, foreign: foreignWords(text, dialect, request) }).toEqual({ text, foreign: [] })
    if (typeof says === 'string') expect(text).toBe(says)
    else if (says) expect(text).toMatch(says)
  })
})
