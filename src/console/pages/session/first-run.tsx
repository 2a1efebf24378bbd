import { useSignal } from '@preact/signals'
import { send, who } from '../../api.ts'
import { Action, Copy } from '../../parts/action.tsx'
import { originForPrograms } from '../../parts/location.ts'
import { Text } from '../../parts/text.tsx'

/** A tenant without sessions: the lines that make a first call, with a key filled in, and word when the call has come. */
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
  const origin = originForPrograms()
  const shownKey = key.value || 'YOUR_KEY'
  const header = needsKey ? ` -H 'Authorization: Bearer ${shownKey}'` : ''
  const lines = {
    curl: `curl ${origin}/v1/sessions${header} -H 'Content-Type: application/json' -d '{"name":"first"}' && curl ${origin}/v1/sessions/first/calls${header} -H 'Content-Type: application/json' -d '{"tool":"execute_shell","arguments":{"command":"echo hello"}}'`,
    'Claude Code': `claude mcp add --transport http toolyard ${origin}/mcp${needsKey ? ` --header 'Authorization: Bearer ${shownKey}'` : ''}`,
    Python: `python3 -c 'import json, urllib.request as u; f = lambda p, b: print(u.urlopen(u.Request("${origin}/v1/sessions" + p, json.dumps(b).encode(), {"Content-Type": "application/json"${needsKey ? `, "Authorization": "Bearer ${shownKey}"` : ''}})).read().decode()); f("", {"name": "first"}); f("/first/calls", {"tool": "execute_shell", "arguments": {"command": "echo hello"}})'`,
  }
  return (
    <div class="empty">
      <h2>Make the first call</h2>
      <p>
        Run one of these lines. A session appears here by itself when its call has come, with what it did, its files and
        a shell.
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
