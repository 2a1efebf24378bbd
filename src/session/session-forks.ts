import { FailureError, fail } from '../core/failure.ts'
import { newCallId } from '../core/ids.ts'
import type { Moment } from '../core/moment.ts'
import { SESSION, say } from '../core/saying/saying.ts'
import type { ServedGroup } from '../core/served.ts'
import { type SessionSettings, USUAL_SETTINGS } from '../core/session-settings.ts'
import { workspacePath } from '../core/workspace-path.ts'
import type { DiffPage } from '../ports/file-history.ts'
import type { Sql } from '../ports/sql.ts'
import { differencesBetween } from '../workspace/fork/differences-between.ts'
import type { SessionWorkspace } from '../workspace/workspace.ts'
import type { SessionApi, SessionSpec } from './api.ts'
import { contentsOfBoth } from './file-history/contents-of-both.ts'
import { fileDiffs } from './file-history/file-diffs.ts'
import type { ForkMade, ForkOrigin, MadeFork, SessionForksApi, SessionsDiffQuery } from './forks-api.ts'
import type { RecordStore } from './record.ts'
import type { Room } from './room.ts'
import { PackageStore } from './sandbox/package-store.ts'
import type { Session } from './session.ts'

interface Parts {
  readonly sql: Sql
  readonly records: Pick<RecordStore, 'usable'>
  readonly session: Pick<Session, 'inTurn'>
  readonly workspace: Pick<
    SessionWorkspace,
    'commitAt' | 'countStored' | 'forkContents' | 'forkEntries' | 'forkStored' | 'readMany' | 'storing'
  >
  readonly room: Pick<Room, 'require'>
  /** The tenant's session of a name, existing or not. */
  readonly open: (name: string) => Pick<SessionApi, 'create' | 'files' | 'forks'>
  readonly now: () => number
}

/**
 * Forks of a session. The new session's object takes the files page by page from this one, which releases no content meanwhile, and
 * becomes a session when it has all of them.
 */
export class SessionForks implements ServedGroup<SessionForksApi> {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async make({ name, moment, title, labels, by }: ForkMade): Promise<MadeFork> {
    const { workspace, room, open } = this.#parts
    await room.require()
    return workspace.storing(async () => {
      const commit = await this.commitAt(moment)
      const made = await open(name).create(this.#specOf(commit, title, labels), by)
      if ('failure' in made) throw new FailureError(made.failure)
      if (!made.created) fail('conflict', say`there is a ${SESSION} ${name} already; give the fork another name`)
      return { name, commit }
    })
  }

  commitAt(moment: Moment | null): Promise<number> {
    const { session, workspace, now } = this.#parts
    return session.inTurn(newCallId(now()), async () => workspace.commitAt(moment))
  }

  async diff({ against, from, to, path, limit, after = '', chars }: SessionsDiffQuery): Promise<DiffPage> {
    const { open, workspace } = this.#parts
    const other = open(against)
    const [before, now] = [await other.forks.commitAt(from), await this.commitAt(to)]
    const pages = {
      before: (behind: string) => other.forks.entries(before, behind),
      after: async (behind: string) => workspace.forkEntries(now, behind),
    }
    const { differences, more } = await differencesBetween(pages, { path: workspacePath(path), after, limit })
    const files = await fileDiffs(differences, contentsOfBoth(workspace, other, before), chars)
    const isWhole = !more && files.length === differences.length
    return { from: before, to: now, files, next: isWhole ? null : (files.at(-1)?.path ?? null) }
  }

  async entries(commit: number, after: string) {
    return this.#parts.workspace.forkEntries(commit, after)
  }

  async contents(after: string) {
    return this.#parts.workspace.forkContents(after)
  }

  async countStored() {
    return this.#parts.workspace.countStored()
  }

  async stored(after: string) {
    return this.#parts.workspace.forkStored(after)
  }

  #specOf(commit: number, title: string | undefined, labels: SessionSettings['labels'] | undefined): SessionSpec {
    const { records, sql } = this.#parts
    const record = records.usable() ?? fail('session_not_found', say`there is no such ${SESSION}`)
    const packages = new PackageStore(sql)
    const origin: ForkOrigin = {
      session: record.name,
      node: record.nodeId,
      commit,
      packages: packages.specs(),
      distributions: packages.wanted(),
    }
    const settings =
      record.settings || labels ? { ...(record.settings ?? USUAL_SETTINGS), ...(labels && { labels }) } : undefined
    return {
      title: title ?? record.title,
      requirements: record.requirements,
      directories: [],
      files: [],
      ...(settings && { settings }),
      fork: origin,
    }
  }
}
