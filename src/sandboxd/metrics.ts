import { cpus } from 'node:os'
import type { Config } from './config.ts'
import type { Sandbox } from './sandbox.ts'

const MIB = 1024 * 1024

interface CpuSample {
  readonly at: number
  readonly micros: number
}

/** Metrics of a sandbox's current use; the CPU share is over the time since the last reading. */
export class Metrics {
  readonly #config: Config
  readonly #samples = new WeakMap<Sandbox, CpuSample>()

  constructor(config: Config) {
    this.#config = config
  }

  async read(sandbox: Sandbox) {
    const usage = await sandbox.usage()
    if (usage === null) return []
    const now = { at: performance.now(), micros: usage.cpuMicros }
    const before = this.#samples.get(sandbox)
    this.#samples.set(sandbox, now)
    const share = before === undefined ? 0 : (now.micros - before.micros) / ((now.at - before.at) * 1000)
    return [
      {
        timestamp: new Date().toISOString(),
        timestampUnix: Math.floor(Date.now() / 1000),
        cpuCount: cpus().length,
        cpuUsedPct: Math.round(Math.max(0, share) * 10_000) / 100,
        memUsed: usage.memoryBytes,
        memTotal: usage.memoryLimitBytes,
        memCache: 0,
        diskUsed: sandbox.diskBytes,
        diskTotal: this.#config.diskMb * MIB,
      },
    ]
  }
}
