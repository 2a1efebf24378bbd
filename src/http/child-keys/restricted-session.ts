import { fail, toFailure } from '../../core/failure.ts'
import type { Outcome } from '../../core/outcome.ts'
import type { SentCall } from '../../core/packed-call.ts'
import { SESSION, say } from '../../core/saying/saying.ts'
import type {
  Begun,
  SessionApi,
  SessionLifeApi,
  SessionNodesApi,
  SessionPeopleApi,
  SessionSpec,
  Visit,
} from '../../session/api.ts'
import type { SessionCallsApi } from '../../session/calls-api.ts'
import type { SessionFilesApi } from '../../session/files-api.ts'
import type { SessionForksApi } from '../../session/forks-api.ts'
import type { SessionHistoryApi } from '../../session/history-api.ts'
import type { SessionLinksApi } from '../../session/links-api.ts'
import type { SessionSnapshotsApi } from '../../session/snapshots-api.ts'
import type { SessionWatchApi } from '../../session/watch-api.ts'
import type { Caller, CallRestrictions } from '../../tenant/api.ts'
import { refuseWhole, requireTool } from './refusal.ts'

/**
 * A session as a child key may use it: each call carries what the key may, whatever the dialect passes on, and what routes do
 * without a call needs the tool that does the same.
 */
export const restrictedSession = (session: SessionApi, restrictions: CallRestrictions): SessionApi =>
  new RestrictedSession(session, restrictions)

class RestrictedSession implements SessionApi {
  readonly #session: SessionApi
  readonly #restrictions: CallRestrictions
  /** Calls of tools that the key may call. */
  readonly #seen = new Set<string>()

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

  async begin(call: SentCall, by?: Caller): Promise<Begun> {
    const begun = await this.#session.begin(call, this.#restricted(by))
    if ('callId' in begun) this.#seen.add(begun.callId)
    return begun
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

  get history(): SessionHistoryApi {
    const { history } = this.#session
    return {
      commits: async (query) => this.#with('workspace_history', () => history.commits(query)),
      changes: async (query) => this.#with('workspace_history', () => history.changes(query)),
      diff: async (query) => this.#with('workspace_diff', () => history.diff(query)),
      restore: async (request) => this.#with('workspace_restore', () => history.restore(request)),
    }
  }

  get snapshots(): SessionSnapshotsApi {
    const { snapshots } = this.#session
    return {
      list: async (page) => this.#with('dir_list', () => snapshots.list(page)),
      find: async (name) => this.#with('dir_list', () => snapshots.find(name)),
      put: async (request) => this.#with('workspace_snapshot', () => snapshots.put(request)),
      remove: async (name) => this.#with('workspace_snapshot', () => snapshots.remove(name)),
    }
  }

  get forks(): SessionForksApi {
    const { forks } = this.#session
    return {
      commitAt: async (moment) => this.#with('workspace_diff', () => forks.commitAt(moment)),
      diff: async (query) => this.#with('workspace_diff', () => forks.diff(query)),
      make: async (request) => this.#with('workspace_fork', () => forks.make(request)),
      entries: async () => refuseWhole('it may not read the files that way'),
      contents: async () => refuseWhole('it may not read the files that way'),
      countStored: async () => refuseWhole('it may not read the files that way'),
      stored: async () => refuseWhole('it may not read the files that way'),
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
    const { calls } = this.#session
    const { tools } = this.#restrictions
    if (tools === null) return calls
    return {
      page: (page) => calls.page({ ...page, tools }),
      find: async (callId) => this.#ofOwnTools(callId, () => calls.find(callId)),
      follow: async (request) => this.#ofOwnTools(request.callId, () => calls.follow(request)),
      cancel: async (callId) => this.#ofOwnTools(callId, () => calls.cancel(callId)),
    }
  }

  get tools() {
    return this.#session.tools
  }

  get people(): SessionPeopleApi {
    const { people } = this.#session
    return {
      list: async () => this.#with('human_in_loop', () => people.list()),
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
      pause: async (force) => {
        if (force) await this.#requireOwnRunning()
        return life.pause(force)
      },
      resume: () => life.resume(),
    }
  }

  get watch(): SessionWatchApi {
    const { watch } = this.#session
    return { commits: async (request) => this.#with('dir_list', () => watch.commits(request)) }
  }

  async fetch(request: Request) {
    return this.#with('dir_list', () => this.#session.fetch(request))
  }

  get nodes(): SessionNodesApi {
    const { nodes } = this.#session
    return {
      visit: (nodeId, call, by): Promise<Visit> => nodes.visit(nodeId, call, this.#restricted(by)),
      close: async (nodeId) => {
        await this.#requireOwnRunning()
        return nodes.close(nodeId)
      },
      reconnect: async (nodeId) => {
        await this.#requireOwnRunning()
        return nodes.reconnect(nodeId)
      },
    }
  }

  #restricted(by: Caller = { key: null, agent: null }): Caller {
    return { ...by, restrictions: this.#restrictions }
  }

  /**
   * Does something to a call of a tool that the key may call. Any other is like one that does not exist.
   * @throws FailureError `not_found`
   */
  async #ofOwnTools<T>(callId: string, work: () => Promise<T>): Promise<T> {
    if (!(await this.#isOfOwnTools(callId))) {
      fail(
        'not_found',
        say`the ${SESSION} has no such call that this key may see, or it is no longer kept; the key sees calls of the tools that it may call`,
      )
    }
    return work()
  }

  async #isOfOwnTools(callId: string): Promise<boolean> {
    const { tools } = this.#restrictions
    if (tools === null || this.#seen.has(callId)) return true
    const { calls } = await this.#session.calls.page({ limit: 1, callId, tools })
    if (calls.length > 0) this.#seen.add(callId)
    return calls.length > 0
  }

  /** Refuses what ends running calls while there are some of other tools than the key may call. @throws FailureError `forbidden` */
  async #requireOwnRunning(): Promise<void> {
    if (this.#restrictions.tools === null) return
    const { running } = await this.#session.life.look()
    for (const callId of running) {
      if (!(await this.#isOfOwnTools(callId)))
        refuseWhole('it may not end calls of other tools, which run in this session')
    }
  }

  #with<T>(tool: string, work: () => T): T {
    this.#require(tool)
    return work()
  }

  #require(tool: string): void {
    requireTool(this.#restrictions, tool)
  }
}
