import { toFailure } from '../../core/failure.ts'
import type { Outcome } from '../../core/outcome.ts'
import type { SentCall } from '../../core/packed-call.ts'
import type {
  Begun,
  SessionApi,
  SessionCallsApi,
  SessionFilesApi,
  SessionLifeApi,
  SessionLinksApi,
  SessionNodesApi,
  SessionPeopleApi,
  SessionSpec,
  Visit,
} from '../../session/api.ts'
import type { Caller, CallRestrictions } from '../../tenant/api.ts'
import { refuseWhole } from './refusal.ts'

/**
 * A session as a child key may use it: each call carries what the key may, whatever the dialect passes on, and what routes do
 * without a call needs the tool that does the same.
 */
export const restrictedSession = (session: SessionApi, restrictions: CallRestrictions): SessionApi =>
  new RestrictedSession(session, restrictions)

class RestrictedSession implements SessionApi {
  readonly #session: SessionApi
  readonly #restrictions: CallRestrictions

  constructor(session: SessionApi, restrictions: CallRestrictions) {
    this.#session = session
    this.#restrictions = restrictions
  }

  async create(spec: SessionSpec) {
    try {
      if (spec.files.length > 0) this.#require('file_write')
      if (spec.requirements.length > 0) this.#require('pip_install')
    } catch (thrown) {
      return { failure: toFailure(thrown) }
    }
    return this.#session.create(spec)
  }

  info() {
    return this.#session.info()
  }

  async remove() {
    // All files go with it.
    return this.#with('file_delete', () => this.#session.remove())
  }

  call(call: SentCall, by?: Caller): Promise<Outcome> {
    return this.#session.call(call, this.#restricted(by))
  }

  begin(call: SentCall, by?: Caller): Promise<Begun> {
    return this.#session.begin(call, this.#restricted(by))
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
      download: async (path) => this.#with('file_read', () => files.download(path)),
      archive: async () => this.#with('file_read', () => files.archive()),
      upload: async (path, content) => this.#with('file_write', () => files.upload(path, content)),
      read: async (request) => this.#with('file_read', () => files.read(request)),
      list: async (request) => this.#with('dir_list', () => files.list(request)),
      commits: async (page) => this.#with('dir_list', () => files.commits(page)),
      mayPut: async (request) => this.#with('file_write', () => files.mayPut(request)),
      put: async (request, content) => this.#with('file_write', () => files.put(request, content)),
      remove: async (request) => this.#with('file_delete', () => files.remove(request)),
      pack: async (request) => this.#with('file_read', () => files.pack(request)),
      unpack: async (request, content) => {
        if (request.mode === 'replace') this.#require('file_delete')
        return this.#with('file_write', () => files.unpack(request, content))
      },
    }
  }

  get links(): SessionLinksApi {
    const { links } = this.#session
    return {
      make: async (link) => this.#with(link.method === 'upload' ? 'file_write' : 'file_read', () => links.make(link)),
      list: async () => this.#with('dir_list', () => links.list()),
      revoke: (id) => links.revoke(id),
      isValid: (id) => links.isValid(id),
    }
  }

  get calls(): SessionCallsApi {
    return this.#session.calls
  }

  get tools() {
    return this.#session.tools
  }

  get people(): SessionPeopleApi {
    const { people } = this.#session
    return {
      list: () => people.list(),
      answer: async (id, answer) => this.#with('human_in_loop', () => people.answer(id, answer)),
    }
  }

  get life(): SessionLifeApi {
    const { life } = this.#session
    return {
      look: () => life.look(),
      change: async (changes) => {
        // Which addresses commands reach is for those who may run commands.
        if (changes.internet !== undefined) this.#require('execute_shell')
        // A lifetime that is soon over deletes the session.
        if (changes.lifetimeMs || changes.idleLifetimeMs) this.#require('file_delete')
        return life.change(changes)
      },
      pause: (force) => life.pause(force),
      resume: () => life.resume(),
    }
  }

  get nodes(): SessionNodesApi {
    const { nodes } = this.#session
    return {
      visit: (nodeId, call, by): Promise<Visit> => nodes.visit(nodeId, call, this.#restricted(by)),
      close: (nodeId) => nodes.close(nodeId),
      reconnect: (nodeId) => nodes.reconnect(nodeId),
    }
  }

  #restricted(by: Caller = { key: null, agent: null }): Caller {
    return { ...by, restrictions: this.#restrictions }
  }

  #with<T>(tool: string, work: () => T): T {
    this.#require(tool)
    return work()
  }

  #require(tool: string): void {
    const { tools } = this.#restrictions
    if (tools !== null && !tools.includes(tool)) refuseWhole(`it may do that only with the tool ${tool}`)
  }
}
