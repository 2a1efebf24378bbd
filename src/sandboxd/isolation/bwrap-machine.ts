import type { ChildProcess } from 'node:child_process'
import type { Writable } from 'node:stream'
import type { AgentSocket } from '../agent-socket.ts'
import { REAP_GRACE_MS } from '../limits.ts'
import type { Cgroup } from './cgroup.ts'
import type { EgressSocket } from './egress.ts'
import type { ProcessTree } from './isolation.ts'
import { INSIDE } from './mounts.ts'
import type { Network } from './network.ts'
import { childrenOf, childrenOfThread, commandOf, sendSignal, signalTree } from './process-tree.ts'

/** Node reserves about this much address space before it runs anything, so a smaller limit would forbid it. */
const MIN_ADDRESS_SPACE_BYTES = 4096 * 1024 * 1024

/** Port of a sandbox's loopback on which programs find its proxy. The ports above it are the agent's own, as in E2B. */
const EGRESS_PORT = 49_982

/** Whether a process is the agent. SIGCONT does no harm to another process of that name. */
const isAgent = (pid: number) => commandOf(pid).includes(`${INSIDE.runtime}/agent.cjs`)

/**
 * Agents below a monitor: its child is process 1 of the sandbox, which no code of the sandbox can stop; below that is the
 * agent.
 */
const agentsBelow = (monitor: number) => childrenOf(monitor).flatMap(childrenOf).filter(isAgent)

export interface MachineParts {
  readonly child: ChildProcess
  readonly cgroup: Cgroup | null
  readonly socket: AgentSocket
  /** The sandbox ends when this does. */
  readonly lifeline: Writable
  readonly exited: Promise<string>
  /** Frees the sandbox's other resources, once it has ended. */
  readonly release: () => Promise<void>
  readonly memoryLimitBytes: number
  readonly network: Network | null
  readonly egress: EgressSocket | null
}

/** The handle of a started sandbox; `child` is bwrap's monitor, outside of the namespaces. */
export function bwrapProcessTree({
  child,
  cgroup,
  socket,
  lifeline,
  exited,
  release,
  memoryLimitBytes,
  network,
  egress,
}: MachineParts): ProcessTree {
  const pid = child.pid ?? 0
  // Also when the sandbox ends by itself: a tenant may kill its own agent.
  const released = exited.then(release)
  // Without a freezer whose processes can be killed, SIGSTOP pauses them.
  let stopped = false
  let agents: readonly number[] = []
  const thaw = async () => {
    if (stopped) signalTree(pid, 'SIGCONT')
    cgroup?.freezer?.thaw()
    stopped = false
  }
  return {
    socketPath: socket.path,
    home: INSIDE.home,
    runtime: INSIDE.runtime,
    egress: egress && { socketPath: INSIDE.egress, port: EGRESS_PORT },
    addressSpaceBytes: cgroup === null ? Math.max(memoryLimitBytes, MIN_ADDRESS_SPACE_BYTES) : 0,
    memoryLimitBytes: cgroup === null ? 0 : memoryLimitBytes,
    exited,
    async freeze() {
      if (await cgroup?.freezer?.freeze()) return true
      cgroup?.freezer?.thaw()
      stopped = true
      signalTree(pid, 'SIGSTOP')
      return true
    },
    thaw,
    resumeAgent() {
      if (stopped) return
      // Looked for once, since that reads every process of the host. Nothing is harmed where its number has another owner.
      agents = agents.filter(isAgent)
      if (agents.length === 0) agents = agentsBelow(pid)
      for (const agent of agents) sendSignal(agent, 'SIGCONT')
    },
    async cutNetwork() {
      egress?.close()
      await network?.stop()
    },
    usage: async () => ({
      cpuMicros: cgroup?.cpuMicros() ?? 0,
      memoryBytes: cgroup?.memoryBytes() ?? 0,
      memoryLimitBytes,
    }),
    async destroy() {
      // Where bwrap has only begun, nothing is below the monitor yet: what comes ends by its lifeline.
      lifeline.destroy()
      // The monitor reaps its children and then ends: killed first, it would leave them to the host's init.
      for (const process of childrenOfThread(pid)) sendSignal(process, 'SIGKILL')
      sendSignal(pid, 'SIGCONT')
      cgroup?.freezer?.thaw()
      const late = setTimeout(() => child.kill('SIGKILL'), REAP_GRACE_MS)
      await released
      clearTimeout(late)
    },
  }
}
