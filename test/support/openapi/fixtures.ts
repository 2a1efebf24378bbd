/** Asks as the tenant of an example. @throws Error for an answer that is no success */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Readonly<Record<string, unknown>>>

/** Who sends an example, and what must be there before. */
export interface Fixture {
  /** Tenant that sends it, where it must be the one that published `riverside/slug`; else one of the example's own. */
  readonly by?: 'publisher'
  /** @returns values of path parameters that nobody knows before, such as an id that the server gives */
  readonly prepare?: (ask: Ask) => Promise<Readonly<Record<string, string>> | undefined>
}

const TOOL = {
  name: 'Some tool',
  description: 'Does something.',
  input_schema: { type: 'object' },
  executor: { kind: 'http', target: 'https://service.example/do' },
}

/** Preparation by one request. */
const after = (method: string, path: string, body?: unknown): Fixture => ({
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

/** The session `example`, which each example with a session in its path finds. */
export const SESSION = after('POST', '/api/task/create?task_id=example&task_name=example')

const keyOf = async (ask: Ask, tenant: string) =>
  String((await ask('POST', `/admin/tenants/${tenant}/keys`, { name: 'old' })).id)

/** Id of a child key that whoever sends the example minted. */
const minted: Fixture = {
  prepare: async (ask) => ({ id: String((await ask('POST', '/v1/keys/current/children', {})).id) }),
}

/** Fixtures by operation; an operation without one finds an empty tenant. */
export const FIXTURES: Readonly<Record<string, Fixture>> = {
  getRegisteredTool: registered('weather.now'),
  changeToolPolicy: registered('weather.now'),
  rollBackTool: registered('weather.now'),
  listToolVersions: registered('weather.now'),
  getToolChanges: registered('weather.now'),
  deleteRegisteredTool: registered('weather.old'),
  deleteApi: after('POST', '/v1/apis', {
    env: 'Old',
    openapi: { openapi: '3.0.3', servers: [{ url: 'https://old.example' }], paths: { '/a': { get: {} } } },
  }),
  removeSecret: after('PUT', '/v1/secrets/OLD_KEY', { value: 'x' }),
  getPaper: after('POST', '/v1/papers', { id: 'example-paper', title: 'An example' }),
  removePaper: after('POST', '/v1/papers', { id: 'old-paper', title: 'An old one' }),
  publishTool: { by: 'publisher', ...registered('weather.now') },
  unpublishTool: published('old'),
  upgradePackage: after('POST', '/v1/marketplace/tools/riverside/slug/install', { id: 'installed.slug' }),
  getOwnKey: minted,
  revokeOwnKey: minted,
  revokeKey: { prepare: async (ask) => ({ key: await keyOf(ask, 'dev') }) },
}

/** The package that examples of the marketplace find. */
export const PUBLISHED = published('slug')
