import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { get } from '../../api.ts'
import { bytesText, plural } from '../../parts/format.ts'
import { addressOf, asLeft } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { rememberVisit } from './last-visited.ts'
import { pathOf, type Session, STATE_TONES } from './types.ts'

const TABS = { calls: 'Calls', files: 'Files', terminal: 'Terminal', live: 'Live', history: 'History' } as const

interface FrameProps {
  readonly session: string
  readonly tab: keyof typeof TABS
  readonly children: ComponentChildren
}

/** Titles of sessions that a list has shown: a session's own page begins with them. */
const titles = new Map<string, string>()

/** Remembers the titles of listed sessions for their own pages. */
export function rememberTitles(sessions: readonly { readonly name: string; readonly title: string }[]): void {
  titles.clear()
  for (const { name, title } of sessions) titles.set(name, title || name)
}

/** What is around each page of one session: its name and state, and the ways to its other pages. */
export function SessionFrame({ session, tab, children }: FrameProps) {
  const { value, problem, reload } = useResource(
    `session ${session}`,
    (signal) => get<Session>(pathOf(session), {}, signal),
    { everyMs: 10_000 },
  )
  const isThere = value !== undefined
  useEffect(() => {
    if (isThere) rememberVisit(session)
  }, [session, isThere])
  const title = value?.title || (value || problem ? session : (titles.get(session) ?? '\u00a0'))
  return (
    <>
      <div class="page-head session-head">
        <h1 title={title}>
          <a class="soft" href={asLeft('/console/sessions')}>
            Sessions
          </a>
          <span class="slash"> / </span>
          <span class="cut">{title}</span>
        </h1>
        <p class="soft session-facts">
          {value && (
            <>
              <Badge tone={STATE_TONES[value.state]}>{value.state}</Badge>
              <span>
                used <Ago at={value.last_used_at} /> · {plural(value.files.entries, 'file')},{' '}
                {bytesText(value.files.bytes)}
              </span>
            </>
          )}
        </p>
      </div>
      <nav class="tabs" aria-label="Session">
        {Object.entries(TABS).map(([key, label]) => {
          const href = addressOf(['sessions', session, key])
          return (
            <a key={key} href={key === 'calls' ? asLeft(href) : href} aria-current={key === tab ? 'page' : undefined}>
              {label}
            </a>
          )
        })}
      </nav>
      {problem ? <ProblemView problem={problem} retry={() => void reload()} /> : children}
    </>
  )
}
