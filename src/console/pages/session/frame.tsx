import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { get } from '../../api.ts'
import { bytesText, countText, plural } from '../../parts/format.ts'
import { addressOf, asLeft, go } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { useNameInTitle } from '../../parts/title.ts'
import { useChangesByOthers, useReadAgain } from './changed.ts'
import { lastFiles, rememberVisit } from './last-visited.ts'
import { pathOf, type Session, STATE_TONES, STATE_WORDS } from './types.ts'

const TABS = { calls: 'Calls', files: 'Files', terminal: 'Terminal', live: 'Live', history: 'History' } as const

interface FrameProps {
  readonly session: string
  readonly tab: keyof typeof TABS
  readonly children: ComponentChildren
}

/** Milliseconds between two looks at the session. */
const READ_MS = 5_000

/** Titles of sessions that a list has shown: a session's own page begins with them. */
const titles = new Map<string, string>()

/** Remembers the titles of listed sessions for their own pages. */
export function rememberTitles(sessions: readonly { readonly name: string; readonly title: string }[]): void {
  titles.clear()
  for (const { name, title } of sessions) titles.set(name, title || name)
}

/** Session that is gone to from another one, whose heading gets the focus. */
let arriving: string | null = null

/** Goes to a page of another session, and puts the focus on its heading. */
export function goToSession(session: string, tab: keyof typeof TABS): void {
  arriving = session
  go(addressOf(['sessions', session, tab]))
}

/** What is around each page of one session: its name and state, and the ways to its other pages. */
export function SessionFrame({ session, tab, children }: FrameProps) {
  const read = useResource(`session ${session}`, (signal) => get<Session>(pathOf(session), {}, signal), {
    everyMs: READ_MS,
  })
  useReadAgain(read)
  useChangesByOthers(session)
  const { value, problem, reload } = read
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (arriving !== session) return
    arriving = null
    heading.current?.focus()
  }, [session])
  const isThere = value !== undefined
  useEffect(() => {
    if (isThere) rememberVisit(session)
  }, [session, isThere])
  const title = value?.title || (value || problem ? session : (titles.get(session) ?? '\u00a0'))
  useNameInTitle('session', value?.title || undefined)
  return (
    <>
      <div class="page-head session-head">
        <h1 title={title} ref={heading} tabIndex={-1}>
          <a class="soft" href={asLeft('/console/sessions')}>
            Sessions
          </a>
          <span class="slash"> / </span>
          <span class="cut">{title}</span>
        </h1>
        <p class="soft session-facts">
          {value && (
            <>
              {value.forked_from && <ForkedFrom fork={session} {...value.forked_from} />}
              <Badge tone={STATE_TONES[value.state]}>{STATE_WORDS[value.state]}</Badge>
              <span>
                used <Ago at={value.last_used_at} /> · {countOf(value.files)}, {bytesText(value.files.bytes)}
              </span>
            </>
          )}
        </p>
      </div>
      <nav class="tabs" aria-label="Session">
        {Object.entries(TABS).map(([key, label]) => {
          const href = addressOf(['sessions', session, key])
          // On the way back to the files, the one that was open is.
          const before = key === 'files' && tab !== 'files' ? lastFiles(session) : undefined
          return (
            <a
              key={key}
              href={before ?? (key === 'calls' ? asLeft(href) : href)}
              aria-current={key === tab ? 'page' : undefined}
            >
              {label}
            </a>
          )
        })}
      </nav>
      {problem && !(value && problem.code === 'offline') ? (
        <ProblemView problem={problem} retry={() => void reload()} />
      ) : (
        children
      )}
    </>
  )
}

/** The session and commit that `fork` is of, and the way to what differs from that. */
function ForkedFrom({ fork, session, commit }: NonNullable<Session['forked_from']> & { readonly fork: string }) {
  const query = { from: String(Math.max(0, commit - 1)), to: String(commit) }
  return (
    <span class="fork-of">
      fork of{' '}
      <a class="cut" href={addressOf(['sessions', session, 'history'], query)}>
        {session} at {commit}
      </a>
      {' · '}
      <a href={addressOf(['sessions', fork, 'history'], { against: session, from: String(commit) })}>compare</a>
    </span>
  )
}

/** Number of files in words, and of folders where there are some. */
function countOf({ entries, directories }: Session['files']): string {
  if (directories === null) return `${countText(entries)} files and folders`
  const folders = directories > 0 ? `, ${plural(directories, 'folder')}` : ''
  return plural(entries - directories, 'file') + folders
}
