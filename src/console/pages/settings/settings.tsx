import { get, type Listed, send, who } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Badge, Loading } from '../../parts/states.tsx'
import { ThemeSwitch } from '../../parts/theme.tsx'
import { Ago } from '../../parts/time.tsx'
import { isAdministrator } from '../keys/types.ts'

interface ConsoleSession {
  readonly id: string
  readonly key_id: string | null
  readonly browser: string
  readonly current: boolean
  readonly last_used_at: string
  readonly expires_at: string
}

/** Theme of this browser, settings of the tenant, and the browsers that are signed in. */
export function SettingsPage() {
  const sessions = usePages<ConsoleSession>(
    'console sessions',
    (cursor, signal) => get<Listed<ConsoleSession>>('/v1/console-sessions', { limit: 50, cursor }, signal),
    { idOf: ({ id }) => id },
  )
  const end = async ({ id, current }: ConsoleSession) => {
    await send('DELETE', `/v1/console-sessions/${encodeURIComponent(id)}`)
    if (current) who.value = null
    else {
      await sessions.reload()
      say('That browser is signed out.')
    }
  }
  return (
    <div class="stack narrow-page">
      <h1>Settings</h1>
      <p>
        <ThemeSwitch />
      </p>
      {isAdministrator(who.value) && (
        <section class="stack" aria-label="Of the tenant">
          <h2>Of the tenant</h2>
          <ul class="plain-rows">
            <li>
              <a href="/console/settings/webhooks">Webhooks</a>
              <span class="soft">tell programs of yours what happens</span>
            </li>
            <li>
              <a href="/console/usage">Limits, budgets and prices</a>
              <span class="soft">how much may be used, and what it costs</span>
            </li>
          </ul>
        </section>
      )}
      <h2>Signed in to the console</h2>
      {sessions.problem && <ProblemView problem={sessions.problem} retry={() => void sessions.reload()} />}
      {!sessions.items && !sessions.problem && <Loading lines={2} />}
      <ul class="stack" aria-label="Browsers">
        {sessions.items?.map((session) => (
          <li key={session.id} class="panel row-actions">
            <div class="child-words">
              {session.browser || 'A browser without a name'} <code class="soft">{session.key_id}</code>
              <br />
              <span class="soft">
                last used <Ago at={session.last_used_at} /> · ends <Ago at={session.expires_at} />
              </span>
            </div>
            {session.current && <Badge tone="busy">this one</Badge>}
            <Action
              tone="danger"
              name={`Sign out ${session.browser || session.id}${session.current ? ', this one' : ''}`}
              run={() => end(session)}
            >
              Sign out
            </Action>
          </li>
        ))}
      </ul>
      {sessions.next && (
        <button type="button" onClick={sessions.next}>
          More
        </button>
      )}
    </div>
  )
}
