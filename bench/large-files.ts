import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Caller, caller } from './caller.ts'
import { type DirectWorker, startDirectWorker } from './direct-worker.ts'

/** Size of each large file: MAX_FILE_BYTES. */
const LARGE_BYTES = 512 * 1024 * 1024
/** Size of the file that is compared with, after one of its size as a warm-up: buffers and heaps are as large as they get for any file. */
const SMALL_BYTES = 64 * 1024 * 1024
const PART = randomPart(1024 * 1024)
/** Sizes of `--quick`. */
const QUICK_BYTES = { small: 16 * 1024 * 1024, large: 128 * 1024 * 1024 }

/** A step of the way, its time, and the most memory that the Worker's process had in it. */
interface Step {
  readonly what: string
  readonly ms: number
  readonly peakMb: number
}

/** Step with large files, and how much more memory they took than a small one in the same step. */
export interface LargeStep extends Step {
  readonly moreMb: number
  /**
   * Growth of a Worker that does nothing but pipe the same files between the caller and the same local store, in the same run: what the runtime
   * itself holds of a stream, or is slow to give back. Where no file moves, the greater one: what the steps before have left.
   */
  readonly bareMoreMb: number
  /** Growth that is allowed: that of the bare Worker, and a quarter of one file more, so that holding one would show. */
  readonly limitMb: number
}

/**
 * Measures the memory of the Worker, its local stores included, while large files go in, into the sandbox, change there, come out
 * of it, and are downloaded; beside one small file.
 * @param gibibytes of files together; null for one file of 128 MiB
 */
export async function largeFiles(
  call: Caller,
  worker: DirectWorker,
  gibibytes: number | null,
  note: (step: string) => void,
): Promise<LargeStep[]> {
  const [small, large]: Files[] =
    gibibytes === null
      ? [aFile(QUICK_BYTES.small), aFile(QUICK_BYTES.large)]
      : [aFile(SMALL_BYTES), { what: `${gibibytes} GiB`, files: gibibytes * 2, bytes: LARGE_BYTES }]
  if (!small || !large) throw new Error('no sizes')
  const bare = await bareWorker([small, large], note)
  const warmUp = { ...small, what: `warm-up, ${small.what}` }
  await throughAll(call, worker, warmUp, note)
  const ofSmall = await throughAll(call, worker, small, note)
  const ofLarge = await throughAll(call, worker, large, note)
  return ofLarge.map((step, at) => {
    const work = STORE_STEPS[at] ?? null
    const bareMoreMb = Math.max(0, work === null ? Math.max(bare.put, bare.get) : bare[work])
    const moreMb = step.peakMb - (ofSmall[at]?.peakMb ?? Number.NaN)
    return { ...step, moreMb, bareMoreMb, limitMb: bareMoreMb + large.bytes / MIB / 4 }
  })
}

const MIB = 1024 * 1024
const aFile = (bytes: number): Files => ({ what: `${bytes / MIB} MiB`, files: 1, bytes })

/** Work that each step has the store do; null for none. */
const STORE_STEPS: readonly (StoreWork | null)[] = ['put', 'get', null, 'put', 'get']
type StoreWork = 'put' | 'get'

/** Growth of memory of a Worker of its own, which pipes files into the store and out of it, from small ones to large ones, in MiB. */
async function bareWorker(
  [small, large]: readonly [Files, Files],
  note: (step: string) => void,
): Promise<Readonly<Record<StoreWork, number>>> {
  const worker = await startDirectWorker({})
  try {
    const call = caller(worker.url)
    async function peak(name: StoreWork, { what, files, bytes }: Files): Promise<number> {
      resetPeak(worker.pid)
      for (let n = 0; n < files; n++) {
        const path = `/floor/blobs/${bytes}-${n}`
        await (name === 'put' ? put(call, path, { bytes, seed: n }) : get(call, path, bytes))
      }
      const mb = peakOf(worker.pid)
      note(`a bare Worker's ${name} of ${what}: ${mb.toFixed(0)} MiB`)
      return mb
    }
    await peak('put', small)
    await peak('get', small)
    const ofSmall = { put: await peak('put', small), get: await peak('get', small) }
    const ofLarge = { put: await peak('put', large), get: await peak('get', large) }
    return { put: ofLarge.put - ofSmall.put, get: ofLarge.get - ofSmall.get }
  } finally {
    await worker.stop()
  }
}

interface Files {
  readonly what: string
  readonly files: number
  /** Size of each. */
  readonly bytes: number
}

async function throughAll(
  call: Caller,
  { pid, url }: DirectWorker,
  { what, files: count, bytes }: Files,
  note: (step: string) => void,
): Promise<Step[]> {
  const session = `files-${crypto.randomUUID()}`
  const files = Array.from({ length: count }, (_, n) => `part-${n}.bin`)
  await call.create(session)
  const shell = (command: string) => patiently(url, session, command)
  const steps: Step[] = []
  async function step(name: string, work: () => Promise<unknown>): Promise<void> {
    resetPeak(pid)
    const began = performance.now()
    await work()
    const done: Step = { what: `${what} ${name}`, ms: performance.now() - began, peakMb: peakOf(pid) }
    steps.push(done)
    note(`${done.what}: ${done.peakMb.toFixed(0)} MiB`)
  }
  const path = (file: string) => `/v1/sessions/${session}/files/${file}`
  await step('in, by PUT', async () => {
    for (const [n, file] of files.entries()) await put(call, path(file), { bytes, seed: n })
  })
  await step('into the sandbox', async () => {
    const stdout = await shell('cat part-*.bin | wc -c')
    if (Number(stdout) !== count * bytes) throw new Error(`the sandbox has ${stdout} bytes`)
  })
  await step('there, ten warm commands', async () => {
    for (let n = 0; n < 10; n++) await shell('true')
  })
  await step('out of the sandbox', () =>
    shell('for f in part-*.bin; do printf x | dd of=$f conv=notrunc status=none; done'),
  )
  await step('down, by GET', async () => {
    for (const file of files) await get(call, path(file), bytes)
  })
  await call.remove(`/v1/sessions/${session}`)
  return steps
}

/** Output of a command whose answer may come later than the five minutes for which `fetch` waits. @throws when it fails */
async function patiently(url: URL, task_id: string, command: string): Promise<string> {
  const params = { command, workdir: '.', timeout: 600 }
  const asking = request(new URL('/api/tool/execute', url).href, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
  })
  asking.end(JSON.stringify({ task_id, tool_name: 'execute_shell', params }))
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  const answer = (await json(response)) as { success: boolean; error?: string; data?: { stdout: string } }
  if (!answer.success || !answer.data) throw new Error(`${command}: ${answer.error}`)
  return answer.data.stdout
}

async function put(
  call: Caller,
  path: string,
  { bytes, seed }: { readonly bytes: number; readonly seed: number },
): Promise<void> {
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      // Each part begins otherwise: no two files are equal.
      const part = new Uint8Array(PART)
      new DataView(part.buffer).setUint32(0, seed * 1_000_003 + sent)
      sent += part.length
      controller.enqueue(part)
      if (sent >= bytes) controller.close()
    },
  })
  const headers = { 'Content-Length': `${bytes}` }
  const init = { method: 'PUT', body, headers, duplex: 'half' } satisfies RequestInit & { duplex: 'half' }
  await call.answer(path, init)
}

async function get(call: Caller, path: string, bytes: number): Promise<void> {
  let come = 0
  for await (const part of (await call.answer(path)).body ?? []) come += part.length
  if (come !== bytes) throw new Error(`${path} came with ${come} bytes`)
}

/** Makes the kernel forget the peak of a process's memory. */
const resetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Most resident memory since then, in MiB. */
const peakOf = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

function randomPart(size: number): Uint8Array<ArrayBuffer> {
  const part = new Uint8Array(size)
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(part.subarray(at, at + 65_536))
  return part
}
