import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { errnoOf } from '../json.ts'
import { IsolationUnavailable } from './isolation.ts'

const REQUIRED = new Map([
  ['bwrap', 'bubblewrap'],
  ['bash', 'bash'],
  ['prlimit', 'util-linux'],
  ['unshare', 'util-linux'],
])

const FOR_INTERNET = new Map([
  ['slirp4netns', 'slirp4netns'],
  ['ip', 'iproute2'],
])

export interface Tools {
  /** Why no sandbox can have the internet on this machine; `null` when one can. */
  readonly whyOffline: string | null
}

/**
 * Looks for the programs that isolation is made of, and tries it once: some hosts have bubblewrap and forbid it.
 * @throws IsolationUnavailable with what to install or to allow
 */
export function findTools(): Tools {
  const missing = [...REQUIRED].filter(([name]) => !isInstalled(name)).map(([, aptPackage]) => aptPackage)
  if (missing.length > 0) {
    throw new IsolationUnavailable(`isolation needs ${missing.join(', ')}: apt-get install ${missing.join(' ')}`)
  }
  const probe = spawnSync(
    'bwrap',
    ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'bash', '-c', ':'],
    {
      encoding: 'utf8',
      timeout: 10_000,
    },
  )
  if (probe.status !== 0) {
    throw new IsolationUnavailable(
      `bubblewrap cannot make a sandbox here: ${probe.stderr.trim() || 'no answer'}. Unprivileged user namespaces must be ` +
        'allowed (Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0; Docker: --security-opt seccomp=unconfined)',
    )
  }
  return { whyOffline: whyOffline() }
}

function whyOffline(): string | null {
  const missing = [...FOR_INTERNET].filter(([name]) => !isInstalled(name)).map(([, aptPackage]) => aptPackage)
  if (missing.length > 0) return `${missing.join(' and ')} is missing: apt-get install ${missing.join(' ')}`
  if (!isAllowed('/dev/net/tun', constants.R_OK | constants.W_OK)) {
    return '/dev/net/tun is missing or closed to this user: modprobe tun; chmod 0666 /dev/net/tun'
  }
  return hasXfrm() ? null : 'this kernel has no IPsec policies (CONFIG_XFRM), which the egress policy needs'
}

function hasXfrm(): boolean {
  const policy = ['ip', 'xfrm', 'policy', 'add', 'dst', '224.0.0.0/4', 'dir', 'out', 'action', 'block']
  return spawnSync('unshare', ['--user', '--map-root-user', '--net', '--', ...policy], { timeout: 10_000 }).status === 0
}

function isInstalled(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((dir) => isAllowed(join(dir, name), constants.X_OK))
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch (error) {
    if (errnoOf(error) === null) throw error
    return false
  }
}
