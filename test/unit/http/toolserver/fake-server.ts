import type { Principal, Scope } from '../../../../src/auth/principal.ts'
import { type Failure, fail } from '../../../../src/core/failure.ts'
import { tenantId } from '../../../../src/core/ids.ts'
import type { Outcome, ToolCall } from '../../../../src/core/outcome.ts'
import type { Receipt } from '../../../../src/core/receipt.ts'
import { type TenantInternet, UNRESTRICTED } from '../../../../src/core/tenant-internet.ts'
import type { RequestScope } from '../../../../src/http/dialect.ts'
import { toolserver } from '../../../../src/http/dialects/toolserver/routes.ts'
import type { SessionEnvironment } from '../../../../src/http/session-environment.ts'
import type { HumanTask } from '../../../../src/ports/people.ts'
import type { HumanAnswer, SessionApi, SessionInfo, SessionSpec } from '../../../../src/session/api.ts'
import type { SessionPage, TenantApi } from '../../../../src/tenant/api.ts'
import { NO_LIMITS, NO_TOOLS } from '../../../support/no-tools.ts'
import { NOTHING_OUTSIDE } from '../../../support/nothing-outside.ts'

/** 2026-11-20T11:08:41.368Z */
export const NOW = Date.UTC(2026, 10, 20, 11, 8, 41, 368)

const MISSING = { failure: { code: 'session_not_found', message: 'no such session' } } as const
/** Receipt of a call that never ran. */
const RECEIPT: Receipt = { executed_on: 'edge', queued_ms: 0, boot_ms: 0, sync_ms: 0, exec_ms: 0 }
const missing = () => fail('session_not_found', MISSING.failure.message)

const unasked = async (): Promise<never> => {
  throw new Error('this dialect does not ask for that')
}

interface Task {
  readonly info: SessionInfo
  readonly spec: SessionSpec
  readonly files: Map<string, string>
  readonly humanTasks: HumanTask[]
}

/** The dialect over tasks in memory. Its tools answer what `answers` says; `no_such_tool` is not known. */
export class FakeServer {
  readonly tasks = new Map<string, Task>()
  readonly calls: { readonly task: string; readonly call: ToolCall }[] = []
  /** Number of times that a task was asked whether it is there. */
  infoRequests = 0
  readonly answers = new Map<string, Outcome | (() => Outcome)>()
  /** What becomes of a task that is to be made; null: it works. */
  createFailure: Failure | null = null
  /** Why a call is refused on its way to the task; null: it arrives. */
  refuseToSend: Failure | null = null
  environment: SessionEnvironment | null = null
  internet: TenantInternet = UNRESTRICTED
  #now = NOW

  constructor() {
    this.answers.set('echo', { kind: 'done', result: { text: 'ok', data: { reply: 'ok' } } })
  }

  /** Of a server that is open without a key, unless `keyId` is given. */
  caller(scopes: readonly Scope[] = ['admin'], keyId: string | null = null): RequestScope {
    const principal: Principal = { tenant: tenantId('acme'), scopes, keyId }
    return {
      requestId: 'r',
      caller: {
        principal,
        services: {
          mcpServers: NOTHING_OUTSIDE.mcpServers,
          tools: ['file_read', 'dir_list', 'echo'].map((name) => ({
            name,
            description: `what ${name} does`,
            effect: 'read',
            inputSchema: {},
          })),
          toolkits: [],
          questions: { list: unasked },
          key: null,
          mayAdmin: scopes.includes('admin'),
          registeredTools: unasked,
          reader: { read: async () => Promise.reject(new Error('nothing is read here')) },
          http: { fetch: unasked, open: unasked },
          market: {
            publish: unasked,
            search: unasked,
            find: unasked,
            versions: unasked,
            noteInstall: unasked,
            report: unasked,
            unpublish: unasked,
          },
          session: (name) => this.#session(name),
          node: async () => null,
          tenant: this.#tenant,
          environment: this.environment,
          internetPolicies: async () => this.internet,
          canDenyInternet: true,
          papers: null,
          now: () => this.#now,
        },
      },
    }
  }

  async request(path: string, init: RequestInit = {}, scope: RequestScope = this.caller()): Promise<Response> {
    return toolserver.app.fetch(new Request(`http://localhost:8001${path}`, init), scope)
  }

  async json(path: string, init: RequestInit = {}, scope: RequestScope = this.caller()) {
    const response = await this.request(path, init, scope)
    return { status: response.status, body: (await response.json()) as unknown }
  }

  /** The body is sent as it is when it is a string. */
  execute(body: unknown, scope: RequestScope = this.caller()) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return this.json('/api/tool/execute', { method: 'POST', body: text }, scope)
  }

  async create(id: string) {
    return this.json(`/api/task/create?task_id=${encodeURIComponent(id)}&task_name=n`, { method: 'POST' })
  }

  #session(name: string): SessionApi {
    const { tasks } = this
    return {
      limitsChanged: async () => [],
      toolsChanged: async () => undefined,
      begin: unasked,
      snapshots: { list: unasked, find: unasked, put: unasked, remove: unasked },
      forks: {
        commitAt: unasked,
        diff: unasked,
        make: unasked,
        entries: unasked,
        contents: unasked,
        countStored: unasked,
        stored: unasked,
      },
      create: async (spec) => {
        if (this.createFailure) return { failure: this.createFailure }
        const found = tasks.get(name)
        if (found) return { created: false, info: found.info }
        const info = {
          name,
          nodeId: 'f'.repeat(64),
          title: spec.title,
          requirements: spec.requirements,
          createdAt: NOW,
        }
        tasks.set(name, {
          info,
          spec,
          files: new Map(spec.files.map((file) => [file.path, file.text])),
          humanTasks: [],
        })
        return { created: true, info }
      },
      info: async () => {
        this.infoRequests += 1
        return tasks.get(name)?.info ?? null
      },
      remove: async () => tasks.delete(name),
      call: async (call) => {
        if (this.refuseToSend) return { kind: 'refused', failure: this.refuseToSend }
        this.calls.push({ task: name, call })
        this.#now += 250
        if (!tasks.has(name)) return { kind: 'refused', ...MISSING }
        const answer = this.answers.get(call.tool)
        if (typeof answer === 'function') return answer()
        if (answer) return answer
        const failure = { code: 'not_found', message: `Tool ${call.tool} not found` } as const
        return { kind: 'refused', failure, receipt: RECEIPT }
      },
      people: {
        list: async () => tasks.get(name)?.humanTasks ?? missing(),
        answer: async (id, answer) => this.#answerHumanTask(name, id, answer),
      },
      files: {
        download: async (path) => {
          const text = (tasks.get(name) ?? missing()).files.get(path)
          if (path === 'upload') fail('invalid_input', `Cannot download directory: ${path}`)
          if (text === undefined) fail('not_found', `File not found: ${path}`)
          const body = new Blob([text]).stream()
          return { name: path.slice(path.lastIndexOf('/') + 1), size: text.length, body }
        },
        archive: unasked,
        upload: unasked,
        read: unasked,
        list: unasked,
        mayPut: unasked,
        put: unasked,
        remove: unasked,
        pack: unasked,
        unpack: unasked,
      },
      history: { commits: unasked, changes: unasked, diff: unasked, restore: unasked },
      links: { make: unasked, list: unasked, revoke: unasked, isValid: unasked },
      calls: { page: unasked, find: unasked, follow: unasked, cancel: unasked },
      tools: { list: unasked },
      life: { look: unasked, change: unasked, pause: unasked, resume: unasked },
      nodes: { visit: unasked, close: unasked, reconnect: unasked },
      watch: { commits: unasked },
      fetch: unasked,
    }
  }

  #answerHumanTask(name: string, id: string, { completed, result }: HumanAnswer): HumanTask {
    const humanTasks = this.tasks.get(name)?.humanTasks ?? []
    const at = humanTasks.findIndex((task) => task.id === id)
    const found = humanTasks[at]
    if (!found) return fail('not_found', 'no such human task')
    if (found.completedAt !== null) fail('conflict', 'completed already')
    const task = { ...found, result, completedAt: completed ? NOW : null }
    humanTasks[at] = task
    return task
  }

  readonly #tenant: TenantApi = {
    ledger: { begin: async () => ({ state: 'begun' }), end: async () => {} },
    questions: { list: unasked },
    mcpServers: {
      create: unasked,
      list: unasked,
      find: unasked,
      change: unasked,
      refresh: unasked,
      accept: unasked,
      remove: unasked,
    },
    webhooks: {
      create: unasked,
      list: unasked,
      find: unasked,
      change: unasked,
      remove: unasked,
      rotate: unasked,
      test: unasked,
      deliveries: unasked,
      retry: unasked,
    },
    sessions: {
      add: async () => NO_LIMITS,
      change: async () => {},
      remove: async () => {},
      browse: unasked,
      expired: async () => null,
      list: async ({ limit, after }): Promise<SessionPage> => {
        const all = [...this.tasks.values()].map(({ info }) => info)
        const from = Number(after ?? 0)
        const sessions = all.slice(from, from + limit)
        return from + limit < all.length ? { sessions, next: String(from + limit) } : { sessions }
      },
      find: async () => null,
    },
    blobs: { retain: async () => [], stored: async () => {}, share: async () => {}, release: async () => {} },
    secrets: {
      put: async () => fail('conflict', 'no secrets are kept here'),
      list: async () => [],
      remove: async () => false,
      open: async () => null,
    },
    humanTaskNames: { put: async () => {}, find: async () => [], of: async () => [] },
    childKeys: { mint: unasked, list: async () => [], find: async () => null, revoke: async () => null },
    ...NO_TOOLS,
  }
}
