import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, type Listed, send, who } from '../../api.ts'
import { Action, Copy, say } from '../../parts/action.tsx'
import { addressOf, originForPrograms } from '../../parts/location.ts'
import { useResource } from '../../parts/resource.ts'
import { Text } from '../../parts/text.tsx'
import { type ListedCall, type ListedSession, pathOf } from './types.ts'

/** Milliseconds between two looks for the first call. */
const LOOK_MS = 1_000
/** Sessions of a console that may be new: one with more has had its first call. */
const SESSIONS_MAX = 3

interface FirstCall {
  readonly session: string
  readonly call: ListedCall
}

/**
 * Whether the tenant waits for its first call. When the call comes, {@link say} tells of it.
 * @param sessions all sessions of the tenant; undefined while they are not known
 */
export function useFirstCall(sessions: readonly ListedSession[] | undefined): boolean {
  const names = sessions && sessions.length <= SESSIONS_MAX ? sessions.map(({ name }) => name) : null
  const waiting = useSignal(false)
  const { value } = useResource(
    names && `first call in ${JSON.stringify(names)}`,
    (signal) => findCall(names ?? [], signal),
    { everyMs: waiting.value ? LOOK_MS : undefined },
  )
  useEffect(() => {
    if (value === null) waiting.value = true
    if (!value || !waiting.peek()) return
    waiting.value = false
    const { session, call } = value
    say(`The first call is here: ${call.tool}.`, addressOf(['sessions', session, 'calls', call.call_id]))
  }, [value])
  return names !== null && waiting.value
}

/** A call of one of the sessions; null for none. @throws Problem */
async function findCall(sessions: readonly string[], signal: AbortSignal): Promise<FirstCall | null> {
  for (const session of sessions) {
    const { data } = await get<Listed<ListedCall>>(pathOf(session, 'calls'), { limit: 1 }, signal)
    if (data[0]) return { session, call: data[0] }
  }
  return null
}

/** A tenant without calls: the lines that make the first one, with a key filled in. */
export function FirstRun() {
  const key = useSignal('')
  const session = who.value
  const needsKey = session !== null && session?.key_id !== null
  const makeKey = async () => {
    const made = await send<{ key: string }>('POST', '/v1/keys', {
      name: 'first call',
      scopes: ['read', 'execute'],
    })
    key.value = made.key
  }
  const shownKey = needsKey ? key.value || 'YOUR_KEY' : null
  const lines = linesOf(originForPrograms(), shownKey)
  return (
    <div class="empty">
      <h2>Make the first call</h2>
      <p>
        Run one of these lines. Its session appears here by itself, and with its call what it did, its files and a
        shell.
      </p>
      {needsKey && (
        <div class="row-actions">
          {key.value ? (
            <span class="soft">The key is in the lines. It is shown this once.</span>
          ) : (
            <Action tone="primary" run={makeKey}>
              Make a key for these lines
            </Action>
          )}
        </div>
      )}
      {Object.entries(lines).map(([name, line]) => (
        <section key={name} class="stack first-line">
          <div class="row-actions">
            <h3>{name}</h3>
            <Copy text={line} />
          </div>
          <Text>{line}</Text>
        </section>
      ))}
      <p class="soft" role="status">
        Waiting for the first call …
      </p>
    </div>
  )
}

/** Lines that call a tool, each run as it is by a POSIX shell. @param key null where the server needs none */
function linesOf(origin: string, key: string | null): Readonly<Record<string, string>> {
  const header = key === null ? '' : ` -H 'Authorization: Bearer ${key}'`
  const curl = (path: string, body: object) =>
    `curl '${origin}/v1/sessions${path}'${header} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  const pythonHeader = key === null ? '' : `, "Authorization": "Bearer ${key}"`
  return {
    curl: `${curl(NEW_SESSION, SESSION)} && ${curl('/first/calls', CALL)}`,
    'Claude Code': `claude mcp add --transport http toolyard ${origin}/mcp${key === null ? '' : ` --header 'Authorization: Bearer ${key}'`}`,
    Python: `python3 -c 'import json, urllib.request as u; f = lambda p, b: print(u.urlopen(u.Request("${origin}/v1/sessions" + p, json.dumps(b).encode(), {"Content-Type": "application/json"${pythonHeader}})).read().decode()); f("${NEW_SESSION}", ${JSON.stringify(SESSION)}); f("/first/calls", ${JSON.stringify(CALL)})'`,
  }
}

/** A line that is run again finds the session that it made. */
const NEW_SESSION = '?if_exists=return'
const SESSION = { name: 'first' }
const CALL = { tool: 'execute_shell', arguments: { command: 'echo hello' } }
