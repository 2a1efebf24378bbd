import type { Account } from './account.ts'
import { type Configuration, DEPLOY_FILE, givenId } from './configuration.ts'
import type { Wrangler } from './wrangler.ts'

/** Parts of a deployment that its steps work on. */
export interface DeploymentParts {
  /** Directory of the checkout. */
  readonly root: string
  readonly configuration: Configuration
  readonly account: Account
  readonly wrangler: Wrangler
  readonly env: Readonly<Record<string, string | undefined>>
  /** The environment without secrets, for programs. */
  readonly plainEnv: Readonly<Record<string, string | undefined>>
  /** Address of the server, where the owner named it. */
  readonly givenUrl: string | undefined
  readonly signal: AbortSignal
  /** Shows what a long piece of work says meanwhile. */
  readonly onOutput: (text: string) => void
}

/** A deployment to one account, and what its steps find out for those that follow. */
export class Deployment {
  readonly parts: DeploymentParts
  /** Ids of databases of the account, by their names. */
  readonly databaseIds = new Map<string, string>()

  constructor(parts: DeploymentParts) {
    this.parts = parts
  }

  /** Options by which wrangler finds this configuration, with the account's ids. */
  get wranglerOptions(): readonly string[] {
    return ['--config', DEPLOY_FILE, '--env', this.parts.configuration.environment]
  }

  /** Content that the file of the ids should have; null while an id is missing. */
  get deployFile(): string | null {
    const { configuration } = this.parts
    const isMissing = configuration.databases.some(
      (database) => givenId(database) === null && !this.databaseIds.has(database.database_name),
    )
    return isMissing ? null : configuration.withIds(this.databaseIds)
  }

  /** Address at which the server should answer; null where the account has no domain for it yet. */
  async url(): Promise<string | null> {
    const { givenUrl, configuration, account } = this.parts
    if (givenUrl !== undefined) return givenUrl.endsWith('/') ? givenUrl.slice(0, -1) : givenUrl
    if (configuration.customUrl !== null) return configuration.customUrl
    const domain = await account.workersDomain()
    return domain === null ? null : `https://${configuration.worker}.${domain}`
  }
}
