import { workspacePath } from '../../../src/core/workspace-path.ts'
import type { Change } from '../../../src/ports/workspace.ts'
import type { WaitingContents } from '../../../src/workspace/waiting.ts'
import { SessionWorkspace } from '../../../src/workspace/workspace.ts'
import { MemoryBlobs } from '../../support/blobs-memory.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

export const p = workspacePath

/** Every content goes to the store with the next flush. */
const NONE_WAITS: WaitingContents = { contents: 0, bytes: 0 }

/** A new workspace over SQLite and a store in memory, with a clock that the test moves. */
export function openWorkspace({ nodeId = 'node-1', blobs = new MemoryBlobs(), mayWait = NONE_WAITS } = {}) {
  const sql = new NodeSql()
  const time = { now: 1_000_000 }
  openSessionTables(sql)
  let calls = 0
  const parts = {
    sql,
    blobs: blobs.forSession(nodeId),
    clock: { now: () => time.now },
    callId: () => `call-${++calls}`,
    mayWait,
  }
  /** The same tables seen by a new object, as after a crash. */
  const reopen = () => new SessionWorkspace(parts)
  return { workspace: reopen(), reopen, sql, blobs, time }
}

export const write = (
  path: string,
  text: string | Uint8Array,
  more: { mode?: number; mtimeMs?: number } = {},
): Change => ({
  op: 'write',
  path: p(path),
  content: typeof text === 'string' ? new TextEncoder().encode(text) : text,
  ...more,
})
export const mkdir = (path: string): Change => ({ op: 'mkdir', path: p(path) })
export const remove = (path: string): Change => ({ op: 'remove', path: p(path) })
export const move = (from: string, to: string): Change => ({ op: 'move', from: p(from), to: p(to) })
export const link = (path: string, target: string): Change => ({ op: 'link', path: p(path), target })

/** All paths, directories with a `/` behind. */
export const tree = (workspace: SessionWorkspace) =>
  [...workspace.entries()].map((entry) => (entry.kind === 'directory' ? `${entry.path}/` : entry.path))

export async function text(workspace: SessionWorkspace, path: string): Promise<string | null> {
  const bytes = await workspace.read(p(path))
  return bytes && new TextDecoder().decode(bytes)
}

/** Different at each place, so that a swapped or a lost piece shows. */
export function largeContent(size: number, seed = 1): Uint8Array {
  const content = new Uint8Array(size)
  for (let at = 0; at < size; at++) content[at] = (at * 31 + (at >> 8) * 7 + seed) & 0xff
  return content
}
