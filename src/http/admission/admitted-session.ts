import type { Actor } from '../../core/actor.ts'
import type { CallOrigin } from '../../core/call-origin.ts'
import { FailureError, toFailure } from '../../core/failure.ts'
import type { Outcome } from '../../core/outcome.ts'
import { packCall, type SentCall } from '../../core/packed-call.ts'
import type { SessionApi, SessionLifeApi, SessionNodesApi, SessionSpec, Visit } from '../../session/api.ts'
import type { SessionCallsApi } from '../../session/calls-api.ts'
import type { SessionFilesApi } from '../../session/files-api.ts'
import type { SessionForksApi } from '../../session/forks-api.ts'
import type { Caller } from '../../tenant/api.ts'
import type { CallKeys } from '../idempotency/call-keys.ts'
import type { Permit } from './permit.ts'

/**
 * Session as one request may use it: while it makes a call that takes long, or ends or awaits work in a sandbox, the request
 * holds no slots. A call beyond the tenant's number of long ones is refused.
 * @param isLong whether calls of that tool wait for something outside of the server
 * @param keys of the calls, where the request has an idempotency key
 * @param key public part of the API key, which the audit log names
 * @param origin the request, for logs and traces of its calls
 */
export const admittedSession = (
  session: SessionApi,
  permit: Permit,
  isLong: (tool: string) => boolean,
  keys: CallKeys | null = null,
  key: string | null = null,
  origin: CallOrigin | null = null,
): SessionApi => new AdmittedSession(session, permit, isLong, { keys, key, origin })

class AdmittedSession implements SessionApi {
  readonly #session: SessionApi
  readonly #permit: Permit
  readonly #isLong: (tool: string) => boolean
  readonly #keys: CallKeys | null
  readonly #by: Actor
  readonly #origin: CallOrigin | null

  constructor(
    session: SessionApi,
    permit: Permit,
    isLong: (tool: string) => boolean,
    {
      keys,
      key,
      origin,
    }: { readonly keys: CallKeys | null; readonly key: string | null; readonly origin: CallOrigin | null },
  ) {
    this.#session = session
    this.#permit = permit
    this.#isLong = isLong
    this.#keys = keys
    this.#by = { key, agent: null }
    this.#origin = origin
  }

  create(spec: SessionSpec) {
    return this.#session.create(spec, this.#by)
  }

  info() {
    return this.#session.info()
  }

  async remove() {
    this.#permit.beginLongWait()
    return this.#session.remove(this.#by)
  }

  async call(call: SentCall, by?: Caller) {
    const admitted = this.#admit(call)
    if ('refused' in admitted) return admitted.refused
    const { sent } = admitted
    const made = this.#attended(sent, (call) => this.#session.call(call, this.#from(by)))
    return this.#keys ? this.#keys.noted(await made, sent.key) : made
  }

  async begin(call: SentCall, by?: Caller) {
    const admitted = this.#admit(call)
    if ('refused' in admitted) return admitted
    const { sent } = admitted
    const made = this.#session.begin(sent, this.#from(by))
    return this.#keys ? this.#keys.notedBegun(await made, sent.key) : made
  }

  limitsChanged(version: number) {
    return this.#session.limitsChanged(version)
  }

  toolsChanged(revision: number) {
    return this.#session.toolsChanged(revision)
  }

  get files(): SessionFilesApi {
    const { files } = this.#session
    return {
      download: (path) => files.download(path),
      archive: () => files.archive(),
      upload: (path, content) => files.upload(path, content),
      read: (request) => files.read(request),
      list: (request) => files.list(request),
      mayPut: (request) => files.mayPut(request),
      put: async (request, content) => {
        // A stream comes as fast as its sender sends it.
        if (!(content instanceof Uint8Array)) this.#permit.beginLongWait()
        return files.put(request, content)
      },
      remove: (request) => files.remove(request),
      pack: (request) => files.pack(request),
      unpack: (request, archive) => files.unpack(request, archive),
    }
  }

  get history() {
    return this.#session.history
  }

  get snapshots() {
    return this.#session.snapshots
  }

  get forks(): SessionForksApi {
    const { forks } = this.#session
    return {
      commitAt: (moment) => forks.commitAt(moment),
      diff: (query) => forks.diff(query),
      make: async (request) => {
        // The files of running commands are taken over first.
        this.#permit.beginLongWait()
        return forks.make({ ...request, by: this.#by })
      },
      entries: (commit, after) => forks.entries(commit, after),
      contents: (after) => forks.contents(after),
      countStored: () => forks.countStored(),
      stored: (after) => forks.stored(after),
    }
  }

  get links() {
    return this.#session.links
  }

  get tools() {
    return this.#session.tools
  }

  get people() {
    return this.#session.people
  }

  get calls(): SessionCallsApi {
    const { calls } = this.#session
    return {
      page: (page) => calls.page(page),
      find: (callId) => calls.find(callId),
      follow: (request) => calls.follow(request),
      cancel: async (callId) => {
        this.#permit.beginLongWait()
        return calls.cancel(callId)
      },
    }
  }

  get life(): SessionLifeApi {
    const { life } = this.#session
    return {
      look: () => life.look(),
      change: async (changes) => {
        if (changes.internet !== undefined) this.#permit.beginLongWait()
        return life.change(changes, this.#by)
      },
      pause: async (force) => {
        this.#permit.beginLongWait()
        return life.pause(force)
      },
      resume: async () => {
        this.#permit.beginLongWait()
        return life.resume()
      },
    }
  }

  get watch() {
    return this.#session.watch
  }

  fetch(request: Request) {
    return this.#session.fetch(request)
  }

  get nodes(): SessionNodesApi {
    const { nodes } = this.#session
    return {
      visit: (nodeId, call, by) => this.#visit(nodeId, call, by),
      close: async (nodeId) => {
        this.#permit.beginLongWait()
        return nodes.close(nodeId)
      },
      reconnect: async (nodeId) => {
        this.#permit.beginLongWait()
        return nodes.reconnect(nodeId)
      },
    }
  }

  async #visit(nodeId: string, call?: SentCall, by?: Caller): Promise<Visit> {
    const { nodes } = this.#session
    if (!call) return nodes.visit(nodeId)
    const admitted = this.#admit(call)
    if ('sent' in admitted) {
      const made = this.#attended(admitted.sent, (call) => nodes.visit(nodeId, call, this.#from(by)))
      if (!this.#keys) return made
      const visit = await made
      this.#keys.noted(visit.outcome, admitted.sent.key)
      return visit
    }
    const visit = await nodes.visit(nodeId)
    return visit.state === 'running' ? { ...visit, outcome: admitted.refused } : visit
  }

  /** The caller with its request. */
  #from(by: Caller | undefined): Caller | undefined {
    return this.#origin ? { key: null, agent: null, ...by, origin: this.#origin } : by
  }

  /** Makes a call, which is cancelled with the client's connection where the client prefers that. */
  #attended<T>(call: SentCall, make: (call: SentCall) => Promise<T>): Promise<T> {
    const attended = this.#keys?.attended
    return attended ? attended.attend(this.#session.calls, (callId) => make({ ...call, callId })) : make(call)
  }

  #admit(call: SentCall): { readonly sent: SentCall } | { readonly refused: Outcome } {
    try {
      // What follows a call that was refused for its key would come out of its order.
      if (this.#keys?.refusal) throw new FailureError(this.#keys.refusal)
      const sent = this.#keys ? this.#keys.keyed(packCall(call)) : packCall(call)
      if (this.#isLong(call.tool)) this.#permit.beginLongWait()
      return { sent }
    } catch (thrown) {
      return { refused: { kind: 'refused', failure: toFailure(thrown) } }
    }
  }
}
