import { get, type Listed } from '../../api.ts'
import { useResource } from '../../parts/resource.ts'
import { Ago } from '../../parts/time.tsx'
import type { ListedSession } from '../session/types.ts'

/** Sessions that are offered; any other is known by its name. */
const OFFERED = 100

/** Milliseconds between two looks at the sessions. */
const LOOK_MS = 15_000

/** Sessions that the field offers, newest first. */
export function useOfferedSessions(): readonly ListedSession[] {
  const read = (signal: AbortSignal) => get<Listed<ListedSession>>('/v1/sessions', { limit: OFFERED }, signal)
  return useResource('sessions to call in', read, { everyMs: LOOK_MS }).value?.data ?? []
}

/** Session of a name or, where just one has it, of a title; the text itself where it is neither. */
export function sessionNamed(text: string, sessions: readonly ListedSession[]): string {
  const wanted = text.trim()
  if (sessions.some(({ name }) => name === wanted)) return wanted
  const [titled, ...others] = sessions.filter(({ title }) => title === wanted)
  return titled && others.length === 0 ? titled.name : wanted
}

interface SessionFieldProps {
  readonly text: string
  readonly sessions: readonly ListedSession[]
  readonly missing: boolean
  readonly onText: (text: string) => void
}

/** The session of a call: its name or title, with those that there are to choose from. */
export function SessionField({ text, sessions, missing, onText }: SessionFieldProps) {
  const chosen = sessions.find(({ name }) => name === sessionNamed(text, sessions))
  const titleOf = ({ title, name }: ListedSession) => (title === name ? '' : title)
  return (
    <div class={missing ? 'field missing' : 'field'}>
      <label class="field">
        Session
        <input
          list="sessions-to-call-in"
          value={text}
          placeholder="name or title of a session"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={missing}
          aria-describedby="session-of-call"
          onInput={(event) => onText(event.currentTarget.value)}
        />
      </label>
      <datalist id="sessions-to-call-in">
        {sessions.map((session) => (
          <option key={session.name} value={session.name} label={titleOf(session) || undefined}>
            {titleOf(session) || session.name}
          </option>
        ))}
      </datalist>
      <span id="session-of-call" class={missing ? 'missing-words' : 'field-help'}>
        {missing && 'Choose the session to call in.'}
        {!missing && chosen && (
          <>
            {titleOf(chosen) && <>{titleOf(chosen) === text.trim() ? chosen.name : titleOf(chosen)}, </>}last used{' '}
            <Ago at={chosen.last_used_at} />
          </>
        )}
      </span>
    </div>
  )
}
