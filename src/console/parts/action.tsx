import { signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { type Problem, problemOf } from '../api.ts'
import { keepFocus } from './focus.ts'
import { ProblemView } from './problem.tsx'

const said = signal<{ text: string; href?: string | undefined } | null>(null)
let forgetting: ReturnType<typeof setTimeout> | undefined
/** Milliseconds that a message stays; one with a link that may be wanted. */
const MESSAGE_MS = 8_000
const LINKED_MS = 20_000

/** Tells what was done, for a moment, with a link to it where there is one. */
export function say(text: string, href?: string): void {
  clearTimeout(forgetting)
  said.value = { text, href }
  forgetting = setTimeout(() => (said.value = null), href ? LINKED_MS : MESSAGE_MS)
}

/** The message of {@link say}. */
export function Said() {
  return (
    <div class="said" role="status">
      {said.value && (
        <p>
          {said.value.text} {said.value.href && <a href={said.value.href}>Look at it</a>}
        </p>
      )}
    </div>
  )
}

interface ActionProps {
  readonly run: () => Promise<void>
  /** Asked before it is done, where it harms; a function finds the question when it is pressed, null for none. */
  readonly confirm?: string | (() => Promise<string | null>)
  readonly tone?: 'primary' | 'danger' | 'quiet' | 'quiet danger'
  readonly disabled?: boolean
  /** Words that say more, such as why it is disabled. */
  readonly title?: string | undefined
  /** Name for those who hear the page, with the button's words and those of its row: for one of several with the same words. */
  readonly name?: string
  readonly children: ComponentChildren
}

/** A button that does something at the server: busy until it is done, and its problem is shown below it. */
export function Action({ run, confirm: question, tone, disabled, title, name, children }: ActionProps) {
  const busy = useSignal(false)
  const problem = useSignal<Problem | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  async function act() {
    if (busy.value) return
    busy.value = true
    problem.value = null
    try {
      const asked = typeof question === 'function' ? await question() : question
      if (document.activeElement === button.current) keepFocus(button.current)
      if (!asked || confirm(asked)) await run()
    } catch (thrown) {
      problem.value = problemOf(thrown)
    }
    busy.value = false
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={tone}
        disabled={disabled}
        title={title}
        aria-label={name}
        aria-busy={busy.value}
        onClick={() => void act()}
      >
        {children}
      </button>
      {problem.value && <ProblemView problem={problem.value} />}
    </>
  )
}

/** A button that puts a text into the clipboard. */
export function Copy({ text, children = 'Copy' }: { readonly text: string; readonly children?: ComponentChildren }) {
  return (
    <Action
      tone="quiet"
      run={async () => {
        await navigator.clipboard.writeText(text)
        say('Copied.')
      }}
    >
      {children}
    </Action>
  )
}
