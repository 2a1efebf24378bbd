import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleTo, startDirectWorker } from './direct-worker.ts'

/** Processor time of a process that starts a Worker and answers one request, in milliseconds. */
export interface IsolateStart {
  readonly ours: number
  /** Time of a Worker of a few lines, with as many objects. */
  readonly bare: number
}

const BARE = `
  import { DurableObject } from 'cloudflare:workers'
  export class SessionObject extends DurableObject {}
  export class TenantObject extends DurableObject {}
  export class LeasesObject extends DurableObject {}
  export class ConnectionObject extends DurableObject {}
  export class FloorObject extends DurableObject {}
  export default { fetch: () => Response.json({}) }`

/** Measures the start of the Worker's isolate with its first request, beside that of a bare Worker, in turns. */
export async function isolateStart(quick: boolean, progress: (done: number) => void): Promise<IsolateStart> {
  const built = await mkdtemp(join(tmpdir(), 'toolyard-bench-'))
  try {
    await bundleTo(built)
    const bundles = {
      ours: (directory: string) => cp(built, directory, { recursive: true }),
      bare: (directory: string) => writeFile(join(directory, 'worker.js'), BARE),
    }
    const rounds = quick ? 3 : 7
    const times = { ours: [] as number[], bare: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      for (const name of ['ours', 'bare'] as const) times[name].push(await startMs(bundles[name]))
      progress((round + 1) / rounds)
    }
    // The least of them: whatever else the machine does can only add to it.
    return { ours: Math.min(...times.ours), bare: Math.min(...times.bare) }
  } finally {
    await rm(built, { recursive: true })
  }
}

async function startMs(bundle: (directory: string) => Promise<void>): Promise<number> {
  const worker = await startDirectWorker({}, bundle)
  try {
    await (await fetch(new URL('/health', worker.url))).arrayBuffer()
    return worker.processorMs()
  } finally {
    await worker.stop()
  }
}
