import type { Actor } from '../../core/actor.ts'
import { fail } from '../../core/failure.ts'
import { isSameInternet } from '../../core/internet.ts'
import { MAX_LABELS } from '../../core/limits/tenants.ts'
import { SESSION, say } from '../../core/saying/saying.ts'
import type { ServedGroup } from '../../core/served.ts'
import { type Expiry, expiryOf, type SessionSettings, USUAL_SETTINGS } from '../../core/session-settings.ts'
import type { SessionsApi } from '../../tenant/api.ts'
import type { SessionWorkspace } from '../../workspace/workspace.ts'
import type { SessionChanges, SessionLifeApi, SessionView } from '../api.ts'
import { Mutex } from '../mutex.ts'
import type { RecordStore, SessionRecord } from '../record.ts'
import type { Room } from '../room.ts'
import type { Session } from '../session.ts'
import { withoutDefaults } from './listing.ts'
import { infoOf } from './session-info.ts'

interface LifeParts {
  readonly records: RecordStore
  readonly session: Session
  readonly workspace: Pick<SessionWorkspace, 'commits' | 'countDirectories' | 'totals'>
  readonly room: Pick<Room, 'isFull' | 'require'>
  /** The tenant's list of sessions. */
  readonly list: () => Pick<SessionsApi, 'change'>
  /** Schedules the session's alarm. */
  readonly wakeWithin: (ms: number) => Promise<void>
  readonly now: () => number
  /** Unforeseen errors go to our own logs. */
  readonly logError: (thrown: unknown) => void
}

/** Settings of a session, its state, and the end of its lifetimes. */
export class SessionLife implements ServedGroup<SessionLifeApi> {
  readonly #parts: LifeParts
  readonly #changing = new Mutex()

  constructor(parts: LifeParts) {
    this.#parts = parts
  }

  /** End of the session if it is not used any more; null for one without lifetimes. */
  expiry(): Expiry | null {
    const record = this.#parts.records.usable()
    const settings = record?.settings
    if (!settings || (settings.lifetimeMs === null && settings.idleLifetimeMs === null)) return null
    return expiryOf(settings, { createdAt: record.createdAt, usedAt: this.#usedAt(record) })
  }

  /** Whether a lifetime is over. */
  get isOver(): boolean {
    const expiry = this.expiry()
    return expiry !== null && expiry.at <= this.#parts.now()
  }

  /** Tells the tenant's list of another state, and has the session removed in time. */
  async keepUp(): Promise<void> {
    const { records, wakeWithin, now } = this.#parts
    this.#noteUse()
    await this.#report()
    const expiry = records.usable() && this.expiry()
    if (expiry) await wakeWithin(Math.max(0, expiry.at - now()))
  }

  async look(): Promise<SessionView> {
    // The list hears of it by the alarm otherwise.
    if (!this.#parts.room.isFull) await this.#report().catch(this.#parts.logError)
    return this.#view()
  }

  async change(changes: SessionChanges, by: Actor = { key: null, agent: null }): Promise<SessionView> {
    const { room, list } = this.#parts
    await room.require()
    return this.#changing.run(async () => {
      const before = this.#record()
      const settings = this.#changed(before, changes)
      await this.#put({ ...withoutDefaults(before, changes), settings, title: changes.title ?? before.title }, before)
      const { name, nodeId, title } = this.#record()
      await list().change({ name, nodeId }, { title, settings, change: { by, fields: fieldsOf(changes) } })
      return this.#after()
    })
  }

  async pause(force: boolean): Promise<SessionView> {
    const { room, session } = this.#parts
    await room.require()
    if (force) await session.cancelInSandbox()
    this.#refuseWhileRunning('pausing')
    if (!(await session.quiet.pauseNow())) this.#refuse('pausing', session.runningInSandbox)
    return this.#after()
  }

  async resume(): Promise<SessionView> {
    const { room, session } = this.#parts
    await room.require()
    await session.resume()
    return this.#after()
  }

  /** Settings after the changes. @throws FailureError `invalid_input`, `limit_exceeded` */
  #changed({ settings = USUAL_SETTINGS, createdAt }: SessionRecord, changes: SessionChanges): SessionSettings {
    const { title: _, labels: changedLabels, ...others } = changes
    const labels = Object.fromEntries(
      Object.entries({ ...settings.labels, ...changedLabels }).flatMap(([key, value]) =>
        value === null ? [] : [[key, value] as const],
      ),
    )
    if (Object.keys(labels).length > MAX_LABELS) {
      fail('limit_exceeded', `a session has ${MAX_LABELS} labels at most (MAX_LABELS); remove one by giving it as null`)
    }
    if (others.lifetimeMs && createdAt + others.lifetimeMs <= this.#parts.now()) {
      fail(
        'invalid_input',
        'lifetime_seconds: counted from its creation, that time is over already; give a longer one, or delete the session',
      )
    }
    return { ...settings, ...others, labels }
  }

  /** Stores a changed record; another internet policy ends the sandbox, so that none with the earlier one goes on. */
  async #put(changed: SessionRecord, before: SessionRecord): Promise<void> {
    const { records, session, now } = this.#parts
    const internet = ({ settings = USUAL_SETTINGS }: SessionRecord) => settings.internet
    const hasOtherPolicy = !isSameInternet(internet(changed), internet(before))
    if (hasOtherPolicy) this.#refuseWhileRunning('changing "internet"')
    records.write({ ...changed, touchedAt: now() })
    if (!hasOtherPolicy) return
    try {
      // A sandbox that is being made has the earlier policy, too: it is ended when it is there.
      await session.halt()
    } catch (thrown) {
      const current = records.usable()
      if (current) records.write({ ...current, settings: before.settings ?? USUAL_SETTINGS })
      throw thrown
    }
  }

  #refuseWhileRunning(what: string): void {
    const running = this.#parts.session.runningInSandbox
    if (running.length > 0) this.#refuse(what, running)
  }

  #refuse(what: string, running: readonly string[]): never {
    const named = running.slice(0, NAMED_CALLS).join(', ')
    fail(
      'conflict',
      say`${what} would end what runs in the sandbox of the ${SESSION}${named ? `: ${named}` : ''}; wait for its end, or cancel it: POST …/pause?force=true does`,
    )
  }

  async #after(): Promise<SessionView> {
    const { records, now, wakeWithin, logError } = this.#parts
    // What was awaited takes a while, in which the session may have been removed.
    records.write({ ...this.#record(), touchedAt: now() })
    await this.#report().catch(logError)
    const expiry = this.expiry()
    await wakeWithin(Math.min(LOOK_MS, Math.max(0, (expiry?.at ?? Number.POSITIVE_INFINITY) - now())))
    return this.#view()
  }

  /** Tells the tenant's list of another state, and of use by no call. */
  async #report(): Promise<void> {
    const { records, session, list, now } = this.#parts
    const record = records.usable()
    if (record?.state !== 'listed') return
    const { reported, touchedAt: usedAt = 0 } = record
    const { state } = session
    const hasOtherState = state !== (reported?.state ?? 'ready')
    if (!hasOtherState && usedAt <= (reported?.usedAt ?? 0)) return
    const since = { state, at: hasOtherState ? now() : (reported?.at ?? record.createdAt) }
    await list().change(record, { usedAt, ...(hasOtherState && { state: since }) })
    const current = records.usable()
    if (current) records.write({ ...current, reported: { ...since, usedAt } })
  }

  /** Notes a change of a file by no call, since its commit is dropped some day. */
  #noteUse(): void {
    const { records, session } = this.#parts
    const record = records.usable()
    if (!record) return
    const at = this.#committedAt
    if (at > Math.max(record.createdAt + CREATION_MS, record.touchedAt ?? 0, session.lastUsed))
      records.write({ ...record, touchedAt: at })
  }

  #usedAt({ createdAt, touchedAt = 0, visitedAt = 0 }: SessionRecord): number {
    const { session, now } = this.#parts
    if (session.running.length > 0) return now()
    return Math.max(createdAt, touchedAt, visitedAt, session.lastUsed, this.#committedAt)
  }

  get #committedAt(): number {
    return this.#parts.workspace.commits({ limit: 1 }).commits[0]?.at ?? 0
  }

  #view(): SessionView {
    const { session, workspace } = this.#parts
    const record = this.#record()
    const { settings = USUAL_SETTINGS, reported, origin = null } = record
    return {
      info: infoOf(record),
      origin,
      settings,
      state: session.state,
      stateAt: reported?.state === session.state && reported.at > record.createdAt ? reported.at : null,
      usedAt: this.#usedAt(record),
      expiry: this.expiry(),
      files: { ...workspace.totals(), directories: workspace.countDirectories() },
      running: session.running,
    }
  }

  /** @throws FailureError `session_not_found` */
  #record(): SessionRecord {
    return this.#parts.records.usable() ?? fail('session_not_found', say`there is no such ${SESSION}`)
  }
}

/** Names of changed fields, for the audit log. */
const fieldsOf = (changes: SessionChanges) =>
  Object.keys(changes).map((name) => name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

/** Calls that a refusal names. */
const NAMED_CALLS = 5
/** Time after its creation within which a session's first files are stored, which is no use of it. */
const CREATION_MS = 1_000
/** Time until the next look after a change: a resumed sandbox is paused when it is quiet for long. */
const LOOK_MS = 10_000
