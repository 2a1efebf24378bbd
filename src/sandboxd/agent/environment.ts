import { statSync } from 'node:fs'
import { isAbsolute, join, normalize } from 'node:path'
import { asNumber, asObject, asString, asStringMap, errnoOf, fromStringMap, type Json } from '../json.ts'
import { RpcError } from './connect-json.ts'
import type { Egress } from './egress-relay.ts'

/** Boot settings, which the daemon sends to the agent once, after boot. */
export interface Boot {
  readonly home: string
  /** Directory of the agent's own Python programs. */
  readonly runtime: string
  /** The environment of every command; a request's own variables win. */
  readonly env: Readonly<Record<string, string>>
  /** Address-space limit of each command in bytes, where no cgroup bounds memory; 0 = none. */
  readonly addressSpaceBytes: number
  /** The way out of a sandbox with a list of hosts; null for any other. */
  readonly egress: Egress | null
  /** Start the default interpreter context at once. */
  readonly prewarm: boolean
  /** The process groups of everything that was started and has not ended. */
  readonly groups: Set<number>
}

/** Decodes the boot settings. @throws RpcError `invalid_argument` */
export function decodeBoot(value: unknown, groups: Set<number>): Boot {
  const boot = asObject(value)
  const home = asString(boot?.home)
  const runtime = asString(boot?.runtime)
  if (home === null || runtime === null) throw new RpcError('invalid_argument', 'boot needs home and runtime')
  return {
    home,
    runtime,
    env: fromStringMap(asStringMap(boot?.env)),
    addressSpaceBytes: Number(boot?.addressSpaceBytes ?? 0),
    egress: decodeEgress(asObject(boot?.egress)),
    prewarm: boot?.prewarm === true,
    groups,
  }
}

function decodeEgress(egress: Json | null): Egress | null {
  const socketPath = asString(egress?.socketPath)
  const port = asNumber(egress?.port)
  return socketPath === null || port === null ? null : { socketPath, port }
}

/**
 * The absolute path a client means: relative ones and `~` start at home, as in E2B.
 * @throws RpcError `invalid_argument`
 */
export function resolvePath(boot: Boot, path: string): string {
  if (path.includes('\0')) throw new RpcError('invalid_argument', 'a path cannot contain NUL')
  if (path === '' || path === '~') return boot.home
  if (path.startsWith('~/')) return normalize(join(boot.home, path.slice(2)))
  const absolute = normalize(isAbsolute(path) ? path : join(boot.home, path))
  return absolute.length > 1 && absolute.endsWith('/') ? absolute.slice(0, -1) : absolute
}

/**
 * Checks the user's name. There is one user; `root` is accepted as another name for it, since there are no privileges to
 * have.
 */
export function checkUser(username: string | null): void {
  if (username !== null && username !== 'user' && username !== 'root') {
    throw new RpcError('unauthenticated', `invalid username: '${username}'`)
  }
}

/** Working directory of a command. @throws RpcError `invalid_argument` when it is not a directory */
export function workingDirectory(boot: Boot, cwd: string | null): string {
  const path = resolvePath(boot, cwd ?? '')
  try {
    if (statSync(path).isDirectory()) return path
  } catch (error) {
    if (errnoOf(error) === null) throw error
  }
  throw new RpcError('invalid_argument', `cwd '${path}' does not exist or is not a directory`)
}
