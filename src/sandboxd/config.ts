import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as limits from './limits.ts'

/** Configuration by the operator. Flags win over environment variables. */
export interface Config {
  /** TCP port on 127.0.0.1; 0 = any free one. */
  readonly port: number
  /** Descriptor of a socket that listens on `port` already, opened by the parent process; null to open one. */
  readonly fd: number | null
  /** Directory that holds everything that outlives the daemon. */
  readonly stateDir: string
  readonly isolation: 'bwrap' | 'none'
  readonly exceptions: readonly NetworkException[]
  /** Further read-only mounts. */
  readonly binds: readonly Bind[]
  /** Required `X-API-KEY`; `null`: a key that the daemon makes and keeps in its state. */
  readonly apiKey: string | null
  readonly memoryMb: number
  readonly pids: number
  readonly tmpMb: number
  readonly diskMb: number
  readonly fileMb: number
  readonly reserveMb: number
  readonly maxRunning: number
  /** Paused ones that keep their memory; further ones keep their files. */
  readonly maxFrozen: number
  /** Start the Python process with the sandbox, not with the first code. */
  readonly prewarm: boolean
  /** Whether to stop when stdin ends: with the parent process, however that ended. */
  readonly untilStdinEnds: boolean
}

/** A hole in the egress policy. */
export type NetworkException =
  | { readonly kind: 'address'; readonly cidr: string; readonly port: number | null }
  /** One TCP port of the host's own loopback, inside `host.sandbox.internal:port`. */
  | { readonly kind: 'host-port'; readonly port: number }

export interface Bind {
  readonly from: string
  readonly to: string
}

/** The operator wrote something that cannot be. The message is for them. */
export class ConfigError extends Error {}

/** Reads the configuration. @throws ConfigError */
export function readConfig(args: readonly string[], env: NodeJS.ProcessEnv): Config {
  const options = parseFlags(args)
  const number = (name: string, fallback: number, text = env[`SANDBOXD_${name}`]) => parseNumber(name, fallback, text)
  const isolation = options.isolation ?? env.ISOLATION ?? 'bwrap'
  if (isolation !== 'bwrap' && isolation !== 'none')
    throw new ConfigError(`isolation is bwrap or none, not '${isolation}'`)
  const port = number('PORT', 49_900, options.port ?? env.SANDBOXD_PORT)
  const exceptions = parseList(options.allow ?? env.SANDBOXD_ALLOW).map(parseException)
  if (exceptions.some((exception) => exception.kind === 'host-port' && exception.port === port)) {
    throw new ConfigError('--allow cannot name the port of this daemon: sandboxes could then control each other')
  }
  return {
    port,
    fd: options.fd === undefined ? null : parseNumber('FD', 0, options.fd),
    stateDir: resolve(options.state ?? env.SANDBOXD_STATE ?? '.sandboxd'),
    isolation,
    exceptions,
    binds: parseList(env.SANDBOXD_BINDS).map(parseBind),
    apiKey: env.SANDBOXD_API_KEY || null,
    memoryMb: number('MEMORY_MB', limits.DEFAULT_MEMORY_MB),
    pids: number('PIDS', limits.DEFAULT_PIDS),
    tmpMb: number('TMP_MB', limits.DEFAULT_TMP_MB),
    diskMb: number('DISK_MB', limits.DEFAULT_DISK_MB),
    fileMb: number('FILE_MB', limits.DEFAULT_FILE_MB),
    reserveMb: number('RESERVE_MB', limits.DEFAULT_RESERVE_MB),
    maxRunning: number('MAX_RUNNING', limits.DEFAULT_MAX_RUNNING),
    maxFrozen: number('MAX_FROZEN', limits.DEFAULT_MAX_FROZEN),
    prewarm: env.SANDBOXD_PREWARM === '1',
    untilStdinEnds: options['until-stdin-ends'] ?? false,
  }
}

function parseFlags(args: readonly string[]) {
  const text = { type: 'string' } as const
  const options = {
    port: text,
    fd: text,
    state: text,
    isolation: text,
    allow: text,
    'until-stdin-ends': { type: 'boolean' },
  } as const
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

function parseNumber(name: string, fallback: number, text: string | undefined): number {
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw new ConfigError(`${name} must be a whole number, not '${text}'`)
  return value
}

function parseList(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** `ADDR`, `CIDR`, `ADDR:PORT`, `CIDR:PORT`, or `127.0.0.1:PORT`. IPv4 only: sandboxes have no IPv6. */
function parseException(text: string): NetworkException {
  const match = /^([\d.]+)(?:\/(\d{1,2}))?(?::(\d{1,5}))?$/.exec(text)
  const [, address = '', bits = '32', portText] = match ?? []
  const port = portText === undefined ? null : Number(portText)
  if (isIP(address) !== 4 || Number(bits) > 32 || port === 0 || (port ?? 0) > 65_535) {
    throw new ConfigError(`--allow takes IPv4 ADDR, CIDR, ADDR:PORT or 127.0.0.1:PORT, not '${text}'`)
  }
  if (!address.startsWith('127.')) return { kind: 'address', cidr: `${address}/${Number(bits)}`, port }
  if (address !== '127.0.0.1' || bits !== '32' || port === null) {
    throw new ConfigError(`--allow opens the host's loopback one port at a time: 127.0.0.1:PORT, not '${text}'`)
  }
  return { kind: 'host-port', port }
}

function parseBind(text: string): Bind {
  const [from = '', to = '', ...rest] = text.split(':')
  if (!from.startsWith('/') || !to.startsWith('/') || rest.length > 0) {
    throw new ConfigError(`SANDBOXD_BINDS takes /host/path:/inside/path, not '${text}'`)
  }
  return { from, to }
}
