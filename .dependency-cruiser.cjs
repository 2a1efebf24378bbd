/** Which folder may import which; the table of what each holds is in docs/architecture.md. */
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
    layer('client', []),
    layer('cli', ['client', 'core']),
    layer('registry', ['core']),
    layer('ports', ['core', 'registry']),
    layer('documents', ['core', 'ports']),
    layer('retrieval', ['core']),
    layer('papers', ['core', 'ports', 'documents', 'retrieval']),
    layer('market', ['core', 'ports', 'registry', 'retrieval']),
    layer('guest', ['core']),
    layer('tools', ['core', 'guest', 'ports', 'documents', 'registry', 'lagent']),
    layer('auth', ['core', 'ports']),
    layer('migrations', ['core', 'ports']),
    layer('workspace', ['core', 'ports', 'migrations']),
    layer('tenant', ['core', 'ports', 'registry', 'migrations']),
    layer('connections', ['core', 'http']),
    layer('leases', ['core', 'ports', 'migrations']),
    layer('reader', ['core', 'ports', 'documents', 'papers', 'registry']),
    layer('readerd', ['core', 'ports', 'reader']),
    layer('adapters', ['core', 'ports', 'documents', 'reader']),
    layer('session', ['core', 'guest', 'ports', 'registry', 'tools', 'tenant', 'workspace', 'migrations']),
    layer('http', ['core', 'auth', 'session', 'tenant', 'tools', 'ports', 'registry', 'retrieval', 'lagent']),
    {
      name: 'http-knows-session-and-tenant-by-their-interfaces',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/(session|tenant)/', pathNot: '^src/(session|tenant)/[a-z-]*api\\.ts$' },
    },
    {
      name: 'sessions-know-their-tenant-by-its-interface',
      severity: 'error',
      from: { path: '^src/session/' },
      to: { path: '^src/tenant/', pathNot: '^src/tenant/[a-z-]*api\\.ts$' },
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
      to: { path: 'node_modules/(e2b|@e2b|jose)' },
    },
    {
      name: 'only-mcp-knows-its-sdk',
      comment:
        'The SDK is large: nothing that each isolate loads at its start may import it, and who needs it loads it when used.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(http/dialects/mcp|adapters/mcp)/' },
      to: { path: 'node_modules/@modelcontextprotocol' },
    },
    {
      name: 'only-the-objects-know-workers',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(index|[a-z]+/[a-z]+-object)\\.ts$' },
      to: { path: '^cloudflare:workers$' },
    },
    {
      name: 'only-the-reader-parses-files-of-strangers',
      comment: 'What everybody shares asks the reader: ports/reader.ts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(reader|readerd|documents|papers/sources|registry)/' },
      to: {
        path: '^src/(reader/(?!wire)|readerd/|documents/(formats|read-document|page/(?!head-line|image-marks))|papers/sources/|registry/(apis/(openapi|rapidapi|document)|import/(yaml-file|tool-file))\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sandboxd-stands-alone',
      severity: 'error',
      from: { path: '^src/sandboxd/' },
      to: { path: '^src/', pathNot: '^src/sandboxd/' },
    },
    {
      name: 'the-server-does-not-import-the-client',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(client|cli)/' },
      to: { path: '^src/client/' },
    },
    {
      name: 'nobody-imports-the-command-line',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'nobody-imports-sandboxd',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/sandboxd/' },
      to: { path: '^src/sandboxd/' },
    },
    {
      name: 'nobody-imports-readerd',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/readerd/' },
      to: { path: '^src/readerd/' },
    },
    {
      name: 'the-console-takes-types-alone',
      severity: 'error',
      from: { path: '^src/console/' },
      // The character maps of PDFs are data, and no code of the server.
      to: {
        path: '^src/',
        pathNot: ['^src/console/', '^src/documents/pdf/cmaps\\.json$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'nobody-imports-the-console',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/console/' },
      to: { path: '^src/console/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot:
          '\\.d\\.ts$|^src/assets/|^src/sandboxd/agent/py/|^src/reader/worker\\.ts$|^src/adapters/no-dockerfiles\\.ts$',
      },
      to: {},
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
}
