import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { type AgentSocket, listenForAgent } from '../agent-socket.ts'
import type { Config } from '../config.ts'
import { AGENT_HEAP_MB, OPEN_FILES } from '../limits.ts'
import { StderrTail } from '../stderr-tail.ts'
import { bwrapProcessTree } from './bwrap-machine.ts'
import type { Cgroups } from './cgroup.ts'
import { type EgressSocket, openEgress } from './egress.ts'
import { type HostUser, hostUser } from './host-user.ts'
import type { BootSpec, ProcessTree } from './isolation.ts'
import { INSIDE, mountArguments } from './mounts.ts'
import { attachNetwork, hostAddresses, type Network } from './network.ts'
import { egressPolicy, needsHostLoopback } from './policy.ts'
import { type Directories, makeDirectories } from './sandbox-directories.ts'
import { AGENT_FD, LIFELINE_FD, START_SCRIPT } from './start-script.ts'

const MIB = 1024 * 1024

/** Parts that all sandboxes of one daemon share. */
export interface BwrapHost {
  readonly config: Config
  readonly cgroups: Cgroups | null
  readonly filter: Buffer | null
  readonly runtimeDir: string
  readonly nodePath: string
  readonly separateUsers: boolean
  readonly internet: boolean
}

/**
 * Starts a sandbox: its socket, its control group, the holder of its network namespace, its network, then bwrap with the
 * agent. Nothing of it is left when a step fails.
 * @throws Error with the words of the step that failed
 */
export async function bootBwrap(spec: BootSpec, host: BwrapHost): Promise<ProcessTree> {
  const user = host.separateUsers ? hostUser(spec.slot) : null
  const dirs = makeDirectories(spec.dir, user)
  const internet = spec.internet === true && host.internet
  const memoryLimitBytes = host.config.memoryMb * MIB
  const cgroup = host.cgroups?.open(spec.id, { memoryBytes: memoryLimitBytes, pids: host.config.pids }) ?? null
  const { exceptions } = host.config
  const socket = await listenForAgent(dirs.run)
  const child = spawnHolder(host, user, cgroup === null, internet, socket)
  socket.release()

  const stderr = new StderrTail(child.stderr)
  const exited = exitOf(child).then((how) => [how, stderr.text()].filter((text) => text !== '').join(': '))
  let network: Network | null = null
  let egress: Awaited<ReturnType<typeof openEgress>> | null = null
  const [ready, lifeline, args, policy, bpf] = child.stdio.slice(3) as [
    Readable,
    Writable,
    Writable,
    Writable,
    Writable,
  ]
  for (const stream of [lifeline, args, policy, bpf]) stream.on('error', () => {})

  const release = async () => {
    lifeline.destroy()
    await network?.stop()
    egress?.close()
    await cgroup?.remove()
    socket.close()
  }
  try {
    if (child.pid === undefined) throw new Error(await exited)
    cgroup?.attach(child.pid)
    if (Array.isArray(spec.internet)) {
      egress = await openEgress(spec.dir, { hosts: spec.internet, exceptions, user })
    }
    args.end(`${bwrapArguments(host, dirs, internet, egress).join('\0')}\0`)
    bpf.end(host.filter ?? Buffer.alloc(0))
    policy.end(internet ? egressPolicy(exceptions, hostAddresses()) : '')
    const isReady = await Promise.race([once(ready, 'data').then(() => true), exited.then(() => false)])
    if (!isReady) throw new Error(await exited)
    if (internet) network = await attachNetwork(child.pid, needsHostLoopback(exceptions))
    lifeline.write('go\n')
  } catch (error) {
    child.kill('SIGKILL')
    await exited
    await release()
    throw error
  }
  return bwrapProcessTree({ child, cgroup, socket, lifeline, exited, release, memoryLimitBytes, network, egress })
}

function spawnHolder(
  host: BwrapHost,
  user: HostUser | null,
  limitProcesses: boolean,
  internet: boolean,
  socket: AgentSocket,
): ChildProcess {
  const { config } = host
  const limits = `--fsize=${config.fileMb * MIB} --nofile=${OPEN_FILES} --core=0`
  const agent = [
    INSIDE.node,
    `--max-old-space-size=${AGENT_HEAP_MB}`,
    `${INSIDE.runtime}/agent.cjs`,
    String(AGENT_FD),
    String(LIFELINE_FD),
  ]
  const seccomp = host.filter === null ? [] : ['--seccomp', '7']
  const processes = limitProcesses ? String(config.pids) : '0'
  return spawn(
    'bash',
    [
      '--norc',
      '--noprofile',
      '-c',
      START_SCRIPT,
      'sandbox',
      limits,
      processes,
      internet ? 'internet' : 'offline',
      ...seccomp,
      '--',
      ...agent,
    ],
    {
      // The script finds its programs by this; bwrap itself gets none of it.
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', socket.fd],
      ...(user ?? {}),
    },
  )
}

function bwrapArguments(host: BwrapHost, dirs: Directories, internet: boolean, egress: EgressSocket | null): string[] {
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
      egressSocket: egress?.path ?? null,
      binds: host.config.binds,
    }),
    '--chdir', INSIDE.home,
  ] // biome-ignore format: flags and their values belong on one line
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal === null ? `exit status ${code}` : `signal ${signal}`))
  })
}
