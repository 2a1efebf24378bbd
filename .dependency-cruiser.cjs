/** Which folder may import which; the picture is in docs/architecture.md. */
const layer = (from, to) => ({
  name: `${from}-stays-in-its-layer`,
  severity: 'error',
  from: { path: `^src/${from}/`, pathNot: '-object\\.ts$' },
  to: { path: '^src/', pathNot: `^src/(${[from, ...to].join('|')})/` },
})

module.exports = {
  forbidden: [
    layer('core', []),
    layer('lagent', []),
    layer('registry', ['core']),
    layer('ports', ['core', 'registry']),
    layer('documents', ['core', 'ports']),
    layer('retrieval', ['core']),
    layer('papers', ['core', 'ports', 'documents', 'retrieval']),
    layer('market', ['core', 'ports', 'registry', 'retrieval']),
    layer('tools', ['core', 'ports', 'documents', 'registry', 'lagent']),
    layer('auth', ['core', 'ports']),
    layer('workspace', ['core', 'ports']),
    layer('tenant', ['core', 'ports', 'registry']),
    layer('leases', ['core', 'ports']),
    layer('adapters', ['core', 'ports', 'documents', 'tenant']),
    layer('session', ['core', 'ports', 'registry', 'tools', 'tenant', 'workspace']),
    layer('http', ['core', 'auth', 'session', 'tenant', 'tools', 'ports', 'registry', 'retrieval', 'lagent']),
    {
      name: 'http-knows-session-and-tenant-by-their-interfaces',
      severity: 'error',
      from: { path: '^src/(http|adapters)/' },
      to: { path: '^src/(session|tenant)/', pathNot: '^src/(session|tenant)/api\\.ts$' },
    },
    {
      name: 'sessions-know-their-tenant-by-its-interface',
      severity: 'error',
      from: { path: '^src/session/' },
      to: { path: '^src/tenant/', pathNot: '^src/tenant/api\\.ts$' },
    },
    {
      name: 'dialects-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/http/dialects/([^/]+)/' },
      to: { path: '^src/http/dialects/', pathNot: '^src/http/dialects/$1/' },
    },
    {
      name: 'toolkits-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/tools/([^/]+)/' },
      to: { path: '^src/tools/[^/]+/', pathNot: '^src/tools/$1/' },
    },
    {
      name: 'only-http-knows-hono',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/http/' },
      to: { path: 'node_modules/hono' },
    },
    {
      name: 'only-adapters-know-vendors',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/adapters/' },
      to: { path: 'node_modules/(e2b|@e2b)' },
    },
    {
      name: 'only-the-objects-know-workers',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(index|[a-z]+/[a-z]+-object)\\.ts$' },
      to: { path: '^cloudflare:workers$' },
    },
    {
      name: 'sandboxd-stands-alone',
      severity: 'error',
      from: { path: '^src/sandboxd/' },
      to: { path: '^src/', pathNot: '^src/sandboxd/' },
    },
    {
      name: 'nobody-imports-sandboxd',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/sandboxd/' },
      to: { path: '^src/sandboxd/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: '\\.d\\.ts$|^src/sandboxd/agent/py/' },
      to: {},
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
}
