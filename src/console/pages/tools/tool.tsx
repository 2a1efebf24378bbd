import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { get, type Listed, send, who } from '../../api.ts'
import { ArgumentsForm, type EditedArguments, editedOf } from '../../forms/arguments-form.tsx'
import { fieldsOf, isSchema } from '../../forms/fields.ts'
import { Action, Copy } from '../../parts/action.tsx'
import { useKeys } from '../../parts/keys.tsx'
import { addressOf, here, originForPrograms } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge, Loading } from '../../parts/states.tsx'
import type { Call, ListedSession } from '../session/types.ts'
import { pathOf } from '../session/types.ts'
import { Answer } from './answer.tsx'
import { COPY_AS } from './copy-as.ts'
import { EFFECTS, type StartedCall, type Tool } from './types.ts'

/** One tool: what it does, and a form to call it in a session. */
export function ToolPage({ params }: PageProps) {
  const name = params.name ?? ''
  useKeys({ 'Ctrl+Enter': { label: 'Call the tool, from a field' } })
  const tool = useResource(`tool ${name}`, (signal) => get<Tool>(`/v1/tools/${encodeURIComponent(name)}`, {}, signal))
  const from = placeOfCall(here.value.query.get('from'))
  const earlier = useResource(from && `call ${JSON.stringify([from.session, from.call])}`, (signal) =>
    get<Call>(pathOf(from?.session ?? '', 'calls', from?.call ?? ''), {}, signal),
  )
  const { value } = tool
  const isRegistered = value?.kind === 'registered'
  return (
    <>
      <p class="filters">
        <a href="/console/tools">← All tools</a>
      </p>
      <div class="page-head">
        <h1 class="mono tool-name">{name}</h1>
        {value && <Badge tone="plain">{value.effect ? EFFECTS[value.effect] : 'Registered'}</Badge>}
        {value?.toolkit && <Badge tone="plain">{value.toolkit}</Badge>}
        {isRegistered && (
          <a class="button" href={addressOf(['tools', 'registered', name])}>
            Versions
          </a>
        )}
      </div>
      {tool.problem && <ProblemView problem={tool.problem} retry={() => void tool.reload()} />}
      {earlier.problem && <ProblemView problem={earlier.problem} retry={() => void earlier.reload()} />}
      {!value && !tool.problem && <Loading />}
      {value && <p class="prose tool-about">{value.description}</p>}
      {value && (!from || earlier.value || earlier.problem) && (
        <CallForm
          key={`${name} ${earlier.value?.call_id}`}
          tool={value}
          earlier={earlier.value ?? null}
          session={from?.session ?? here.value.query.get('session') ?? ''}
        />
      )}
    </>
  )
}

/** The session and call of `?from={session}/{call}`. A name of a session may have slashes. */
function placeOfCall(from: string | null) {
  const at = from?.lastIndexOf('/') ?? -1
  return from && at > 0 ? { session: from.slice(0, at), call: from.slice(at + 1) } : null
}

interface CallFormProps {
  readonly tool: Tool
  readonly earlier: Call | null
  readonly session: string
}

function CallForm({ tool, earlier, session: first }: CallFormProps) {
  const field = useMemo(() => fieldsOf(tool.input_schema), [tool.input_schema])
  const begun = useMemo(() => argumentsOf(earlier), [earlier])
  const edited = useSignal<EditedArguments>(editedOf(field, begun.args))
  const session = useSignal(first)
  const answered = useSignal<{ session: string; answer: StartedCall } | null>(null)
  const sessions = useResource('sessions to call in', (signal) =>
    get<Listed<ListedSession>>('/v1/sessions', { limit: 50 }, signal),
  )
  useEffect(() => {
    const [latest] = sessions.value?.data ?? []
    if (!session.peek() && latest) session.value = latest.name
  }, [sessions.value])
  const mayCall = who.value?.scopes.includes('execute') ?? false

  const run = async () => {
    const place = session.peek()
    const answer = await send<StartedCall>('POST', `${pathOf(place, 'calls')}?wait=0`, {
      tool: tool.name,
      arguments: edited.peek().args,
    })
    answered.value = { session: place, answer }
  }
  const canRun = mayCall && session.value !== '' && edited.value.problems.length === 0
  return (
    <div class="tool-call">
      <section
        class="panel stack"
        aria-label="Call"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.currentTarget.querySelector<HTMLButtonElement>('button.primary')?.click()
        }}
      >
        {begun.note && <p class="soft">{begun.note}</p>}
        <ArgumentsForm field={field} edited={edited.value} onEdit={(next) => (edited.value = next)} />
        <div class="call-line">
          <label class="field">
            Session
            <input
              list="sessions-to-call-in"
              value={session.value}
              placeholder="a session, new or not"
              onInput={(event) => (session.value = event.currentTarget.value)}
            />
          </label>
          <datalist id="sessions-to-call-in">
            {sessions.value?.data.map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <Action tone="primary" run={run} disabled={!canRun}>
            {answered.value ? 'Call again' : 'Call'}
          </Action>
          <span class="soft spare">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
        </div>
        {!mayCall && <p class="soft">Whoever is signed in may look, but not call.</p>}
      </section>
      <div class="stack">
        {answered.value ? (
          <Answer
            key={answered.value.answer.call_id}
            session={answered.value.session}
            started={answered.value.answer}
          />
        ) : (
          <p class="soft answer-place">The answer appears here, its output while it runs.</p>
        )}
        <CopyAs session={session.value || 'my-session'} tool={tool.name} args={edited.value.args} />
        <details>
          <summary>Schema of the arguments</summary>
          <pre class="text">{JSON.stringify(tool.input_schema, null, 2)}</pre>
        </details>
      </div>
    </div>
  )
}

/** Arguments of an earlier call. They are cut where they are long, and secrets are masked. */
function argumentsOf(call: Call | null): { args: Readonly<Record<string, unknown>>; note: string } {
  if (!call) return { args: {}, note: '' }
  try {
    const args: unknown = JSON.parse(call.arguments)
    if (!isSchema(args)) return { args: {}, note: '' }
    return { args, note: call.arguments.includes('***') ? 'Secrets are masked here: put them in before you call.' : '' }
  } catch {
    return { args: {}, note: 'The arguments of the earlier call were too long to be kept: fill them in.' }
  }
}

interface CopyAsProps {
  readonly session: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

function CopyAs({ session, tool, args }: CopyAsProps) {
  const way = useSignal('curl')
  const write = COPY_AS[way.value]
  const text = write?.({ origin: originForPrograms(), session, tool, args, needsKey: who.value?.key_id != null }) ?? ''
  return (
    <section class="stack" aria-label="Copy as">
      <div class="row-actions">
        <h3>Copy as</h3>
        <fieldset class="two-ways" aria-label="Language">
          {Object.keys(COPY_AS).map((name) => (
            <button key={name} type="button" aria-pressed={way.value === name} onClick={() => (way.value = name)}>
              {name}
            </button>
          ))}
        </fieldset>
        <Copy text={text} />
      </div>
      <pre class="text">{text}</pre>
    </section>
  )
}
