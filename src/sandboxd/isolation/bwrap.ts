import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { type AgentSocket, listenForAgent } from '../agent-socket.ts'
import type { Config } from '../config.ts'
import { AGENT_HEAP_MB, OPEN_FILES, REAP_GRACE_MS } from '../limits.ts'
import { copyNode, prepareRuntime } from '../runtime-files.ts'
import { stateName } from '../state-lock.ts'
import { StderrTail } from '../stderr-tail.ts'
import { type Cgroup, type Cgroups, openCgroups } from './cgroup.ts'
import { type HostUser, hostUser, impassable } from './host-user.ts'
import type { BootSpec, Isolation, Machine } from './isolation.ts'
import { INSIDE, mountArguments } from './mounts.ts'
import { attachNetwork, hostAddresses, type Network } from './network.ts'
import { egressPolicy, needsHostLoopback } from './policy.ts'
import { childrenOf, sendSignal, signalTree } from './process-tree.ts'
import { seccompFilter } from './seccomp.ts'
import { findTools } from './tools.ts'

const MIB = 1024 * 1024
/** Node reserves about this much address space before it runs anything, so a smaller limit would forbid it. */
const MIN_ADDRESS_SPACE_BYTES = 4096 * MIB

/** Descriptors of the start script: ready out, go in, bwrap's arguments, the egress policy, the filter, the agent's socket. */
const AGENT_FD = 8

/**
 * The start script. Each step replaces the one before (`exec`), so the pid that was spawned stays the sandbox's.
 * The holder of the network namespace is made first, because a namespace made by bwrap itself could not be joined any more.
 * Everything fails closed: if the daemon dies, `read` meets the end of its pipe; if the policy cannot be set, nothing starts.
 */
const START = `
for fd in /proc/self/fd/*; do fd=\${fd##*/}; if (( fd > ${AGENT_FD} )); then eval "exec $fd>&-"; fi; done
limits=$1 processes=$2 network=$3; shift 3
stage='
[ "$1" = 0 ] || ulimit -u "$1"
network=$2; shift 2
echo r >&3; read -r _ <&4 || exit 125
if [ "$network" = internet ]; then ip -batch - <&6 || exit 126; fi
exec 3>&- 4<&- 6<&-
exec bwrap --args 5 "$@"'
set -- bash --norc --noprofile -c "$stage" stage "$processes" "$network" "$@"
if [ "$network" = internet ]; then set -- unshare --user --map-root-user --net -- "$@"; fi
exec prlimit $limits -- "$@"
`

/** @throws IsolationUnavailable */
export async function openBwrap(config: Config): Promise<Isolation> {
  const tools = findTools()
  const notes: string[] = []
  const runtimeDir = await prepareRuntime(config.stateDir)
  const cgroups = openCgroups(`sandboxd-${stateName(config.stateDir)}`)
  const filter = seccompFilter(process.arch)
  const separateUsers = canSeparateUsers(config.stateDir, notes)
  const nodePath =
    separateUsers && impassable(process.execPath).length > 0 ? copyNode(config.stateDir) : process.execPath

  if (cgroups === null)
    notes.push('no writable cgroup: memory is limited per process only, and pause keeps memory by SIGSTOP')
  if (filter === null) notes.push(`no seccomp table for ${process.arch}: system calls are not filtered`)
  if (tools.whyOffline !== null) notes.push(`sandboxes have no network: ${tools.whyOffline}`)

  return {
    notes,
    boot: (spec) =>
      boot(spec, {
        config,
        cgroups,
        filter,
        runtimeDir,
        nodePath,
        separateUsers,
        internet: tools.whyOffline === null,
      }),
    async close() {
      cgroups?.close()
    },
  }
}

function canSeparateUsers(stateDir: string, notes: string[]): boolean {
  if (process.getuid?.() !== 0) return false
  const blocked = impassable(join(stateDir, 'sandbox'))
  if (blocked.length === 0) return true
  notes.push(
    `sandboxes run as this host's root user, because others may not enter ${blocked.join(', ')}: chmod o+x, or another --state`,
  )
  return false
}

interface Host {
  readonly config: Config
  readonly cgroups: Cgroups | null
  readonly filter: Buffer | null
  readonly runtimeDir: string
  readonly nodePath: string
  readonly separateUsers: boolean
  readonly internet: boolean
}

async function boot(spec: BootSpec, host: Host): Promise<Machine> {
  const user = host.separateUsers ? hostUser(spec.slot) : null
  const dirs = makeDirectories(spec.dir, user)
  const internet = spec.internet && host.internet
  const cgroup =
    host.cgroups?.open(spec.id, { memoryBytes: host.config.memoryMb * MIB, pids: host.config.pids }) ?? null
  const socket = await listenForAgent(dirs.run)
  const child = spawnHolder(host, user, cgroup === null, internet, socket)
  socket.release()

  const stderr = new StderrTail(child.stderr)
  const exited = exitOf(child).then((how) => [how, stderr.text()].filter((text) => text !== '').join(': '))
  let network: Network | null = null
  const [ready, go, args, policy, bpf] = child.stdio.slice(3) as [Readable, Writable, Writable, Writable, Writable]
  for (const stream of [go, args, policy, bpf]) stream.on('error', () => {})

  const release = async () => {
    await network?.stop()
    await cgroup?.remove()
    socket.close()
  }
  try {
    if (child.pid === undefined) throw new Error(await exited)
    cgroup?.attach(child.pid)
    args.end(`${bwrapArguments(host, dirs, internet).join('\0')}\0`)
    bpf.end(host.filter ?? Buffer.alloc(0))
    policy.end(internet ? egressPolicy(host.config.exceptions, hostAddresses()) : '')
    const isReady = await Promise.race([once(ready, 'data').then(() => true), exited.then(() => false)])
    if (!isReady) throw new Error(await exited)
    if (internet) network = await attachNetwork(child.pid, needsHostLoopback(host.config.exceptions))
    go.end('go\n')
  } catch (error) {
    child.kill('SIGKILL')
    await exited
    await release()
    throw error
  }
  return machine({ child, cgroup, socket, exited, release, host, takeNetwork: () => network })
}

function spawnHolder(
  host: Host,
  user: HostUser | null,
  limitProcesses: boolean,
  internet: boolean,
  socket: AgentSocket,
): ChildProcess {
  const { config } = host
  const limits = `--fsize=${config.fileMb * MIB} --nofile=${OPEN_FILES} --core=0`
  const agent = [INSIDE.node, `--max-old-space-size=${AGENT_HEAP_MB}`, `${INSIDE.runtime}/agent.cjs`, String(AGENT_FD)]
  const seccomp = host.filter === null ? [] : ['--seccomp', '7']
  const processes = limitProcesses ? String(config.pids) : '0'
  return spawn(
    'bash',
    [
      '--norc',
      '--noprofile',
      '-c',
      START,
      'sandbox',
      limits,
      processes,
      internet ? 'internet' : 'offline',
      ...seccomp,
      '--',
      ...agent,
    ],
    {
      // bwrap's own environment can be read inside, as that of process 1.
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', socket.fd],
      ...(user ?? {}),
    },
  )
}

function bwrapArguments(host: Host, dirs: Directories, internet: boolean): string[] {
  return [
    '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try',
    ...(internet ? [] : ['--unshare-net']),
    '--disable-userns', '--die-with-parent', '--new-session', '--clearenv', '--uid', '1000', '--gid', '1000', '--hostname', 'sandbox',
    '--setenv', 'PATH', '/usr/local/bin:/usr/bin:/bin', '--setenv', 'HOME', INSIDE.home,
    ...mountArguments({
      runtimeDir: host.runtimeDir,
      nodePath: host.nodePath,
      homeDir: dirs.home,
      agentStateDir: dirs.agentState,
      bootIdFile: dirs.bootIdFile,
      tmpMb: host.config.tmpMb,
      internet,
      binds: host.config.binds,
    }),
    '--chdir', INSIDE.home,
  ] // biome-ignore format: flags and their values belong on one line
}

interface Directories {
  readonly home: string
  readonly agentState: string
  readonly run: string
  readonly bootIdFile: string
}

function makeDirectories(dir: string, user: HostUser | null): Directories {
  const run = join(dir, 'run')
  rmSync(run, { recursive: true, force: true })
  mkdirSync(run, { recursive: true, mode: 0o700 })
  chmodSync(dir, user === null ? 0o700 : 0o711)
  const home = ownDirectory(join(dir, 'home'), user)
  const agentState = ownDirectory(join(dir, 'agent'), user)
  // A new one per boot: programs tell a reboot by it.
  const bootIdFile = join(dir, 'boot_id')
  writeFileSync(bootIdFile, `${randomUUID()}\n`)
  chmodSync(bootIdFile, 0o644)
  return { home, agentState, run, bootIdFile }
}

function ownDirectory(path: string, user: HostUser | null): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (user !== null && statSync(path).uid !== user.uid) chownSync(path, user.uid, user.gid)
  return path
}

interface MachineParts {
  readonly child: ChildProcess
  readonly cgroup: Cgroup | null
  readonly socket: AgentSocket
  readonly exited: Promise<string>
  readonly release: () => Promise<void>
  readonly host: Host
  readonly takeNetwork: () => Network | null
}

function machine({ child, cgroup, socket, exited, release, host, takeNetwork }: MachineParts): Machine {
  const pid = child.pid ?? 0
  // Also when it ends by itself: a tenant may kill its own agent.
  const released = exited.then(release)
  const memoryLimitBytes = host.config.memoryMb * MIB
  // With the freezer of version 1, or a daemon killed meanwhile, frozen processes would outlive it: SIGSTOP then.
  let stopped = false
  const thaw = async () => {
    if (stopped) signalTree(pid, 'SIGCONT')
    cgroup?.freezer?.thaw()
    stopped = false
  }
  return {
    socketPath: socket.path,
    home: INSIDE.home,
    runtime: INSIDE.runtime,
    addressSpaceBytes: cgroup === null ? Math.max(memoryLimitBytes, MIN_ADDRESS_SPACE_BYTES) : 0,
    exited,
    async freeze() {
      if (await cgroup?.freezer?.freeze()) return true
      cgroup?.freezer?.thaw()
      stopped = true
      signalTree(pid, 'SIGSTOP')
      return true
    },
    thaw,
    cutNetwork: async () => await takeNetwork()?.stop(),
    usage: async () => ({
      cpuMicros: cgroup?.cpuMicros() ?? 0,
      memoryBytes: cgroup?.memoryBytes() ?? 0,
      memoryLimitBytes,
    }),
    async destroy() {
      // The monitor reaps what it waits for and then ends: killed first, it would leave a zombie to the host's init.
      const inner = childrenOf(pid)
      for (const process of inner) sendSignal(process, 'SIGKILL')
      sendSignal(pid, inner.length > 0 ? 'SIGCONT' : 'SIGKILL')
      cgroup?.freezer?.thaw()
      const late = setTimeout(() => child.kill('SIGKILL'), REAP_GRACE_MS)
      await released
      clearTimeout(late)
    },
  }
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal === null ? `exit status ${code}` : `signal ${signal}`))
  })
}
