import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { commandLine, descendantsOf } from '../test/support/processes.ts'
import { processorMsOf } from './processor.ts'

/** Bench's Worker in workerd, with its own socket: as with `npm start`, no development server lies between. */
export interface DirectWorker {
  readonly url: URL
  bindings(): Promise<Env>
  /** Process of the Worker, which has the local stores in it too. */
  readonly pid: number
  /** Processor time of the Worker's process until now, in milliseconds. */
  processorMs(): number
  stop(): Promise<void>
}

/** Starts the Worker. @param vars bindings that are texts @param bundle writes its modules, `worker.js` the first of them, into a directory */
export async function startDirectWorker(
  vars: Readonly<Record<string, string>>,
  bundle: (directory: string) => Promise<void> = bundleTo,
): Promise<DirectWorker> {
  const directory = await mkdtemp(join(tmpdir(), 'toolyard-bench-'))
  await bundle(directory)
  const names = (await readdir(directory)).filter((name) => !/\.(js|map|md)$/.test(name))
  const object = (className: string) => ({ className, useSQLite: true })
  const others = new Set(descendantsOf(process.pid))
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      modulesRoot: directory,
      modules: [
        { type: 'ESModule', path: join(directory, 'worker.js') },
        ...names.map((name) => ({ type: 'Data' as const, path: join(directory, name) })),
      ],
      compatibilityDate: '2026-10-01',
      compatibilityFlags: ['nodejs_compat'],
      durableObjects: {
        SESSIONS: object('SessionObject'),
        TENANTS: object('TenantObject'),
        LEASES: object('LeasesObject'),
        CONNECTIONS: object('ConnectionObject'),
        FLOOR: object('FloorObject'),
      },
      r2Buckets: ['BLOBS'],
      d1Databases: ['DB'],
      serviceBindings: { ASSETS: { disk: { path: 'src/assets', writable: false } } },
      bindings: { OPEN_TENANT: 'dev', SANDBOX_TEMPLATE: 'base', ...vars },
    }),
  )
  const stop = async () => {
    await miniflare.dispose()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await miniflare.ready
    await makeTables(await miniflare.getD1Database('DB'))
    const pid = descendantsOf(process.pid).find((one) => !others.has(one) && commandLine(one).includes('workerd'))
    if (pid === undefined) throw new Error('the worker has no process')
    return {
      url: await miniflare.unsafeGetDirectURL(),
      pid,
      bindings: () => miniflare.getBindings<Env>(),
      processorMs: () => processorMsOf(pid),
      stop,
    }
  } catch (thrown) {
    await stop()
    throw thrown
  }
}

/** Bundles a Worker of the bench into a directory. @param main its first file; without one that of wrangler.toml */
export async function bundleTo(directory: string, main?: string): Promise<void> {
  const wrangler = ['node_modules/wrangler/bin/wrangler.js', 'deploy', ...(main === undefined ? [] : [main])]
  const args = [...wrangler, '--dry-run', '-c', 'bench/wrangler.toml', '--outdir', directory]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the Worker could not be bundled')
}

async function makeTables(database: D1Database): Promise<void> {
  for (const name of (await readdir('migrations')).sort()) {
    const text = (await readFile(join('migrations', name), 'utf8')).replace(/^\s*--.*$/gm, '')
    for (const statement of text.split(/;\s*$/m)) {
      if (statement.trim() !== '') await database.prepare(statement).run()
    }
  }
}
