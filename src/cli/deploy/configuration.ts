import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CliError } from '../failure.ts'

/** File that is written beside the configuration: the same, with the ids of one account. Not kept by git. */
export const DEPLOY_FILE = 'wrangler.deploy.json'

/** Id that stands where nobody gave one. */
const NO_ID = /^[0-]*$/

interface Bound {
  /** Name by which the Worker has it. */
  readonly binding: string
}

/** A bucket of R2 as an environment binds it. */
export interface Bucket extends Bound {
  readonly bucket_name: string
  readonly jurisdiction?: string
}

/** A database of D1 as an environment binds it. */
export interface Database extends Bound {
  readonly database_name: string
  readonly database_id?: string
  readonly migrations_dir?: string
  readonly migrations_table?: string
}

type Route = string | { readonly pattern: string; readonly custom_domain?: boolean }

interface RawEnvironment {
  readonly name?: string
  readonly account_id?: string
  readonly workers_dev?: boolean
  readonly route?: Route
  readonly routes?: readonly Route[]
  readonly vars?: Readonly<Record<string, unknown>>
  readonly r2_buckets?: readonly Bucket[]
  readonly d1_databases?: readonly Database[]
  readonly services?: readonly Bound[]
  readonly durable_objects?: { readonly bindings?: readonly { readonly name: string }[] }
}

type RawConfiguration = RawEnvironment & { readonly env?: Readonly<Record<string, RawEnvironment>> }

/** Configuration of wrangler, for one of its environments. */
export class Configuration {
  readonly root: string
  /** Path of the file, below the root. */
  readonly file: string
  readonly environment: string
  readonly #raw: RawConfiguration

  private constructor(root: string, file: string, environment: string, raw: RawConfiguration) {
    this.root = root
    this.file = file
    this.environment = environment
    this.#raw = raw
  }

  /** Reads a file beside the server's sources. @throws CliError for one that is not there, or has no such environment */
  static async read(root: string, file: string, environment: string): Promise<Configuration> {
    const path = resolve(root, file)
    if (!existsSync(path)) throw new CliError(`there is no ${path}`, 'name one beside wrangler.toml by --config')
    if (resolve(path, '..') !== resolve(root)) {
      throw new CliError(`${path} is not in ${root}`, 'put it beside wrangler.toml: its paths are meant from there')
    }
    const wrangler = createRequire(join(root, 'package.json')).resolve('wrangler')
    const { experimental_readRawConfig } = await import(pathToFileURL(wrangler).href)
    const { rawConfig } = experimental_readRawConfig({ config: path }) as { readonly rawConfig: RawConfiguration }
    if (rawConfig.env?.[environment] === undefined) {
      const names = Object.keys(rawConfig.env ?? {})
      throw new CliError(`${file} has no environment "${environment}"`, `it has ${names.join(', ') || 'none'}`)
    }
    return new Configuration(root, file, environment, rawConfig)
  }

  get #environment(): RawEnvironment {
    return this.#raw.env?.[this.environment] ?? {}
  }

  /** Name of the Worker. */
  get worker(): string {
    return this.#environment.name ?? `${this.#raw.name ?? 'toolyard'}-${this.environment}`
  }

  get accountId(): string | undefined {
    return this.#environment.account_id ?? this.#raw.account_id
  }

  get buckets(): readonly Bucket[] {
    return this.#environment.r2_buckets ?? []
  }

  get databases(): readonly Database[] {
    return this.#environment.d1_databases ?? []
  }

  /** Names of what the Worker is bound to. */
  get bindings(): readonly string[] {
    const { services = [], durable_objects } = this.#environment
    const objects = (durable_objects?.bindings ?? []).map(({ name }) => name)
    return [...[...this.buckets, ...this.databases, ...services].map(({ binding }) => binding), ...objects]
  }

  /** Template of E2B that sandboxes are made from. */
  get template(): string {
    return String(this.#environment.vars?.SANDBOX_TEMPLATE ?? 'toolyard')
  }

  /** Whether the Worker is to answer below `workers.dev`. */
  get isOnWorkersDev(): boolean {
    const { workers_dev = this.#raw.workers_dev, route, routes = [] } = this.#environment
    return workers_dev ?? (route === undefined && routes.length === 0)
  }

  /** Address of a domain of the owner's own; null where requests come by workers.dev. */
  get customUrl(): string | null {
    const { route, routes = [] } = this.#environment
    const [first] = [...(route === undefined ? [] : [route]), ...routes]
    if (first === undefined) return null
    const pattern = typeof first === 'string' ? first : first.pattern
    const host = pattern.replace(/^https?:\/\//, '').split('/')[0] ?? ''
    return host.includes('*') || host === '' ? null : `https://${host}`
  }

  /** The whole configuration as JSON, with these ids of databases by their names. */
  withIds(ids: ReadonlyMap<string, string>): string {
    const databases = this.databases.map((database) => ({
      ...database,
      database_id: givenId(database) ?? ids.get(database.database_name) ?? database.database_id,
    }))
    const environment = { ...this.#environment, d1_databases: databases }
    const raw = { ...this.#raw, env: { ...this.#raw.env, [this.environment]: environment } }
    return `${JSON.stringify(raw, null, 2)}\n`
  }
}

/** Id of a database that the owner gave; null for the zeros that stand there before. */
export const givenId = ({ database_id = '' }: Database): string | null => (NO_ID.test(database_id) ? null : database_id)
