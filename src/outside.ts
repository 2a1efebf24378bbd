import { arxivAtom } from './adapters/arxiv-atom.ts'
import { browserCloudflare, noBrowser } from './adapters/browser-cloudflare.ts'
import { d1Database } from './adapters/database-d1.ts'
import { dnsOverHttps } from './adapters/egress/dns-over-https.ts'
import { checkUrl } from './adapters/egress/policy.ts'
import { githubRest } from './adapters/github-rest.ts'
import { guardedHttp } from './adapters/http-guarded.ts'
import { mapsBing } from './adapters/maps-bing.ts'
import { papersRemote } from './adapters/papers-remote.ts'
import { noReader, readerHttp } from './adapters/reader-http.ts'
import { scholarEither } from './adapters/scholar-either.ts'
import { scholarIndexSerpapi } from './adapters/scholar-index-serpapi.ts'
import { scholarOpenAlex } from './adapters/scholar-openalex.ts'
import { scholarSemantic } from './adapters/scholar-semantic.ts'
import { scholarSerpapi } from './adapters/scholar-serpapi.ts'
import { scholarSerper } from './adapters/scholar-serper.ts'
import { searchBrave } from './adapters/search-brave.ts'
import { searchGoogle } from './adapters/search-google.ts'
import { searchMissing } from './adapters/search-missing.ts'
import { searchSearxng } from './adapters/search-searxng.ts'
import { searchSerper } from './adapters/search-serper.ts'
import { cloudflareSemantics } from './adapters/semantics-cloudflare.ts'
import type { Config, EgressConfig, SearchConfig } from './config.ts'
import type { TenantId } from './core/ids.ts'
import { market } from './market/market.ts'
import { paperLibrary } from './papers/library.ts'
import type { Browser } from './ports/browser.ts'
import type { Clock } from './ports/clock.ts'
import type { Http } from './ports/http.ts'
import type { OutsidePorts } from './ports/index.ts'
import type { Market } from './ports/market.ts'
import type { PaperShelf, Papers } from './ports/papers.ts'
import type { Reader } from './ports/reader.ts'
import type { Scholar } from './ports/scholar.ts'
import type { Search } from './ports/search.ts'

const clock: Clock = { now: () => Date.now() }
const send: typeof fetch = (input, init) => fetch(input, init)

/**
 * What tools reach outside of a session, as the settings say. All that is sent goes through the guarded port.
 * @param tenant whose session it is: of papers it sees the public ones and its own
 */
export function outsidePorts(config: Config, tenant: TenantId): OutsidePorts {
  const { egress, github, search, browser, model, maps, arxivUrl, paperServiceUrl } = config
  return {
    http: guarded(egress),
    browser: browserOf(browser, (service) => guarded(egress, service)),
    search: searchOf(search, (service) => guarded(egress, service)),
    scholar: scholarOf(search, (service) => guarded(egress, service)),
    scholarIndex: scholarIndexSerpapi({ ...search.serpapi, http: guarded(egress, search.serpapi.baseUrl) }),
    arxiv: arxivAtom({ baseUrl: arxivUrl, http: guarded(egress, arxivUrl) }),
    maps: mapsBing({ ...maps, http: guarded(egress, maps.baseUrl) }),
    model,
    github: githubRest({ ...github, clock, http: guarded(egress, github.baseUrl) }),
    papers:
      paperServiceUrl === null
        ? ownPapers(config, tenant)
        : papersRemote({ baseUrl: paperServiceUrl, http: guarded(egress, paperServiceUrl) }),
    reader: readerFor(config, tenant),
  }
}

/** The way out that tools have. */
export const outsideHttp = ({ egress }: Config): Http => guarded(egress)

/** The reader of documents and pages. @param owner a tenant, or null for the owner of the server */
export function readerFor({ reader }: Config, owner: TenantId | null): Reader {
  if (reader === null) return noReader
  const { binding, url, token } = reader
  const ask = binding ? (request: Request) => binding.fetch(request) : (request: Request) => fetch(request)
  return readerHttp({ send: ask, url, token, owner: owner ?? '' })
}

/** This server's own library. @param reader a tenant, or null for the owner of the server, whose papers are the public ones */
export const ownPapers = ({ db, semantics }: Config, reader: TenantId | null): Papers & PaperShelf =>
  paperLibrary({ db: d1Database(db), reader, clock, semantics: semantics && cloudflareSemantics(semantics) })

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

type HttpFor = (service: string) => Http

function browserOf({ baseUrl, accountId, apiToken }: Config['browser'], httpFor: HttpFor): Browser {
  if (accountId === null || apiToken === null) return noBrowser
  return browserCloudflare({ baseUrl, accountId, apiToken, http: httpFor(baseUrl) })
}

/** The provider that the settings name, else the first that is set up. */
function searchOf(config: SearchConfig, httpFor: HttpFor): Search {
  const { serper, google, brave, searxngUrl } = config
  const choices: Readonly<Record<Exclude<SearchConfig['provider'], null>, () => Search | '' | null>> = {
    serper: () => serper.apiKey && searchSerper({ ...serper, apiKey: serper.apiKey, http: httpFor(serper.baseUrl) }),
    google: () =>
      google.apiKey &&
      google.engineId &&
      searchGoogle({
        baseUrl: google.baseUrl,
        apiKey: google.apiKey,
        engineId: google.engineId,
        http: httpFor(google.baseUrl),
      }),
    brave: () => brave.apiKey && searchBrave({ ...brave, apiKey: brave.apiKey, http: httpFor(brave.baseUrl) }),
    searxng: () => searxngUrl && searchSearxng({ baseUrl: searxngUrl, http: httpFor(searxngUrl) }),
  }
  const wanted = config.provider === null ? Object.values(choices) : [choices[config.provider]]
  return firstOf(wanted) ?? searchMissing
}

/** As above; where no key is set, those that need none. */
function scholarOf(config: SearchConfig, httpFor: HttpFor): Scholar {
  const { serper, serpapi, openAlexUrl, semanticScholar } = config
  const openalex = () => scholarOpenAlex({ baseUrl: openAlexUrl, http: httpFor(openAlexUrl) })
  const semanticscholar = () => scholarSemantic({ ...semanticScholar, http: httpFor(semanticScholar.baseUrl) })
  const withKey = {
    serper: () => serper.apiKey && scholarSerper({ ...serper, apiKey: serper.apiKey, http: httpFor(serper.baseUrl) }),
    serpapi: () =>
      serpapi.apiKey && scholarSerpapi({ ...serpapi, apiKey: serpapi.apiKey, http: httpFor(serpapi.baseUrl) }),
  }
  const open = scholarEither(openalex(), semanticscholar())
  switch (config.scholarProvider) {
    case null:
      return firstOf(Object.values(withKey)) ?? open
    case 'openalex':
      return openalex()
    case 'semanticscholar':
      return semanticscholar()
    case 'serper':
    case 'serpapi':
      return firstOf([withKey[config.scholarProvider]]) ?? open
  }
}

/** @param makers in the order of preference; one that is not set up gives nothing */
function firstOf<T extends object>(makers: readonly (() => T | '' | null)[]): T | null {
  for (const make of makers) {
    const made = make()
    if (made) return made
  }
  return null
}

/** @param service an address that the operator set: it is reached wherever it is, by the adapter of this service alone */
function guarded(egress: EgressConfig, service?: string): Http {
  const { extraPorts, dangerouslyAllowHosts, dangerouslySkipDnsCheck, dnsResolverUrl } = egress
  const allowed = service === undefined ? dangerouslyAllowHosts : [...dangerouslyAllowHosts, hostAndPort(service)]
  return guardedHttp({
    policy: { extraPorts, dangerouslyAllowHosts: allowed },
    resolve: dangerouslySkipDnsCheck ? null : dnsOverHttps(dnsResolverUrl, send),
    send,
  })
}

function hostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
