import { expect } from 'vitest'
import { COMMIT_RETENTION_MS } from '../../../../src/core/limits/workspace.ts'
import type { Moment } from '../../../../src/core/moment.ts'
import { ROOT, workspacePath } from '../../../../src/core/workspace-path.ts'
import type { Change } from '../../../../src/ports/workspace.ts'
import type { WaitingContents } from '../../../../src/workspace/waiting.ts'
import { SessionWorkspace } from '../../../../src/workspace/workspace.ts'
import { NodeSql } from '../../../support/sql-node.ts'
import { openSessionTables } from '../../../support/tables.ts'
import { checkCounts } from '../counts.ts'
import { largeContent, mkdir, move, remove, write } from '../open.ts'
import type { ModelledTenant } from './modelled-tenant.ts'

/** Files of a state: text of each file, null for a directory. */
type Files = ReadonlyMap<string, string | null>

/** A session's workspace beside what it must hold: present files, those of each commit that is kept, and snapshots. */
export class ModelledSession {
  readonly node: string
  readonly #tenant: ModelledTenant
  readonly #sql = new NodeSql()
  readonly #mayWait: WaitingContents | undefined
  #workspace: SessionWorkspace
  #files: Files
  /** States by commit, with the time of the commit. */
  readonly #commits = new Map<number, { readonly files: Files; readonly at: number }>()
  readonly #snapshots = new Map<string, number>()
  #floor = 0

  constructor(tenant: ModelledTenant, files: Files = new Map(), mayWait?: WaitingContents) {
    this.#tenant = tenant
    this.#mayWait = mayWait
    this.node = tenant.newNode()
    this.#files = files
    this.#commits.set(0, { files, at: 0 })
    openSessionTables(this.#sql)
    this.#workspace = this.#open()
  }

  #open(): SessionWorkspace {
    const { clock } = this.#tenant
    const blobs = this.#tenant.store(this.node)
    const mayWait = this.#mayWait && { mayWait: this.#mayWait }
    return new SessionWorkspace({ sql: this.#sql, blobs, clock, callId: () => 'call', ...mayWait })
  }

  get paths(): readonly string[] {
    return [...this.#files.keys()]
  }

  /** Moments that must be kept: numbers of commits, and names. */
  get moments(): readonly Moment[] {
    return [...this.#snapshots.keys(), ...[...this.#commits.keys()].filter((seq) => this.#isKept(seq))]
  }

  #isKept(seq: number): boolean {
    return seq >= this.#floor || [...this.#snapshots.values()].includes(seq)
  }

  async write(path: string, text: string): Promise<void> {
    const files = new Map(this.#files)
    const isPossible = files.get(path) !== null && makeDirectories(files, path)
    files.set(path, text)
    await this.#commit([write(path, text)], isPossible ? files : null)
  }

  async makeDirectory(path: string): Promise<void> {
    const files = new Map(this.#files)
    const isPossible = typeof files.get(path) !== 'string' && makeDirectories(files, path)
    files.set(path, null)
    await this.#commit([mkdir(path)], isPossible ? files : null)
  }

  async remove(path: string): Promise<void> {
    const files = new Map([...this.#files].filter(([other]) => other !== path && !other.startsWith(`${path}/`)))
    await this.#commit([remove(path)], files)
  }

  async move(from: string, to: string): Promise<void> {
    const files = new Map(this.#files)
    const isPossible =
      files.has(from) &&
      (from === to || (!to.startsWith(`${from}/`) && files.get(to) !== null && makeDirectories(files, to)))
    if (isPossible && from !== to) {
      for (const [path, text] of this.#files) {
        if (path !== from && !path.startsWith(`${from}/`)) continue
        files.delete(path)
        files.set(to + path.slice(from.length), text)
      }
    }
    await this.#commit([move(from, to)], isPossible ? files : null)
  }

  async #commit(changes: readonly Change[], files: Files | null): Promise<void> {
    const before = this.#workspace.headSeq()
    const failed = await this.#workspace.commit(changes).then(
      () => false,
      () => true,
    )
    expect(failed).toBe(files === null)
    if (files) this.#note(files)
    else expect(this.#workspace.headSeq()).toBe(before)
  }

  #note(files: Files): void {
    this.#files = files
    const seq = this.#workspace.headSeq()
    // What changes nothing is no commit.
    if (!this.#commits.has(seq)) this.#commits.set(seq, { files, at: this.#tenant.clock.now() })
  }

  restore(seq: number): void {
    this.#workspace.restore(seq)
    this.#note(this.#at(seq))
  }

  snapshot(name: string, moment: Moment | null): void {
    const { snapshot } = this.#workspace.snapshots.put({ name, moment, replaces: true, author: 'call', at: 0 })
    this.#snapshots.set(name, snapshot.seq)
  }

  removeSnapshot(name: string): void {
    expect(this.#workspace.snapshots.remove(name) !== null).toBe(this.#snapshots.delete(name))
  }

  /** Drops what is too old. @param whole false for a single step */
  expire(whole: boolean): void {
    while (this.#workspace.expire() && whole);
    if (!whole) {
      this.#lowerTo(this.#oldest())
      return
    }
    const expired = [...this.#commits].filter(([, { at }]) => at < this.#tenant.clock.now() - COMMIT_RETENTION_MS)
    this.#lowerTo(Math.max(this.#floor, ...expired.map(([seq]) => seq)))
  }

  #oldest(): number {
    const [{ seq } = { seq: null }] = this.#sql.all<{ seq: number | null }>(
      'SELECT min(seq) AS seq FROM workspace_commits',
    )
    return (seq ?? this.#workspace.headSeq() + 1) - 1
  }

  #lowerTo(floor: number): void {
    expect(this.#oldest()).toBe(floor)
    this.#floor = floor
    for (const seq of this.#commits.keys()) if (!this.#isKept(seq)) this.#commits.delete(seq)
  }

  /** Begins anew over the same tables, as after a restart of the object. */
  evict(): void {
    this.#workspace = this.#open()
  }

  flush(): Promise<boolean> {
    return this.#workspace.flush()
  }

  async fork(moment: Moment | null): Promise<ModelledSession> {
    const { references } = this.#tenant
    const origin = this.#workspace
    return origin.storing(async () => {
      const commit = origin.commitAt(moment)
      const fork = new ModelledSession(this.#tenant, this.#at(commit), this.#mayWait)
      await fork.#workspace.fillFrom({
        entries: async (after) => origin.forkEntries(commit, after),
        unsent: async (after) => origin.forkContents(after),
        share: (hashes) => references.share(this.node, fork.node, hashes),
        countStored: async () => origin.countStored(),
        stored: async (after) => origin.forkStored(after),
        release: (hashes) => references.release(fork.node, hashes),
      })
      return fork
    })
  }

  destroy(): Promise<void> {
    return this.#workspace.destroy()
  }

  #at(moment: Moment): Files {
    const seq = typeof moment === 'number' ? moment : this.#snapshots.get(moment)
    const found = this.#commits.get(seq ?? -1)
    if (!found) throw new Error(`the model has no moment ${moment}`)
    return found.files
  }

  /** Compares all files of a moment, contents included, with the model. */
  async check(moment: Moment | null): Promise<void> {
    const at = this.#workspace.filesAt(moment)
    const found = new Map<string, string | null>()
    for (const entry of at.page(ROOT, { depth: 100, limit: 10_000 })) {
      expect(at.stat(entry.path)).toEqual(entry)
      found.set(entry.path, entry.kind === 'file' ? await new Response(await at.content(entry)).text() : null)
    }
    for (const path of this.paths) expect(at.stat(workspacePath(path)) === null).toBe(!found.has(path))
    expect(sorted(found)).toEqual(sorted(moment === null ? this.#files : this.#at(moment)))
  }

  async checkAll(): Promise<void> {
    checkCounts(this.#sql)
    for (const moment of [null, ...this.moments]) await this.check(moment)
    if (this.#floor > 0 && !this.#isKept(this.#floor - 1))
      expect(() => this.#workspace.filesAt(this.#floor - 1)).toThrow()
  }

  /** Hashes that something of the session refers to. */
  hashes(): string[] {
    return this.#sql.all<{ hash: string }>('SELECT hash FROM workspace_blobs').map(({ hash }) => hash)
  }
}

/** Makes the directories above a path. @returns false where a file is in the way */
function makeDirectories(files: Map<string, string | null>, path: string): boolean {
  const names = path.split('/')
  for (let levels = 1; levels < names.length; levels++) {
    const above = names.slice(0, levels).join('/')
    if (typeof files.get(above) === 'string') return false
    files.set(above, null)
  }
  return true
}

const sorted = (files: Files) => Object.fromEntries([...files].sort(([one], [other]) => (one < other ? -1 : 1)))

/** A content that goes to the store before its commit. */
export const LARGE = new TextDecoder('latin1').decode(largeContent(70_000)).replaceAll('\u0000', 'x')
