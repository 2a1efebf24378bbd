import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { freePort } from '../test/support/free-port.ts'
import { randomOf } from '../test/support/random.ts'
import { NOTE, NOTE_SOURCE, type Place } from './clients/asking.ts'
import { Connection, type ConnectionOptions } from './clients/connection.ts'
import type { Random } from './clients/draw.ts'
import { judgeChapter, Team } from './clients/team.ts'
import { SmallDisk } from './faults/disk.ts'
import { FAULTS, type Fault } from './faults/fault.ts'
import { FaultMaker } from './faults/maker.ts'
import { Server } from './faults/server.ts'
import { judgeUsage } from './judge/usage.ts'
import { Ledger } from './ledger.ts'
import { Violation } from './model/violation.ts'

export interface DrillOptions {
  /** Draws operations, cuts and faults; how processes interleave is not drawn. */
  readonly seed: number
  /** An empty directory for the server's state and the account of the drill. */
  readonly directory: string
  readonly teams: number
  /** Part of all requests whose connection the client cuts. */
  readonly cutShare: number
  /** Whether an answer in no shape of its API ends the drill. */
  readonly isStrict: boolean
  /** Milliseconds between two faults, on average. */
  readonly pauseMs: number
  /** Called when the server runs, and clients begin. */
  begun?(): void
  /** The next fault, or none for now; null when the drill is over. */
  nextFault(random: Random, ledger: Ledger): Fault | 'rest' | null
  /** Callback with the ledger so far, now and then. */
  progress?(ledger: Ledger): void
}

export interface Drilled {
  readonly ledger: Ledger
  /** The first promise that was broken; null when all were kept. */
  readonly violation: Violation | null
  /** Faults that could not be made here, and why. */
  readonly notDrilled: readonly string[]
  /** The worst seconds until the server was as before, by fault. */
  readonly worst: ReadonlyMap<Fault, number>
}

/** Less than the room that a sandbox host keeps free (SANDBOXD_RESERVE_MB): it removes the largest sandbox every second. */
const DISK_MB = 1024
const PROGRESS_MS = 5_000

/** Runs a server, honest clients and faults, until the faults are over or a promise was broken; then judges all that was promised. */
export async function drill(options: DrillOptions): Promise<Drilled> {
  const { seed, directory, nextFault } = options
  const state = join(directory, 'state')
  mkdirSync(state)
  const ledger = new Ledger(join(directory, 'ledger.jsonl'))
  const disk = SmallDisk.mounted(state, DISK_MB)
  const server = new Server(await freePort(), state, join(directory, 'server.log'))
  const random = randomOf(seed)
  const broken = new AbortController()
  const connectionOptions = { ...options, signal: broken.signal, isCounted: () => disk?.isFull !== true }
  const quiet = new Connection(server.port, ledger, random, { ...connectionOptions, cutShare: 0 })
  let worst: ReadonlyMap<Fault, number> = new Map()
  let violation: Violation | null = null
  const progress = setInterval(() => options.progress?.(ledger), PROGRESS_MS)
  try {
    await server.start()
    const place = await prepared(quiet)
    const maker = new FaultMaker({ server, disk, connection: quiet, ledger, random, place })
    worst = maker.worst
    await maker.prepare()
    options.begun?.()
    const teams = teamsOf(options, connectionOptions, server, ledger)
    let isOver = false
    const working = teams.map((team) => team.work(() => isOver))
    const making = (async () => {
      for (let fault = nextFault(random, ledger); fault !== null && !isOver; fault = nextFault(random, ledger)) {
        await after(options.pauseMs * 2 * random())
        if (!isOver && fault !== 'rest') await maker.make(fault)
      }
    })()
    try {
      await Promise.race([making, Promise.all([making, ...working])])
      isOver = true
      await Promise.all(working)
    } catch (thrown) {
      isOver = true
      broken.abort()
      await Promise.allSettled([making, ...working])
      throw thrown
    }
    await judged(teams, quiet)
    await server.stop()
    await server.start()
    await judged(teams, quiet)
    await server.stop()
  } catch (thrown) {
    if (!(thrown instanceof Violation)) throw thrown
    violation = thrown
  } finally {
    clearInterval(progress)
    disk?.free()
    await server.stop().catch((left) => {
      violation ??= left
    })
    disk?.unmount()
  }
  return { ledger, violation, notDrilled: notDrilled(ledger, disk), worst }
}

function teamsOf(
  { seed, teams }: DrillOptions,
  connectionOptions: ConnectionOptions,
  server: Server,
  ledger: Ledger,
): readonly Team[] {
  let id = 0
  let last: Promise<unknown> = Promise.resolve()
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => null)
    return mine
  }
  return Array.from({ length: teams }, (_, number) => {
    const random = randomOf(seed * 1000 + number + 1)
    const connection = new Connection(server.port, ledger, random, connectionOptions)
    return new Team({ name: `team ${number}`, connection, ledger, random, nextId: () => ++id, alone })
  })
}

/** Prepares a session. @returns the session in which faults are measured */
async function prepared(connection: Connection): Promise<Place> {
  const session = 'probe'
  await connection.until({ method: 'POST', path: `/api/task/create?task_id=${session}&task_name=${session}` }, [200])
  const tool = {
    ...{ name: 'Note', description: 'Appends a line to a file.', input_schema: {} },
    executor: { kind: 'python', target: 'note:note', source: NOTE_SOURCE },
  }
  const body = Buffer.from(JSON.stringify(tool))
  await connection.until({ method: 'PUT', path: `/v1/tools/registered/${NOTE}`, body }, [200, 201])
  return { session, node: '', directory: '' }
}

async function judged(teams: readonly Team[], connection: Connection): Promise<void> {
  const chapters = teams.flatMap((team) => team.chapters)
  for (const chapter of chapters) await judgeChapter(chapter, connection)
  await judgeUsage(new Map(chapters.map(({ session, calls }) => [session, calls])), connection)
}

function notDrilled(ledger: Ledger, disk: SmallDisk | null): readonly string[] {
  return FAULTS.filter((fault) => ledger.counted(`fault: ${fault}`) === 0).map((fault) =>
    fault === 'fill disk' && disk === null ? `${fault} (this user may not mount a small one)` : fault,
  )
}
