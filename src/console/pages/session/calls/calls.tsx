import type { ComponentProps } from 'preact'
import { useEffect } from 'preact/hooks'
import { get } from '../../../api.ts'
import { durationText, plural } from '../../../parts/format.ts'
import { addressOf, go, here } from '../../../parts/location.ts'
import type { PageProps } from '../../../parts/page.ts'
import { ProblemView } from '../../../parts/problem.tsx'
import { type Pages, usePages } from '../../../parts/resource.ts'
import { Choice, Search } from '../../../parts/search.tsx'
import { Empty, Loading } from '../../../parts/states.tsx'
import { Ago } from '../../../parts/time.tsx'
import { WindowList } from '../../../parts/window-list.tsx'
import { SessionFrame } from '../frame.tsx'
import { CONSOLE, type ListedCall, pathOf } from '../types.ts'
import { CallBadge } from './call-badge.tsx'
import { gistOf, inOneLine } from './call-gist.ts'
import { ChangeCounts, useChangesOfCalls } from './changes-of-calls.tsx'

/** Milliseconds between two readings of the newest calls. */
const REFRESH_MS = 2_000

/** Calls through which a search goes by itself. */
const SEARCHED_MAX = 2_000

/** Most calls of one page of the list. */
const PAGE = 200

/** Names in `/v1` of choices of the filter that have others there: calls that went well, or did not, by their exit codes too. */
const STATES: Readonly<Record<string, string>> = { done: 'successful', failed: 'unsuccessful' }

/** Calls of a session that fit the query's filters, newest first. */
export function useCalls(session: string, everyMs?: number): Pages<ListedCall> {
  const chosen = here.value.query.get('state')
  const state = STATES[chosen ?? ''] ?? chosen
  const tool = here.value.query.get('tool')
  return usePages<ListedCall>(
    `calls of ${JSON.stringify([session, state, tool])}`,
    (cursor, signal) => get(pathOf(session, 'calls'), { limit: PAGE, cursor, state, tool }, signal),
    { idOf: ({ call_id }) => call_id, everyMs },
  )
}

/** Filters of the query, which a call's own page keeps. */
export function callFilters(): Readonly<Record<string, string | null>> {
  const { query } = here.value
  return { state: query.get('state'), tool: query.get('tool'), q: query.get('q') }
}

/** Calls among those that were read which hold the query's text. */
export function withText<T extends ListedCall>(calls: readonly T[] | undefined): readonly T[] | undefined {
  const text = (here.value.query.get('q') ?? '').toLowerCase()
  if (!text) return calls
  return calls?.filter((call) => `${call.tool} ${call.arguments} ${call.answer}`.toLowerCase().includes(text))
}

/** What was called in a session. */
export function CallsPage({ params }: PageProps) {
  const session = params.session ?? ''
  const calls = useCalls(session, REFRESH_MS)
  const shown = withText(calls.items)
  const filters = callFilters()
  const changes = useChangesOfCalls(session, calls.items?.at(-1)?.started_at)
  const callers = new Set(calls.items?.map(({ agent }) => agent))
  // The server lists by state and tool only: a text is looked for in what was read, which goes on to a bound.
  const seen = calls.items?.length ?? 0
  useEffect(() => {
    if (filters.q && seen < SEARCHED_MAX) calls.next?.()
  }, [filters.q, seen, calls.next === null])
  const filtered = Object.values(filters).some(Boolean)
  const address = addressOf(['sessions', session, 'calls'])
  useEffect(() => {
    if (here.peek().path !== address) go(address + location.search, { replace: true })
  }, [address])
  return (
    <SessionFrame session={session} tab="calls">
      <div class="filters">
        <Search label="Search calls" />
        <Choice
          label="State"
          name="state"
          options={{
            '': 'Any',
            failed: 'Failed',
            refused: 'Refused',
            running: 'Running',
            pending: 'Pending',
            done: 'Done',
            lost: 'Lost',
          }}
        />
        {filters.tool && (
          <a class="button" href={addressOf(['sessions', session, 'calls'], { ...filters, tool: null })}>
            {filters.tool} ✕
          </a>
        )}
      </div>
      {filters.q && calls.items && (
        <p class="filters soft" role="status">
          {calls.next
            ? `Looked through the newest ${plural(seen, 'call')}.`
            : `Looked through all ${plural(seen, 'call')}.`}
          {calls.next && seen >= SEARCHED_MAX && (
            <button type="button" class="quiet" onClick={calls.next}>
              Look further
            </button>
          )}
        </p>
      )}
      {calls.problem && <ProblemView problem={calls.problem} retry={() => void calls.reload()} />}
      {!shown && !calls.problem && <Loading />}
      {shown?.length === 0 && <NoCalls session={session} filtered={filtered} />}
      {shown && shown.length > 0 && (
        <>
          <div class="row call-row row-head" aria-hidden="true">
            <span>State</span>
            <span>Call, and what it answered</span>
            <span class="number">Took</span>
            <span class="number">Began, files</span>
          </div>
          <WindowList label="Calls" items={shown} idOf={({ call_id }) => call_id} next={calls.next} rowHeight={64}>
            {(call) => (
              <CallRow
                call={call}
                href={addressOf(['sessions', session, 'calls', call.call_id], filters)}
                isCallerShown={callers.size > 1}
                changes={changes.get(call.call_id)}
              />
            )}
          </WindowList>
        </>
      )}
    </SessionFrame>
  )
}

function NoCalls({ session, filtered }: { readonly session: string; readonly filtered: boolean }) {
  if (!filtered) return <Empty title="No calls yet">They appear here while they run.</Empty>
  return (
    <Empty title="No call fits">
      <p>
        <a href={addressOf(['sessions', session, 'calls'])}>Show all calls</a>
      </p>
    </Empty>
  )
}

interface CallRowProps {
  readonly call: ListedCall
  readonly href: string
  /** Whether the row says who called: where not all calls of the list are of the same. */
  readonly isCallerShown?: boolean
  /** Counts of files that it changed, where they are known. */
  readonly changes?: ComponentProps<typeof ChangeCounts>['counts']
}

/** One call in two lines. */
export function CallRow({ call, href, isCallerShown = false, changes }: CallRowProps) {
  return (
    <a class="row call-row" href={href}>
      <span>
        <CallBadge call={call} />
      </span>
      <span class="cut">
        <strong>{call.tool}</strong> <code>{gistOf(call.arguments)}</code>
        <br />
        <span class="soft">
          {[
            isCallerShown && call.agent && `by ${call.agent === CONSOLE ? 'the console' : call.agent}`,
            inOneLine(call.answer),
          ]
            .filter(Boolean)
            .join(' · ') || ' '}
        </span>
      </span>
      <span class="spare number soft">{durationText(tookMs(call))}</span>
      <span class="number soft">
        <Ago at={call.started_at} />
        <ChangeCounts counts={changes} />
      </span>
    </a>
  )
}

/** Milliseconds that a call took, or has taken until this moment. */
export function tookMs(call: ListedCall): number {
  const end = call.ended_at ? Date.parse(call.ended_at) : Date.now()
  return Math.max(0, end - Date.parse(call.started_at))
}
