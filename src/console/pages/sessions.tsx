import { useEffect, useRef } from 'preact/hooks'
import { get, type Listed } from '../api.ts'
import { failuresOf } from '../parts/failures.ts'
import { costText, countText } from '../parts/format.ts'
import { addressOf, here } from '../parts/location.ts'
import { ProblemView } from '../parts/problem.tsx'
import { usePages, useResource } from '../parts/resource.ts'
import { Choice, Search } from '../parts/search.tsx'
import { Badge, Empty, Loading } from '../parts/states.tsx'
import { Ago } from '../parts/time.tsx'
import { WindowList } from '../parts/window-list.tsx'
import { FirstRun, useFirstCall } from './session/first-run.tsx'
import { rememberTitles } from './session/frame.tsx'
import { type ListedSession, STATE_TONES, STATE_WORDS, type UsedGroup } from './session/types.ts'

/** Milliseconds between two readings of the list. */
const REFRESH_MS = 3_000
/** Days whose failures and costs stand beside a session. */
const USAGE_DAYS = 30
/** Milliseconds after which the calls of a session that was used are counted: the longest pause between two of its reports, and a moment. */
const USAGE_LATE_MS = 5_000

/** All sessions of the tenant, newest first as the server has them, with what they did in the last month. */
export function SessionsPage() {
  const { query } = here.value
  const state = query.get('state') ?? ''
  const text = (query.get('q') ?? '').toLowerCase()
  const sessions = usePages<ListedSession>(
    `sessions ${state}`,
    (cursor, signal) => get<Listed<ListedSession>>('/v1/sessions', { limit: 100, cursor, state }, signal),
    { idOf: ({ name }) => name, everyMs: REFRESH_MS },
  )
  const from = new Date(Date.now() - USAGE_DAYS * 86_400_000).toISOString().slice(0, 10)
  const usage = useResource(`usage of sessions ${from}`, (signal) => readUsage(from, signal), { everyMs: 30_000 })

  // Counts of calls are told late: a use of a session that is seen is followed by two readings.
  const lastUse = sessions.items?.reduce((latest, { last_used_at: at }) => (at > latest ? at : latest), '')
  const seenUse = useRef(lastUse)
  useEffect(() => {
    if (seenUse.current === lastUse) return
    seenUse.current = lastUse
    void usage.reload()
    const timer = setTimeout(() => void usage.reload(), USAGE_LATE_MS)
    return () => clearTimeout(timer)
  }, [lastUse])

  // The server lists by state only: a text is looked for in what was read, and the list reads on until all is.
  const shown = text
    ? sessions.items?.filter(({ name, title }) => `${name} ${title}`.toLowerCase().includes(text))
    : sessions.items
  useEffect(() => rememberTitles(sessions.items ?? []), [sessions.items])
  const filtered = text !== '' || state !== ''
  const waitsForCall = useFirstCall(filtered || sessions.next ? undefined : sessions.items)
  useEffect(() => {
    if (text) sessions.next?.()
  }, [text, sessions.items?.length, sessions.next === null])
  return (
    <>
      <div class="page-head">
        <h1>Sessions</h1>
        <span class="soft">newest first</span>
      </div>
      <div class="filters">
        <Search label="Search sessions" />
        <Choice
          label="Sandbox"
          name="state"
          options={{ '': 'Any', ready: 'None', running: 'Awake', paused: 'Asleep' }}
        />
      </div>
      {sessions.problem && <ProblemView problem={sessions.problem} retry={() => void sessions.reload()} />}
      {!shown && !sessions.problem && <Loading />}
      {shown?.length === 0 && filtered && !sessions.next && (
        <Empty title="No session fits">
          <p>
            <a href="/console/sessions">Show all sessions</a>
          </p>
        </Empty>
      )}
      {shown && shown.length > 0 && (
        <>
          <div class="row session-row row-head" aria-hidden="true">
            <span>Session</span>
            <span>Sandbox</span>
            <span>Last used</span>
            <span class="number">Calls</span>
            <span class="number">Failed</span>
            <span class="number">Cost</span>
          </div>
          <WindowList label="Sessions" items={shown} idOf={({ name }) => name} next={sessions.next}>
            {(session) => <SessionRow session={session} used={usage.value?.get(session.name)} />}
          </WindowList>
        </>
      )}
      {waitsForCall && <FirstRun />}
    </>
  )
}

function SessionRow({ session, used }: { readonly session: ListedSession; readonly used: UsedGroup | undefined }) {
  const { name, title, state, last_used_at } = session
  const failures = used ? failuresOf(used) : 0
  return (
    <div class="row session-row linked">
      <span class="cut">
        <a class="row-link" href={addressOf(['sessions', name, 'calls'])}>
          <strong>{title || name}</strong>
          {title && title !== name && (
            <>
              <br />
              <span class="soft">{name}</span>
            </>
          )}
        </a>
      </span>
      <span>
        <Badge tone={STATE_TONES[state]}>{STATE_WORDS[state]}</Badge>
      </span>
      <span class="spare soft">
        <Ago at={last_used_at} />
      </span>
      <span class="spare number">{used ? countText(used.calls) : '–'}</span>
      <span class="number">
        {failures > 0 && (
          <a class="badge bad" href={addressOf(['sessions', name, 'calls'], { state: 'failed' })}>
            {countText(failures)} failed
          </a>
        )}
      </span>
      <span class="spare number">{costText(used?.cost)}</span>
    </div>
  )
}

async function readUsage(from: string, signal: AbortSignal): Promise<ReadonlyMap<string, UsedGroup>> {
  const { data } = await get<Listed<UsedGroup>>('/v1/usage', { group_by: 'session', from, limit: 1000 }, signal)
  return new Map(data.flatMap((group) => (group.session ? [[group.session, group] as const] : [])))
}
