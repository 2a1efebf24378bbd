import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SYSTEM_PATH } from './base-environment.ts'
import type { Config } from './config.ts'
import type { Isolation } from './isolation/isolation.ts'
import { asObject } from './json.ts'

const PROGRAM = fileURLToPath(new URL('../guest/environment.py', import.meta.url))

/** A slow disk takes a while for the first start of Python. */
const PROGRAM_MS = 10_000

/**
 * Facts about every sandbox of this daemon, for those who choose what to run: by looking at this machine, whose programs
 * sandboxes have. Found out at the first question, and no sandbox is started for it. What is not known is left out.
 */
export function sandboxFacts(config: Config, { internet, limitsMemory }: Isolation): () => Promise<object> {
  let found: Promise<object> | null = null
  const find = async () => ({
    ...(await programs(config)),
    internet,
    offline: config.isolation === 'bwrap',
    ...(limitsMemory && { memory_mb: config.memoryMb }),
  })
  return () => {
    found ??= find()
    return found
  }
}

async function programs({ isolation }: Config): Promise<object> {
  const PATH = isolation === 'bwrap' ? SYSTEM_PATH : (process.env.PATH ?? SYSTEM_PATH)
  try {
    const { stdout } = await promisify(execFile)('python3', ['-I', PROGRAM], { env: { PATH }, timeout: PROGRAM_MS })
    const report = asObject(JSON.parse(stdout)) ?? {}
    // The agent's own Node is in each isolated sandbox.
    return isolation === 'bwrap' && Array.isArray(report.programs)
      ? { ...report, programs: [...new Set([...report.programs, 'node'])] }
      : report
  } catch {
    return {} // no Python: then nothing is known
  }
}
