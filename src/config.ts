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
  readonly production: boolean
  /** Whose the requests without a key are; only on a local server. */
  readonly openTenant: TenantId | null
  /** Guards the admin API. */
  readonly adminToken: string | null
  readonly sandbox: SandboxConfig
  readonly sessions: Env['SESSIONS']
  readonly tenants: Env['TENANTS']
  readonly blobs: Env['BLOBS']
  readonly db: Env['DB']
}

export interface SandboxConfig {
  /** Without one, calls that need a sandbox are refused. */
  readonly apiKey: string | null
  /** Where sandboxes are made, and where one is reached; E2B's cloud when null. */
  readonly apiUrl: string | null
  readonly sandboxUrl: string | null
  readonly template: string
  /** Where pip looks for packages inside a sandbox; PyPI when null. */
  readonly pipIndexUrl: string | null
}

export type ParsedConfig =
  | { readonly ok: true; readonly config: Config }
  /** Names of settings and what is wrong with them; never a value. */
  | { readonly ok: false; readonly problems: readonly string[] }

/** Reads bindings, variables and secrets, once per isolate and Durable Object; nobody else reads them. */
export function parseConfig(env: unknown): ParsedConfig {
  const parsed = Settings.safeParse(env)
  if (!parsed.success) {
    return { ok: false, problems: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) }
  }
  const problems = productionProblems(parsed.data)
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config: toConfig(parsed.data) }
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
  production: settings.ENVIRONMENT === 'production',
  openTenant: settings.OPEN_TENANT,
  adminToken: settings.ADMIN_TOKEN,
  sandbox: {
    apiKey: settings.E2B_API_KEY,
    apiUrl: settings.E2B_API_URL,
    sandboxUrl: settings.E2B_SANDBOX_URL,
    template: settings.SANDBOX_TEMPLATE,
    pipIndexUrl: settings.PIP_INDEX_URL,
  },
  sessions: settings.SESSIONS,
  tenants: settings.TENANTS,
  blobs: settings.BLOBS,
  db: settings.DB,
})
