import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

/** Name of something new: a proposal, until somebody types another. */
interface NewName {
  readonly name: ReadonlySignal<string>
  /** Takes a typed name. */
  readonly type: (name: string) => void
  /** Proposes a name that is none of these, by a number behind it, where none was typed. */
  readonly avoid: (taken: readonly string[]) => void
}

/** A name to be given, at first the proposal. */
export function useNewName(proposal: string): NewName {
  const name = useSignal(proposal)
  const isTyped = useSignal(false)
  return {
    name,
    type(typed) {
      isTyped.value = true
      name.value = typed
    },
    avoid(taken) {
      if (!isTyped.peek()) name.value = freeName(name.peek(), new Set(taken))
    },
  }
}

interface NameFieldProps {
  readonly given: NewName
  /** Help below the field. */
  readonly children?: ComponentChildren
}

/** Field for a {@link NewName}. */
export function NameField({ given, children }: NameFieldProps) {
  return (
    <label class="field">
      Name
      <input
        name="name"
        required
        autofocus
        autocomplete="off"
        spellcheck={false}
        value={given.name.value}
        onInput={({ currentTarget }) => given.type(currentTarget.value)}
      />
      {children}
    </label>
  )
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let [free, number] = [name, 2]
  while (taken.has(free)) free = `${name}-${number++}`
  return free
}
