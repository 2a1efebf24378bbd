import type { ComponentChildren } from 'preact'
import { get } from '../../api.ts'
import { bytesText, plural } from '../../parts/format.ts'
import { addressOf } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { pathOf, type Session, STATE_TONES } from './types.ts'

const TABS = { calls: 'Calls', files: 'Files', terminal: 'Terminal', live: 'Live', history: 'History' } as const

interface FrameProps {
  readonly session: string
  readonly tab: keyof typeof TABS
  readonly children: ComponentChildren
}

/** What is around each page of one session: its name and state, and the ways to its other pages. */
export function SessionFrame({ session, tab, children }: FrameProps) {
  const { value, problem, reload } = useResource(
    `session ${session}`,
    (signal) => get<Session>(pathOf(session), {}, signal),
    { everyMs: 10_000 },
  )
  return (
    <>
      <div class="page-head session-head">
        <h1>
          <a class="soft" href="/console/sessions">
            Sessions
          </a>{' '}
          / {value?.title || session}
        </h1>
        {value && <Badge tone={STATE_TONES[value.state]}>{value.state}</Badge>}
        <span class="soft">
          {value ? (
            <>
              used <Ago at={value.last_used_at} /> · {plural(value.files.entries, 'file')},{' '}
              {bytesText(value.files.bytes)}
            </>
          ) : (
            ' '
          )}
        </span>
      </div>
      <nav class="tabs" aria-label="Session">
        {Object.entries(TABS).map(([key, label]) => (
          <a key={key} href={addressOf(['sessions', session, key])} aria-current={key === tab ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {problem ? <ProblemView problem={problem} retry={() => void reload()} /> : children}
    </>
  )
}
