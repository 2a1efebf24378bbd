import * as z from 'zod'
import { chosenProviders, PROVIDER_SETTINGS } from './adapters/choose-provider.ts'
import { type PlacedData, placedData } from './adapters/placed-data.ts'
import type { SandboxTraits, SettingValues } from './adapters/provider.ts'
import { toFailure } from './core/failure.ts'
import { type TenantId, tenantId } from './core/ids.ts'
import { LOCAL_REQUEST_SLOTS, REQUEST_SLOTS } from './core/limits/admission.ts'
import { DEFAULT_SANDBOXES, SANDBOX_QUIET_MS, SANDBOX_WAIT_MS } from './core/limits/leases.ts'
import { DEFAULT_SPARES, SPARE_KEPT_MS } from './core/limits/spares.ts'
import { BLOB_GRACE_MS, MAX_BLOB_GRACE_DAYS } from './core/limits/workspace.ts'
import { serverKeys } from './core/server-keys.ts'
import { headerPairs, optional, optionalBaseUrl, optionalUrl } from './core/settings.ts'

const MIN_PRODUCTION_TOKEN_CHARS = 32

const words = optional.transform((value) => value?.split(/[\s,]+/).filter((word) => word !== '') ?? [])
const switchedOn = z
  .enum(['true', 'false', ''])
  .default('false')
  .transform((value) => value === 'true')

/** A whole number, `least` at least. */
const count = (least: number) =>
  optional.transform((value) => (value === null ? null : Number(value))).pipe(z.int().min(least).nullable())
/** A number of seconds, as milliseconds. */
const seconds = (fallbackMs: number) =>
  optional
    .transform((value) => (value === null ? fallbackMs : Number(value) * 1_000))
    .pipe(z.number().min(0).max(DAY_MS))
/** A number of days, as milliseconds. */
const days = (fallbackMs: number, longest: number) =>
  optional
    .transform((value) => (value === null ? fallbackMs : Number(value) * DAY_MS))
    .pipe(
      z
        .number()
        .min(fallbackMs)
        .max(longest * DAY_MS),
    )
const DAY_MS = 24 * 60 * 60_000

const names = z.array(z.string().max(40)).max(60)
/** JSON about sandboxes, as the local host and the template's build give it. */
const SandboxFacts = z.object({
  python: z.string().max(20).optional(),
  packages: names.optional(),
  programs: names.optional(),
  internet: z.boolean().optional(),
  offline: z.boolean().optional(),
  memory_mb: z.int().min(1).optional(),
})
const sandboxFacts = optional.transform((value, { addIssue }) => {
  try {
    return value === null ? null : SandboxFacts.parse(JSON.parse(value))
  } catch {
    addIssue('give the JSON that GET /environment of the sandbox host or the build of the template gave')
    return z.NEVER
  }
})

const binding = <Name extends keyof Env>() =>
  z.custom<Env[Name]>((value) => typeof value === 'object' && value !== null, 'the binding is missing')

/** A binding that wrangler.toml has in comments, so that `Env` does not name it. */
const optionalBinding = <Binding>() =>
  z.custom<Binding>((value) => typeof value === 'object' && value !== null, 'the binding is none').nullish()

/** Keys of the server: one, or a list with ids. */
const secretKeys = optional.superRefine((value, { addIssue }) => {
  try {
    if (value !== null) serverKeys(value)
  } catch (thrown) {
    addIssue(thrown instanceof Error ? thrown.message : 'no keys')
  }
})

/** Name of a header. */
const headerName = optional.refine(
  (value) => value === null || /^[A-Za-z0-9-]{1,64}$/.test(value),
  'give the name of a header, such as X-Real-IP',
)

/** Variables and secrets. */
const VARIABLES = {
  ENVIRONMENT: z.enum(['local', 'production']).default('local'),
  OPEN_TENANT: optional.transform((value, { addIssue }) => {
    try {
      return value === null ? null : tenantId(value)
    } catch (thrown) {
      addIssue(toFailure(thrown).message)
      return z.NEVER
    }
  }),
  // On a server without SECRETS_KEY child keys are signed with it, and it is read as that is.
  ADMIN_TOKEN: secretKeys,
  SECRETS_KEY: secretKeys,
  CLIENT_ADDRESS_HEADER: headerName,
  OAUTH_ISSUER: optionalUrl,
  OAUTH_AUDIENCE: words,
  OAUTH_JWKS_URL: optionalUrl,
  OAUTH_TENANT_CLAIM: optional,
  ...PROVIDER_SETTINGS,
  SANDBOXES_MAX: count(1),
  SANDBOXES_PER_TENANT: count(1),
  SANDBOX_SPARES: count(0),
  SANDBOX_QUIET_SECONDS: seconds(SANDBOX_QUIET_MS),
  SANDBOX_WAIT_SECONDS: seconds(SANDBOX_WAIT_MS),
  SANDBOX_ENVIRONMENT: sandboxFacts,
  DELETED_CONTENTS_DAYS: days(BLOB_GRACE_MS, MAX_BLOB_GRACE_DAYS),
  PIP_INDEX_URL: optionalUrl,
  EGRESS_PORTS: words.transform((given) => given.map(Number)).pipe(z.array(z.int().min(1).max(65_535))),
  DNS_RESOLVER_URL: optionalUrl.transform((value) => value ?? 'https://cloudflare-dns.com/dns-query'),
  DANGEROUSLY_SKIP_DNS_CHECK: switchedOn,
  DANGEROUSLY_ALLOW_HOSTS: words.pipe(
    z.array(z.string().regex(/^[^/@\s]+:\d{1,5}$/, 'give host:port, separated by commas')),
  ),
  ANTHROPIC_API_KEY: optional,
  ANTHROPIC_BASE_URL: optionalBaseUrl,
  READER_URL: optionalUrl,
  READER_TOKEN: optional,
  LOG_CALLS: switchedOn,
  OTLP_URL: optionalUrl,
  OTLP_HEADERS: headerPairs,
  OTLP_RATIO: optional.transform((value) => (value === null ? 1 : Number(value))).pipe(z.number().min(0).max(1)),
  METRICS_TOKEN: optional,
}

/** Names of the variables and secrets that the server reads; a test keeps `npm run settings` at them. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(VARIABLES)

const Settings = z.object({
  ...VARIABLES,
  READER: optionalBinding<Fetcher>(),
  DISK_RESERVE: optionalBinding<Fetcher>(),
  SESSIONS: binding<'SESSIONS'>(),
  TENANTS: binding<'TENANTS'>(),
  LEASES: binding<'LEASES'>(),
  CONNECTIONS: binding<'CONNECTIONS'>(),
  BLOBS: binding<'BLOBS'>(),
  BLOBS_EU: optionalBinding<R2Bucket>(),
  BLOBS_US: optionalBinding<R2Bucket>(),
  BLOBS_FEDRAMP: optionalBinding<R2Bucket>(),
  DB: binding<'DB'>(),
  PAPERS: optionalBinding<D1Database>(),
  ASSETS: binding<'ASSETS'>(),
  AI: optionalBinding<Ai>(),
  VECTORIZE: optionalBinding<Vectorize>(),
  ANALYTICS: optionalBinding<AnalyticsEngineDataset>(),
})

/** Configuration of the server. A null means "not set", and only its own feature is off. */
export interface Config extends PlacedData {
  /** True for a server on somebody's machine, false for a deployment. */
  readonly isLocal: boolean
  /** Tenant of requests without a key; only on a local server. */
  readonly openTenant: TenantId | null
  /** Requests at work at once in an isolate while several tenants have some. */
  readonly requestSlots: number
  /** Header in which the server's front names the client's address; null for the address at the socket. */
  readonly clientAddressHeader: string | null
  /** Guards the admin API. */
  readonly adminToken: string | null
  /** Keys that encrypt the secrets of tenants for storage (`core/server-keys`); without them none are kept. */
  readonly secretsKey: string | null
  /** Signs child keys: SECRETS_KEY, else ADMIN_TOKEN; without either none are minted and none are good. */
  readonly childKeysSecret: string | null
  /** Access tokens of an issuer, which are as good as keys; null for a server that takes none. */
  readonly oauth: OAuthConfig | null
  readonly sandboxes: SandboxTraits
  readonly sandboxLimits: SandboxLimits
  readonly sandboxSpares: SpareSettings
  /** Facts about what commands in a sandbox have, known without one; null where nothing is known. */
  readonly sandboxFacts: z.output<typeof SandboxFacts> | null
  /** Environment of every command in a sandbox: which package index pip asks, when that is not PyPI. */
  readonly sandboxEnv: Readonly<Record<string, string>>
  readonly egress: EgressConfig
  /** Settings of services that ports reach, by variable; `src/adapters/providers.ts` lists them. */
  readonly providers: SettingValues
  /** The model of coding agents in sandboxes; without a key a call has to bring one. */
  readonly model: { readonly apiKey: string | null; readonly baseUrl: string | null }
  /** The reader of documents and pages: a Worker that is bound, else processes at an address; null when there is neither. */
  readonly reader: ReaderConfig | null
  /** The one object that grants leases of running sandboxes. */
  readonly leases: () => ReturnType<Env['LEASES']['getByName']>
  /** Tenants, keys and the marketplace: what authentication waits for. */
  readonly db: D1Database
  readonly papers: PaperDatabases
  /** Time that a content is kept which no session refers to any more, in milliseconds. */
  readonly blobGraceMs: number
  /** Files of `src/assets`. */
  readonly assets: Env['ASSETS']
  /** Places where room is looked for when the disk was full; the reserve is null where the disk is not the server's own. */
  readonly disk: { readonly blobs: Env['BLOBS']; readonly reserve: Fetcher | null }
  /** Models and an index of vectors for the search over papers; null unless both are bound. */
  readonly semantics: { readonly ai: Ai; readonly vectors: Vectorize } | null
  readonly observing: ObservingConfig
}

/** Databases of papers. */
export interface PaperDatabases {
  /** Where papers are searched and kept: PAPERS, or the database of the keys where that is not bound, as on one machine. */
  readonly db: D1Database
  /** Database of the keys, in which papers of an earlier set-up may be; null where it is the one above. */
  readonly earlier: D1Database | null
}

/** Observation of calls by the owner of the server, each part apart. */
export interface ObservingConfig {
  /** Whether each call has a line in the log. */
  readonly logsCalls: boolean
  /** Dataset of Analytics Engine that gets a point for each call; null where none is bound. */
  readonly analytics: AnalyticsEngineDataset | null
  /** Collector of traces; null where spans are not exported. */
  readonly otlp: OtlpConfig | null
  /** Guards `/metrics`; without it there is no such path, and nothing is counted for it. */
  readonly metricsToken: string | null
}

/** Collector that takes spans by OTLP/HTTP. */
export interface OtlpConfig {
  /** Whole address, which usually ends with `/v1/traces`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Part of the traces that begin here which is recorded, from 0 to 1; others say themselves whether they are. */
  readonly ratio: number
}

/** Issuer of access tokens, and what its tokens have to say. */
export interface OAuthConfig {
  /** Identifier, exactly as in `iss`. */
  readonly issuer: string
  /** Names of this server in `aud`; at least one. */
  readonly audiences: readonly string[]
  /** Address of the issuer's keys; null where its metadata names it. */
  readonly jwksUrl: string | null
  /** Claim with the id of the tenant. */
  readonly tenantClaim: string
}

/** Limits of running sandboxes, of which an account has a fixed number. */
interface SandboxLimits {
  /** Running sandboxes of all tenants together. */
  readonly max: number
  readonly maxPerTenant: number
  /** A sandbox without a call for this long is paused, in milliseconds. */
  readonly quietMs: number
  /** Time that a call waits for a sandbox, in milliseconds. */
  readonly waitMs: number
}

/** Sandboxes that are kept booted for sessions to come. */
interface SpareSettings {
  readonly count: number
  /**
   * Time that spares are kept after a session last wanted a new sandbox, in milliseconds; null for as long as the server
   * runs.
   */
  readonly keptMs: number | null
}

/** Egress policy: networks that tools may reach. */
export interface EgressConfig {
  /** Ports that may be asked besides 80 and 443. */
  readonly extraPorts: readonly number[]
  /** Resolver by DNS over HTTPS, which looks a name up before it is requested. */
  readonly dnsResolverUrl: string
  /** Right only where the platform itself keeps private addresses out of reach, as Cloudflare does. */
  readonly dangerouslySkipDnsCheck: boolean
  /** Addresses, as `host:port`, that are reachable although they are private: for development and tests. */
  readonly dangerouslyAllowHosts: readonly string[]
}

/** Address and token of the reader. */
export interface ReaderConfig {
  /** Binding to fetch through; null for the platform's own fetch. */
  readonly binding: Fetcher | null
  readonly url: string
  readonly token: string | null
}

/** Error of settings that do not fit. The message names them and their mistake; it never has a value. */
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
    ? [...oauthProblems(parsed.data), ...productionProblems(parsed.data)]
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'))
  return toConfig(parsed.data)
}

function oauthProblems({ OAUTH_ISSUER, OAUTH_AUDIENCE, OAUTH_JWKS_URL }: z.output<typeof Settings>): string[] {
  if (OAUTH_ISSUER !== null && OAUTH_AUDIENCE.length === 0) {
    return [
      'OAUTH_AUDIENCE: must be set beside OAUTH_ISSUER, or tokens for other servers would be good here; give the address of this one',
    ]
  }
  const isAlone = OAUTH_ISSUER === null && (OAUTH_AUDIENCE.length > 0 || OAUTH_JWKS_URL !== null)
  return isAlone
    ? ['OAUTH_ISSUER: must be set for the other settings of OAuth to mean anything; set it, or remove them']
    : []
}

function productionProblems({
  ENVIRONMENT,
  OPEN_TENANT,
  ADMIN_TOKEN,
  SECRETS_KEY,
  DANGEROUSLY_ALLOW_HOSTS,
  OAUTH_ISSUER,
  OAUTH_JWKS_URL,
  METRICS_TOKEN,
}: z.output<typeof Settings>): string[] {
  if (ENVIRONMENT !== 'production') return []
  const problems: string[] = []
  if (OPEN_TENANT !== null) {
    problems.push('OPEN_TENANT: must not be set in production, it would let everybody in without a key; remove it')
  }
  if (ADMIN_TOKEN !== null && ADMIN_TOKEN.length < MIN_PRODUCTION_TOKEN_CHARS) {
    problems.push(`ADMIN_TOKEN: shorter than ${MIN_PRODUCTION_TOKEN_CHARS} characters; set a random one`)
  }
  const shortest = SECRETS_KEY === null ? null : Math.min(...serverKeys(SECRETS_KEY).map(({ text }) => text.length))
  if (shortest !== null && shortest < MIN_PRODUCTION_TOKEN_CHARS) {
    problems.push(`SECRETS_KEY: shorter than ${MIN_PRODUCTION_TOKEN_CHARS} characters; set a random one`)
  }
  if (METRICS_TOKEN !== null && METRICS_TOKEN.length < MIN_PRODUCTION_TOKEN_CHARS) {
    problems.push(`METRICS_TOKEN: shorter than ${MIN_PRODUCTION_TOKEN_CHARS} characters; set a random one`)
  }
  if ([OAUTH_ISSUER, OAUTH_JWKS_URL].some((url) => url?.startsWith('http:'))) {
    problems.push(
      'OAUTH_ISSUER, OAUTH_JWKS_URL: must begin with https:// in production, or keys could be changed on their way',
    )
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
  clientAddressHeader:
    settings.CLIENT_ADDRESS_HEADER ?? (settings.ENVIRONMENT === 'production' ? 'CF-Connecting-IP' : null),
  adminToken: settings.ADMIN_TOKEN,
  secretsKey: settings.SECRETS_KEY,
  childKeysSecret: settings.SECRETS_KEY ?? settings.ADMIN_TOKEN,
  oauth: oauthConfig(settings),
  sandboxes: sandboxTraits(settings),
  sandboxLimits: sandboxLimits(settings),
  sandboxSpares: sandboxSpares(settings),
  sandboxFacts: settings.SANDBOX_ENVIRONMENT,
  sandboxEnv: settings.PIP_INDEX_URL === null ? {} : pipEnvironment(settings.PIP_INDEX_URL),
  egress: {
    extraPorts: settings.EGRESS_PORTS,
    dnsResolverUrl: settings.DNS_RESOLVER_URL,
    dangerouslySkipDnsCheck: settings.DANGEROUSLY_SKIP_DNS_CHECK,
    dangerouslyAllowHosts: settings.DANGEROUSLY_ALLOW_HOSTS,
  },
  providers: settings,
  model: { apiKey: settings.ANTHROPIC_API_KEY, baseUrl: settings.ANTHROPIC_BASE_URL },
  reader: readerConfig(settings),
  leases: () => settings.LEASES.getByName('sandboxes'),
  ...placedData(settings),
  db: settings.DB,
  papers: paperDatabases(settings),
  blobGraceMs: settings.DELETED_CONTENTS_DAYS,
  assets: settings.ASSETS,
  disk: { blobs: settings.BLOBS, reserve: settings.DISK_RESERVE ?? null },
  semantics: settings.AI && settings.VECTORIZE ? { ai: settings.AI, vectors: settings.VECTORIZE } : null,
  observing: {
    logsCalls: settings.LOG_CALLS,
    analytics: settings.ANALYTICS ?? null,
    otlp:
      settings.OTLP_URL === null
        ? null
        : { url: settings.OTLP_URL, headers: settings.OTLP_HEADERS, ratio: settings.OTLP_RATIO },
    metricsToken: settings.METRICS_TOKEN,
  },
})

const paperDatabases = ({ PAPERS, DB }: z.output<typeof Settings>): PaperDatabases =>
  PAPERS ? { db: PAPERS, earlier: DB } : { db: DB, earlier: null }

const oauthConfig = (settings: z.output<typeof Settings>): OAuthConfig | null =>
  settings.OAUTH_ISSUER === null
    ? null
    : {
        issuer: settings.OAUTH_ISSUER,
        audiences: settings.OAUTH_AUDIENCE,
        jwksUrl: settings.OAUTH_JWKS_URL,
        tenantClaim: settings.OAUTH_TENANT_CLAIM ?? 'tenant',
      }

/** A binding needs no address, but a request has one. */
function readerConfig({ READER, READER_URL, READER_TOKEN }: z.output<typeof Settings>): ReaderConfig | null {
  if (READER) return { binding: READER, url: 'https://reader/', token: null }
  return READER_URL === null ? null : { binding: null, url: READER_URL, token: READER_TOKEN }
}

function sandboxLimits(settings: z.output<typeof Settings>): SandboxLimits {
  const { plan } = sandboxTraits(settings)
  const most = plan?.running ?? Number.POSITIVE_INFINITY
  const max = Math.min(settings.SANDBOXES_MAX ?? plan?.running ?? DEFAULT_SANDBOXES, most)
  return {
    max,
    maxPerTenant: settings.SANDBOXES_PER_TENANT ?? max,
    quietMs: settings.SANDBOX_QUIET_SECONDS,
    waitMs: settings.SANDBOX_WAIT_SECONDS,
  }
}

const sandboxTraits = (settings: SettingValues): SandboxTraits =>
  chosenProviders('sandbox', settings)[0]?.sandboxes?.(settings) ?? {
    isSetUp: false,
    isMetered: true,
    image: '',
    plan: null,
  }

function sandboxSpares(settings: z.output<typeof Settings>): SpareSettings {
  const { isSetUp, isMetered } = sandboxTraits(settings)
  return {
    count: isSetUp ? (settings.SANDBOX_SPARES ?? DEFAULT_SPARES) : 0,
    keptMs: isMetered ? SPARE_KEPT_MS : null,
  }
}

/** pip ignores an index without TLS unless its host is named as trusted; who sets the address here trusts it. */
function pipEnvironment(index: string) {
  const { protocol, hostname } = new URL(index)
  return { PIP_INDEX_URL: index, ...(protocol === 'http:' && { PIP_TRUSTED_HOST: hostname }) }
}
