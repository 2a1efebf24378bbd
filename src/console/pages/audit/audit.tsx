import { useSignal } from '@preact/signals'
import { get, type Listed, problemOf, request } from '../../api.ts'
import { Action } from '../../parts/action.tsx'
import { countText } from '../../parts/format.ts'
import { addressOf } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Badge, Empty, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { ChainCheck, type Place } from './verify.ts'

interface Entry {
  readonly seq?: number
  readonly at?: string
  readonly action?: string
  readonly key?: string | null
  readonly session?: string | null
  readonly subject?: string | null
  readonly decision?: string
  readonly reason?: string | null
  readonly detail?: Readonly<Record<string, unknown>> | null
  readonly hash?: string
}

const LINES_AT_ONCE = 5_000

/** Audit log of the tenant, oldest first, and a check of its hash chain in this browser. */
export function AuditPage() {
  const found = useSignal('')
  const entries = usePages<Entry>(
    'audit',
    (cursor, signal) => get<Listed<Entry>>('/v1/audit', { limit: 100, cursor }, signal),
    { idOf: (entry) => String(entry.seq ?? entry.hash) },
  )
  return (
    <div class="stack">
      <div class="page-head">
        <h1>Audit</h1>
        <a class="button" href="/v1/audit/export" download="audit.jsonl">
          Export
        </a>
        <Action
          tone="primary"
          run={async () => {
            found.value = ''
            found.value = await verify()
          }}
        >
          Verify
        </Action>
      </div>
      <p class="soft">Verifying recomputes the hash of each entry here, and looks whether each names the one before.</p>
      {found.value && (
        <p class="panel" role="status">
          <Badge tone="good">verified</Badge> {found.value}
        </p>
      )}
      {entries.problem && <ProblemView problem={entries.problem} retry={() => void entries.reload()} />}
      {!entries.items && !entries.problem && <Loading />}
      {entries.items?.length === 0 && <Empty title="Nothing is in the log yet" />}
      {entries.items && entries.items.length > 0 && (
        <WindowList
          label="Entries"
          items={entries.items}
          idOf={(entry) => String(entry.seq ?? entry.hash)}
          next={entries.next}
        >
          {(entry) => <EntryRow entry={entry} />}
        </WindowList>
      )}
    </div>
  )
}

/** Place in the console of what an entry is about; null where there is none. */
function placeOf({ action = '', session, subject, key, detail }: Entry): string | null {
  const call = detail?.call
  if (session && typeof call === 'string') return addressOf(['sessions', session, 'calls', call])
  if (session && action !== 'session.delete' && action !== 'session.expire') return addressOf(['sessions', session])
  const [kind = ''] = action.split('.')
  if (kind === 'key' && subject && !subject.includes('.')) return addressOf(['keys', subject])
  if (kind === 'tool' && subject && action !== 'tool.delete') return addressOf(['tools', subject])
  const place = PLACES[kind]
  return place === undefined ? (key && addressOf(['usage'], { key })) || null : `/console/${place}`
}

/** Places of entries by the first word of their action, where what they are about has none of its own. */
const PLACES: Readonly<Record<string, string>> = {
  secret: 'secrets',
  limits: 'usage',
  console: 'settings',
  webhook: 'settings',
  key: 'keys',
  mcp_server: 'tools/from/mcp-servers',
}

function EntryRow({ entry }: { readonly entry: Entry }) {
  const href = placeOf(entry)
  return href === null ? (
    <div class="row audit-row">
      <EntryCells entry={entry} />
    </div>
  ) : (
    <a class="row audit-row" href={href}>
      <EntryCells entry={entry} />
    </a>
  )
}

function EntryCells({ entry }: { readonly entry: Entry }) {
  return (
    <>
      <span class="soft">{entry.seq ?? '…'}</span>
      <span class="cut">
        <strong>{entry.action ?? 'entries that are not here any more'}</strong> {entry.subject}
        <span class="soft">
          {' '}
          {entry.session} {entry.key}
        </span>
      </span>
      <span>
        <Badge tone={entry.decision === 'failed' || entry.decision === 'refused' ? 'bad' : 'plain'}>
          {entry.reason ?? entry.decision}
        </Badge>
      </span>
      <span class="spare soft">
        <Ago at={entry.at} />
      </span>
    </>
  )
}

/** Checks the whole log up to its present end. @returns words for what was found @throws Problem for a broken chain */
async function verify(): Promise<string> {
  const head = await get<Place>('/v1/audit/head')
  const check = new ChainCheck()
  try {
    while (check.last.seq < head.seq) {
      const before = check.last.seq
      const query = { after: before, limit: Math.min(LINES_AT_ONCE, head.seq - before) }
      const text = await (await request('GET', '/v1/audit/export', { query })).text()
      for (const line of text.split('\n')) if (line) await check.add(line)
      if (check.last.seq === before)
        throw new Error(`The server has no entries after ${before}, but an end ${head.seq}.`)
    }
    check.end()
    if (check.last.seq === head.seq && check.last.hash !== head.hash) {
      throw new Error(`Entry ${head.seq} has another hash than the server says of its end.`)
    }
  } catch (thrown) {
    throw problemOf(thrown)
  }
  const { seq, hash } = check.last
  return `${countText(check.count)} entries are as they were written. The last is ${seq}:${hash}; keep it elsewhere.`
}
