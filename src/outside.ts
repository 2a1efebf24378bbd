import { noBrowser } from './adapters/browser-cloudflare.ts'
import { chosenProviders, waysToSetUp } from './adapters/choose-provider.ts'
import { d1Database } from './adapters/database-d1.ts'
import { rememberingResolve } from './adapters/egress/dns-cache.ts'
import { dnsOverHttps, type Resolve, resolveBy } from './adapters/egress/dns-over-https.ts'
import { checkUrl } from './adapters/egress/policy.ts'
import { guardedHttp, permitted } from './adapters/http-guarded.ts'
import { mcpServers } from './adapters/mcp/mcp-servers.ts'
import { fetchKeys } from './adapters/oauth/issuer-documents.ts'
import { IssuerKeys } from './adapters/oauth/issuer-keys.ts'
import { jwtCheck } from './adapters/oauth/token-check.ts'
import { type OpenRequests, openRequests } from './adapters/open-requests.ts'
import type { PortName, ProvidedPorts } from './adapters/provider.ts'
import { noReader, readerHttp } from './adapters/reader-http.ts'
import { scholarEither } from './adapters/scholar-either.ts'
import { searchMissing } from './adapters/search-missing.ts'
import { cloudflareSemantics } from './adapters/semantics-cloudflare.ts'
import type { Config, EgressConfig, OAuthConfig } from './config.ts'
import { Deadlines } from './core/deadlines.ts'
import { fail, orNull } from './core/failure.ts'
import type { TenantId } from './core/ids.ts'
import { noLimit, type Slots } from './core/slots.ts'
import { market } from './market/market.ts'
import { paperLibrary } from './papers/library.ts'
import { movePapers } from './papers/moving.ts'
import type { Clock } from './ports/clock.ts'
import type { Http } from './ports/http.ts'
import type { OutsidePorts } from './ports/index.ts'
import type { Market } from './ports/market.ts'
import type { McpServers } from './ports/mcp-servers.ts'
import type { MovedPapers, PaperStore, Papers } from './ports/papers.ts'
import type { Reader } from './ports/reader.ts'
import type { SandboxHost } from './ports/sandbox.ts'
import type { TokenCheck } from './ports/tokens.ts'

const clock: Clock = { now: () => Date.now() }
const send: typeof fetch = (input, init) => fetch(input, init)

/**
 * Ports to the world outside of a session, as the settings say. All requests go through the guarded port.
 * @param tenant owner of the session: its papers are the public ones and its own
 * @param open places of the session's object for requests
 */
export function outsidePorts(config: Config, tenant: TenantId, open: OpenRequests = openRequests()): OutsidePorts {
  const way = wayOfObject(config, open)
  const all = <Port extends PortName>(port: Port) => provided(config, port, open, way)
  const first = <Port extends PortName>(port: Port) => all(port)[0]
  const http = guarded(config.egress, { ...way, deadlines: new Deadlines(clock.now) })
  return {
    http,
    mcpServers: mcpServers({ http, clock }),
    browser: first('browser') ?? noBrowser,
    search: first('search') ?? searchMissing(waysToSetUp('search')),
    scholar: all('scholar').reduce(scholarEither),
    scholarIndex: required(first('scholarIndex')),
    arxiv: required(first('arxiv')),
    maps: required(first('maps')),
    model: config.model,
    github: required(first('github')),
    papers: first('papers') ?? ownPapers(config, tenant),
    reader: readerFor(config, tenant),
  }
}

/** The providers of a port that are to be asked, the first first. */
const provided = <Port extends PortName>(
  { providers, egress, isLocal }: Config,
  port: Port,
  open: OpenRequests,
  way?: Way,
): readonly ProvidedPorts[Port][] =>
  chosenProviders(port, providers).map((provider) =>
    provider.make(providers, {
      http: (service) => guarded(egress, { ...way, service }),
      clock,
      isLocal,
      open,
      waysToSetUp: () => waysToSetUp(port),
    }),
  )

/** Provider of a port that always has one: one provider of each such port needs no settings. */
function required<T>(port: T | undefined): T {
  if (port === undefined) throw new Error('src/adapters/providers.ts lacks a provider that is always there')
  return port
}

/** The way out that tools have, for one request. */
export const outsideHttp = ({ egress }: Config): Http => guarded(egress)

/** The way out of one object, for all of its requests. */
export const outsideHttpOfObject = (config: Config, open: OpenRequests): Http =>
  guarded(config.egress, wayOfObject(config, open))

/** The way of an object to a service of the operator's own, wherever that is. */
export const operatorsHttp = ({ egress }: Config, service: string, { toHosts }: OpenRequests): Http =>
  guarded(egress, { service, slot: toHosts })

/** Remote MCP servers, for one request that names one. */
export const outsideMcpServers = (config: Config): McpServers => mcpServers({ http: outsideHttp(config), clock })

/**
 * Checks the address of a webhook's receiver, as each delivery to it is checked. One whose name cannot be looked up now is taken.
 * @throws FailureError `invalid_input`, `forbidden`
 */
export async function checkReceiver({ egress, isLocal }: Config, url: string, open: OpenRequests): Promise<void> {
  if (!isLocal && URL.parse(url)?.protocol === 'http:') {
    fail('invalid_input', 'give an address that begins with https://; events are not sent in clear text')
  }
  await orNull(permitted(guard(egress, { slot: open.toHosts }), url, new AbortController().signal), 'upstream')
}

/** Check of access tokens of the issuer. Make one per isolate: it holds the issuer's keys. @param report logs why they cannot be had */
export function tokenCheck({ egress }: Config, oauth: OAuthConfig, report: (thrown: unknown) => void): TokenCheck {
  // All requests of the isolate share it: places would be lost with clients that leave.
  const http = guarded(egress, { service: oauth.jwksUrl ?? oauth.issuer, slot: noLimit })
  const keys = new IssuerKeys({ clock, report, fetchKeys: () => fetchKeys({ ...oauth, http }) })
  return jwtCheck({ ...oauth, keys, clock })
}

/** The reader of documents and pages. @param owner a tenant, or null for the owner of the server */
export function readerFor({ reader }: Config, owner: TenantId | null): Reader {
  if (reader === null) return noReader
  const { binding, url, token } = reader
  const ask = binding ? (request: Request) => binding.fetch(request) : (request: Request) => fetch(request)
  return readerHttp({ send: ask, url, token, owner: owner ?? '' })
}

/** Host of the sandboxes. @param open places of the calling object for requests */
export const sandboxHost = (config: Config, open: OpenRequests): SandboxHost =>
  required(provided(config, 'sandbox', open)[0])

/** Whether papers are this server's own, and not another service's. */
export const hasOwnPapers = ({ providers }: Config): boolean => chosenProviders('papers', providers).length === 0

/**
 * Papers in this server's own store. @param reader a tenant, or null for the owner of the server, whose papers are the
 * public ones
 */
export const ownPapers = ({ papers, semantics }: Config, reader: TenantId | null): Papers & PaperStore =>
  paperLibrary({ db: d1Database(papers.db), reader, clock, semantics: semantics && cloudflareSemantics(semantics) })

/** Move of papers that an earlier set-up keeps beside the keys, a batch at a time; null where papers have no database of their own. */
export function papersMove({ papers: { db, earlier }, semantics }: Config): (() => Promise<MovedPapers>) | null {
  if (earlier === null) return null
  const vectors = semantics && cloudflareSemantics(semantics)
  return () => movePapers({ from: d1Database(earlier), to: d1Database(db), semantics: vectors })
}

/** Tools that tenants publish, as one of them sees them. */
export const marketFor = ({ db, egress }: Config, tenant: TenantId, isBuiltin: (tool: string) => boolean): Market =>
  market({
    db: d1Database(db),
    tenant,
    clock,
    rules: {
      isBuiltin,
      checkTarget: (url) => {
        checkUrl(url, egress)
      },
    },
  })

/** Parts that the requests of one object share. */
interface Way {
  readonly slot: Slots
  readonly resolve: Resolve | null
}

interface GuardOptions extends Partial<Way> {
  /** Address that the operator set: it is reached wherever it is, by the adapter of this service alone. */
  readonly service?: string | undefined
  /** Deadlines of the calling object. */
  readonly deadlines?: Deadlines
}

/** Names that one request of an object has looked up serve the next one. */
const wayOfObject = ({ egress }: Config, { toHosts }: OpenRequests): Way => ({
  slot: toHosts,
  resolve: egress.dangerouslySkipDnsCheck
    ? null
    : rememberingResolve(dnsOverHttps(egress.dnsResolverUrl, send, toHosts), clock),
})

/** Guarded HTTP. Without a way of its object it has places of its own, and remembers no names. */
function guarded(egress: EgressConfig, options: GuardOptions = {}): Http {
  const { deadlines, slot = openRequests().toHosts } = options
  return guardedHttp({ ...guard(egress, { ...options, slot }), send, slot, ...(deadlines && { deadlines }) })
}

/** Policy of {@link guarded}, and the look-up of names that it needs. */
function guard(egress: EgressConfig, { service, slot, resolve }: GuardOptions) {
  const { extraPorts, dangerouslyAllowHosts, dangerouslySkipDnsCheck, dnsResolverUrl } = egress
  const allowed = service === undefined ? dangerouslyAllowHosts : [...dangerouslyAllowHosts, hostAndPort(service)]
  const own = dangerouslySkipDnsCheck ? null : resolveBy(dnsOverHttps(dnsResolverUrl, send, slot))
  return { policy: { extraPorts, dangerouslyAllowHosts: allowed }, resolve: resolve === undefined ? own : resolve }
}

function hostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
