/**
 * Makes the file that workerd serves: `node build-worker.mjs DIRECTORY NAMES` leaves DIRECTORY/config.bin, a serialized
 * `workerd.capnp` Config with the bundle that `wrangler deploy` would send. NAMES, separated by commas, are bindings whose
 * texts come by the environment. The server's sockets and data directory are on workerd's command line. A third argument is
 * a module whose default export gets configuration and DIRECTORY, and gives what is written instead.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { rootCertificates } from 'node:tls'
import { D1_PLUGIN, R2_PLUGIN, serializeConfig } from 'miniflare'
import { unstable_readConfig } from 'wrangler'
import { home, wrangler } from './settings.mjs'

const [directory, names, changes] = process.argv.slice(2)
const bundle = join(directory, 'bundle')
/** Miniflare makes the directories that it puts into a configuration; these are replaced when the Worker starts. */
const unused = join(directory, 'unused')
const settings = unstable_readConfig({ config: join(home, 'wrangler.toml') })
/** Name below which the objects of a class are stored: wrangler's. */
const objectsOf = (className) => `${settings.name}-${className}`

function makeBundle() {
  const args = [
    wrangler,
    'deploy',
    '--dry-run',
    '--env',
    '',
    '--config',
    join(home, 'wrangler.toml'),
    '--outdir',
    bundle,
  ]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: home, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`)
}

/**
 * Configuration with one socket, behind which is the Worker alone: no page, proxy or header of a development server is in
 * its way. R2 and D1 are Miniflare's, over the same storage as in `wrangler dev`.
 */
async function configOf() {
  const r2 = settings.r2_buckets.map(({ binding, bucket_name }) => [binding, { type: 'r2', name: bucket_name }])
  const d1 = settings.d1_databases.map(({ binding, database_id }) => [binding, { type: 'd1', id: database_id }])
  const config = { env: Object.fromEntries([...r2, ...d1]) }
  const shared = { resourcePersistencePath: unused }
  const plugins = [R2_PLUGIN, D1_PLUGIN]
  const storage = await Promise.all(
    plugins.map((plugin) => plugin.getServices({ options: { config }, sharedOptions: shared, tmpPath: unused })),
  )
  const bindings = await Promise.all(plugins.map((plugin) => plugin.getBindings({ config }, shared)))
  const texts = names.split(',').map((name) => ({ name, fromEnvironment: name }))
  const fixed = Object.entries(settings.vars).filter(([name]) => !names.split(',').includes(name))
  return {
    // Most memory of a tool call is outside of V8's heap, where V8 does not see it, so it would collect the owning objects
    // late.
    v8Flags: ['--optimize-for-size'],
    sockets: [{ name: 'api', service: { name: 'worker' }, http: {} }],
    services: [
      {
        name: 'worker',
        worker: workerOf([
          ...texts,
          ...fixed.map(fixedBinding),
          ...bindings.flat(),
          ...objectBindings(),
          RESERVE,
          ASSETS,
        ]),
      },
      { name: 'do:storage', disk: { writable: true } },
      { name: 'reserve:storage', disk: { writable: true } },
      { name: 'assets', worker: assetsWorker() },
      {
        name: 'internet',
        network: {
          allow: ['public', 'private'],
          tlsOptions: { trustBrowserCas: true, trustedCertificates: certificates() },
        },
      },
      ...storage.flat().map(asServed),
    ],
    extensions: [{ modules: ['shared/index', 'shared/zod'].map(miniflareModule) }],
  }
}

function workerOf(bindings) {
  const others = readdirSync(bundle).filter((name) => !/\.(js|map|md)$/.test(name))
  return {
    modules: [
      { name: 'index.js', esModule: readFileSync(join(bundle, 'index.js'), 'utf8') },
      ...others.map((name) => ({ name, data: readFileSync(join(bundle, name)) })),
    ],
    compatibilityDate: settings.compatibility_date,
    // On by itself since its date; workerd would say so at each start.
    compatibilityFlags: settings.compatibility_flags.filter((flag) => flag !== 'nodejs_compat'),
    bindings,
    durableObjectNamespaces: objectClasses().map((className) => ({
      className,
      enableSql: true,
      uniqueKey: objectsOf(className),
    })),
    durableObjectStorage: { localDisk: 'do:storage' },
  }
}

/** A directory of the Worker's own, with room that it gives up when the disk is full. */
const RESERVE = { name: 'DISK_RESERVE', service: { name: 'reserve:storage' } }
const ASSETS = { name: settings.assets.binding, service: { name: 'assets' } }
const objectClasses = () => settings.durable_objects.bindings.map(({ class_name }) => class_name)
const objectBindings = () =>
  settings.durable_objects.bindings.map(({ name, class_name }) => ({
    name,
    durableObjectNamespace: { className: class_name, serviceName: 'worker' },
  }))
const fixedBinding = ([name, value]) =>
  typeof value === 'string' ? { name, text: value } : { name, json: JSON.stringify(value) }

/**
 * Serves the files of the assets' directory, which stand in the configuration, as Cloudflare does to the Worker: with a type and an
 * `ETag`, and the `index.html` of a directory at a path that ends with `/`.
 */
function assetsWorker() {
  const directory = resolve(home, settings.assets.directory)
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort()
  const files = names.map((name) => ({ name, data: readFileSync(join(directory, name)) }))
  const facts = ({ name, data }, at) =>
    `[${JSON.stringify(`/${name.replace(/(^|\/)index\.html$/, '$1')}`)}, [file${at}, ${JSON.stringify(typeOf(name))}, '"${digestOf(data)}"']]`
  const program = `
    ${names.map((name, at) => `import file${at} from ${JSON.stringify(name)}`).join('\n')}
    const files = new Map([${files.map(facts)}])
    export default {
      fetch(request) {
        const found = files.get(new URL(request.url).pathname)
        if (!found) return new Response(null, { status: 404 })
        const [file, type, tag] = found
        const headers = { 'Content-Type': type, ETag: tag }
        return request.headers.get('If-None-Match') === tag
          ? new Response(null, { status: 304, headers })
          : new Response(file, { headers })
      }
    }`
  return {
    modules: [{ name: 'index.js', esModule: program }, ...files],
    compatibilityDate: settings.compatibility_date,
  }
}

const digestOf = (data) => createHash('sha256').update(data).digest('hex').slice(0, 32)
const typeOf = (name) => TYPES[extname(name)] ?? 'application/octet-stream'
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Miniflare's services without their way to its Node process, which is not there; directories come by the command line. */
function asServed({ disk, worker, ...service }) {
  if (disk) return { ...service, disk: { writable: disk.writable } }
  const bindings = worker.bindings?.filter(({ name }) => name !== 'MINIFLARE_LOOPBACK')
  return { ...service, worker: { ...worker, bindings } }
}

/** A module that Miniflare's workers import. */
function miniflareModule(name) {
  const dist = dirname(createRequire(import.meta.url).resolve('miniflare'))
  return {
    name: name === 'shared/index' ? 'miniflare:shared' : 'miniflare:zod',
    esModule: readFileSync(join(dist, 'workers', `${name}.worker.js`), 'utf8'),
  }
}

/** Certificates of the authorities that Node trusts, and of the user's own. */
function certificates() {
  const extra = process.env.NODE_EXTRA_CA_CERTS
  const own = extra && existsSync(extra) ? readFileSync(extra, 'utf8') : ''
  return [...rootCertificates, ...(own.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [])]
}

makeBundle()
const config = await configOf()
const written = changes ? await (await import(changes)).default(config, directory) : config
writeFileSync(join(directory, 'config.bin'), serializeConfig(written), { mode: 0o600 })
for (const path of [bundle, unused]) rmSync(path, { recursive: true })
