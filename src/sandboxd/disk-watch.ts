import { spawn } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Config } from './config.ts'
import { messageOf } from './json.ts'
import { DISK_CHECK_MS, DU_TIMEOUT_MS, RESERVE_CHECK_MS } from './limits.ts'
import type { Sandbox } from './sandbox.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'

const MIB = 1024 * 1024

/**
 * Keeps sandboxes from filling the host's disk. There are no quotas per directory without root, so this looks: every
 * second at the free space, every few seconds at each running sandbox's files. One file is bounded by RLIMIT_FSIZE.
 * Above its quota a sandbox loses its processes, not its files; above twice that, or when the host runs out, all of it.
 */
export function watchDisk(registry: SandboxRegistry, config: Config, log: (line: string) => void): () => void {
  const timers = [
    repeat(RESERVE_CHECK_MS, () => checkReserve(registry, config, log), log),
    repeat(DISK_CHECK_MS, () => checkQuotas(registry, config, log), log),
  ]
  return () => {
    for (const stop of timers) stop()
  }
}

async function checkQuotas(registry: SandboxRegistry, config: Config, log: (line: string) => void): Promise<void> {
  const running = registry.all().filter((sandbox) => sandbox.hasProcesses)
  const used = await measure(running)
  for (const sandbox of running) {
    const usedMb = used.get(sandbox) ?? 0
    const { id } = sandbox.record
    if (usedMb > 2 * config.diskMb) {
      log(`sandbox ${id} has more than twice its ${config.diskMb} MiB on disk: removed`)
      await registry.remove(sandbox)
    } else if (usedMb > config.diskMb) {
      log(`sandbox ${id} has more than its ${config.diskMb} MiB on disk: its processes were ended`)
      await sandbox.pause(false)
    }
  }
}

async function checkReserve(registry: SandboxRegistry, config: Config, log: (line: string) => void): Promise<void> {
  if ((await freeMb(config.stateDir)) >= config.reserveMb) return
  const running = registry.all().filter((sandbox) => sandbox.hasProcesses)
  await measure(running)
  const [largest] = running.sort((a, b) => b.diskBytes - a.diskBytes)
  if (largest === undefined || largest.diskBytes < MIB) return
  log(`the host has less than ${config.reserveMb} MiB free: the largest sandbox, ${largest.record.id}, was removed`)
  await registry.remove(largest)
}

async function freeMb(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return (bavail * bsize) / MIB
}

/** MiB on disk. More files of one sandbox than can be counted in time count as too many. */
async function measure(sandboxes: readonly Sandbox[]): Promise<Map<Sandbox, number>> {
  // One process for all of them: to start it is most of what it costs. Only where they take too long together is each asked for.
  const together = sandboxes.length > 0 ? await sizesBelow(sandboxes.map(({ dir }) => dir)) : new Map<string, number>()
  const used = new Map<Sandbox, number>()
  for (const sandbox of sandboxes) {
    const bytes = (together ?? (await sizesBelow([sandbox.dir])))?.get(sandbox.dir)
    if (bytes !== undefined) sandbox.diskBytes = bytes
    used.set(sandbox, together === null && bytes === undefined ? Number.POSITIVE_INFINITY : (bytes ?? 0) / MIB)
  }
  return used
}

/** Bytes on disk by directory, without those that are gone; null when the time was over. */
async function sizesBelow(directories: readonly string[]): Promise<Map<string, number> | null> {
  const du = spawn('du', ['-sk', '--', ...directories], { stdio: ['ignore', 'pipe', 'ignore'], timeout: DU_TIMEOUT_MS })
  const signal = new Promise<NodeJS.Signals | null>((resolve) => {
    du.once('error', () => resolve(null))
    du.once('close', (_, by) => resolve(by))
  })
  const output = await text(du.stdout)
  if ((await signal) !== null) return null
  const lines = output.split('\n').map((line) => /^(\d+)\t(.*)$/.exec(line))
  return new Map(lines.flatMap((line) => (line ? [[line[2] ?? '', Number(line[1]) * 1024] as const] : [])))
}

/** Runs `look` again and again, with `everyMs` between the end of one and the start of the next. */
function repeat(everyMs: number, look: () => Promise<void>, log: (line: string) => void): () => void {
  let timer: NodeJS.Timeout
  let stopped = false
  const next = () => {
    if (!stopped) timer = setTimeout(run, everyMs)
  }
  const run = () => {
    look()
      .catch((error: unknown) => log(`looking at the disk failed: ${messageOf(error)}`))
      .finally(next)
  }
  next()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
