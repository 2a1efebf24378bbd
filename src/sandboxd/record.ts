import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeHosts, type Internet } from './egress/host-list.ts'
import { asNumber, asObject, asString, asStringMap, errnoOf, fromStringMap, type Json, parseObject } from './json.ts'

/** Record of a sandbox on disk, which outlives the daemon. */
export interface SandboxRecord {
  readonly id: string
  readonly slot: number
  readonly templateId: string
  readonly metadata: ReadonlyMap<string, string>
  readonly envVars: ReadonlyMap<string, string>
  internet: Internet
  readonly onTimeout: 'pause' | 'kill'
  /** Whether a pause on timeout keeps the memory. */
  readonly keepMemory: boolean
  readonly autoResume: boolean
  /** Token that the SDK sends as `X-Access-Token`, and with which URLs are signed. */
  readonly accessToken: string
  readonly trafficToken: string
  /** Whether requests to the sandbox's own ports need the traffic token. */
  readonly publicTraffic: boolean
  readonly startedAt: number
  /** Unix milliseconds of the timeout; for a paused sandbox, of its end when it may not outlive it. */
  endAt: number
  timeoutSeconds: number
  state: 'running' | 'paused'
  pausedAt: number | null
  /** Whether it ended by itself when it ran last: requests to it do not start it again then. */
  hasDied: boolean
}

const FILE = 'record.json'

export function saveRecord(dir: string, record: SandboxRecord): void {
  const json = { ...record, metadata: fromStringMap(record.metadata), envVars: fromStringMap(record.envVars) }
  writeFileSync(join(dir, `${FILE}.new`), JSON.stringify(json), { mode: 0o600 })
  renameSync(join(dir, `${FILE}.new`), join(dir, FILE))
}

/** Reads all records below `root`. A directory without a readable one was left by a crash during create: it is removed. */
export function loadRecords(root: string): SandboxRecord[] {
  const records: SandboxRecord[] = []
  for (const id of readdirSync(root)) {
    const record = loadRecord(join(root, id))
    if (record !== null && record.id === id) records.push(record)
    else rmSync(join(root, id), { recursive: true, force: true })
  }
  return records
}

function loadRecord(dir: string): SandboxRecord | null {
  try {
    return decode(parseObject(readFileSync(join(dir, FILE), 'utf8')))
  } catch (error) {
    if (errnoOf(error) === null) throw error
    return null
  }
}

function decode(json: Json | null): SandboxRecord | null {
  const id = asString(json?.id)
  const accessToken = asString(json?.accessToken)
  const slot = asNumber(json?.slot)
  if (json === null || id === null || accessToken === null || slot === null || asObject(json.metadata) === null)
    return null
  return {
    id,
    slot,
    templateId: asString(json.templateId) ?? 'base',
    metadata: asStringMap(json.metadata),
    envVars: asStringMap(json.envVars),
    // What cannot be read is nothing: a sandbox never gets more than it was made with.
    internet: json.internet === true || (Array.isArray(json.internet) && (decodeHosts(json.internet) ?? false)),
    onTimeout: json.onTimeout === 'pause' ? 'pause' : 'kill',
    keepMemory: json.keepMemory !== false,
    autoResume: json.autoResume === true,
    accessToken,
    trafficToken: asString(json.trafficToken) ?? accessToken,
    publicTraffic: json.publicTraffic !== false,
    startedAt: asNumber(json.startedAt) ?? Date.now(),
    endAt: asNumber(json.endAt) ?? Date.now(),
    timeoutSeconds: asNumber(json.timeoutSeconds) ?? 300,
    state: json.state === 'running' ? 'running' : 'paused',
    pausedAt: asNumber(json.pausedAt),
    hasDied: json.hasDied === true,
  }
}
