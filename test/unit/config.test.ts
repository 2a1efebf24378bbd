import { describe, expect, it } from 'vitest'
import { e2bConfig } from '../../src/adapters/e2b/provider.ts'
import { ConfigError, readConfig } from '../../src/config.ts'
import { SPARE_KEPT_MS } from '../../src/core/limits/spares.ts'

const BINDINGS = { SESSIONS: {}, TENANTS: {}, LEASES: {}, CONNECTIONS: {}, BLOBS: {}, DB: {}, ASSETS: {} }
const PRODUCTION = { ...BINDINGS, ENVIRONMENT: 'production', SANDBOX_TEMPLATE: 'base' }

/** What is wrong, one sentence each. */
function problemsOf(env: unknown): string[] {
  try {
    readConfig(env)
    return []
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message.split('\n')
    throw thrown
  }
}

/** What the SDK of the sandboxes is told. */
const sandboxesOf = (env: unknown) => e2bConfig(readConfig(env).providers as Parameters<typeof e2bConfig>[0])

describe('readConfig()', () => {
  it('needs nothing but the bindings; what is not set is off', () => {
    expect(readConfig(BINDINGS)).toMatchObject({
      openTenant: null,
      adminToken: null,
      sandboxes: { isSetUp: false, image: 'base' },
      sandboxEnv: {},
    })
    expect(sandboxesOf(BINDINGS)).toEqual({ apiKey: '', template: 'base' })
  })

  it('reads all settings', () => {
    const env = {
      ...BINDINGS,
      OPEN_TENANT: 'dev',
      ADMIN_TOKEN: 'a',
      E2B_API_KEY: 'e',
      E2B_API_URL: 'http://127.0.0.1:49900',
      E2B_SANDBOX_URL: 'http://127.0.0.1:49901',
      SANDBOX_TEMPLATE: 'science',
      PIP_INDEX_URL: 'https://pypi.example/simple',
    }
    expect(sandboxesOf(env)).toEqual({
      apiKey: 'e',
      apiUrl: 'http://127.0.0.1:49900',
      sandboxUrl: 'http://127.0.0.1:49901',
      template: 'science',
    })
    expect(readConfig(env)).toMatchObject({
      openTenant: 'dev',
      adminToken: 'a',
      sandboxes: { isSetUp: true, isMetered: false, image: 'science' },
      sandboxEnv: { PIP_INDEX_URL: 'https://pypi.example/simple' },
    })
  })

  it('reads headers for a collector of traces as OpenTelemetry has them, and never says their values', () => {
    const OTLP = { ...BINDINGS, OTLP_URL: 'http://127.0.0.1:4318/v1/traces' }
    const otlpOf = (headers: string) => readConfig({ ...OTLP, OTLP_HEADERS: headers }).observing.otlp
    expect(otlpOf('')).toEqual({ url: OTLP.OTLP_URL, headers: {}, ratio: 1 })
    expect(otlpOf('authorization=Basic%20a%2Cb==, x-team=otters')?.headers).toEqual({
      authorization: 'Basic a,b==',
      'x-team': 'otters',
    })
    for (const wrong of [
      'secret',
      '=secret',
      'a b=secret',
      'a=secret%',
      'a=secret%0Ax',
      'a=secret,',
      'a=secr\u00e9t',
    ]) {
      const [problem = ''] = problemsOf({ ...OTLP, OTLP_HEADERS: wrong })
      expect(problem, wrong).toMatch(/^OTLP_HEADERS: give name=value/)
      expect(problem).not.toContain('secr')
    }
    expect(problemsOf({ ...OTLP, OTLP_RATIO: '1.5' })).toHaveLength(1)
  })

  it('wants a long token for /metrics in production, and has none without it', () => {
    expect(readConfig(BINDINGS).observing).toEqual({
      logsCalls: false,
      analytics: null,
      otlp: null,
      metricsToken: null,
    })
    expect(problemsOf({ ...PRODUCTION, METRICS_TOKEN: 'short' })).toEqual([expect.stringMatching(/^METRICS_TOKEN: /)])
    expect(problemsOf({ ...PRODUCTION, METRICS_TOKEN: 'x'.repeat(32) })).toEqual([])
  })

  it('takes tokens of an issuer for this server alone, and over TLS in production', () => {
    const issuer = { OAUTH_ISSUER: 'https://issuer.example/', OAUTH_AUDIENCE: 'https://t.example/mcp, api' }
    expect(readConfig({ ...BINDINGS, ...issuer }).oauth).toEqual({
      issuer: 'https://issuer.example/',
      audiences: ['https://t.example/mcp', 'api'],
      jwksUrl: null,
      tenantClaim: 'tenant',
    })
    expect(readConfig(BINDINGS).oauth).toBeNull()
    expect(problemsOf({ ...BINDINGS, OAUTH_ISSUER: 'https://issuer.example' })).toEqual([
      expect.stringMatching(/^OAUTH_AUDIENCE: must be set/),
    ])
    expect(problemsOf({ ...BINDINGS, OAUTH_AUDIENCE: 'api' })).toEqual([
      expect.stringMatching(/^OAUTH_ISSUER: must be set/),
    ])
    expect(problemsOf({ ...PRODUCTION, ...issuer, OAUTH_JWKS_URL: 'http://issuer.example/keys' })).toEqual([
      expect.stringMatching(/must begin with https/),
    ])
  })

  it('keeps one sandbox spare: for as long as it runs at a host of its own, and for a while in the cloud', () => {
    const spares = (env: object) => readConfig({ ...BINDINGS, ...env }).sandboxSpares
    expect(spares({})).toMatchObject({ count: 0 })
    expect(spares({ E2B_API_KEY: 'e' })).toEqual({ count: 1, keptMs: SPARE_KEPT_MS })
    expect(spares({ E2B_API_KEY: 'e', E2B_API_URL: 'http://127.0.0.1:1' })).toEqual({ count: 1, keptMs: null })
    expect(spares({ E2B_API_KEY: 'e', SANDBOX_SPARES: '0' })).toMatchObject({ count: 0 })
    expect(() => spares({ SANDBOX_SPARES: '-1' })).toThrow(/SANDBOX_SPARES/)
  })

  it('keeps to the plan of the account: its number of sandboxes is the most, and the default', () => {
    const limits = (env: object) => readConfig({ ...BINDINGS, E2B_API_KEY: 'e', ...env }).sandboxLimits
    expect(limits({})).toMatchObject({ max: 20, maxPerTenant: 20 })
    expect(limits({ E2B_PLAN: 'pro' })).toMatchObject({ max: 100, maxPerTenant: 100 })
    expect(limits({ E2B_PLAN: 'hobby', SANDBOXES_MAX: '32' })).toMatchObject({ max: 20 })
    expect(limits({ E2B_PLAN: 'pro', SANDBOXES_MAX: '32', SANDBOXES_PER_TENANT: '5' })).toMatchObject({
      max: 32,
      maxPerTenant: 5,
    })
    expect(problemsOf({ ...BINDINGS, E2B_PLAN: 'free' })).toEqual([expect.stringMatching(/^E2B_PLAN: give hobby, pro/)])
  })

  it('reads what tools may reach', () => {
    expect(readConfig(BINDINGS)).toMatchObject({
      egress: {
        extraPorts: [],
        dnsResolverUrl: 'https://cloudflare-dns.com/dns-query',
        dangerouslySkipDnsCheck: false,
        dangerouslyAllowHosts: [],
      },
      providers: { GITHUB_API_URL: 'https://api.github.com', GITHUB_TOKEN: null },
    })
    const env = {
      ...BINDINGS,
      EGRESS_PORTS: '8080, 8443',
      DNS_RESOLVER_URL: 'https://dns.google/resolve',
      DANGEROUSLY_SKIP_DNS_CHECK: 'true',
      DANGEROUSLY_ALLOW_HOSTS: '127.0.0.1:8080,[::1]:81',
      GITHUB_TOKEN: 't',
      GITHUB_API_URL: 'https://github.example/api/v3/',
    }
    expect(readConfig(env)).toMatchObject({
      egress: {
        extraPorts: [8080, 8443],
        dnsResolverUrl: 'https://dns.google/resolve',
        dangerouslySkipDnsCheck: true,
        dangerouslyAllowHosts: ['127.0.0.1:8080', '[::1]:81'],
      },
      providers: { GITHUB_API_URL: 'https://github.example/api/v3', GITHUB_TOKEN: 't' },
    })
  })

  it('refuses ports and hosts that are none, and private hosts in production', () => {
    expect(problemsOf({ ...BINDINGS, EGRESS_PORTS: '80 99999' })).toHaveLength(1)
    expect(problemsOf({ ...BINDINGS, DANGEROUSLY_ALLOW_HOSTS: 'http://x:80' })).toHaveLength(1)
    expect(problemsOf({ ...PRODUCTION, DANGEROUSLY_ALLOW_HOSTS: '10.0.0.1:80' })).toEqual([
      'DANGEROUSLY_ALLOW_HOSTS: must not be set in production, it opens private hosts to every tenant',
    ])
  })

  it('has pip trust an index without TLS, which it would ignore otherwise', () => {
    const { sandboxEnv } = readConfig({ ...BINDINGS, PIP_INDEX_URL: 'http://mirror.example:3141/simple' })
    expect(sandboxEnv).toEqual({
      PIP_INDEX_URL: 'http://mirror.example:3141/simple',
      PIP_TRUSTED_HOST: 'mirror.example',
    })
  })

  it.each(['', '  ', undefined, null])('takes %j as not set', (value) => {
    const env = { ...BINDINGS, OPEN_TENANT: value, ADMIN_TOKEN: value, E2B_API_URL: value }
    const { openTenant, adminToken } = readConfig(env)
    expect([openTenant, adminToken, sandboxesOf(env).apiUrl]).toEqual([null, null, undefined])
  })

  it('keeps contents without a reference for a day, or as many days as is set', () => {
    const kept = (DELETED_CONTENTS_DAYS?: string) => readConfig({ ...BINDINGS, DELETED_CONTENTS_DAYS }).blobGraceMs
    expect([kept(), kept('30'), kept('90')].map((ms) => ms / 86_400_000)).toEqual([1, 30, 90])
    for (const days of ['0', '91', '-1', 'a month']) {
      expect(problemsOf({ ...BINDINGS, DELETED_CONTENTS_DAYS: days })).toEqual([
        expect.stringMatching(/^DELETED_CONTENTS_DAYS: /),
      ])
    }
  })

  it.each(['SESSIONS', 'TENANTS', 'BLOBS', 'DB'])('names a missing binding: %s', (name) => {
    expect(problemsOf({ ...BINDINGS, [name]: undefined })).toEqual([`${name}: the binding is missing`])
  })

  it('refuses an open tenant in production', () => {
    expect(problemsOf(PRODUCTION)).toEqual([])
    expect(problemsOf({ ...PRODUCTION, OPEN_TENANT: 'dev' })).toEqual([
      expect.stringMatching(/^OPEN_TENANT: must not be set/),
    ])
  })

  it('refuses a short admin token in production', () => {
    expect(problemsOf({ ...PRODUCTION, ADMIN_TOKEN: 'x'.repeat(31) })).toEqual([
      expect.stringMatching(/^ADMIN_TOKEN: shorter/),
    ])
    expect(problemsOf({ ...PRODUCTION, ADMIN_TOKEN: 'x'.repeat(32) })).toEqual([])
  })

  it('takes one key for secrets or a list with ids, none of them short in production, and shows none of them', () => {
    const long = 'x'.repeat(32)
    for (const SECRETS_KEY of [long, `k2:${long},k1:${long}`, `k2:${long}`]) {
      expect(problemsOf({ ...PRODUCTION, SECRETS_KEY })).toEqual([])
    }
    for (const SECRETS_KEY of ['secret', `k2:secret`, `k2:${long},k1:secret`]) {
      expect(problemsOf({ ...PRODUCTION, SECRETS_KEY })).toEqual([expect.stringMatching(/^SECRETS_KEY: shorter/)])
    }
    for (const SECRETS_KEY of [`k2:${long},secret`, `k1:${long},k1:secret`]) {
      const problems = problemsOf({ ...BINDINGS, SECRETS_KEY })
      expect(problems).toEqual([expect.stringMatching(/^SECRETS_KEY: /)])
      expect(problems.join()).not.toMatch(/secret\b|xxx/)
    }
  })

  it("believes no header about a client's address but that of its front", () => {
    expect(readConfig(BINDINGS).clientAddressHeader).toBeNull()
    expect(readConfig(PRODUCTION).clientAddressHeader).toBe('CF-Connecting-IP')
    const own = { CLIENT_ADDRESS_HEADER: 'X-Real-IP' }
    for (const env of [BINDINGS, PRODUCTION])
      expect(readConfig({ ...env, ...own }).clientAddressHeader).toBe('X-Real-IP')
    expect(problemsOf({ ...BINDINGS, CLIENT_ADDRESS_HEADER: 'X Real: IP' })).toHaveLength(1)
  })

  it('refuses an environment that it does not know, rather than taking it for a local one', () => {
    expect(problemsOf({ ...BINDINGS, ENVIRONMENT: 'Production' })).toEqual([expect.stringMatching(/^ENVIRONMENT: /)])
  })

  it('names what is wrong and shows no value', () => {
    const env = {
      ...BINDINGS,
      OPEN_TENANT: 'Not A Tenant',
      E2B_API_URL: 'file:///secret',
      PIP_INDEX_URL: 'user:secret',
    }
    const problems = problemsOf(env)
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(['OPEN_TENANT', 'E2B_API_URL', 'PIP_INDEX_URL'])
    expect(problems.join()).not.toMatch(/secret|Not A/)
  })
})
