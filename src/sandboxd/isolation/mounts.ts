import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import type { Bind } from '../config.ts'
import { SHM_MB } from '../limits.ts'

/** Paths inside every sandbox. */
export const INSIDE = {
  home: '/home/user',
  runtime: '/opt/sandboxd',
  agentState: '/opt/sandboxd-state',
  node: '/opt/node/bin/node',
  /** Socket of the proxy of a sandbox with a list of hosts. */
  egress: '/opt/sandboxd-egress',
  ca: '/etc/ssl/certs/ca-certificates.crt',
} as const

const MIB = 1024 * 1024

/** Files of the host's /etc that programs need to run; none could hold a secret of the host. */
const ETC = [
  'alternatives', 'ca-certificates', 'ca-certificates.conf', 'debian_version', 'fonts', 'ghostscript', 'gai.conf', 'host.conf',
  'ImageMagick-6', 'ImageMagick-7', 'inputrc', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'libreoffice', 'locale.alias',
  'localtime', 'magic', 'magic.mime', 'matplotlibrc', 'mime.types', 'os-release', 'papersize', 'perl', 'pki', 'protocols',
  'services', 'ssl/certs', 'ssl/openssl.cnf', 'terminfo', 'texmf', 'timezone', 'R', 'java-11-openjdk', 'java-17-openjdk',
  'java-21-openjdk',
] // biome-ignore format: a list reads best as one

/** Caches and trees outside /usr that installed tools read: TeX formats, font caches, shared data. */
const OTHER = ['/var/cache/fontconfig', '/var/lib/texmf', '/var/lib/ghostscript', '/var/lib/dpkg/alternatives']

/** Programs of their own place that tools start: Claude Code, where it was not installed below /usr. */
const OPT = ['/opt/claude']

/** Directories at the root that are links into /usr on most hosts and real ones on a few. */
const ROOT_DIRS = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']

export interface MountSpec {
  readonly runtimeDir: string
  readonly nodePath: string
  readonly homeDir: string
  readonly agentStateDir: string
  readonly bootIdFile: string
  readonly tmpMb: number
  readonly internet: boolean
  /** Socket on the host of the sandbox's proxy; null where it has none. */
  readonly egressSocket: string | null
  readonly binds: readonly Bind[]
}

/** bwrap's arguments for the whole file system of a sandbox. Everything not named here does not exist inside. */
export function mountArguments(spec: MountSpec): string[] {
  const args: string[] = []
  const readOnly = (from: string, to = from) => void args.push('--ro-bind', from, to)
  const tmpfs = (path: string, mb: number, mode: string) =>
    void args.push('--perms', mode, '--size', String(mb * MIB), '--tmpfs', path)

  readOnly('/usr')
  for (const name of ROOT_DIRS) {
    const stats = lstatSync(`/${name}`, { throwIfNoEntry: false })
    if (stats?.isSymbolicLink()) args.push('--symlink', readlinkSync(`/${name}`), `/${name}`)
    else if (stats?.isDirectory()) readOnly(`/${name}`)
  }

  for (const dir of ['/etc', '/var']) args.push('--perms', '0755', '--dir', dir)
  for (const path of [...etcPaths(), ...OTHER.filter((other) => existsSync(other))]) readOnly(path)
  const generated = ['passwd', 'group', 'nsswitch.conf', 'hostname', 'profile', 'gitconfig']
  for (const name of generated) readOnly(`${spec.runtimeDir}/etc/${name}`, `/etc/${name}`)
  readOnly(`${spec.runtimeDir}/etc/${spec.internet ? 'hosts-internet' : 'hosts'}`, '/etc/hosts')
  readOnly(`${spec.runtimeDir}/etc/${spec.internet ? 'resolv-internet.conf' : 'resolv.conf'}`, '/etc/resolv.conf')

  args.push('--proc', '/proc', '--dev', '/dev')
  readOnly(spec.bootIdFile, '/proc/sys/kernel/random/boot_id')
  tmpfs('/dev/shm', SHM_MB, '1777')
  tmpfs('/tmp', spec.tmpMb, '1777')
  tmpfs('/run', 8, '0755')
  args.push('--symlink', '/tmp', '/var/tmp', '--symlink', '/run', '/var/run')

  for (const dir of ['/home', '/opt', '/opt/node', '/opt/node/bin', '/root']) args.push('--perms', '0755', '--dir', dir)
  args.push('--bind', spec.homeDir, INSIDE.home, '--bind', spec.agentStateDir, INSIDE.agentState)
  readOnly(spec.runtimeDir, INSIDE.runtime)
  readOnly(spec.nodePath, INSIDE.node)
  if (spec.egressSocket !== null) readOnly(spec.egressSocket, INSIDE.egress)
  for (const path of OPT.filter((other) => existsSync(other))) readOnly(path)
  for (const { from, to } of spec.binds) readOnly(from, to)

  // bwrap's own root and /dev are tmpfs without a size: left writable, they would be a way around the limits of /tmp.
  args.push('--remount-ro', '/dev', '--remount-ro', '/')
  return args
}

function etcPaths(): string[] {
  const python = readdirSync('/etc').filter((name) => /^python3(\.\d+)?$/.test(name))
  return [...ETC, ...python].map((name) => `/etc/${name}`).filter((path) => existsSync(path))
}
