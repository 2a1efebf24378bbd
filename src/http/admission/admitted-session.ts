import { toFailure } from '../../core/failure.ts'
import type { Outcome, ToolCall } from '../../core/outcome.ts'
import { packCall, type SentCall } from '../../core/packed-call.ts'
import type {
  SessionApi,
  SessionCallsApi,
  SessionFilesApi,
  SessionNodesApi,
  SessionSpec,
  UnchangedFile,
  Visit,
} from '../../session/api.ts'
import type { Caller } from '../../tenant/api.ts'
import type { Permit } from './permit.ts'

/**
 * Session as one request may use it: while it makes a call that takes long, or ends or awaits work in a sandbox, the request
 * holds no slots. A call beyond the tenant's number of long ones is refused.
 * @param isLong whether calls of that tool wait for something outside of the server
 */
export const admittedSession = (session: SessionApi, permit: Permit, isLong: (tool: string) => boolean): SessionApi =>
  new AdmittedSession(session, permit, isLong)

class AdmittedSession implements SessionApi {
  readonly #session: SessionApi
  readonly #permit: Permit
  readonly #isLong: (tool: string) => boolean

  constructor(session: SessionApi, permit: Permit, isLong: (tool: string) => boolean) {
    this.#session = session
    this.#permit = permit
    this.#isLong = isLong
  }

  create(spec: SessionSpec) {
    return this.#session.create(spec)
  }

  info() {
    return this.#session.info()
  }

  async remove() {
    this.#permit.beginLongWait()
    return this.#session.remove()
  }

  async call(call: ToolCall, by?: Caller, unchanged?: readonly UnchangedFile[]) {
    const admitted = this.#admit(call)
    if ('refused' in admitted) return admitted.refused
    return unchanged ? this.#session.call(admitted.sent, by, unchanged) : this.#session.call(admitted.sent, by)
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
      commits: (page) => files.commits(page),
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

  async #visit(nodeId: string, call?: ToolCall, by?: Caller): Promise<Visit> {
    const { nodes } = this.#session
    if (!call) return nodes.visit(nodeId)
    const admitted = this.#admit(call)
    if ('sent' in admitted) return nodes.visit(nodeId, admitted.sent, by)
    const visit = await nodes.visit(nodeId)
    return visit.state === 'running' ? { ...visit, outcome: admitted.refused } : visit
  }

  #admit(call: ToolCall): { readonly sent: SentCall } | { readonly refused: Outcome } {
    try {
      const sent = packCall(call)
      if (this.#isLong(call.tool)) this.#permit.beginLongWait()
      return { sent }
    } catch (thrown) {
      return { refused: { kind: 'refused', failure: toFailure(thrown) } }
    }
  }
}
