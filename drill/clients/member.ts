import { setTimeout as after } from 'node:timers/promises'
import type { Ledger } from '../ledger.ts'
import { couldConflict, type Operation } from '../model/operation.ts'
import { MAX_LATE, Possibilities } from '../model/possibilities.ts'
import { DIRECTORY, type Entry, entriesKey, textOf } from '../model/tree.ts'
import { Violation } from '../model/violation.ts'
import { type Asking, drawAsking, operationOfPart, type Place } from './asking.ts'
import type { CallCount, Connection } from './connection.ts'
import { drawOperation, type Random } from './draw.ts'

/** Longest time after which an operation without an answer may still be made: then no part of it is under way any more. */
const LATE_MS = 20_000
const PAUSE_MS = 500
/** Operations between two looks at everything. */
const LOOK_EVERY = 8

interface Parts {
  readonly name: string
  readonly place: Place
  readonly calls: CallCount
  readonly connection: Connection
  readonly ledger: Ledger
  readonly random: Random
  nextId(): number
}

/** Honest client in one session: does one operation after another, and knows what it must find. */
export class Member {
  readonly #parts: Parts
  readonly #possible = new Possibilities()
  readonly #requestedAt = new Map<number, number>()
  /** Ids of operations without an answer: their commands may have left a file in the making. */
  readonly #unanswered = new Set<number>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async begin(): Promise<void> {
    const { connection, place, calls } = this.#parts
    await connection.callUntilDone(call('dir_create', { dir_path: `upload/${place.directory}` }), place, calls)
  }

  /** Works. @throws Violation */
  async work(operations: number): Promise<void> {
    for (let done = 1; done <= operations; done++) {
      await this.#described(() => this.#one())
      if (done % LOOK_EVERY === 0 || this.#possible.late.length >= MAX_LATE) await this.look()
    }
    await this.look()
  }

  /** Compares everything that the server shows with the model. @throws Violation */
  async look(): Promise<void> {
    await this.#described(() => this.#judge())
    this.#parts.ledger.count('judged')
    while (this.#possible.late.length >= MAX_LATE) {
      await after(PAUSE_MS)
      const now = performance.now()
      this.#possible.over(({ id }) => now - (this.#requestedAt.get(id) ?? 0) > LATE_MS)
      await this.#described(() => this.#judge())
    }
  }

  async #one(): Promise<void> {
    const { name, place, calls, connection, ledger, random } = this.#parts
    const operation = this.#drawn()
    const asking = drawAsking(operation, place, random)
    const { id } = operation
    const [session, directory] = [place.session, place.directory]
    ledger.note({
      who: name,
      what: 'asks',
      id,
      session,
      directory,
      asking: shortened(asking),
      steps: shortened(operation.steps),
    })
    this.#requestedAt.set(id, performance.now())
    const reply = await connection.call(asking, place, calls)
    ledger.note({ who: name, what: reply.kind, id, ...(reply.kind === 'failed' && { message: reply.message }) })
    if (reply.kind === 'done') {
      this.#possible.acknowledged(operation)
      ledger.count('acknowledged')
    } else if (reply.kind === 'failed' && reply.isRefusal) {
      this.#possible.refused(operation)
      ledger.count('refused')
    } else if (reply.kind === 'unsent') {
      ledger.count('unsent')
      // A server that is away is not asked as fast as one that answers.
      await after(PAUSE_MS / 5)
    } else {
      this.#without(operation)
    }
  }

  /** Draws an operation that cannot conflict with one which may still be made: clients that want both changes wait for an answer. */
  #drawn(): Operation {
    const id = this.#parts.nextId()
    for (;;) {
      const operation = drawOperation(id, this.#possible.likely, this.#parts.random)
      if (!this.#possible.late.some((late) => couldConflict(late, operation))) return operation
    }
  }

  #without(operation: Operation): void {
    this.#possible.unknown(operation)
    this.#unanswered.add(operation.id)
    this.#parts.ledger.count('without an answer')
  }

  /** Looks until the server shows the same twice: a late operation may come between two looks. */
  async #judge(): Promise<void> {
    for (let before = ''; ; ) {
      const shown = await this.#shown()
      try {
        return this.#possible.observed(shown)
      } catch (violation) {
        const now = entriesKey(shown)
        if (this.#possible.late.length === 0 || now === before) throw violation
        before = now
        await after(PAUSE_MS)
      }
    }
  }

  async #shown(): Promise<ReadonlyMap<string, Entry>> {
    const { place, calls, connection } = this.#parts
    const root = `upload/${place.directory}`
    for (;;) {
      const listed = await connection.callUntilDone(call('dir_list', { dir_path: root, recursive: true }), place, calls)
      if (listed.kind === 'failed') throw new Violation('lost', `${root} is not there: ${listed.message}`)
      const shown = await this.#downloaded(root, below((listed.data as { tree: Node }).tree))
      if (shown !== null) return shown
      if (this.#possible.late.length === 0) throw new Violation('lost', `a file of ${root} is listed and not there`)
    }
  }

  /** Downloads files. @returns null when one of the files is not there any more */
  async #downloaded(root: string, nodes: readonly Node[]): Promise<ReadonlyMap<string, Entry> | null> {
    const { place, connection } = this.#parts
    const shown = new Map<string, Entry>()
    for (const { path, type } of nodes) {
      const name = path.slice(root.length + 1)
      const part = operationOfPart(name)
      if (part !== null && this.#unanswered.has(part)) continue
      if (type === 'directory') shown.set(name, DIRECTORY)
      else {
        const file = await connection.until(
          { method: 'GET', path: `/api/download/${place.session}/${path}` },
          [200, 404],
        )
        if (file.status === 404) return null
        shown.set(name, textOf(file.body.toString()))
      }
    }
    return shown
  }

  /** Adds to a violation whose it is, and to the account what the server's own history has. */
  async #described<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (thrown) {
      if (!(thrown instanceof Violation)) throw thrown
      const { place, name, ledger, connection } = this.#parts
      ledger.note({ who: name, what: 'violation', session: place.session, message: thrown.message })
      const history = { method: 'GET', path: `/v1/sessions/${place.session}/history` } as const
      ledger.note({ who: name, what: 'history', history: await connection.json(history).catch(String) })
      throw new Violation(
        thrown.breach,
        `${thrown.what}\n  of ${name} in upload/${place.directory} of ${place.session}`,
      )
    }
  }
}

interface Node {
  readonly path: string
  readonly type: string
  readonly children?: readonly Node[]
}

const below = (node: Node): Node[] => (node.children ?? []).flatMap((child) => [child, ...below(child)])

const call = (tool: string, args: object): Asking => ({ api: 'v1', tool, args })

const MAX_NOTED_CHARS = 500
const shortened = (value: object) => JSON.stringify(value).slice(0, MAX_NOTED_CHARS)
