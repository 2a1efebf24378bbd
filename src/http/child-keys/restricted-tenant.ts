import { allowsSession, type Restrictions } from '../../auth/restrictions.ts'
import { SESSIONS_SIFTED_AT_ONCE } from '../../core/limits/child-keys.ts'
import type {
  BrowsedSession,
  BrowsedSessions,
  ListedSession,
  OpenQuestion,
  OpenQuestionsApi,
  SessionPage,
  SessionQuery,
  SessionsApi,
  TenantApi,
} from '../../tenant/api.ts'
import { refuseSession, refuseWhole } from './refusal.ts'

/**
 * A tenant as a key for some sessions sees it: lists have those sessions alone, and what belongs to all of them is refused. Each
 * group says so by itself, so that a new one does not compile before somebody decides.
 * @param key the ids of the key's chain, whose own use it may read
 */
export function restrictedTenant(tenant: TenantApi, restrictions: Restrictions, key: string): TenantApi {
  const allows = (session: string) => allowsSession(restrictions, session)
  const { tools, humanTaskNames } = tenant
  return {
    sessions: restrictedSessions(tenant.sessions, allows),
    blobs: refusedGroup('blobs'),
    secrets: refusedGroup('secrets'),
    humanTaskNames: {
      put: async (named) => (allows(named.session) ? humanTaskNames.put(named) : refuseSession(restrictions)),
      find: async (kind, name) => (await humanTaskNames.find(kind, name)).filter(({ session }) => allows(session)),
      of: async (session) => (allows(session) ? humanTaskNames.of(session) : refuseSession(restrictions)),
    },
    questions: {
      list: (page) => siftQuestions(tenant.questions, allows, page),
    },
    tools: {
      change: async () => refuseWhole('it may not change the tools of the tenant'),
      dryRunChain: (...given) => tools.dryRunChain(...given),
      list: (...given) => tools.list(...given),
      since: (...given) => tools.since(...given),
      find: (...given) => tools.find(...given),
      versions: (...given) => tools.versions(...given),
    },
    mcpServers: refusedGroup('MCP servers'),
    toolkits: {
      listed: () => tenant.toolkits.listed(),
      change: async () => refuseWhole('it may not change which toolkits the tenant lists'),
    },
    calls: {
      permit: async (call) => (allows(call.session) ? tenant.calls.permit(call) : refuseSession(restrictions)),
      begin: refused('calls'),
      admit: refused('calls'),
      end: refused('calls'),
    },
    // Reading needs the scope `admin`, but for a key's own limits, which it may see.
    limits: { read: () => tenant.limits.read(), put: refused('limits') },
    usage: {
      read: (query) => tenant.usage.read({ ...query, where: { ...query.where, key } }),
      rows: (query) => tenant.usage.rows({ ...query, key }),
    },
    market: refusedGroup('marketplace'),
    audit: {
      page: refused('audit log'),
      head: refused('audit log'),
      noteKey: refused('audit log'),
      noteSignIn: refused('audit log'),
      noteLink: async (note, by) =>
        allows(note.session) ? tenant.audit.noteLink(note, by) : refuseSession(restrictions),
      noteFiles: async (note, by) =>
        allows(note.session) ? tenant.audit.noteFiles(note, by) : refuseSession(restrictions),
      noteDenied: (...given) => tenant.audit.noteDenied(...given),
    },
    // Every key mints, lists and revokes below itself, which the routes see to.
    childKeys: tenant.childKeys,
    webhooks: refusedGroup('webhooks'),
    // Its rows are of the key that sends the request.
    ledger: tenant.ledger,
  }
}

const refused = (what: string) => async (): Promise<never> => refuseWhole(`it may not use the ${what} of the tenant`)

/** A group whose methods all refuse, whichever it gets. */
const refusedGroup = <Group extends object>(what: string): Group => new Proxy({} as Group, { get: () => refused(what) })

function restrictedSessions(sessions: SessionsApi, allows: (session: string) => boolean): SessionsApi {
  return {
    add: refused('sessions'),
    change: refused('sessions'),
    remove: refused('sessions'),
    list: (page) => sift(sessions, allows, page),
    browse: (query) => siftBrowsed(sessions, allows, query),
    expired: async (name) => (allows(name) ? sessions.expired(name) : null),
    find: async (nodeId) => {
      const name = await sessions.find(nodeId)
      return name !== null && allows(name) ? name : null
    },
  }
}

/** Open questions of the allowed sessions, newest first. */
async function siftQuestions(
  questions: OpenQuestionsApi,
  allows: (session: string) => boolean,
  page: Parameters<OpenQuestionsApi['list']>[0],
): Promise<OpenQuestion[]> {
  const found: OpenQuestion[] = []
  for (let from = page; ; ) {
    const open = await questions.list({ ...from, limit: SESSIONS_SIFTED_AT_ONCE })
    found.push(...open.filter(({ session }) => allows(session)))
    const last = open.at(-1)
    if (found.length >= page.limit || !last || open.length < SESSIONS_SIFTED_AT_ONCE) return found.slice(0, page.limit)
    from = { ...page, before: last.place }
  }
}

/** A page of the allowed sessions, newest first. */
async function siftBrowsed(
  sessions: SessionsApi,
  allows: (session: string) => boolean,
  query: SessionQuery,
): Promise<BrowsedSessions> {
  const found: BrowsedSession[] = []
  for (let from = query; ; ) {
    const page = await sessions.browse({ ...from, limit: SESSIONS_SIFTED_AT_ONCE })
    found.push(...page.sessions.filter(({ name }) => allows(name)))
    const last = page.sessions.at(-1)
    if (found.length > query.limit || !page.more || !last) {
      return { sessions: found.slice(0, query.limit), more: found.length > query.limit }
    }
    from = { ...query, before: { createdAt: last.createdAt, name: last.name } }
  }
}

/** A page of the allowed sessions. Its `next` names one of them, and is there only when another allowed one follows. */
async function sift(
  sessions: SessionsApi,
  allows: (session: string) => boolean,
  page: Parameters<SessionsApi['list']>[0],
): Promise<SessionPage> {
  const found: ListedSession[] = []
  let { after } = page
  /** Where the last session of the page stands: which page of the tenant's list, and how far in it. */
  let last = { after, count: 0 }
  for (;;) {
    const from = after === undefined ? {} : { after }
    const { sessions: listed, next } = await sessions.list({ ...page, ...from, limit: SESSIONS_SIFTED_AT_ONCE })
    for (const [at, session] of listed.entries()) {
      if (!allows(session.name)) continue
      if (found.length === page.limit) return { sessions: found, ...(await nextAfter(sessions, page, last)) }
      found.push(session)
      last = { after, count: at + 1 }
    }
    if (next === undefined) return { sessions: found }
    after = next
  }
}

async function nextAfter(
  sessions: SessionsApi,
  page: Parameters<SessionsApi['list']>[0],
  { after, count }: { readonly after: string | undefined; readonly count: number },
): Promise<Pick<SessionPage, 'next'>> {
  const { next } = await sessions.list({ ...page, ...(after !== undefined && { after }), limit: count })
  return next === undefined ? {} : { next }
}
