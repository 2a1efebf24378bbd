import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Upload that a deployment would send. */
export interface BuiltWorker {
  /** Directory of its modules, `index.js` or `worker.js` the first of them. */
  readonly directory: string
  readonly gzippedKib: number
  readonly bindings: readonly string[]
  /** What wrangler printed. */
  readonly output: string
  /**
   * Lines of `wrangler check startup`: sizes, and how long the start was at work by the clock. Null where wrangler gave up after ten
   * seconds, in which a busy machine does not come to it.
   */
  profile(): Promise<string | null>
  remove(): Promise<void>
}

/** Builds what a command would deploy, by the same command with `--dry-run`. */
export async function builtWorker(command: string): Promise<BuiltWorker> {
  const directory = await mkdtemp(join(tmpdir(), 'toolyard-deploy-'))
  const modules = join(directory, 'modules')
  const bundle = join(directory, 'worker.bundle')
  const output = await wrangler(`${command} --dry-run --outdir ${modules} --outfile ${bundle}`)
  return {
    directory: modules,
    gzippedKib: Number(/Total Upload: [\d.]+ KiB \/ gzip: ([\d.]+) KiB/.exec(output)?.[1]),
    bindings: [...output.matchAll(/^env\.(\w+)/gm)].map(([, name = '']) => name),
    output,
    async profile() {
      const profile = join(directory, 'startup.cpuprofile')
      try {
        const printed = await wrangler(`npx wrangler check startup --worker ${bundle} --outfile ${profile}`)
        return /^ *Bundle: [\s\S]*?Samples: \d+/m.exec(printed)?.[0] ?? printed
      } catch (thrown) {
        if (/profiling timed out/.test(`${thrown}${(thrown as { stdout?: string }).stdout}`)) return null
        throw thrown
      }
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

async function wrangler(command: string): Promise<string> {
  const { stdout } = await run('bash', ['-c', command.replace(/^npx /, 'node_modules/.bin/')], {
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true', NO_COLOR: '1' },
  })
  return stdout
}
