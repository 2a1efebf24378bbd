import type { WorkspaceEntry } from '../../ports/workspace.ts'
import type { NotedChange } from '../../workspace/export/pages.ts'
import type { Commit } from '../../workspace/history/commits.ts'
import type { Snapshot } from '../../workspace/history/snapshots.ts'
import type { HistoryCall } from '../calls-api.ts'

/** JSON lines of an export, in UTF-8. */
export const jsonLines = (values: readonly object[]): Uint8Array =>
  new TextEncoder().encode(values.map((value) => `${JSON.stringify(value)}\n`).join(''))

const LAST_TIME = 8.64e15

/** RFC 3339; null for a time that has no such form, which a program can give its files. */
const time = (ms: number | null) => (ms === null || !(Math.abs(ms) <= LAST_TIME) ? null : new Date(ms).toISOString())

const stateOf = (entry: WorkspaceEntry) => ({
  kind: entry.kind,
  ...(entry.kind === 'file' && { size: entry.size, sha256: entry.hash }),
  ...(entry.kind === 'link' && { target: entry.target }),
  mode: entry.mode,
  modified_at: time(entry.mtimeMs),
})

export const entryLine = (entry: WorkspaceEntry) => ({ path: entry.path, ...stateOf(entry) })

export const commitLine = ({ seq, callId, at, changed }: Commit) => ({
  commit: seq,
  author: callId,
  at: time(at),
  changed,
})

export const changeLine = ({ commit, path, before }: NotedChange) => ({
  commit,
  path,
  before: before && stateOf(before),
})

export const snapshotLine = ({ name, seq, author, at }: Snapshot) => ({
  name,
  commit: seq,
  author,
  created_at: time(at),
})

export const callLine = (call: HistoryCall) => ({
  call_id: call.callId,
  tool: call.tool,
  parent: call.parent ?? null,
  state: call.state,
  arguments: call.args,
  answer: call.answer,
  started_at: time(call.startedAt),
  ended_at: time(call.endedAt),
  receipt: call.receipt,
})
