import { z } from 'zod'
import { toFailure } from './core/failure.ts'
import { type TenantId, tenantId } from './core/ids.ts'

const MIN_PRODUCTION_TOKEN_CHARS = 32

/** An empty variable is one that is not set. */
const Optional = z
  .string()
  .trim()
  .nullish()
  .transform((value) => value || null)
const OptionalUrl = Optional.pipe(z.url({ protocol: /^https?$/ }).nullable())

const binding = <Name extends keyof Env>() =>
  z.custom<Env[Name]>((value) => typeof value === 'object' && value !== null, 'the binding is missing')

const Settings = z.object({
  ENVIRONMENT: z.enum(['local', 'production']).default('local'),
  OPEN_TENANT: Optional.transform((value, { addIssue }) => {
    try {
      return value === null ? null : tenantId(value)
    } catch (thrown) {
      addIssue(toFailure(thrown).message)
      return z.NEVER
    }
  }),
  ADMIN_TOKEN: Optional,
  E2B_API_KEY: Optional,
  E2B_API_URL: OptionalUrl,
  E2B_SANDBOX_URL: OptionalUrl,
  SANDBOX_TEMPLATE: z.string().trim().min(1).default('base'),
  PIP_INDEX_URL: OptionalUrl,
  SESSIONS: binding<'SESSIONS'>(),
  TENANTS: binding<'TENANTS'>(),
  BLOBS: binding<'BLOBS'>(),
  DB: binding<'DB'>(),
})

/** All that the server is told from outside. What is null is not set, and only its own feature is off. */
export interface Config {
  /** Whose the requests without a key are; only on a local server. */
  readonly openTenant: TenantId | null
  /** Guards the admin API. */
  readonly adminToken: string | null
  readonly sandboxes: SandboxesConfig
  /** Environment of every command in a sandbox: which package index pip asks, when that is not PyPI. */
  readonly sandboxEnv: Readonly<Record<string, string>>
  readonly sessions: Env['SESSIONS']
  readonly tenants: Env['TENANTS']
  readonly blobs: Env['BLOBS']
  readonly db: Env['DB']
}

/** Where sandboxes are made (`apiUrl`) and reached (`sandboxUrl`): both absent in E2B's cloud. */
interface SandboxesConfig {
  /** Empty when there is none: then only calls that need no sandbox work. */
  readonly apiKey: string
  readonly apiUrl?: string
  readonly sandboxUrl?: string
  readonly template: string
}

/** The settings do not fit. The message names them and says what is wrong; it never has a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads bindings, variables and secrets, once per isolate and Durable Object; nobody else reads them.
 * @throws ConfigError
 */
export function readConfig(env: unknown): Config {
  const parsed = Settings.safeParse(env)
  const problems = parsed.success
    ? productionProblems(parsed.data)
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'))
  return toConfig(parsed.data)
}

function productionProblems({ ENVIRONMENT, OPEN_TENANT, ADMIN_TOKEN }: z.output<typeof Settings>): string[] {
  if (ENVIRONMENT !== 'production') return []
  const problems: string[] = []
  if (OPEN_TENANT !== null) {
    problems.push('OPEN_TENANT: must not be set in production, it would let everybody in without a key; remove it')
  }
  if (ADMIN_TOKEN !== null && ADMIN_TOKEN.length < MIN_PRODUCTION_TOKEN_CHARS) {
    problems.push(`ADMIN_TOKEN: shorter than ${MIN_PRODUCTION_TOKEN_CHARS} characters; set a random one`)
  }
  return problems
}

const toConfig = (settings: z.output<typeof Settings>): Config => ({
  openTenant: settings.OPEN_TENANT,
  adminToken: settings.ADMIN_TOKEN,
  sandboxes: {
    apiKey: settings.E2B_API_KEY ?? '',
    ...(settings.E2B_API_URL === null ? {} : { apiUrl: settings.E2B_API_URL }),
    ...(settings.E2B_SANDBOX_URL === null ? {} : { sandboxUrl: settings.E2B_SANDBOX_URL }),
    template: settings.SANDBOX_TEMPLATE,
  },
  sandboxEnv: settings.PIP_INDEX_URL === null ? {} : pipEnvironment(settings.PIP_INDEX_URL),
  sessions: settings.SESSIONS,
  tenants: settings.TENANTS,
  blobs: settings.BLOBS,
  db: settings.DB,
})

/** pip ignores an index without TLS unless its host is named as trusted; who sets the address here trusts it. */
function pipEnvironment(index: string) {
  const { protocol, hostname } = new URL(index)
  return { PIP_INDEX_URL: index, ...(protocol === 'http:' && { PIP_TRUSTED_HOST: hostname }) }
}
