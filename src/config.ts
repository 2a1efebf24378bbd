import { z } from 'zod'
import { toFailure } from './core/failure.ts'
import { type TenantId, tenantId } from './core/ids.ts'
import { LOCAL_REQUEST_SLOTS, REQUEST_SLOTS } from './core/limits/admission.ts'
import { DEFAULT_SANDBOXES, SANDBOX_QUIET_MS, SANDBOX_WAIT_MS } from './core/limits/leases.ts'
import { DEFAULT_SPARES, SPARE_KEPT_MS } from './core/limits/spares.ts'
import { withoutLast } from './core/without-last.ts'

const MIN_PRODUCTION_TOKEN_CHARS = 32

/** An empty variable is one that is not set. */
const Optional = z
  .string()
  .trim()
  .nullish()
  .transform((value) => value || null)
const OptionalUrl = Optional.pipe(z.url({ protocol: /^https?$/ }).nullable())

const OptionalBaseUrl = OptionalUrl.transform((value) => (value === null ? null : withoutLast(value, '/')))
/** URL of an interface; paths are put behind it. */
const baseUrl = (url: string) => OptionalUrl.transform((value) => withoutLast(value ?? url, '/'))
const words = Optional.transform((value) => value?.split(/[\s,]+/).filter((word) => word !== '') ?? [])
const switchedOn = z
  .enum(['true', 'false', ''])
  .default('false')
  .transform((value) => value === 'true')

/** A whole number, `least` at least. */
const count = (least: number) =>
  Optional.transform((value) => (value === null ? null : Number(value))).pipe(z.int().min(least).nullable())
/** A number of seconds, as milliseconds. */
const seconds = (fallbackMs: number) =>
  Optional.transform((value) => (value === null ? fallbackMs : Number(value) * 1_000)).pipe(
    z.number().min(0).max(DAY_MS),
  )
const DAY_MS = 24 * 60 * 60_000

const binding = <Name extends keyof Env>() =>
  z.custom<Env[Name]>((value) => typeof value === 'object' && value !== null, 'the binding is missing')

/** A binding that wrangler.toml has in comments, so that `Env` does not name it. */
const optionalBinding = <Binding>() =>
  z.custom<Binding>((value) => typeof value === 'object' && value !== null, 'the binding is none').nullish()

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
  SECRETS_KEY: Optional,
  E2B_API_KEY: Optional,
  E2B_API_URL: OptionalUrl,
  E2B_SANDBOX_URL: OptionalUrl,
  SANDBOX_TEMPLATE: z.string().trim().min(1).default('base'),
  SANDBOXES_MAX: count(1),
  SANDBOXES_PER_TENANT: count(1),
  SANDBOX_SPARES: count(0),
  SANDBOX_QUIET_SECONDS: seconds(SANDBOX_QUIET_MS),
  SANDBOX_WAIT_SECONDS: seconds(SANDBOX_WAIT_MS),
  PIP_INDEX_URL: OptionalUrl,
  EGRESS_PORTS: words.transform((given) => given.map(Number)).pipe(z.array(z.int().min(1).max(65_535))),
  DNS_RESOLVER_URL: OptionalUrl.transform((value) => value ?? 'https://cloudflare-dns.com/dns-query'),
  DANGEROUSLY_SKIP_DNS_CHECK: switchedOn,
  DANGEROUSLY_ALLOW_HOSTS: words.pipe(
    z.array(z.string().regex(/^[^/@\s]+:\d{1,5}$/, 'give host:port, separated by commas')),
  ),
  ANTHROPIC_API_KEY: Optional,
  ANTHROPIC_BASE_URL: OptionalBaseUrl,
  GITHUB_TOKEN: Optional,
  GITHUB_API_URL: baseUrl('https://api.github.com'),
  SEARCH_PROVIDER: Optional.pipe(z.enum(['serper', 'google', 'brave', 'searxng']).nullable()),
  SCHOLAR_PROVIDER: Optional.pipe(z.enum(['serper', 'serpapi', 'openalex', 'semanticscholar']).nullable()),
  SERPER_API_KEY: Optional,
  SERPER_BASE_URL: baseUrl('https://google.serper.dev'),
  GOOGLE_SEARCH_API_KEY: Optional,
  GOOGLE_SEARCH_ENGINE_ID: Optional,
  GOOGLE_SEARCH_BASE_URL: baseUrl('https://customsearch.googleapis.com'),
  BRAVE_API_KEY: Optional,
  BRAVE_BASE_URL: baseUrl('https://api.search.brave.com'),
  SEARXNG_URL: OptionalBaseUrl,
  SERPAPI_API_KEY: Optional,
  SERPAPI_BASE_URL: baseUrl('https://serpapi.com'),
  OPENALEX_BASE_URL: baseUrl('https://api.openalex.org'),
  SEMANTIC_SCHOLAR_API_KEY: Optional,
  SEMANTIC_SCHOLAR_BASE_URL: baseUrl('https://api.semanticscholar.org'),
  ARXIV_BASE_URL: baseUrl('https://export.arxiv.org'),
  BING_MAP_KEY: Optional,
  BING_MAP_BASE_URL: baseUrl('https://dev.virtualearth.net/REST/V1'),
  BROWSER_RENDERING_ACCOUNT_ID: Optional,
  BROWSER_RENDERING_API_TOKEN: Optional,
  BROWSER_RENDERING_BASE_URL: baseUrl('https://api.cloudflare.com/client/v4'),
  READER_URL: OptionalUrl,
  READER_TOKEN: Optional,
  READER: optionalBinding<Fetcher>(),
  DISK_RESERVE: optionalBinding<Fetcher>(),
  RAG_SERVICE_URL: OptionalBaseUrl,
  SESSIONS: binding<'SESSIONS'>(),
  TENANTS: binding<'TENANTS'>(),
  LEASES: binding<'LEASES'>(),
  BLOBS: binding<'BLOBS'>(),
  DB: binding<'DB'>(),
  ASSETS: binding<'ASSETS'>(),
  AI: optionalBinding<Ai>(),
  VECTORIZE: optionalBinding<Vectorize>(),
})

/** All that the server is told from outside. What is null is not set, and only its own feature is off. */
export interface Config {
  /** True for a server on somebody's machine, false for a deployment. */
  readonly isLocal: boolean
  /** Tenant of requests without a key; only on a local server. */
  readonly openTenant: TenantId | null
  /** Requests at work at once in an isolate while several tenants have some. */
  readonly requestSlots: number
  /** Guards the admin API. */
  readonly adminToken: string | null
  /** Closes the secrets of tenants for storage; without it none are kept. */
  readonly secretsKey: string | null
  readonly sandboxes: SandboxesConfig
  readonly sandboxLimits: SandboxLimits
  readonly sandboxSpares: SpareSettings
  /** Environment of every command in a sandbox: which package index pip asks, when that is not PyPI. */
  readonly sandboxEnv: Readonly<Record<string, string>>
  readonly egress: EgressConfig
  readonly github: { readonly baseUrl: string; readonly token: string | null }
  /** The model of coding agents in sandboxes; without a key a call has to bring one. */
  readonly model: { readonly apiKey: string | null; readonly baseUrl: string | null }
  readonly search: SearchConfig
  readonly arxivUrl: string
  readonly maps: Service
  /** A browser for pages that need one; without account and token there is none. */
  readonly browser: { readonly baseUrl: string; readonly accountId: string | null; readonly apiToken: string | null }
  /** Another paper service that is asked in the place of this server's own library. */
  readonly paperServiceUrl: string | null
  /** The reader of documents and pages: a Worker that is bound, else processes at an address; null when there is neither. */
  readonly reader: ReaderConfig | null
  readonly sessions: Env['SESSIONS']
  readonly tenants: Env['TENANTS']
  /** The one object that grants leases of running sandboxes. */
  readonly leases: () => ReturnType<Env['LEASES']['getByName']>
  readonly blobs: Env['BLOBS']
  readonly db: Env['DB']
  /** Files of `src/assets`. */
  readonly assets: Env['ASSETS']
  /** Places where room is looked for when the disk was full; the reserve is null where the disk is not the server's own. */
  readonly disk: { readonly blobs: Env['BLOBS']; readonly reserve: Fetcher | null }
  /** Models and an index of vectors for the search over papers; null unless both are bound. */
  readonly semantics: { readonly ai: Ai; readonly vectors: Vectorize } | null
}

/** URLs at which sandboxes are made (`apiUrl`) and reached (`sandboxUrl`): both absent in E2B's cloud. */
interface SandboxesConfig {
  /** Empty when there is none: then only calls that need no sandbox work. */
  readonly apiKey: string
  readonly apiUrl?: string
  readonly sandboxUrl?: string
  readonly template: string
}

/** Limits of running sandboxes, of which an account has so many. */
interface SandboxLimits {
  /** Running sandboxes of all tenants together. */
  readonly max: number
  readonly maxPerTenant: number
  /** A sandbox without a call for this long is paused, in milliseconds. */
  readonly quietMs: number
  /** How long a call waits for a sandbox, in milliseconds. */
  readonly waitMs: number
}

/** Sandboxes that are kept booted for sessions to come. */
interface SpareSettings {
  readonly count: number
  /** How long after a session last wanted a new sandbox, in milliseconds; null for as long as the server runs. */
  readonly keptMs: number | null
}

/** What tools may reach of the network. */
export interface EgressConfig {
  /** Ports that may be asked besides 80 and 443. */
  readonly extraPorts: readonly number[]
  /** Resolver that names are looked up at before they are asked, by DNS over HTTPS. */
  readonly dnsResolverUrl: string
  /** Right only where the platform itself keeps private addresses out of reach, as Cloudflare does. */
  readonly dangerouslySkipDnsCheck: boolean
  /** `host:port` that are reached although they are private: for development and tests. */
  readonly dangerouslyAllowHosts: readonly string[]
}

/** Address and token of the reader. */
export interface ReaderConfig {
  /** Null: by the platform's own fetch. */
  readonly binding: Fetcher | null
  readonly url: string
  readonly token: string | null
}

interface Service {
  readonly baseUrl: string
  readonly apiKey: string | null
}

/** Services that search; those without a key are off, but for those that need none. */
export interface SearchConfig {
  /** Null: the first that is set up. */
  readonly provider: 'serper' | 'google' | 'brave' | 'searxng' | null
  readonly scholarProvider: 'serper' | 'serpapi' | 'openalex' | 'semanticscholar' | null
  readonly serper: Service
  readonly google: Service & { readonly engineId: string | null }
  readonly brave: Service
  readonly searxngUrl: string | null
  readonly serpapi: Service
  readonly openAlexUrl: string
  readonly semanticScholar: Service
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

function productionProblems({
  ENVIRONMENT,
  OPEN_TENANT,
  ADMIN_TOKEN,
  SECRETS_KEY,
  DANGEROUSLY_ALLOW_HOSTS,
}: z.output<typeof Settings>): string[] {
  if (ENVIRONMENT !== 'production') return []
  const problems: string[] = []
  if (OPEN_TENANT !== null) {
    problems.push('OPEN_TENANT: must not be set in production, it would let everybody in without a key; remove it')
  }
  if (ADMIN_TOKEN !== null && ADMIN_TOKEN.length < MIN_PRODUCTION_TOKEN_CHARS) {
    problems.push(`ADMIN_TOKEN: shorter than ${MIN_PRODUCTION_TOKEN_CHARS} characters; set a random one`)
  }
  if (SECRETS_KEY !== null && SECRETS_KEY.length < MIN_PRODUCTION_TOKEN_CHARS) {
    problems.push(`SECRETS_KEY: shorter than ${MIN_PRODUCTION_TOKEN_CHARS} characters; set a random one`)
  }
  if (DANGEROUSLY_ALLOW_HOSTS.length > 0) {
    problems.push('DANGEROUSLY_ALLOW_HOSTS: must not be set in production, it opens private hosts to every tenant')
  }
  return problems
}

const toConfig = (settings: z.output<typeof Settings>): Config => ({
  isLocal: settings.ENVIRONMENT === 'local',
  openTenant: settings.OPEN_TENANT,
  requestSlots: settings.ENVIRONMENT === 'production' ? REQUEST_SLOTS : LOCAL_REQUEST_SLOTS,
  adminToken: settings.ADMIN_TOKEN,
  secretsKey: settings.SECRETS_KEY,
  sandboxes: {
    apiKey: settings.E2B_API_KEY ?? '',
    ...(settings.E2B_API_URL === null ? {} : { apiUrl: settings.E2B_API_URL }),
    ...(settings.E2B_SANDBOX_URL === null ? {} : { sandboxUrl: settings.E2B_SANDBOX_URL }),
    template: settings.SANDBOX_TEMPLATE,
  },
  sandboxLimits: sandboxLimits(settings),
  sandboxSpares: sandboxSpares(settings),
  sandboxEnv: settings.PIP_INDEX_URL === null ? {} : pipEnvironment(settings.PIP_INDEX_URL),
  egress: {
    extraPorts: settings.EGRESS_PORTS,
    dnsResolverUrl: settings.DNS_RESOLVER_URL,
    dangerouslySkipDnsCheck: settings.DANGEROUSLY_SKIP_DNS_CHECK,
    dangerouslyAllowHosts: settings.DANGEROUSLY_ALLOW_HOSTS,
  },
  github: { baseUrl: settings.GITHUB_API_URL, token: settings.GITHUB_TOKEN },
  model: { apiKey: settings.ANTHROPIC_API_KEY, baseUrl: settings.ANTHROPIC_BASE_URL },
  search: searchConfig(settings),
  arxivUrl: settings.ARXIV_BASE_URL,
  maps: { baseUrl: settings.BING_MAP_BASE_URL, apiKey: settings.BING_MAP_KEY },
  browser: {
    baseUrl: settings.BROWSER_RENDERING_BASE_URL,
    accountId: settings.BROWSER_RENDERING_ACCOUNT_ID,
    apiToken: settings.BROWSER_RENDERING_API_TOKEN,
  },
  paperServiceUrl: settings.RAG_SERVICE_URL,
  reader: readerConfig(settings),
  sessions: settings.SESSIONS,
  tenants: settings.TENANTS,
  leases: () => settings.LEASES.getByName('sandboxes'),
  blobs: settings.BLOBS,
  db: settings.DB,
  assets: settings.ASSETS,
  disk: { blobs: settings.BLOBS, reserve: settings.DISK_RESERVE ?? null },
  semantics: settings.AI && settings.VECTORIZE ? { ai: settings.AI, vectors: settings.VECTORIZE } : null,
})

/** A binding needs no address, but a request has one. */
function readerConfig({ READER, READER_URL, READER_TOKEN }: z.output<typeof Settings>): ReaderConfig | null {
  if (READER) return { binding: READER, url: 'https://reader/', token: null }
  return READER_URL === null ? null : { binding: null, url: READER_URL, token: READER_TOKEN }
}

function sandboxLimits(settings: z.output<typeof Settings>): SandboxLimits {
  const max = settings.SANDBOXES_MAX ?? DEFAULT_SANDBOXES
  return {
    max,
    maxPerTenant: settings.SANDBOXES_PER_TENANT ?? max,
    quietMs: settings.SANDBOX_QUIET_SECONDS,
    waitMs: settings.SANDBOX_WAIT_SECONDS,
  }
}

/** A host of one's own is not paid for by the second. */
const sandboxSpares = ({ E2B_API_KEY, E2B_API_URL, SANDBOX_SPARES }: z.output<typeof Settings>): SpareSettings => ({
  count: E2B_API_KEY === null ? 0 : (SANDBOX_SPARES ?? DEFAULT_SPARES),
  keptMs: E2B_API_URL === null ? SPARE_KEPT_MS : null,
})

const searchConfig = (settings: z.output<typeof Settings>): SearchConfig => ({
  provider: settings.SEARCH_PROVIDER,
  scholarProvider: settings.SCHOLAR_PROVIDER,
  serper: { baseUrl: settings.SERPER_BASE_URL, apiKey: settings.SERPER_API_KEY },
  google: {
    baseUrl: settings.GOOGLE_SEARCH_BASE_URL,
    apiKey: settings.GOOGLE_SEARCH_API_KEY,
    engineId: settings.GOOGLE_SEARCH_ENGINE_ID,
  },
  brave: { baseUrl: settings.BRAVE_BASE_URL, apiKey: settings.BRAVE_API_KEY },
  searxngUrl: settings.SEARXNG_URL,
  serpapi: { baseUrl: settings.SERPAPI_BASE_URL, apiKey: settings.SERPAPI_API_KEY },
  openAlexUrl: settings.OPENALEX_BASE_URL,
  semanticScholar: { baseUrl: settings.SEMANTIC_SCHOLAR_BASE_URL, apiKey: settings.SEMANTIC_SCHOLAR_API_KEY },
})

/** pip ignores an index without TLS unless its host is named as trusted; who sets the address here trusts it. */
function pipEnvironment(index: string) {
  const { protocol, hostname } = new URL(index)
  return { PIP_INDEX_URL: index, ...(protocol === 'http:' && { PIP_TRUSTED_HOST: hostname }) }
}
