import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { send, who } from '../../api.ts'
import { ArgumentsForm, type EditedArguments, editedOf, missingOf } from '../../forms/arguments-form.tsx'
import { fieldsOf, isSchema } from '../../forms/fields.ts'
import { Action } from '../../parts/action.tsx'
import { type Call, CONSOLE, pathOf } from '../session/types.ts'
import { Answer } from './answer.tsx'
import { CopyAs } from './copy-as-view.tsx'
import { keptDraft, useKeptDraft } from './kept-draft.ts'
import { SessionField, sessionNamed, useOfferedSessions } from './session-field.tsx'
import type { StartedCall, Tool } from './types.ts'

interface CallFormProps {
  readonly tool: Tool
  /** Call whose arguments the form begins with. */
  readonly earlier: Call | null
  /** Session that the form begins with; '' for none. */
  readonly session: string
}

/** A form to call a tool, its answer beside it, and the call as a line for programs. On the way back it is as it was left. */
export function CallForm({ tool, earlier, session: first }: CallFormProps) {
  const field = useMemo(() => fieldsOf(tool.input_schema), [tool.input_schema])
  const begun = useMemo(() => argumentsOf(earlier), [earlier])
  const kept = useMemo(() => keptDraft(tool.name, field), [])
  const edited = useSignal<EditedArguments>(kept?.edited ?? editedOf(field, begun.args))
  const session = useSignal(kept?.session ?? first)
  const answered = useSignal<{ session: string; answer: StartedCall } | null>(kept?.answered ?? null)
  /** Times that a call was asked for while something was missing, which is marked from then on. */
  const refused = useSignal(0)
  const form = useRef<HTMLElement>(null)
  const sessions = useOfferedSessions()
  const mayCall = who.value?.scopes.includes('execute') ?? false
  const chosen = sessionNamed(session.value, sessions)
  const missing = missingOf(field, edited.value)

  useKeptDraft(form, tool.name, { edited: edited.value, session: session.value, answered: answered.value })
  useEffect(() => {
    if (refused.value > 0) form.current?.querySelector<HTMLElement>(MARKED)?.focus()
  }, [refused.value])

  const run = async () => {
    if (missing.length > 0 || chosen === '') {
      refused.value += 1
      return
    }
    const answer = await send<StartedCall>('POST', `${pathOf(chosen, 'calls')}?wait=0`, {
      tool: tool.name,
      arguments: edited.peek().args,
      agent: CONSOLE,
    })
    refused.value = 0
    answered.value = { session: chosen, answer }
  }
  return (
    <div class="tool-call">
      <section
        ref={form}
        class="panel stack"
        aria-label="Call"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.currentTarget.querySelector<HTMLButtonElement>('button.primary')?.click()
        }}
      >
        {begun.note && <p class="soft">{begun.note}</p>}
        <ArgumentsForm
          field={field}
          edited={edited.value}
          marked={refused.value > 0 ? missing : []}
          onEdit={(next) => (edited.value = next)}
        />
        <div class="call-line">
          <SessionField
            text={session.value}
            sessions={sessions}
            missing={refused.value > 0 && chosen === ''}
            onText={(text) => (session.value = text)}
          />
          <Action tone="primary" run={run} disabled={!mayCall || edited.value.problems.length > 0}>
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
            isNew={answered.value !== kept?.answered}
          />
        ) : (
          <p class="soft answer-place">The answer appears here, its output while it runs.</p>
        )}
        <CopyAs session={chosen || 'my-session'} tool={tool.name} args={edited.value.args} />
        <details>
          <summary>Schema of the arguments</summary>
          <pre class="text">{JSON.stringify(tool.input_schema, null, 2)}</pre>
        </details>
      </div>
    </div>
  )
}

/** Field that is marked as missing; of a list or a group, what begins it. */
const MARKED = '.missing :is(textarea, input, select, button), [aria-invalid="true"]'

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
