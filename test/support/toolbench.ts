import type { Result } from '../../src/core/outcome.ts'
import { workspacePath } from '../../src/core/workspace-path.ts'
import type { OutsidePorts, Ports } from '../../src/ports/index.ts'
import { SessionCircuits } from '../../src/session/circuits.ts'
import { CallFileHistory } from '../../src/session/file-history/call-file-history.ts'
import { SessionNotes } from '../../src/session/notes.ts'
import { SessionPeople } from '../../src/session/people.ts'
import { SessionSnapshots } from '../../src/session/session-snapshots.ts'
import { SnapshotPorts } from '../../src/session/snapshot-ports.ts'
import type { Registry } from '../../src/tools/registry.ts'
import { SessionWorkspace } from '../../src/workspace/workspace.ts'
import { MemoryBlobs } from './blobs-memory.ts'
import { failureOf } from './failure-of.ts'
import { NO_TOOLBOX } from './no-toolbox.ts'
import { NOTHING_OUTSIDE } from './nothing-outside.ts'
import { READER_HERE } from './reader-here.ts'
import { RunnerFake } from './runner-fake.ts'
import { NodeSql } from './sql-node.ts'
import { openSessionTables } from './tables.ts'

/** 2026-11-20T11:08:41.368 in UTC. */
const NOW = Date.UTC(2026, 10, 20, 11, 8, 41, 368)

/**
 * Workspace and the tools over it, called as a session calls them.
 * @param env environment of every command that they run
 * @param outside ports to the outside; an absent one fails when it is used
 * @param secrets the tenant's
 */
export function toolbench(
  catalog: Registry,
  env: Readonly<Record<string, string>> = {},
  outside: Partial<OutsidePorts> = {},
  secrets: Readonly<Record<string, string>> = {},
) {
  const sql = new NodeSql()
  openSessionTables(sql)
  const clock = { now: () => NOW }
  const parts = { sql, clock, blobs: new MemoryBlobs().forSession('node'), callId: () => 'call' }
  const workspace = new SessionWorkspace(parts)
  const runner = new RunnerFake(workspace, env)
  const installed: string[] = []
  const people = new SessionPeople({ sql, now: clock.now, room: { require: async () => undefined } })
  const snapshots = new SessionSnapshots({
    snapshots: workspace.snapshots,
    scheduler: { run: (_effect, _turn, work) => work() },
    room: { require: async () => undefined },
    now: clock.now,
    flushSoon: async () => undefined,
  })
  const ports: Ports = {
    ...NOTHING_OUTSIDE,
    reader: READER_HERE,
    ...outside,
    secrets: async (name) => secrets[name] ?? null,
    notes: new SessionNotes(sql),
    people,
    locks: workspace.locks,
    fileHistory: new CallFileHistory({
      workspace: workspace.forCall('call'),
      toolsOf: () => new Map(),
      runningInSandbox: () => [],
    }),
    turn: (work) => work(),
    workspace,
    circuits: new SessionCircuits(clock.now),
    clock,
    background: { start: noJobs, wait: noJobs, output: noJobs, stop: noJobs, list: noJobs },
    jobs: { begin: noJobs, wait: noJobs, cancel: noJobs },
    consoles: { ask: noJobs },
    snapshots: new SnapshotPorts({ snapshots, fork: null }).of({ callId: 'call', by: { key: null, agent: null } }),
    toolbox: NO_TOOLBOX,
    python: { call: noJobs },
    results: { keep: () => null, find: noJobs },
    packages: { installed: (specs) => installed.push(...specs) },
    runner,
  }
  const run = (tool: string, args: unknown) => catalog.prepare({ tool, args }).run(ports, new AbortController().signal)
  const call = async (tool: string, args: unknown): Promise<Result> => {
    const answer = await run(tool, args)
    if ('soFar' in answer) throw new Error(`${tool} is not done yet: ${answer.soFar.text}`)
    return answer
  }

  return {
    workspace,
    runner,
    people,
    run,
    installed,
    call,
    /** The named fields of a result. */
    data: async (tool: string, args: unknown) => (await call(tool, args)).data,
    /** Failure of the call, refused before it ran or failed while it ran. */
    failure: (tool: string, args: unknown) => failureOf(call(tool, args), tool),
    put: (path: string, content: string | Uint8Array) =>
      workspace.commit([{ op: 'write', path: workspacePath(path), content: bytes(content) }]),
    content: async (path: string) => {
      const found = await workspace.read(workspacePath(path))
      return found && new TextDecoder().decode(found)
    },
  }
}

const noJobs = async (): Promise<never> => {
  throw new Error('the bench has no jobs')
}

export const bytes = (content: string | Uint8Array) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content
