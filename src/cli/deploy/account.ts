import { CliError } from '../failure.ts'
import type { Wrangler } from './wrangler.ts'

/** Cloudflare's API, where CLOUDFLARE_API_BASE_URL names no other, as for wrangler. */
const API_URL = 'https://api.cloudflare.com/client/v4'
/** Milliseconds that one question may take. */
const QUESTION_MS = 30_000
/** Accounts that are named where one has to be chosen. */
const NAMED_ACCOUNTS = 20

type Environment = Readonly<Record<string, string | undefined>>

/** Body of each answer of Cloudflare's API. */
interface Envelope {
  readonly success?: boolean
  readonly result?: unknown
  readonly errors?: readonly { readonly code?: number; readonly message?: string }[]
}

/** A place of data that Cloudflare guarantees for a bucket, such as `eu`. */
type Jurisdiction = string | undefined

/** A Cloudflare account, which is asked what it has. Nothing here changes it: wrangler does. */
export class Account {
  readonly id: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #url: string
  readonly #signal: AbortSignal

  private constructor(id: string, headers: Readonly<Record<string, string>>, url: string, signal: AbortSignal) {
    this.id = id
    this.#headers = headers
    this.#url = url
    this.#signal = signal
  }

  /**
   * The account of who is signed in to wrangler.
   * @param configured id of the account that the configuration names
   * @throws CliError when nobody is signed in, or several accounts are possible
   */
  static async open(
    wrangler: Wrangler,
    { env, configured, signal }: { env: Environment; configured: string | undefined; signal: AbortSignal },
  ): Promise<Account> {
    const headers = await signIn(wrangler)
    const url = env.CLOUDFLARE_API_BASE_URL || API_URL
    const chosen = env.CLOUDFLARE_ACCOUNT_ID || undefined
    // wrangler takes the configuration's, whatever is chosen: what is asked and what is changed would be two accounts.
    if (chosen && configured && chosen !== configured)
      throw new CliError(
        `the configuration has account_id ${configured}, and CLOUDFLARE_ACCOUNT_ID is ${chosen}`,
        'take one of them away',
      )
    const known = chosen ?? configured
    if (known) return new Account(known, headers, url, signal)
    const nobody = new Account('', headers, url, signal)
    const accounts = ((await nobody.#ask('/accounts')) ?? []) as { readonly id: string; readonly name: string }[]
    const [only, ...others] = accounts
    if (only && others.length === 0) return new Account(only.id, headers, url, signal)
    const names = accounts.slice(0, NAMED_ACCOUNTS).map(({ id, name }) => `${name} is ${id}`)
    throw new CliError(
      only ? 'several accounts are possible' : 'who is signed in has no account',
      only ? `set CLOUDFLARE_ACCOUNT_ID: ${names.join(', ')}` : 'sign in as another by npx wrangler login',
    )
  }

  /** Whether there is a bucket of R2. */
  async hasBucket(name: string, jurisdiction: Jurisdiction): Promise<boolean> {
    const headers = jurisdiction === undefined ? {} : { 'cf-r2-jurisdiction': jurisdiction }
    return (await this.#ask(`${this.#path}/r2/buckets/${encodeURIComponent(name)}`, { headers })) !== null
  }

  /** Id of the database of D1 of that name; null where there is none. */
  async databaseId(name: string): Promise<string | null> {
    const found = await this.#ask(`${this.#path}/d1/database?name=${encodeURIComponent(name)}&per_page=100`)
    const databases = (found ?? []) as { readonly uuid: string; readonly name: string }[]
    return databases.find((database) => database.name === name)?.uuid ?? null
  }

  /** Whether there is a database of D1 with that id. */
  async hasDatabase(id: string): Promise<boolean> {
    return (await this.#ask(`${this.#path}/d1/database/${encodeURIComponent(id)}`)) !== null
  }

  /** Names of the migrations that were applied to a database, as wrangler notes them in it. */
  async appliedMigrations(databaseId: string, table: string): Promise<readonly string[]> {
    const exists = await this.#rows(databaseId, "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?", [
      table,
    ])
    return exists.length === 0 ? [] : this.#rows(databaseId, `SELECT name FROM "${table}" ORDER BY id`, [])
  }

  /** Names of a Worker's secrets; none where there is no such Worker. */
  async secrets(worker: string): Promise<readonly string[]> {
    const secrets = await this.#ask(`${this.#scripts(worker)}/secrets`)
    return ((secrets ?? []) as { readonly name: string }[]).map(({ name }) => name)
  }

  /** Names of a Worker's bindings; none where there is no such Worker. */
  async bindings(worker: string): Promise<readonly string[]> {
    const settings = (await this.#ask(`${this.#scripts(worker)}/settings`)) as {
      readonly bindings?: readonly { readonly name: string }[]
    } | null
    return (settings?.bindings ?? []).map(({ name }) => name)
  }

  /** Tag of the version of a Worker that gets all requests; null where there is none, or none with a tag. */
  async deployedTag(worker: string): Promise<string | null> {
    const answer = (await this.#ask(`${this.#scripts(worker)}/deployments`)) as {
      readonly deployments?: readonly { readonly versions?: readonly { readonly version_id: string }[] }[]
    } | null
    const versions = answer?.deployments?.[0]?.versions ?? []
    const [only] = versions
    if (only === undefined || versions.length > 1) return null
    const version = (await this.#ask(`${this.#scripts(worker)}/versions/${encodeURIComponent(only.version_id)}`)) as {
      readonly annotations?: Readonly<Record<string, string>>
    } | null
    return version?.annotations?.['workers/tag'] ?? null
  }

  /** Whether a Worker answers below `workers.dev`. */
  async isOnWorkersDev(worker: string): Promise<boolean> {
    const answer = (await this.#ask(`${this.#scripts(worker)}/subdomain`)) as { readonly enabled?: boolean } | null
    return answer?.enabled === true
  }

  /** Domain below `workers.dev` of the account's Workers; null where it has none yet. */
  async workersDomain(): Promise<string | null> {
    const answer = (await this.#ask(`${this.#path}/workers/subdomain`)) as { readonly subdomain?: string } | null
    return answer?.subdomain ? `${answer.subdomain}.workers.dev` : null
  }

  get #path(): string {
    return `/accounts/${encodeURIComponent(this.id)}`
  }

  #scripts(worker: string): string {
    return `${this.#path}/workers/scripts/${encodeURIComponent(worker)}`
  }

  /** First column of a query's rows. */
  async #rows(databaseId: string, sql: string, params: readonly string[]): Promise<readonly string[]> {
    const answer = await this.#ask(`${this.#path}/d1/database/${encodeURIComponent(databaseId)}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql, params }),
    })
    const [first] = (answer ?? []) as { readonly results?: readonly Readonly<Record<string, string>>[] }[]
    return (first?.results ?? []).map((row) => String(row.name))
  }

  /** Result of a request; null for what is not there. @throws CliError */
  async #ask(path: string, { method, body, headers = {} }: RequestInit = {}): Promise<unknown> {
    const shownPath = path.split('?')[0]
    let answer: Response
    let envelope: Envelope
    try {
      answer = await fetch(`${this.#url}${path}`, {
        // Another address would get what signs in here.
        redirect: 'manual',
        ...(method !== undefined && { method }),
        ...(body !== undefined && { body }),
        headers: { ...this.#headers, ...headers },
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(QUESTION_MS)]),
      })
      envelope = (await answer.json()) as Envelope
    } catch (failure) {
      this.#signal.throwIfAborted()
      const why = failure instanceof Error ? failure.message : String(failure)
      throw new CliError(`Cloudflare did not answer ${shownPath} (${why})`, 'see whether this machine reaches it')
    }
    if (answer.status === 404) return null
    if (answer.ok && envelope.success !== false) return envelope.result ?? null
    const reasons = (envelope.errors ?? []).map(({ code, message }) => `${message} [${code}]`).join(', ')
    throw new CliError(
      `Cloudflare answered ${answer.status} to ${shownPath}: ${reasons || 'no reason given'}`,
      answer.status === 401 || answer.status === 403
        ? 'R2 and Workers have to be switched on in the dashboard, and the token has to edit both and D1; or sign in again by npx wrangler login'
        : 'try again in a moment',
    )
  }
}

/** Headers that sign requests in, of who is signed in to wrangler. @throws CliError */
async function signIn(wrangler: Wrangler): Promise<Readonly<Record<string, string>>> {
  let text: string
  try {
    text = await wrangler.run(['auth', 'token', '--json'])
  } catch (failure) {
    if (failure instanceof CliError && /not logged in|log ?in|token/i.test(failure.hint)) {
      throw new CliError('nobody is signed in to Cloudflare', 'run npx wrangler login, or set CLOUDFLARE_API_TOKEN')
    }
    throw failure
  }
  const given = JSON.parse(text.slice(text.indexOf('{'))) as {
    readonly token?: string
    readonly key?: string
    readonly email?: string
  }
  if (given.key && given.email) return { 'X-Auth-Key': given.key, 'X-Auth-Email': given.email }
  return { Authorization: `Bearer ${given.token}` }
}
