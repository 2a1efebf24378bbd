import { expect } from 'vitest'
import { COMMIT_RETENTION_MS } from '../../../src/core/limits/workspace.ts'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import type { Sandboxd } from '../../support/sandboxd.ts'
import {
  dataOf,
  isPush,
  type SessionBench,
  sandboxTree,
  sessionBench,
  workspaceTree,
} from '../../support/session-bench.ts'

/** Files that the steps of a run make. */
export const PATHS = ['a', 'b', 'd/e', 'd/f', 'g/h/i', 'g/j']

/** Texts of files by path. */
type Files = ReadonlyMap<string, string>

/** A session with a real sandbox beside what it must hold: its files, those of its moments, and what will be written. */
export class ModelledSession {
  readonly bench: SessionBench
  readonly #sandboxd: Sandboxd
  #files: Files
  /** Files by commit, of those at which a step ended. */
  readonly #commits = new Map<number, Files>()
  readonly #snapshots = new Map<string, number>()
  /** Processes that wait for a word to write. */
  #waiting: { readonly id: number; readonly path: string; readonly text: string }[] = []
  #processes = 0
  /** Oldest commit that is kept though no snapshot is of it. */
  #floor = 0
  #isPaused = false

  constructor(sandboxd: Sandboxd, files: Files = new Map(), bench: SessionBench = sessionBench(sandboxd)) {
    this.#sandboxd = sandboxd
    this.bench = bench
    this.#files = files
    this.#noteCommit()
  }

  #noteCommit() {
    this.#commits.set(this.bench.workspace.headSeq(), this.#files)
  }

  #changed(change: (files: Map<string, string>) => void) {
    const files = new Map(this.#files)
    change(files)
    this.#files = files
    this.#noteCommit()
  }

  get commits(): readonly number[] {
    const named = [...this.#snapshots.values()]
    return [...this.#commits.keys()].filter((commit) => commit >= this.#floor || named.includes(commit))
  }

  get moments(): readonly (number | string)[] {
    return [...this.#snapshots.keys(), ...this.commits]
  }

  get paths(): readonly string[] {
    return [...this.#files.keys()]
  }

  #at(moment: number | string): Files {
    const commit = typeof moment === 'number' ? moment : (this.#snapshots.get(moment) ?? -1)
    return this.#commits.get(commit) ?? new Map()
  }

  async write(path: string, text: string) {
    await this.bench.write(path, text)
    this.#changed((files) => files.set(path, text))
  }

  async remove(path: string) {
    await this.bench.remove(path)
    this.#changed((files) => files.delete(path))
  }

  /** Moves a file to where none is. */
  async move(from: string, to: string) {
    const text = this.#files.get(from)
    if (text === undefined || this.#files.has(to)) return
    dataOf(await this.bench.call('file_move', { src_path: from, dest_path: to }))
    this.#changed((files) => {
      files.delete(from)
      files.set(to, text)
    })
  }

  /** A command that writes one file and removes another one. */
  async run(path: string, text: string, gone: string) {
    const { exit_code } = await this.bench.sh(`mkdir -p d g/h; rm -f ${gone}; printf %s ${text} > ${path}`)
    expect(exit_code).toBe(0)
    this.#changed((files) => {
      files.delete(gone)
      files.set(path, text)
    })
  }

  /** A process in the background that writes when it is told to. */
  async leave(path: string, text: string) {
    const id = ++this.#processes
    const work = `until [ -e /tmp/go-${id} ]; do sleep 0.02; done; mkdir -p d g/h; printf %s ${text} > ${path}; touch /tmp/done-${id}`
    await this.bench.sh(`(setsid bash -c '${work}' > /dev/null 2>&1 &)`)
    this.#waiting.push({ id, path, text })
    this.#noteCommit()
  }

  /** Has a process write, and looks: what was seen is kept. */
  async release() {
    const next = this.#waiting.shift()
    if (!next) return
    const { id, path, text } = next
    // A process goes on when the session wakes its sandbox.
    if (this.#isPaused) await this.bench.sh('true')
    this.#isPaused = false
    await this.bench.host.inside(`touch /tmp/go-${id}; until [ -e /tmp/done-${id} ]; do sleep 0.02; done`)
    expect(dataOf(await this.bench.call('file_read', { file_path: path }))).toMatchObject({ content: text })
    this.#changed((files) => files.set(path, text))
  }

  async kill() {
    if (this.bench.host.created.length > 0) await this.bench.host.crash()
    this.#waiting = []
  }

  async pause() {
    if (this.bench.host.created.length === 0) return
    await this.bench.session.quiet.pauseNow()
    this.#isPaused = true
  }

  /** A command for which files are carried into the sandbox, whose answer does not come. */
  async failToCarry() {
    this.bench.host.after = (request, result) => {
      if (isPush(request)) throw new Error('the connection broke')
      return result
    }
    await this.bench.call('execute_shell', { command: 'true' })
    this.bench.host.after = (_request, result) => result
  }

  /** A week goes by: history expires, and the store keeps what something refers to, and nothing else. */
  async collect() {
    const { workspace, clock, sql, blobs } = this.bench
    clock.ahead += COMMIT_RETENTION_MS + 1
    while (workspace.expire());
    this.#floor = workspace.headSeq()
    while (await workspace.flush());
    const referred = sql.all<{ hash: string }>('SELECT hash FROM workspace_blobs').map(({ hash }) => hash)
    expect([...blobs.contents.keys()].sort()).toEqual([...new Set(referred)].sort())
  }

  async restore(commit: number) {
    const request = { commit, path: '', dryRun: false, shown: 0, author: 'restore', ifHead: null }
    await this.bench.session.fileHistory.restore(request)
    this.#changed((files) => {
      files.clear()
      for (const [path, text] of this.#at(commit)) files.set(path, text)
    })
  }

  async snapshot(name: string, moment: number | string | null) {
    const put = await this.bench.session.snapshots.put({ name, moment, replaces: true, author: 'test' })
    this.#noteCommit()
    const commit =
      moment === null
        ? this.bench.workspace.headSeq()
        : typeof moment === 'number'
          ? moment
          : this.#snapshots.get(moment)
    expect(put.snapshot.commit).toBe(commit)
    this.#snapshots.set(name, put.snapshot.commit)
  }

  /** A fork, by the way of forks between objects. */
  async fork(moment: number | string): Promise<ModelledSession> {
    const { workspace, blobs } = this.bench
    const commit = workspace.commitAt(moment)
    const bench = sessionBench(this.#sandboxd)
    const store = bench.blobs.forSession('node')
    await bench.workspace.fillFrom({
      entries: async (after) => workspace.forkEntries(commit, after),
      unsent: async (after) => workspace.forkContents(after),
      share: async (hashes) => {
        const all = [...blobs.contents].map(([hash, content]) => ({ hash, content }))
        await store.put(all.filter(({ hash }) => hashes === 'all' || hashes.includes(hash)))
      },
      countStored: async () => workspace.countStored(),
      stored: async (after) => workspace.forkStored(after),
      release: store.release,
    })
    return new ModelledSession(this.#sandboxd, this.#at(moment), bench)
  }

  /** The files of a moment, or the present ones, are those of the model. */
  async check(moment: number | string | null) {
    const at = this.bench.workspace.filesAt(moment)
    const found = new Map<string, string>()
    for (const path of PATHS) {
      const entry = at.stat(workspacePath(path))
      if (entry?.kind === 'file') found.set(path, await new Response(await at.content(entry)).text())
    }
    expect(sorted(found)).toEqual(sorted(moment === null ? this.#files : this.#at(moment)))
  }

  /** All moments are those of the model, and the sandbox has the present files. */
  async checkAll() {
    for (const moment of [null, ...this.moments]) await this.check(moment)
    expect(await sandboxTree(this.bench)).toEqual(workspaceTree(this.bench.workspace))
    await this.check(null)
    expect(this.bench.errors.filter((thrown) => !/gone|ended|there/.test(String(thrown)))).toEqual([])
  }
}

const sorted = (files: Files) => [...files].sort(([one], [other]) => (one < other ? -1 : 1))
