import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { listenForAgent } from '../agent-socket.ts'
import type { Config } from '../config.ts'
import { AGENT_HEAP_MB } from '../limits.ts'
import { prepareRuntime } from '../runtime-files.ts'
import type { BootSpec, Isolation, ProcessTree } from './isolation.ts'

const AGENT_FD = 3
/** The agent's stdin. */
const LIFELINE_FD = 0

/** The same agent as an ordinary process of this user: for machines without bubblewrap, and only for code one trusts. */
export async function openNone(config: Config): Promise<Isolation> {
  const runtimeDir = await prepareRuntime(config.stateDir)
  return {
    notes: [
      'NOTHING IS ISOLATED: code in a "sandbox" runs as this user, with all of its files and its network. ' +
        'There are no limits on memory, processes or disk, and pause keeps files only.',
    ],
    internet: true,
    limitsMemory: false,
    boot: (spec) => boot(spec, runtimeDir),
    close: async () => {},
  }
}

async function boot(spec: BootSpec, runtimeDir: string): Promise<ProcessTree> {
  // Made by a daemon that could keep it from the network.
  if (spec.internet !== true) throw new Error('ISOLATION=none keeps no sandbox from the network')
  const run = join(spec.dir, 'run')
  const home = join(spec.dir, 'home')
  rmSync(run, { recursive: true, force: true })
  mkdirSync(run, { recursive: true, mode: 0o700 })
  mkdirSync(home, { recursive: true })
  mkdirSync(`${runtimeDir}-state`, { recursive: true })
  const socket = await listenForAgent(run)
  // The agent's stdin ends when the daemon does, however that happens; the agent then ends its commands and itself. In the
  // daemon's process group it would be killed with that, before it could.
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${AGENT_HEAP_MB}`,
      join(runtimeDir, 'agent.cjs'),
      String(AGENT_FD),
      String(LIFELINE_FD),
      'ends-commands',
    ],
    {
      cwd: home,
      env: { PATH: process.env.PATH ?? '', HOME: home },
      stdio: ['pipe', 'ignore', 'ignore', socket.fd],
      detached: true,
    },
  )
  socket.release()
  child.stdin?.on('error', () => {})
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit status ${code}`))
  })
  void exited.then(() => socket.close())
  return {
    socketPath: socket.path,
    home,
    runtime: runtimeDir,
    egress: null,
    addressSpaceBytes: 0,
    memoryLimitBytes: 0,
    exited,
    freeze: async () => false,
    thaw: async () => {},
    resumeAgent: () => void child.kill('SIGCONT'),
    cutNetwork: async () => {},
    usage: async () => ({ cpuMicros: 0, memoryBytes: 0, memoryLimitBytes: 0 }),
    async destroy() {
      child.stdin?.destroy()
      await exited
    },
  }
}
