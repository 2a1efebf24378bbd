import { DurableObject } from 'cloudflare:workers'
import { blobsR2 } from '../adapters/blobs-r2.ts'
import { disk } from '../adapters/disk.ts'
import { d1KeyStore } from '../adapters/keys-d1.ts'
import type { ObjectStub } from '../adapters/object-client.ts'
import { serveGroups } from '../adapters/object-groups.ts'
import { openRequests } from '../adapters/open-requests.ts'
import { type DurableSql, durableSql } from '../adapters/sql-durable.ts'
import { readConfig } from '../config.ts'
import type { Actor } from '../core/actor.ts'
import { isTenantClosed } from '../core/closed-tenant.ts'
import { FailureError, fail, failureWith, orNull, toFailure } from '../core/failure.ts'
import { newNodeId, type SessionName, sessionKey, tenantId } from '../core/ids.ts'
import { BEGUN_LOOK_MS } from '../core/limits/calls.ts'
import { SET_BACK_RESTART_MS } from '../core/limits/recovery.ts'
import { FLUSH_AFTER_MS, MAX_WAITING_CONTENT_BYTES, MAX_WAITING_CONTENTS } from '../core/limits/workspace.ts'
import { isNewerState } from '../core/newer-state.ts'
import { once } from '../core/once.ts'
import type { Outcome } from '../core/outcome.ts'
import { type SentCall, unpackCall } from '../core/packed-call.ts'
import { SESSION, say } from '../core/saying/saying.ts'
import type { Served } from '../core/served.ts'
import { workspacePath } from '../core/workspace-path.ts'
import { openTables } from '../migrations/open-tables.ts'
import { SESSION_MIGRATIONS } from '../migrations/session/session.ts'
import { leasesClient, SESSION_RULES, sessionClient, tenantClient } from '../objects.ts'
import { callObservers, traceMaker } from '../observers.ts'
import { outsidePorts, sandboxHost } from '../outside.ts'
import type { LeaseHolder, SandboxUse } from '../ports/sandbox-leases.ts'
import type { Change } from '../ports/workspace.ts'
import type { Caller, NewSession, TenantApi } from '../tenant/api.ts'
import type { EndedSandboxes } from '../tenant/deletion-api.ts'
import { catalog } from '../tools/catalog.ts'
import { SessionWorkspace } from '../workspace/workspace.ts'
import type { Begun, OwnedSession, SessionApi, SessionInfo, SessionSpec } from './api.ts'
import { exportPart } from './export/session-export.ts'
import type { ExportAnswer, ExportPlace } from './export-api.ts'
import type { ForkOrigin } from './forks-api.ts'
import { keepUp, RETRY_AFTER_MS } from './keep-up.ts'
import { listedRecord, settingsOf, toList } from './life/listing.ts'
import { recoveredRecord } from './life/recovered-record.ts'
import { infoOf } from './life/session-info.ts'
import { SessionLife } from './life/session-life.ts'
import { Mutex } from './mutex.ts'
import { ObservedCalls } from './observed-calls.ts'
import { RecordStore, type SessionRecord } from './record.ts'
import type { SetBackTo } from './recovery-api.ts'
import { Room } from './room.ts'
import { PackageStore } from './sandbox/package-store.ts'
import { internetOf } from './sandbox/session-internet.ts'
import { spareShape } from './sandbox/spare-maker.ts'
import { Session } from './session.ts'
import { SessionForks } from './session-forks.ts'
import { SessionNodes } from './session-nodes.ts'
import { setBack } from './set-back.ts'
import { WakeUp } from './wake-up.ts'
import { Watchers } from './watchers.ts'

/** State of the object while its session is in use, which ends with the session. */
interface Opened {
  readonly workspace: SessionWorkspace
  readonly session: Session
  readonly life: SessionLife
  readonly forks: SessionForks
  readonly groups: Served<SessionApi>
}

/**
 * Durable Object of one session: wires its ports, keeps its alarm, creates and removes it. Its logic is in session.ts, its methods
 * beside these are those of the session's groups.
 */
export class SessionObject extends DurableObject<Env> implements ObjectStub<SessionApi>, LeaseHolder, OwnedSession {
  readonly #config = once(() => readConfig(this.env))
  readonly #sql: DurableSql = durableSql(this.ctx.storage)
  readonly #records = new RecordStore(this.#sql, tellOwner)
  readonly #life = new Mutex()
  #opened: Opened | null = null
  readonly #wakeUp = new WakeUp({ now: () => Date.now() }, (time) => this.ctx.storage.setAlarm(time))
  readonly #watchers = new Watchers(() => this.ctx.getWebSockets())
  readonly #openRequests = openRequests()
  /** True from when the storage is to be set back at the next start, which is soon. */
  #isSetBack = false
  readonly #room = new Room({
    sql: this.#sql,
    disk: {
      look: (when) => disk.look(this.#config().disk, when),
      untilRoom: () => disk.untilRoom(this.#config().disk),
    },
    hasRoom: async () => {
      await this.#opened?.session.writeHeld()
      await this.#wakeUp.within(FLUSH_AFTER_MS)
    },
    keepAlive: (work) => this.ctx.waitUntil(work),
  })

  static {
    serveGroups<SessionObject, SessionApi>(SessionObject, SESSION_RULES, {
      open: (object) => object.#groups(),
      removing: (object, work) => object.#sql.removing(work),
    })
  }

  /** Served groups. @throws FailureError `session_not_found` */
  #groups(): Served<SessionApi> {
    const record = this.#records.usable() ?? fail('session_not_found', say`there is no such ${SESSION}`)
    return this.#open(record).groups
  }

  async create(spec: SessionSpec, by: Actor = NOBODY) {
    return this.#life.run(async () => {
      try {
        return await this.#create(spec, by)
      } catch (thrown) {
        return { failure: toFailure(thrown) }
      }
    })
  }

  async #create(spec: SessionSpec, madeBy: Actor) {
    await this.#room.require()
    let record = this.#records.read()
    if (record?.state === 'deleting') {
      await this.#remove(record)
      record = null
    }
    if (record) return { created: false, info: infoOf(record) }
    const [tenant, name] = this.#names()
    const fresh: SessionRecord = {
      tenant,
      name,
      nodeId: newNodeId(),
      title: spec.title,
      requirements: spec.requirements,
      createdAt: Date.now(),
      ...settingsOf(spec),
      ...(spec.fork && { origin: { session: spec.fork.session, commit: spec.fork.commit } }),
      madeBy,
      state: 'new',
    }
    if (spec.fork) {
      await this.#layFork(fresh, spec.fork)
      return this.#made(fresh)
    }
    try {
      await this.#lay(fresh, spec)
    } catch (thrown) {
      this.#opened = null
      await this.ctx.storage.deleteAll()
      this.#records.forget()
      throw thrown
    }
    return this.#made(fresh)
  }

  /** Makes a session of what is stored: the moment from which on it exists. */
  async #made(fresh: SessionRecord) {
    this.#records.write(fresh)
    try {
      await this.#list(fresh)
    } catch (thrown) {
      if (toFailure(thrown).code === 'limit_exceeded') await this.#remove(fresh)
      if (isTenantClosed(thrown)) await this.#purge(fresh)
      throw thrown
    }
    await this.#wakeWithin(FLUSH_AFTER_MS)
    return { created: true, info: infoOf(fresh) }
  }

  /** Stores everything of a new session, except the record that makes it one. */
  async #lay(record: SessionRecord, { directories, files, requirements }: SessionSpec): Promise<void> {
    openTables(this.#sql, SESSION_MIGRATIONS, tellOwner)
    const { session, workspace } = this.#open(record)
    session.require(requirements)
    await workspace.commit([
      ...directories.map((path): Change => ({ op: 'mkdir', path: workspacePath(path) })),
      ...files.map(
        ({ path, text }): Change => ({
          op: 'write',
          path: workspacePath(path),
          content: new TextEncoder().encode(text),
        }),
      ),
    ])
  }

  /**
   * Takes everything of a new session from the one it is made of. The record says `deleting` until all is there, so a crash in
   * between leaves a session to be removed, with its references in the tenant, by the alarm or by the next creation.
   */
  async #layFork(record: SessionRecord, origin: ForkOrigin): Promise<void> {
    // A creation that a crash cut off may have left rows.
    await this.ctx.storage.deleteAll()
    openTables(this.#sql, SESSION_MIGRATIONS, tellOwner)
    const unfinished: SessionRecord = { ...record, state: 'deleting' }
    this.#records.write(unfinished)
    await this.ctx.storage.setAlarm(Date.now() + FLUSH_AFTER_MS)
    try {
      const { workspace } = this.#open(record)
      const from = this.#session(record.tenant, origin.session)
      const { forks } = from
      const { blobs } = this.#tenant(record)
      await workspace.fillFrom({
        entries: (after) => forks.entries(origin.commit, after),
        unsent: (after) => forks.contents(after),
        share: (hashes) => blobs.share(origin.node, record.nodeId, hashes),
        countStored: () => forks.countStored(),
        stored: (after) => forks.stored(after),
        release: (hashes) => blobs.release(record.nodeId, hashes),
      })
      // Removed and made again meanwhile, the name is of another session, whose files have nothing to do with these.
      if ((await from.info())?.nodeId !== origin.node)
        fail('conflict', say`the ${SESSION} was removed meanwhile; no fork was made`)
      new PackageStore(this.#sql).adopt(origin.packages, origin.distributions)
    } catch (thrown) {
      await this.#remove(unfinished)
      throw thrown
    }
  }

  async info(): Promise<SessionInfo | null> {
    const record = this.#records.usable()
    return record && infoOf(record)
  }

  async remove(removedBy: Actor = NOBODY): Promise<boolean> {
    return this.#life.run(async () => {
      await this.#room.look()
      const record = this.#records.read()
      if (!record) return false
      try {
        await this.#sql.removing(() => this.#remove({ removedBy, ...record }))
      } catch (thrown) {
        // The session is out of use already, and the alarm continues its removal.
        logError(thrown)
      }
      return record.state !== 'deleting'
    })
  }

  async purge(): Promise<void> {
    await this.#life.run(() => this.#sql.removing(() => this.#purgeAny()))
  }

  async endSandbox(which: EndedSandboxes = 'any'): Promise<void> {
    const session = this.#usable()
    if (!session) return
    if (which === 'any' || (await session.exceedsPolicy())) {
      await session.cancelInSandbox()
      if (session.hasSandbox) await session.halt()
    }
    // One that the session gave up earlier may still run: its end could not be asked for then.
    await session.endDiscarded()
    // The tenant's list hears of it then.
    await this.#wakeWithin(FLUSH_AFTER_MS)
  }

  async setBack(to: SetBackTo) {
    try {
      await this.endSandbox()
      const done = await setBack(this.ctx.storage, to)
      this.#isSetBack = true
      setTimeout(() => this.ctx.abort(SET_BACK), SET_BACK_RESTART_MS)
      tellOwner(`session ${this.ctx.id.name}: set back to ${done.bookmark}; ${done.undoBookmark} leads back`)
      return { setBack: done }
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
  }

  async restart(): Promise<void> {
    this.ctx.abort(SET_BACK)
  }

  async reattach(after: string) {
    if (this.#isSetBack) return { failure: NOT_RESTARTED }
    const found = this.#records.usable()
    if (!found) return { failure: NO_SESSION.failure }
    try {
      // Written before the alarm, which would remove a session whose lifetime is over.
      const record = recoveredRecord(found, Date.now())
      this.#records.write(record)
      const { session, workspace } = this.#open(record)
      await session.dropSandbox()
      const contents = await workspace.reclaim(after)
      if (contents.next === null) {
        await this.#list(record, { isRecovered: true })
        session.people.reportOpen()
      }
      await this.#wakeWithin(FLUSH_AFTER_MS)
      const [commit = null] = workspace.commits({ limit: 1 }).commits
      return { part: { name: record.name, commit, files: workspace.totals(), contents } }
    } catch (thrown) {
      if (isTenantClosed(thrown)) await this.#purgeSoon()
      return { failure: toFailure(thrown) }
    }
  }

  async exportPart(prefix: string, from: ExportPlace | null): Promise<ExportAnswer> {
    const record = this.#records.usable()
    if (!record) return { failure: NO_SESSION.failure }
    const { session, workspace } = this.#open(record)
    const parts = { record, session, workspace, sql: this.#sql, now: () => Date.now() }
    try {
      return { part: await exportPart(parts, prefix, from) }
    } catch (thrown) {
      if (thrown instanceof FailureError) return { failure: thrown.failure }
      throw thrown
    }
  }

  async call(call: SentCall, by?: Caller): Promise<Outcome> {
    const record = this.#records.usable()
    if (!record) return NO_SESSION
    if (record.state === 'new' && !this.#room.isFull) await this.#listAgain(record)
    const { session } = this.#open(record)
    const outcome = await session.call(unpackCall(call), by)
    await this.#callEnded(session)
    return outcome
  }

  async begin(call: SentCall, by?: Caller): Promise<Begun> {
    const record = this.#records.usable()
    if (!record) return { refused: NO_SESSION }
    if (record.state === 'new' && !this.#room.isFull) await this.#listAgain(record)
    const { session } = this.#open(record)
    try {
      const { begun, ended } = session.begin(unpackCall(call), by)
      // The object's own: a promise that belongs to a request may end with it.
      this.ctx.waitUntil(ended.then(() => this.#callEnded(session)))
      const answer = await begun
      if ('callId' in answer) await this.#wakeWithin(BEGUN_LOOK_MS)
      return answer
    } catch (thrown) {
      return { refused: { kind: 'refused', failure: toFailure(thrown) } }
    }
  }

  /** Begins what is due after a call, none of which its caller waits for. */
  #callEnded(session: Session): Promise<void> | undefined {
    if (!this.#records.usable()) return
    const { outbox } = session.accounting
    if (session.isUnsettled) this.ctx.waitUntil(session.settle())
    const telling = outbox.hasUnacknowledged ? outbox.tellSoon(Date.now()) : null
    if (telling) this.ctx.waitUntil(telling)
    return this.#wakeWithin(FLUSH_AFTER_MS)
  }

  override async fetch(): Promise<Response> {
    if (!this.#records.usable()) return new Response(null, { status: 404 })
    if (this.#watchers.areFull) return new Response(null, { status: 429 })
    const [theirs, ours] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket]
    this.#watchers.add(ours)
    this.ctx.acceptWebSocket(ours)
    return new Response(null, { status: 101, webSocket: theirs })
  }

  override webSocketClose(socket: WebSocket): void {
    this.#watchers.remove(socket)
  }

  override webSocketError(socket: WebSocket): void {
    this.#watchers.remove(socket)
  }

  async limitsChanged(version: number) {
    return this.#usable()?.accounting.limitsChanged(version) ?? []
  }

  async toolsChanged(revision: number): Promise<void> {
    // Copies are in memory alone.
    this.#opened?.session.toolsChanged(revision)
  }

  async sandboxUse(): Promise<SandboxUse> {
    return this.#usable()?.quiet.use() ?? { state: 'none' }
  }

  async giveSandboxBack(): Promise<void> {
    await this.#usable()?.quiet.giveBack()
  }

  /** Sends contents to the blob store, gives an idle sandbox back, and continues what a crash interrupted. */
  override async alarm(info?: AlarmInvocationInfo) {
    this.#wakeUp.over()
    // An alarm that met a full disk broke this object, and nobody was informed.
    await (info?.isRetry ? this.#room.lookAnew() : this.#room.look())
    if (this.#room.isFull) return this.#room.wait()
    try {
      const record = this.#records.read()
      if (!record) return
      if (record.state === 'deleting') return await this.#life.run(() => this.#removeRest())
      await this.#keepUp(record)
    } catch (thrown) {
      if (isTenantClosed(thrown)) return this.#purgeSoon()
      // The platform repeats a failed alarm only a few times; what is due here must be done some day. Newer code may run again
      // later, and has what this alarm was set for; the owner was informed.
      if (!isNewerState(thrown)) logError(thrown)
      await this.#wakeWithin(RETRY_AFTER_MS)
    }
  }

  /** Removes a session of a deleted tenant, which the tenant's list may not have had. A failure is retried. */
  async #purgeSoon(): Promise<void> {
    try {
      await this.purge()
    } catch (thrown) {
      logError(thrown)
      await this.#wakeWithin(RETRY_AFTER_MS)
    }
  }

  async #wakeWithin(ms: number): Promise<void> {
    if (this.#room.isFull) this.#room.wait()
    else await this.#wakeUp.within(ms)
  }

  async #keepUp(record: SessionRecord): Promise<void> {
    if (record.state === 'new') await this.#listAgain(record)
    const { session, workspace, life } = this.#open(record)
    if (life.isOver) return this.#life.run(() => this.#expire())
    await keepUp(session, workspace, (ms) => this.#wakeWithin(ms))
    await life.keepUp()
  }

  /** Removes the session if a lifetime of it is over, and it was not used again meanwhile. */
  async #expire(): Promise<void> {
    const record = this.#records.usable()
    const expired = record && this.#open(record).life.expiry()
    if (!record || !expired) return
    if (expired.at <= Date.now()) await this.#remove({ ...record, expired })
    else await this.#wakeWithin(expired.at - Date.now())
  }

  /** Continues a removal, unless it has ended, or the session was made anew, while others had the object. */
  async #removeRest(): Promise<void> {
    const record = this.#records.read()
    if (record?.state === 'deleting') await this.#remove(record)
  }

  async #remove(record: SessionRecord): Promise<void> {
    this.#records.write({ ...record, state: 'deleting' })
    // The alarm mends a crash from here on.
    await this.ctx.storage.setAlarm(Date.now() + FLUSH_AFTER_MS)
    this.#watchers.close()
    const { session, workspace } = this.#open(record)
    await session.end()
    const { outbox } = session.accounting
    await session.accounting.end()
    // Unacknowledged completions would go with the storage: the alarm tries again.
    if (outbox.hasUnacknowledged)
      fail('upstream', say`the last calls of the ${SESSION} could not be counted; try again later`)
    // The tenant forgets its acknowledged completions, and a removal continued after a crash must not report them again.
    outbox.forgetHeard()
    await workspace.destroy()
    this.#opened = null
    const { name, expired, removedBy } = record
    await this.#tenant(record).sessions.remove(name, {
      ...(expired && { expired }),
      ...(removedBy && { by: removedBy }),
    })
    await this.#clear()
  }

  async #purgeAny(): Promise<void> {
    const record = this.#records.read()
    if (record) await this.#purge(record)
  }

  /** Removes a session without a word to its tenant, which is deleted: nothing is counted, and references go with the contents. */
  async #purge(record: SessionRecord): Promise<void> {
    this.#records.write({ ...record, state: 'deleting' })
    await this.ctx.storage.setAlarm(Date.now() + FLUSH_AFTER_MS)
    this.#watchers.close()
    await this.#open(record).session.end()
    this.#opened = null
    await this.#clear()
  }

  /** Removes all that is stored. */
  async #clear(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    this.#records.forget()
    this.#wakeUp.over()
  }

  /** The session, unless there is none or it is being removed. */
  #usable(): Session | null {
    const record = this.#records.usable()
    return record && this.#open(record).session
  }

  /** Lists a session whose listing was cut off. One without room in the tenant's list stays unlisted. */
  async #listAgain(record: SessionRecord): Promise<void> {
    await orNull(this.#list(record), 'limit_exceeded')
  }

  /** Lists the session. @throws FailureError `limit_exceeded` when the tenant has too many sessions */
  async #list(record: SessionRecord, more: Pick<NewSession, 'isRecovered'> = {}): Promise<void> {
    const { admission } = this.#open(record).session.accounting
    const requestedAt = Date.now()
    const { lifetimes, ...lease } = await this.#tenant(record).sessions.add(
      { ...toList(record), ...more },
      record.madeBy ?? NOBODY,
    )
    const current = this.#records.usable()
    if (current?.state === 'new') this.#records.write(listedRecord(current, lifetimes))
    admission.renew(lease, NOTHING_HELD, requestedAt)
  }

  #open(record: SessionRecord): Opened {
    this.#opened ??= this.#wire(record)
    return this.#opened
  }

  #wire(record: SessionRecord): Opened {
    const workspace = new SessionWorkspace({
      sql: this.#sql,
      blobs: this.#blobs(record),
      clock: { now: () => Date.now() },
      callId: () => 'create',
      virtual: { read: (path) => session.logs.read(path) },
      committed: () => this.#watchers.committed(),
      flushSoon: () => this.#wakeWithin(FLUSH_AFTER_MS),
      mayWait: { contents: MAX_WAITING_CONTENTS, bytes: MAX_WAITING_CONTENT_BYTES },
    })
    const session: Session = this.#newSession(record, workspace)
    const { files, fileHistory: history, links, calls, people, toolbox: tools, watch } = session
    const nodes = new SessionNodes({
      records: this.#records,
      session,
      room: this.#room,
      call: (call, by) => this.call(call, by),
      now: () => Date.now(),
      logError,
    })
    const life = new SessionLife({
      records: this.#records,
      session,
      workspace,
      room: this.#room,
      list: () => this.#tenant(record).sessions,
      wakeWithin: (ms) => this.#wakeWithin(ms),
      now: () => Date.now(),
      logError,
    })
    const forks = new SessionForks({
      sql: this.#sql,
      records: this.#records,
      session,
      workspace,
      room: this.#room,
      open: (name) => this.#session(record.tenant, name),
      now: () => Date.now(),
    })
    const { snapshots } = session
    return {
      workspace,
      session,
      life,
      forks,
      groups: { files, history, snapshots, forks, links, calls, tools, people, life, nodes, watch },
    }
  }

  #newSession(record: SessionRecord, workspace: SessionWorkspace): Session {
    const config = this.#config()
    const leases = leasesClient(config.leases)
    return new Session({
      sql: this.#sql,
      registry: catalog,
      workspace: (callId) => workspace.forCall(callId),
      host: sandboxHost(config, this.#openRequests),
      leases,
      spares: {
        api: leases,
        shape: (internet) => spareShape(config.sandboxes.image, config.sandboxEnv, internet),
        tenant: record.tenant,
      },
      holder: sessionKey(record.tenant, record.name as SessionName),
      quietMs: config.sandboxLimits.quietMs,
      waitMs: config.sandboxLimits.waitMs,
      outside: outsidePorts(config, record.tenant, this.#openRequests),
      secrets: (name) => this.#tenant(record).secrets.open(name),
      name: record.name,
      node: record.nodeId,
      createdAt: record.createdAt,
      internet: internetOf(this.#records, d1KeyStore(config.db), record.tenant),
      tenant: this.#tenant(record),
      env: config.sandboxEnv,
      labels: { service: 'toolyard', tenant: record.tenant, node: record.nodeId.slice(0, 16) },
      now: () => Date.now(),
      room: this.#room,
      fork: (request) => this.#open(record).forks.make(request),
      flushSoon: () => this.#wakeWithin(FLUSH_AFTER_MS),
      observed: new ObservedCalls({
        observers: callObservers(config, {
          tenant: record.tenant,
          open: this.#openRequests,
          goOn: (work) => this.ctx.waitUntil(work),
        }),
        newTrace: traceMaker(config),
        logError,
      }),
      logError,
      tellOwner,
    })
  }

  #blobs({ tenant, nodeId }: SessionRecord) {
    const { blobs: ledger } = this.#tenant({ tenant })
    const bucket = this.#config().bucketOf(tenant)
    return blobsR2({ bucket, ledger, tenant, nodeId, slot: this.#openRequests.toStore })
  }

  /** A session of the tenant. */
  #session(tenant: SessionRecord['tenant'], name: string) {
    return sessionClient(() => this.#config().sessions.getByName(sessionKey(tenant, name as SessionName)))
  }

  #tenant({ tenant }: Pick<SessionRecord, 'tenant'>): TenantApi {
    return tenantClient(() => this.#config().tenants.getByName(tenant))
  }

  /** `tenant/session`: the Worker names the object after checking the key, so no body can choose it. */
  #names(): [SessionRecord['tenant'], SessionName] {
    const key = this.ctx.id.name
    const at = key?.indexOf('/') ?? -1
    if (!key || at === -1) throw new Error('a session is opened by name')
    return [tenantId(key.slice(0, at)), key.slice(at + 1) as SessionName]
  }
}

// biome-ignore lint/suspicious/noConsole: the platform's log is where unforeseen errors go
const logError = (thrown: unknown) => console.error('unforeseen in a session', thrown)

// biome-ignore lint/suspicious/noConsole: the platform's log is where the owner of the server looks
const tellOwner = (advice: string) => console.warn(JSON.stringify({ level: 'warn', message: advice }))

const NO_SESSION = {
  kind: 'refused',
  failure: failureWith('session_not_found', say`there is no such ${SESSION}; create it first`),
} as const satisfies Outcome

const NOT_RESTARTED = failureWith(
  'unavailable',
  'the session was set back, and its object did not restart yet; send the request again with {}',
)
const SET_BACK = 'set back by the owner of the server'

/** Actor of a request without a key. */
const NOBODY: Actor = { key: null, agent: null }

const NOTHING_HELD = { version: null, unused: [] }
