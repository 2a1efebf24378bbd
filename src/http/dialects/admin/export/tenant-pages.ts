import { AUDIT_PAGE_ENTRIES } from '../../../../core/limits/audit.ts'
import { EXPORT_LIST_PAGE, MAX_EXPORTED_ENTRIES } from '../../../../core/limits/export.ts'
import type { KeyPlace } from '../../../../ports/keys.ts'
import type { ChildKeyInfo } from '../../../../tenant/child-keys-api.ts'
import type { ToolPlace } from '../../../../tenant/deletion-api.ts'
import type { McpServerSummary } from '../../../../tenant/mcp-servers-api.ts'
import type { UsageKey } from '../../../../tenant/usage-api.ts'
import type { WebhookInfo } from '../../../../tenant/webhooks-api.ts'
import { encodeKey, encodeTime } from '../../../tenant-keys/codec.ts'
import { usageLine } from '../../../usage-line.ts'
import type { ExportSource } from './source.ts'

type Pages = (source: ExportSource) => AsyncGenerator<readonly string[], void>

const HOUR_MS = 60 * 60_000
const timeOrNull = (ms: number | null) => (ms === null ? null : encodeTime(ms))
const toLines = (values: readonly object[]) => values.map((value) => JSON.stringify(value))

/** Pages of all that a tenant has beside its sessions, as lines of JSON: a page at a time, by directory of the archive. */
export const TENANT_PAGES: Readonly<Record<string, Pages>> = {
  async *keys({ keys, tenant, now }) {
    for await (const page of pagesOfKeys({ keys, tenant })) yield toLines(page.map((key) => encodeKey(key, now())))
  },
  async *'child-keys'({ keys, tenant, roots, api }) {
    for (const root of roots) yield* pagesOfChildren(api, root)
    for await (const page of pagesOfKeys({ keys, tenant })) {
      // Below a revoked key there is none that is good.
      for (const { id } of page.filter(({ revokedAt }) => revokedAt === null)) yield* pagesOfChildren(api, id)
    }
  },
  async *secrets({ api }) {
    yield toLines(
      (await api.secrets.list()).map(({ name, changedAt }) => ({ name, changed_at: encodeTime(changedAt) })),
    )
  },
  async *tools({ owned }) {
    for (let place: ToolPlace | null = { id: '', version: 0 }; place; ) {
      const page = await owned.exportTools(place)
      yield page.lines
      place = page.next
    }
  },
  async *'mcp-servers'({ api }) {
    yield toLines((await api.mcpServers.list()).map(mcpServer))
  },
  async *webhooks({ api }) {
    yield toLines((await api.webhooks.list()).map(webhook))
  },
  async *usage({ api, now }) {
    const period = { from: 0, to: Math.floor(now() / HOUR_MS) + 1 }
    for (let after: UsageKey | null | undefined; after !== null; ) {
      const page = await api.usage.rows({ ...period, ...(after && { after }) })
      yield page.rows.map(usageLine)
      after = page.next
    }
  },
  async *audit({ api }) {
    const { seq } = await api.audit.head()
    for (let after: number | null = Math.max(0, seq - MAX_EXPORTED_ENTRIES); after !== null; ) {
      const page = await api.audit.page({ after, limit: AUDIT_PAGE_ENTRIES })
      yield page.lines
      after = page.next
    }
  },
}

async function* pagesOfKeys({ keys, tenant }: Pick<ExportSource, 'keys' | 'tenant'>) {
  for (let after: KeyPlace | undefined, more = true; more; ) {
    const page = await keys.listKeys(tenant.id, { limit: EXPORT_LIST_PAGE, ...(after === undefined ? {} : { after }) })
    yield page
    after = page.at(-1)
    more = page.length === EXPORT_LIST_PAGE
  }
}

async function* pagesOfChildren({ childKeys }: Pick<ExportSource['api'], 'childKeys'>, below: string) {
  for (let after: string | undefined, more = true; more; ) {
    const found: readonly ChildKeyInfo[] = await childKeys.list({
      below,
      limit: EXPORT_LIST_PAGE,
      ...(after === undefined ? {} : { after }),
    })
    yield toLines(found.map(childKey))
    after = found.at(-1)?.id
    more = found.length === EXPORT_LIST_PAGE
  }
}

const childKey = ({ id, name, may, used, createdAt, expiresAt, revokedAt }: ChildKeyInfo) => ({
  id,
  name,
  may,
  used,
  created_at: encodeTime(createdAt),
  expires_at: encodeTime(expiresAt),
  revoked_at: timeOrNull(revokedAt),
})

const mcpServer = ({ name, url, auth, timeout, createdAt, listing, counts, ...lists }: McpServerSummary) => ({
  name,
  url,
  auth,
  timeout,
  ...lists,
  created_at: encodeTime(createdAt),
  listed_at: timeOrNull(listing?.at ?? null),
  tools: counts,
})

const webhook = ({ id, url, description, wants, createdAt, disabled }: WebhookInfo) => ({
  id,
  url,
  description,
  ...wants,
  enabled: disabled === null,
  created_at: encodeTime(createdAt),
})
