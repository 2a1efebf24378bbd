import { who } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { costText, countText } from '../../parts/format.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { type ChildKey, needsNoKey, readChildren, revoke, stateOf } from './types.ts'

interface ChildKeysProps {
  /** Id of the key at the top; `current` for the one that is signed in. */
  readonly of: string
}

/** Child keys below a key, as a tree. */
export function ChildKeys({ of }: ChildKeysProps) {
  const keys = useResource(`child keys of ${of}`, (signal) => readChildren(of, signal))
  const isOpen = needsNoKey(who.value)
  const byParent = Map.groupBy(keys.value ?? [], ({ parent }) => parent)
  const known = new Set(keys.value?.map(({ id }) => id))
  const roots = [...byParent].flatMap(([parent, children]) => (known.has(parent) ? [] : children))
  const revokeKey = async (key: ChildKey) => {
    await revoke(key.id)
    await keys.reload()
    say(`${key.name} is revoked.`)
  }
  return (
    <section class="stack" aria-label="Child keys">
      <h2>{isOpen ? 'Child keys' : of === 'current' ? 'Child keys of your key' : 'Child keys of this key'}</h2>
      {keys.problem && <ProblemView problem={keys.problem} retry={() => void keys.reload()} />}
      {!keys.value && !keys.problem && <Loading lines={2} />}
      {keys.value?.length === 0 && (
        <p class="soft">
          None. A child key may do less than {isOpen ? 'you may here' : 'the key that makes it'}, and for a while: give
          one to an agent{isOpen ? '' : ' in the place of the key itself'}.
        </p>
      )}
      {roots.length > 0 && <Branch keys={roots} byParent={byParent} revokeKey={revokeKey} />}
    </section>
  )
}

interface BranchProps {
  readonly keys: readonly ChildKey[]
  readonly byParent: ReadonlyMap<string, readonly ChildKey[]>
  readonly revokeKey: (key: ChildKey) => Promise<void>
}

function Branch({ keys, byParent, revokeKey }: BranchProps) {
  return (
    <ul class="key-tree">
      {keys.map((key) => (
        <li key={key.id}>
          <ChildRow item={key} revokeKey={revokeKey} />
          <Branch keys={byParent.get(key.id) ?? []} byParent={byParent} revokeKey={revokeKey} />
        </li>
      ))}
    </ul>
  )
}

function ChildRow({
  item,
  revokeKey,
}: {
  readonly item: ChildKey
  readonly revokeKey: (key: ChildKey) => Promise<void>
}) {
  const state = stateOf(item)
  return (
    <div class="panel row-actions">
      <div class="child-words">
        <strong>{item.name}</strong> <code class="soft">{item.id}</code>
        <br />
        <span class="soft">
          {restrictionsOf(item).join(' · ') || 'nothing taken away'} · {usedText(item)} · expires{' '}
          <Ago at={item.expires_at} />
        </span>
      </div>
      <Badge tone={state === 'good' ? 'good' : 'plain'}>{state}</Badge>
      {state === 'good' && (
        <Action
          tone="danger"
          name={`Revoke ${item.name}`}
          confirm={`Revoke ${item.name}, and all keys below it?`}
          run={() => revokeKey(item)}
        >
          Revoke
        </Action>
      )}
    </div>
  )
}

/** Words for what a child key may not do. */
function restrictionsOf({ scopes, sessions, tools, calls_per_minute }: ChildKey): string[] {
  const words: string[] = []
  if (scopes) words.push(`scopes: ${scopes.join(', ')}`)
  if (sessions)
    words.push(`sessions: ${[...sessions.names, ...sessions.prefixes.map((name) => `${name}…`)].join(', ')}`)
  if (tools) words.push(`tools: ${tools.join(', ')}`)
  if (calls_per_minute !== null) words.push(`${countText(calls_per_minute)} calls a minute`)
  return words
}

function usedText({ used, budget }: ChildKey): string {
  const calls = budget?.calls != null ? ` of ${countText(budget.calls)}` : ''
  const cost = budget?.cost != null ? ` of ${costText(budget.cost)}` : ''
  return `${countText(used.calls)}${calls} calls, cost ${costText(used.cost)}${cost}`
}
