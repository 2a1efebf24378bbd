import type { Ledger } from '../ledger.ts'
import { Violation } from '../model/violation.ts'
import type { Place } from './asking.ts'
import type { CallCount, Connection } from './connection.ts'
import type { Random } from './draw.ts'
import { Member } from './member.ts'

/** Final state of a session that a drill made. */
export interface Chapter {
  readonly session: string
  readonly calls: CallCount
  readonly members: readonly Member[]
  /** Whether the server has said that it is deleted. */
  isDeleted: boolean
}

interface Parts {
  readonly name: string
  readonly connection: Connection
  readonly ledger: Ledger
  readonly random: Random
  nextId(): number
  /** Makes a session while no other client makes one. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

const MEMBERS = 2
/** Operations of each member in one session. */
const OPERATIONS = 40
const DELETED_SHARE = 0.25

/** Clients that work in one session at once, each in its directory, and in one session after another. */
export class Team {
  readonly chapters: Chapter[] = []
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Works. @throws Violation */
  async work(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#chapter(isOver)
  }

  async #chapter(isOver: () => boolean): Promise<void> {
    const { name, connection, ledger, random, nextId } = this.#parts
    const { session, node } = await this.#parts.alone(() => newSession(connection))
    const calls: CallCount = { sent: 0, done: 0 }
    const members = Array.from({ length: MEMBERS }, (_, number) => {
      const place: Place = { session, node, directory: `client-${number}` }
      return new Member({ name: `${name}.${number}`, place, calls, connection, ledger, random, nextId })
    })
    const chapter: Chapter = { session, calls, members, isDeleted: false }
    this.chapters.push(chapter)
    ledger.note({ who: name, what: 'session', session })
    ledger.count('sessions')
    for (const member of members) await member.begin()
    for (let done = 0; done < OPERATIONS && !isOver(); done += OPERATIONS / 4) {
      await Promise.all(members.map((member) => member.work(OPERATIONS / 4)))
    }
    if (random() < DELETED_SHARE) await this.#delete(chapter)
  }

  /** 400 says that it is not there any more: a request whose answer was cut has deleted it. */
  async #delete(chapter: Chapter): Promise<void> {
    const { connection, ledger, name } = this.#parts
    const path = `/api/task/${chapter.session}`
    ledger.note({ who: name, what: 'deletes', session: chapter.session })
    await connection.until({ method: 'DELETE', path }, [200, 400])
    chapter.isDeleted = true
    ledger.count('deleted sessions')
  }
}

/** Looks once more at a session that was left. @throws Violation */
export async function judgeChapter(chapter: Chapter, connection: Connection): Promise<void> {
  if (!chapter.isDeleted) {
    for (const member of chapter.members) await member.look()
    return
  }
  const { session } = chapter
  const paths = [`/api/task/${session}/status`, `/api/download/${session}/upload`, `/v1/sessions/${session}/calls`]
  for (const path of paths) {
    const { status } = await connection.until({ method: 'GET', path }, [200, 404])
    if (status !== 404) throw new Violation('resurrected', `${path} is answered ${status}; the session was deleted`)
  }
}

/** A node of XAgent, which the other APIs know as a task. */
async function newSession(connection: Connection): Promise<{ session: string; node: string }> {
  for (;;) {
    const before = await sessions(connection)
    const { headers } = await connection.until({ method: 'POST', path: '/get_cookie' }, [200])
    const node = /node_id=([0-9a-f]{64})/.exec(`${headers['set-cookie']}`)?.[1]
    const [session, ...others] = (await sessions(connection)).filter((name) => !before.includes(name))
    // A connection that was cut may have made one more.
    if (node !== undefined && session !== undefined && others.length === 0) return { session, node }
  }
}

async function sessions(connection: Connection): Promise<readonly string[]> {
  const { data } = await connection.json({ method: 'GET', path: '/api/task/list' })
  return (data as readonly { task_id: string }[]).map(({ task_id }) => task_id)
}
