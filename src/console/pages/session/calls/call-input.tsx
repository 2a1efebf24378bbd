import { useRef } from 'preact/hooks'
import { Problem, send } from '../../../api.ts'
import { Action, Copy, say } from '../../../parts/action.tsx'
import { addressOf, go } from '../../../parts/location.ts'
import { leaveDraft } from '../../tools/kept-draft.ts'
import { type Call, CONSOLE, CUT, pathOf } from '../types.ts'
import { useEditedInput } from './edited-input.ts'

interface CallInputProps {
  readonly session: string
  readonly call: Call
  /** Told the id of a call that is made with the arguments, before it is gone to. */
  readonly made: (id: string) => void
}

/** Arguments of a call, to be edited and called again. */
export function CallInput({ session, call, made: tell }: CallInputProps) {
  const section = useRef<HTMLElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const pretty = prettyJson(call.arguments)
  const given = pretty ?? call.arguments
  const text = useEditedInput(field, call.call_id, given)
  const isChanged = text.value !== given
  const again = async () => {
    const made = await send<{ call_id: string | null }>('POST', `${pathOf(session, 'calls')}?wait=0`, {
      tool: call.tool,
      arguments: argumentsIn(text.peek()),
      agent: CONSOLE,
    })
    say('Called again.')
    if (!made.call_id) return
    tell(made.call_id)
    go(addressOf(['sessions', session, 'calls', made.call_id]))
  }
  const form = addressOf(['tools', call.tool], { from: `${session}/${call.call_id}` })
  const edit = async () => {
    const json = text.peek()
    argumentsIn(json)
    go(form)
    leaveDraft(call.tool, json, session)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    section.current?.querySelector<HTMLButtonElement>('button.primary')?.click()
  }
  const masked = call.arguments.includes('***')
  return (
    <section ref={section} class="stack part">
      <div class="row-actions">
        <h3>Input</h3>
        <Copy text={given} />
      </div>
      <textarea
        ref={field}
        class="text-field"
        aria-label="Arguments as JSON"
        spellcheck={false}
        rows={Math.min(20, given.split('\n').length + 1)}
        value={text.value}
        onKeyDown={onKey}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
        }}
      />
      {(pretty === null || CUT.test(call.arguments)) && (
        <p class="soft">The arguments were long, and are cut here: complete them before you call again.</p>
      )}
      {masked && <p class="soft">Secrets are masked here: put them in before you call again.</p>}
      <div class="row-actions">
        <Action tone="primary" run={again}>
          Call again
        </Action>
        <span class="soft spare">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
        {isChanged ? (
          <Action run={edit}>Edit in the form</Action>
        ) : (
          <a class="button" href={form}>
            Edit in the form
          </a>
        )}
        {isChanged && <span class="soft">with the arguments as you have changed them</span>}
        {isChanged && (
          <button type="button" class="quiet" onClick={() => (text.value = given)}>
            As they were
          </button>
        )}
      </div>
    </section>
  )
}

/** Arguments of a text; none for an empty one. @throws Problem for what is no JSON */
function argumentsIn(text: string): unknown {
  try {
    return JSON.parse(text.trim() || '{}')
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    throw new Problem(
      0,
      'invalid_input',
      `These arguments are no JSON yet: ${why}`,
      'Correct them, then call again.',
      null,
    )
  }
}

/** JSON on several lines; null for what is none, such as a text that was cut. */
function prettyJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return null
  }
}
