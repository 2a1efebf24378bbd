import { strToU8, zipSync } from 'fflate'

/** Asks as the tenant of an example. @throws Error for an answer that is no success */
export type Ask = (method: string, path: string, body?: object | string) => Promise<Readonly<Record<string, unknown>>>

/** Sender of an example, and what must be there before. */
export interface Fixture {
  /** Tenant that sends it, where it must be the one that published `riverside/slug`; else one of the example's own. */
  readonly by?: 'publisher'
  /** @returns values of path parameters that nobody knows before, such as an id that the server gives */
  readonly prepare?: (ask: Ask) => Promise<Readonly<Record<string, string>> | undefined>
  /** Body of the request where it is no text. */
  readonly body?: Uint8Array<ArrayBuffer>
}

const TOOL = {
  name: 'Some tool',
  description: 'Does something.',
  input_schema: { type: 'object' },
  executor: { kind: 'http', target: 'https://service.example/do' },
}

/** Preparation by one request. */
const after = (method: string, path: string, body?: object | string): Fixture => ({
  prepare: async (ask) => {
    await ask(method, path, body)
    return undefined
  },
})

const registered = (id: string) => after('PUT', `/v1/tools/registered/${id}`, TOOL)
const published = (tool: string): Fixture => ({
  by: 'publisher',
  prepare: async (ask) => {
    await ask('PUT', `/v1/tools/registered/${tool}`, TOOL)
    await ask('POST', '/v1/marketplace/tools', { id: tool, publisher: 'riverside', tool })
    return undefined
  },
})

/** The session that an example names. */
export const session = (name: string) => after('POST', '/v1/sessions?if_exists=return', { name })

/** File of the session in the examples about files, as these find it. */
const file = (path: string) => after('PUT', `/v1/sessions/docs/files/${path}`, 'hello\n')

/** Snapshot of the session in the examples about snapshots. */
const snapshot = after('PUT', '/v1/sessions/docs/snapshots/start', {})

/** Call of the session in the examples about calls. */
const called: Fixture = {
  prepare: async (ask) => ({
    call: String((await ask('POST', '/v1/sessions/my_task/calls', { tool: 'dir_list', arguments: {} })).call_id),
  }),
}

/** Remote MCP server in the examples about them, which nobody asks for its tools. */
const mcpServer = after('POST', '/v1/mcp-servers', { name: 'weather', url: 'https://mcp.example/mcp', connect: false })

/** Id of a child key that whoever sends the example minted. */
const minted: Fixture = {
  prepare: async (ask) => ({ key: String((await ask('POST', '/v1/keys/current/children', {})).id) }),
}

/** Id of another key of the tenant. */
const anotherKey: Fixture = {
  prepare: async (ask) => ({ key: String((await ask('POST', '/v1/keys', { name: 'other' })).id) }),
}

/** Link of the session in the examples about files. */
const linked: Fixture = {
  prepare: async (ask) => {
    await ask('PUT', '/v1/sessions/docs/files/notes.txt', 'hello\n')
    return {
      link: String((await ask('POST', '/v1/sessions/docs/links', { path: 'notes.txt', method: 'download' })).id),
    }
  },
}

const webhook = async (ask: Ask) =>
  String((await ask('POST', '/v1/webhooks', { url: 'https://93.184.215.14/events' })).id)
/** Id of a webhook of whoever sends the example, which has one. */
const hooked: Fixture = { prepare: async (ask) => ({ webhook: await webhook(ask) }) }

/** A question of the session in the examples about questions. */
const question: Fixture = {
  prepare: async (ask) => {
    const args = { human_task: 'May I delete the build?', wait_seconds: 1 }
    await ask('POST', '/v1/sessions/otters/calls', { tool: 'human_in_loop', arguments: args })
    const { data } = await ask('GET', '/v1/sessions/otters/questions?state=open')
    return { question: String((data as readonly { readonly id: string }[])[0]?.id) }
  },
}

/** Fixtures of /v1 by operation; an operation without one finds an empty tenant, and its session. */
export const V1_FIXTURES: Readonly<Record<string, Fixture>> = {
  getRegisteredTool: registered('weather.now'),
  updateRegisteredTool: registered('weather.now'),
  rollBackRegisteredTool: registered('weather.now'),
  listRegisteredToolVersions: registered('weather.now'),
  getRegisteredToolChanges: registered('weather.now'),
  deleteRegisteredTool: registered('weather.old'),
  deleteApi: after('POST', '/v1/apis', {
    env: 'Old',
    openapi: { openapi: '3.0.3', servers: [{ url: 'https://old.example' }], paths: { '/a': { get: {} } } },
  }),
  deleteSecret: after('PUT', '/v1/secrets/OLD_KEY', { value: 'x' }),
  getPaper: after('POST', '/v1/papers', { id: 'example-paper', title: 'An example' }),
  deletePaper: after('POST', '/v1/papers', { id: 'old-paper', title: 'An old one' }),
  publishPackage: { by: 'publisher', ...registered('weather.now') },
  unpublishPackage: published('old'),
  upgradePackage: after('POST', '/v1/marketplace/tools/riverside/slug/install', { id: 'installed.slug' }),
  getQuestion: question,
  answerQuestion: question,
  getSnapshot: snapshot,
  deleteSnapshot: snapshot,
  getFile: file('notes.txt'),
  deleteFile: file('notes.txt'),
  getFileLink: linked,
  revokeFileLink: linked,
  moveFiles: file('a.txt'),
  copyFiles: file('a.txt'),
  editFiles: file('a.txt'),
  patchFiles: file('a.txt'),
  putArchive: { body: Uint8Array.from(zipSync({ 'b.txt': strToU8('hello') })) },
  getCall: called,
  followCall: called,
  cancelCall: called,
  getKey: minted,
  revokeKey: minted,
  listChildKeysOf: anotherKey,
  updateKey: anotherKey,
  rotateKey: anotherKey,
  getMcpServer: mcpServer,
  updateMcpServer: mcpServer,
  deleteMcpServer: mcpServer,
  getWebhook: hooked,
  updateWebhook: hooked,
  deleteWebhook: hooked,
  rotateWebhookSecret: hooked,
  testWebhook: hooked,
  listDeliveries: hooked,
  retryDelivery: {
    prepare: async (ask) => {
      const id = await webhook(ask)
      const { id: delivery } = await ask('POST', `/v1/webhooks/${id}/test`)
      await ask('PATCH', `/v1/webhooks/${id}`, { enabled: false })
      await ask('PATCH', `/v1/webhooks/${id}`, { enabled: true })
      return { webhook: id, delivery: String(delivery) }
    },
  },
}

/** A tenant of its own. */
const aTenant = async (ask: Ask) => String((await ask('POST', '/admin/tenants', { name: 'Acme' })).id)

/** Id of a key of the tenant `dev`. */
const keyOfDev: Fixture = {
  prepare: async (ask) => ({ key: String((await ask('POST', '/admin/tenants/dev/keys', { name: 'old' })).id) }),
}

const PLAN = { currency: 'EUR', month: '49.00' }

/** Fixtures of /admin, where each operation finds the tenant `dev`. */
export const ADMIN_FIXTURES: Readonly<Record<string, Fixture>> = {
  deleteTenant: { prepare: async (ask) => ({ tenant: await aTenant(ask) }) },
  getTenantDeletion: {
    prepare: async (ask) => {
      const tenant = await aTenant(ask)
      await ask('DELETE', `/admin/tenants/${tenant}`)
      return { tenant }
    },
  },
  // Other operations find the tenant `dev` without defaults.
  putSessionDefaults: { prepare: async (ask) => ({ tenant: await aTenant(ask) }) },
  revokeInvitation: {
    prepare: async (ask) => ({
      invitation: String((await ask('POST', '/admin/invitations', { name: 'Riverside' })).id),
    }),
  },
  deletePlan: { prepare: async (ask) => void (await ask('PUT', '/admin/plans/team', PLAN)) },
  putTenantPlan: { prepare: async (ask) => void (await ask('PUT', '/admin/plans/team', PLAN)) },
  revokeKey: keyOfDev,
  updateKey: keyOfDev,
  rotateKey: keyOfDev,
}

/** The package that examples of the marketplace find. */
export const PUBLISHED = published('slug')
