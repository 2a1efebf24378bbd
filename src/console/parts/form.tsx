import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { type Problem, problemOf } from '../api.ts'
import { ProblemView } from './problem.tsx'

interface FormProps {
  /** Sends what was filled in. What it throws is shown above the button. */
  readonly run: (fields: FormData, form: HTMLFormElement) => Promise<void>
  /** Words of the button. */
  readonly submit: string
  readonly label?: string
  readonly tone?: 'primary' | 'danger'
  /** Whether there is something to be filled in first. */
  readonly disabled?: boolean
  readonly children: ComponentChildren
}

/** A form with one button: busy while it is sent, with its problem above the button. */
export function Form({ run, submit, label, tone = 'primary', disabled = false, children }: FormProps) {
  const busy = useSignal(false)
  const problem = useSignal<Problem | null>(null)
  async function send(event: SubmitEvent) {
    event.preventDefault()
    if (busy.value || disabled) return
    const form = event.currentTarget as HTMLFormElement
    busy.value = true
    problem.value = null
    try {
      await run(new FormData(form), form)
    } catch (thrown) {
      problem.value = problemOf(thrown)
    }
    busy.value = false
  }
  return (
    <form aria-label={label} onSubmit={(event) => void send(event)}>
      {children}
      {problem.value && <ProblemView problem={problem.value} />}
      <button type="submit" class={tone} disabled={disabled} aria-busy={busy.value}>
        {submit}
      </button>
    </form>
  )
}

/** Text of a field, without spaces around it. */
export const textOf = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim()

/** Number of a field, undefined for an empty one. */
export function numberOf(fields: FormData, name: string): number | undefined {
  const text = textOf(fields, name)
  return text === '' ? undefined : Number(text)
}

/** Names of a field, apart by spaces, commas or lines; undefined for none. */
export function namesOf(fields: FormData, name: string): string[] | undefined {
  const names = textOf(fields, name).split(/[\s,]/).filter(Boolean)
  return names.length > 0 ? names : undefined
}

interface ChecksProps {
  readonly legend: string
  readonly name: string
  /** Values and their words. */
  readonly options: Readonly<Record<string, string>>
  readonly checked: readonly string[]
}

/** Several of a few values. */
export function Checks({ legend, name, options, checked }: ChecksProps) {
  return (
    <fieldset class="checks">
      <legend>{legend}</legend>
      {Object.entries(options).map(([value, words]) => (
        <label key={value}>
          <input type="checkbox" name={name} value={value} defaultChecked={checked.includes(value)} /> {words}
        </label>
      ))}
    </fieldset>
  )
}
