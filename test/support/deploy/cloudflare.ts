import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { jsonAnswer, type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from '../stand-in.ts'

const ACCOUNT_ID = 'a0000000000000000000000000000001'
/** The token that the account takes. */
export const API_TOKEN = 'cloudflare-token-of-this-test'

/** A Worker of the account. */
interface AccountWorker {
  /** Whether it answers below workers.dev. */
  onWorkersDev: boolean
  /** Values of secrets, by their names. */
  readonly secrets: Map<string, string>
  /** Versions, oldest first: the last one gets all requests. */
  readonly versions: { readonly id: string; readonly tag: string | null; readonly bindings: readonly string[] }[]
}

/** Cloudflare's API on loopback, as far as wrangler and the command line ask it: an account with buckets, databases and Workers. */
export interface CloudflareAccount {
  readonly standIn: StandIn
  /** Names of buckets. */
  readonly buckets: Set<string>
  /** Databases by their names. */
  readonly databases: ReadonlyMap<string, { readonly id: string; readonly sqlite: DatabaseSync }>
  readonly workers: ReadonlyMap<string, AccountWorker>
  /** Changes that were made, as `METHOD path below the account`. */
  changes(): readonly string[]
  /** Answers requests whose `METHOD path` begins so by this, until it is taken off. */
  fail(beginning: string, answer: StandInAnswer | null): void
  /** Called with each change, `METHOD path below the account`, that was made and is not answered yet. */
  onChange: ((change: string) => void) | null
  stop(): Promise<void>
}

/** Starts an empty account. */
export async function startCloudflare(): Promise<CloudflareAccount> {
  const buckets = new Set<string>()
  const databases = new Map<string, { id: string; sqlite: DatabaseSync }>()
  const workers = new Map<string, AccountWorker>()
  const faults = new Map<string, StandInAnswer>()
  const changes: string[] = []

  const account: Routes = {
    'GET /r2/buckets/:name': ({ name }) =>
      buckets.has(name) ? good({ name }) : bad(404, 10006, 'The specified bucket does not exist.'),
    'POST /r2/buckets': (_, body) => {
      const { name } = JSON.parse(body) as { name: string }
      if (buckets.has(name)) return bad(409, 10004, 'The bucket you tried to create already exists')
      buckets.add(name)
      return good({})
    },
    'GET /d1/database': (_, __, url) => {
      const wanted = url.searchParams.get('name')
      const found = [...databases].filter(([name]) => wanted === null || name.includes(wanted))
      return good(found.map(([name, { id }]) => ({ uuid: id, name, version: 'production' })))
    },
    'POST /d1/database': (_, body) => {
      const { name } = JSON.parse(body) as { name: string }
      if (databases.has(name)) return bad(400, 7502, 'A database with that name already exists')
      const id = randomUUID()
      databases.set(name, { id, sqlite: new DatabaseSync(':memory:') })
      return good({ uuid: id, name, version: 'production', created_in_region: 'WEUR' })
    },
    'GET /d1/database/:id': ({ id }) => {
      const found = [...databases].find(([, database]) => database.id === id)
      return found ? good({ uuid: id, name: found[0], version: 'production' }) : bad(404, 7404, 'no such database')
    },
    'POST /d1/database/:id/query': ({ id }, body) => {
      const database = [...databases.values()].find((one) => one.id === id)
      if (!database) return bad(404, 7404, 'no such database')
      return good(queried(database.sqlite, JSON.parse(body)))
    },
    'GET /workers/subdomain': () => good({ subdomain: 'owner' }),
    'GET /workers/services/:name': ({ name }) => {
      const worker = workers.get(name)
      if (!worker) return noWorker()
      const migration_tag = worker.versions.some(({ bindings }) => bindings.includes('SESSIONS')) ? 'v3' : undefined
      return good({
        id: name,
        default_environment: {
          environment: 'production',
          script: { tag: name, tags: [], migration_tag, last_deployed_from: 'wrangler' },
        },
      })
    },
    'GET /workers/scripts/:name/secrets': ({ name }) => {
      const worker = workers.get(name)
      return worker ? good([...worker.secrets.keys()].map((one) => ({ name: one, type: 'secret_text' }))) : noWorker()
    },
    'PATCH /workers/scripts/:name/secrets-bulk': ({ name }, body) => {
      const worker = workers.get(name)
      if (!worker) return noWorker()
      const { secrets } = JSON.parse(body) as { secrets: Record<string, { text: string }> }
      for (const [key, { text }] of Object.entries(secrets)) worker.secrets.set(key, text)
      worker.versions.push({ id: randomUUID(), tag: null, bindings: worker.versions.at(-1)?.bindings ?? [] })
      return good({})
    },
    'PUT /workers/scripts/:name': ({ name }, body) => upload(name, body),
    'POST /workers/scripts/:name/versions': ({ name }, body) => upload(name, body),
    'POST /workers/scripts/:name/deployments': () => good({ id: randomUUID() }),
    'GET /workers/scripts/:name/deployments': ({ name }) => {
      const latest = workers.get(name)?.versions.at(-1)
      if (!workers.has(name)) return noWorker()
      return good({
        deployments: latest ? [{ id: randomUUID(), versions: [{ version_id: latest.id, percentage: 100 }] }] : [],
      })
    },
    'GET /workers/scripts/:name/versions/:version': ({ name, version }) => {
      const found = workers.get(name)?.versions.find(({ id }) => id === version)
      if (!found) return bad(404, 10092, 'no such version')
      return good({ id: found.id, annotations: found.tag === null ? {} : { 'workers/tag': found.tag } })
    },
    'PATCH /workers/scripts/:name/script-settings': () => good({}),
    'GET /workers/scripts/:name/settings': ({ name }) => {
      const worker = workers.get(name)
      return worker
        ? good({ bindings: (worker.versions.at(-1)?.bindings ?? []).map((one) => ({ name: one })) })
        : noWorker()
    },
    'POST /workers/scripts/:name/assets-upload-session': () => good({ jwt: jwt(), buckets: [] }),
    'GET /workers/scripts/:name/subdomain': ({ name }) => good({ enabled: workers.get(name)?.onWorkersDev === true }),
    'POST /workers/scripts/:name/subdomain': ({ name }, body) => {
      const worker = workers.get(name)
      if (!worker) return noWorker()
      worker.onWorkersDev = (JSON.parse(body) as { enabled: boolean }).enabled
      return good({ enabled: worker.onWorkersDev, previews_enabled: false })
    },
    'GET /workers/workers/:name': ({ name }) =>
      good({ id: name, name, subdomain: { enabled: true, previews_enabled: false } }),
  }

  /** A version that is uploaded gets all requests at once. */
  function upload(name: string, body: string) {
    const { annotations, bindings = [] } = metadataOf(body)
    const worker: AccountWorker = workers.get(name) ?? { onWorkersDev: false, secrets: new Map(), versions: [] }
    workers.set(name, worker)
    const id = randomUUID()
    worker.versions.push({ id, tag: annotations?.['workers/tag'] ?? null, bindings: bindings.map((one) => one.name) })
    return good({
      id,
      deployment_id: id.replaceAll('-', ''),
      startup_time_ms: 7,
      resources: { script: { etag: id } },
      metadata: {},
    })
  }

  const standIn = await startStandIn((request) => {
    const { method, url, headers } = request
    if (headers.authorization !== `Bearer ${API_TOKEN}`) return bad(403, 10000, 'Authentication error')
    if (url.pathname === '/accounts') return good([{ id: ACCOUNT_ID, name: 'Owner' }])
    const path = url.pathname.replace(`/accounts/${ACCOUNT_ID}`, '')
    const fault = [...faults].find(([beginning]) => `${method} ${path}`.startsWith(beginning))
    if (fault) return fault[1]
    const answer = routed(account, request, path) ?? bad(404, 7003, `the stand-in has no ${method} ${path}`)
    if (!isChange(request, path) || !('status' in answer) || answer.status !== 200) return answer
    changes.push(`${method} ${path}`)
    made.onChange?.(`${method} ${path}`)
    return answer
  })
  const made: CloudflareAccount = {
    standIn,
    buckets,
    databases,
    workers,
    changes: () => changes,
    fail(beginning, answer) {
      if (answer === null) faults.delete(beginning)
      else faults.set(beginning, answer)
    },
    onChange: null,
    stop: () => standIn.stop(),
  }
  return made
}

/** Parts of a path that a route names. */
type Params = Readonly<Record<'name' | 'id' | 'version', string>>
type Handler = (params: Params, body: string, url: URL) => StandInAnswer
type Routes = Readonly<Record<string, Handler>>

function routed(routes: Routes, { method, body, url }: StandInRequest, path: string): StandInAnswer | null {
  const parts = path.split('/')
  for (const [pattern, handler] of Object.entries(routes)) {
    const [wantedMethod, wanted = ''] = pattern.split(' ')
    const names = wanted.split('/')
    if (wantedMethod !== method || names.length !== parts.length) continue
    if (!names.every((name, at) => name.startsWith(':') || name === parts[at])) continue
    const params = names.flatMap((name, at) =>
      name.startsWith(':') ? [[name.slice(1), decodeURIComponent(parts[at] ?? '')]] : [],
    )
    return handler(Object.fromEntries(params) as Params, body, url)
  }
  return null
}

/** Whether a request changes the account: queries that only read, and upload sessions of files, do not. */
function isChange({ method, body }: StandInRequest, path: string): boolean {
  if (method === 'GET') return false
  if (path.endsWith('/query')) return !/^\s*SELECT\b/i.test(String((JSON.parse(body) as { sql?: string }).sql))
  return !path.endsWith('/assets-upload-session')
}

interface Query {
  readonly sql: string
  readonly params?: readonly string[]
}

/** Results of D1's API for statements, which may be several without parameters. */
function queried(sqlite: DatabaseSync, { sql, params = [] }: Query) {
  const meta = { duration: 0, rows_read: 0, rows_written: 0 }
  if (params.length > 0 || /^\s*(SELECT|PRAGMA)\b/i.test(sql)) {
    return [{ success: true, results: sqlite.prepare(sql).all(...params), meta }]
  }
  sqlite.exec(sql)
  return [{ success: true, results: [], meta }]
}

interface Metadata {
  readonly annotations?: Readonly<Record<string, string>>
  readonly bindings?: readonly { readonly name: string }[]
}

/** Metadata of an upload: the first part of its form that is JSON. */
function metadataOf(body: string): Metadata {
  const start = body.indexOf('{', body.indexOf('name="metadata"'))
  const end = body.indexOf('\r\n--', start)
  return JSON.parse(body.slice(start, end)) as Metadata
}

const good = (result: unknown) =>
  jsonAnswer({
    success: true,
    errors: [],
    messages: [],
    result,
    result_info: { page: 1, per_page: 100, count: 1, total_count: 1 },
  })
const bad = (status: number, code: number, message: string) =>
  jsonAnswer({ success: false, errors: [{ code, message }], messages: [], result: null }, status)
const noWorker = () => bad(404, 10007, 'This Worker does not exist on your account.')

/** Token in the form that wrangler reads: three parts, the middle one JSON. */
const jwt = () => ['{}', '{"exp":9999999999}', ''].map((part) => Buffer.from(part).toString('base64url')).join('.')
