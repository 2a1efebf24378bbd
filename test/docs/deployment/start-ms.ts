import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { processorMsOf } from '../../../bench/processor.ts'
import { workerdProgram } from '../../support/worker/workerd.ts'

/** A Worker's modules, and what its configuration says of them. */
export interface StartedWorker {
  /** Directory of the modules. */
  readonly directory: string
  /** Name of the first module. */
  readonly main: string
  readonly compatibilityDate: string
  readonly compatibilityFlags: readonly string[]
  /** Classes of objects. */
  readonly classes: readonly string[]
}

/**
 * Processor time of a workerd that starts a Worker and answers one request, in milliseconds. The Worker has no bindings: its modules are
 * evaluated, and what it answers does not matter.
 */
export async function startMs(worker: StartedWorker): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'toolyard-startup-'))
  const config = join(directory, 'config.capnp')
  await writeFile(config, await configOf(worker))
  const args = [
    'serve',
    config,
    '--experimental',
    '--import-path=/',
    '--socket-addr=http=127.0.0.1:0',
    '--control-fd=3',
  ]
  const child = spawn(workerdProgram(), args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  const withUs = () => child.kill('SIGKILL')
  process.once('exit', withUs)
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  try {
    const port = await portOf(child.stdio[3] as Readable) // a pipe is readable
    if (port === null) throw new Error(`workerd did not start: ${errors}`)
    await (await fetch(`http://127.0.0.1:${port}/health`)).arrayBuffer()
    return processorMsOf(child.pid ?? Number.NaN)
  } finally {
    process.off('exit', withUs)
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    await rm(directory, { recursive: true, force: true })
  }
}

async function portOf(control: Readable): Promise<number | null> {
  for await (const line of createInterface({ input: control })) {
    const { event, port } = JSON.parse(line) as { event: string; port?: number }
    if (event === 'listen' && port !== undefined) return port
  }
  return null
}

/** Configuration as text, in workerd's own format. */
async function configOf(worker: StartedWorker): Promise<string> {
  const { directory, main, compatibilityDate, compatibilityFlags, classes } = worker
  const names = (await readdir(directory)).filter((name) => name !== main && !/\.(map|md)$/.test(name))
  const module = (name: string) => {
    const kind = name.endsWith('.js') ? 'esModule' : 'data'
    return `(name = ${JSON.stringify(name)}, ${kind} = embed ${JSON.stringify(join(directory, name))})`
  }
  const namespaces = classes.map((name) => `(className = "${name}", uniqueKey = "${name}", enableSql = true)`)
  return `
    using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [(name = "main", worker = (
        modules = [${[main, ...names].map(module).join(', ')}],
        compatibilityDate = "${compatibilityDate}",
        compatibilityFlags = ${JSON.stringify(compatibilityFlags)},
        durableObjectNamespaces = [${namespaces.join(', ')}],
        durableObjectStorage = (inMemory = void)
      ))],
      sockets = [(name = "http", http = (), service = "main")]
    );`
}

/** Writes a bare Worker with as many functions, which its start makes and calls: work that is measured as that of other starts. */
export async function writePlainWorker({ directory, main, classes }: StartedWorker, functions: number): Promise<void> {
  const lines = [
    `import { DurableObject } from 'cloudflare:workers'`,
    ...classes.map((name) => `export class ${name} extends DurableObject {}`),
    'const all = []',
    ...Array.from(
      { length: functions },
      (_, n) =>
        `const f${n} = (a) => [a, ${n}, 'text ${n}'].map((one) => \`\${one}\`).join(' '); all.push(f${n}(${n}))`,
    ),
    'export default { fetch: () => Response.json(all.length) }',
  ]
  await writeFile(join(directory, main), lines.join('\n'))
}
