import { join, resolve } from 'node:path'

/** The checkout that this runs from. */
export const home = resolve(import.meta.dirname, '../..')
/** Directory of all that outlives a run. */
export const state = resolve(process.env.TOOLYARD_STATE || join(home, '.toolyard'))
/** TCP port of the API, on 127.0.0.1. */
export const port = Number(process.env.PORT || 8001)
/** Tenant of requests without a key; empty: every request needs one. */
export const openTenant = process.env.OPEN_TENANT ?? 'dev'
/** Private hosts that tools may reach, as `host:port` with commas; empty: those of .dev.vars. */
export const allowedHosts = process.env.DANGEROUSLY_ALLOW_HOSTS ?? ''
/** Directory for temporary files of wrangler, emptied at each start. */
export const temporary = join(state, 'worker-temporary')
/** Directory of the Worker's storage. wrangler lays it out equally below `--persist-to`. */
export const workerState = join(state, 'worker')

/**
 * Directory of what V8 and the reading of TypeScript make of sources, by NODE_COMPILE_CACHE. A process that finds it there
 * starts in a third of the time, and is some 30 MB smaller.
 */
export const compileCache = join(state, 'compile-cache')

/** wrangler's command line, run by Node. */
export const wrangler = join(home, 'node_modules/wrangler/wrangler-dist/cli.js')

const { CLOUDFLARE_ENV: _, ...environment } = process.env
/** Environment of wrangler: quiet, offline, and of the top level of wrangler.toml. */
export const WRANGLER_ENV = {
  ...environment,
  CI: 'true',
  TMPDIR: temporary,
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_WRITE_LOGS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}
