import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, type Listed, problemOf, request } from '../../api.ts'
import { Action } from '../../parts/action.tsx'
import { countText, plural } from '../../parts/format.ts'
import { addressOf, here } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Search } from '../../parts/search.tsx'
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
  /** Number of the last entry that was dropped, in the one that stands for those. */
  readonly checkpoint?: number
}

const LINES_AT_ONCE = 5_000
/** Entries of one page of the list, and through how many a search goes by itself. */
const PAGE = 100
const SEARCHED_MAX = 2_000

const idOf = (entry: Entry): string => String(entry.seq ?? entry.hash)

/** Audit log of the tenant, newest first, and a check of its hash chain in this browser. */
export function AuditPage() {
  const found = useSignal('')
  const entries = usePages<Entry>('audit', readNewest, { idOf })
  const text = (here.value.query.get('q') ?? '').toLowerCase()
  const shown = text ? entries.items?.filter((entry) => wordsOf(entry).includes(text)) : entries.items
  const seen = entries.items?.length ?? 0
  useEffect(() => {
    if (text && seen < SEARCHED_MAX) entries.next?.()
  }, [text, seen, entries.next === null])
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
      {shown && seen > 0 && (
        <div>
          <div class="filters">
            <Search label="Search the log" />
            <span class="soft" role="status">
              {text &&
                `${plural(shown.length, 'entry', 'entries')} in ${entries.next ? 'the newest' : 'all'} ${countText(seen)}`}
            </span>
          </div>
          <div class="row audit-row row-head" aria-hidden="true">
            <span class="spare">Number</span>
            <span>Action</span>
            <span class="spare">Session, key</span>
            <span>Ended</span>
            <span class="number">When</span>
          </div>
          <WindowList label="Entries" items={shown} idOf={idOf} next={entries.next} rowHeight={48}>
            {(entry) => <EntryRow entry={entry} />}
          </WindowList>
        </div>
      )}
    </div>
  )
}

/** Reads a page of the log, newest first. A cursor is the number of the newest entry that is wanted. @throws Problem */
async function readNewest(cursor: string | null, signal: AbortSignal): Promise<Listed<Entry>> {
  const last = cursor === null ? (await get<Place>('/v1/audit/head', {}, signal)).seq : Number(cursor)
  const after = Math.max(0, last - PAGE)
  const { data } = await get<Listed<Entry>>('/v1/audit', { limit: Math.max(1, last - after), cursor: after }, signal)
  const page = data.filter(({ seq }) => seq === undefined || seq <= last).reverse()
  // What stands for dropped entries is the oldest of all that there is.
  const isEnd = after === 0 || page.some(({ checkpoint }) => checkpoint !== undefined)
  return { data: page, next_cursor: isEnd ? null : String(after) }
}

/** Text of an entry that a search looks through. */
const wordsOf = ({ seq, action, subject, session, key, decision, reason }: Entry): string =>
  [seq, action, subject, session, key, decision, reason].join(' ').toLowerCase()

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
  const { seq, action, subject, session, key, decision, reason, at } = entry
  const isBad = decision === 'failed' || decision === 'refused'
  return (
    <>
      <span class="spare soft number">{seq ?? '…'}</span>
      <span class="cut">
        <strong>{action ?? 'entries that are not here any more'}</strong> {subject}
      </span>
      <span class="spare cut soft">
        {[session !== subject && session, key !== subject && key].filter(Boolean).join(' · ')}
      </span>
      <span>
        {isBad ? <Badge tone="bad">{reason ?? decision}</Badge> : <span class="soft">{reason ?? decision}</span>}
      </span>
      <span class="number soft">
        <Ago at={at} />
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
