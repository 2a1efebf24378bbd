import { afterAll, beforeAll, expect, it } from 'vitest'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import { randomOf } from '../../support/random.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, type SessionBench, sandboxTree, sessionBench, workspaceTree } from '../../support/session-bench.ts'

/** Seeds of the usual run; add each that ever fails. `MODEL_STEPS=2000` makes longer runs, with `MODEL_SEEDS=9,10` of others. */
const SEEDS = (process.env.MODEL_SEEDS ?? '1,2').split(',').map(Number)
const STEPS = Number(process.env.MODEL_STEPS ?? 30)
/** Patience for a run: a step may make a sandbox. */
const STEP_MS = 10_000

const PATHS = ['a', 'b', 'd/e', 'd/f', 'g/h/i', 'g/j']
const NAMES = ['one', 'two', 'three']

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

/** Texts of files by path. */
type Files = ReadonlyMap<string, string>

/** A session with a real sandbox beside what it must hold: its files, those of its moments, and what will be written. */
class Modelled {
  readonly bench: SessionBench
  #files: Files
  /** Files by commit, of those at which a step ended. */
  readonly #commits = new Map<number, Files>()
  readonly #snapshots = new Map<string, number>()
  /** Processes that wait for a word to write. */
  #waiting: { readonly id: number; readonly path: string; readonly text: string }[] = []
  #processes = 0

  constructor(bench: SessionBench, files: Files = new Map()) {
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
    return [...this.#commits.keys()]
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
    await this.bench.host.inside(`touch /tmp/go-${id}; until [ -e /tmp/done-${id} ]; do sleep 0.02; done`)
    expect(dataOf(await this.bench.call('file_read', { file_path: path }))).toMatchObject({ content: text })
    this.#changed((files) => files.set(path, text))
  }

  async kill() {
    if (this.bench.host.created.length > 0) await this.bench.host.crash()
    this.#waiting = []
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
  async fork(moment: number | string): Promise<Modelled> {
    const { workspace, blobs } = this.bench
    const commit = workspace.commitAt(moment)
    const bench = sessionBench(sandboxd)
    await bench.workspace.fillFrom({
      entries: async (after) => workspace.forkEntries(commit, after),
      unsent: async (after) => workspace.forkContents(after),
      share: async () => {
        for (const [hash, content] of blobs.contents) bench.blobs.contents.set(hash, content)
      },
      countStored: async () => workspace.countStored(),
      stored: async (after) => workspace.forkStored(after),
      release: async (hashes) => {
        for (const hash of hashes) bench.blobs.contents.delete(hash)
      },
    })
    return new Modelled(bench, this.#at(moment))
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

/** Does one random step. @returns the session to go on with */
async function step(session: Modelled, random: () => number, at: number): Promise<Modelled> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const text = `${at}-${Math.floor(random() * 1e6)}`
  const kind = Math.floor(random() * 100)
  if (kind < 20) await session.write(pick(PATHS), text)
  else if (kind < 26) await (session.paths.length > 0 ? session.remove(pick(session.paths)) : session.check(null))
  else if (kind < 46) await session.run(pick(PATHS), text, pick(PATHS))
  else if (kind < 56) await session.leave(pick(PATHS), text)
  else if (kind < 68) await session.release()
  else if (kind < 72) await session.kill()
  else if (kind < 78) session.bench.evict()
  else if (kind < 84) await session.restore(pick(session.commits))
  else if (kind < 90) await session.snapshot(pick(NAMES), pick([null, ...session.moments]))
  else if (kind < 97) await session.check(pick([null, ...session.moments]))
  else {
    await session.checkAll()
    return session.fork(pick(session.moments))
  }
  return session
}

it.each(SEEDS)(
  'a session with a sandbox holds what a model of it holds, over random changes by tools, commands and left processes, kills, evictions, restores, snapshots and forks: seed %i',
  async (seed) => {
    const random = randomOf(seed)
    let session = new Modelled(sessionBench(sandboxd))
    for (let at = 0; at < STEPS; at++) {
      session = await step(session, random, at)
      await session.check(null)
    }
    await session.checkAll()
  },
  120_000 + STEPS * STEP_MS,
)
