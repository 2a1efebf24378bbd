import type { Internet } from '../egress/host-list.ts'

/** Parameters of one start of a sandbox. */
export interface BootSpec {
  readonly id: string
  /** The sandbox's own directory below the state directory. */
  readonly dir: string
  /** Chooses the host user it runs as; no two sandboxes of this daemon share one. */
  readonly slot: number
  readonly internet: Internet
}

/** A started sandbox: a process tree with the agent in it. */
export interface ProcessTree {
  /** The agent's socket on the host. */
  readonly socketPath: string
  /** Home directory of the sandbox as the agent knows it, and the directory of the agent's own programs. */
  readonly home: string
  readonly runtime: string
  /** The way out of a sandbox with a list of hosts, as the agent needs it; null for any other. */
  readonly egress: { readonly socketPath: string; readonly port: number } | null
  /** Address space that each command may have, where nothing else bounds memory; 0 = no such limit. */
  readonly addressSpaceBytes: number
  /** Memory that all processes may have together; 0 = no such limit. */
  readonly memoryLimitBytes: number
  /** Settles when the tree is gone, whoever ended it; the text says how. */
  readonly exited: Promise<string>
  /** Stops every process where it is. `false` when this machine cannot. */
  freeze(): Promise<boolean>
  thaw(): Promise<void>
  /** Continues the agent, which code of the sandbox can stop where it has the agent's user. */
  resumeAgent(): void
  /** Takes the network away at once. */
  cutNetwork(): Promise<void>
  usage(): Promise<Usage>
  /** Ends the whole tree and waits until it is gone. */
  destroy(): Promise<void>
}

export interface Usage {
  readonly cpuMicros: number
  readonly memoryBytes: number
  readonly memoryLimitBytes: number
}

export interface Isolation {
  /** Notes for the operator about this machine, printed at start. */
  readonly notes: readonly string[]
  /** Whether sandboxes can have the public internet. */
  readonly internet: boolean
  /** Whether the memory of a sandbox's processes together is limited. */
  readonly limitsMemory: boolean
  boot(spec: BootSpec): Promise<ProcessTree>
  /** Releases what belongs to the daemon, not to one sandbox. */
  close(): Promise<void>
}

/** Error of a machine that lacks something. The message says what to install. */
export class IsolationUnavailable extends Error {}
