import { useEffect, useRef } from 'preact/hooks'
import { AnsiText } from '../../../parts/ansi.tsx'
import { addressOf, go, here, withQuery } from '../../../parts/location.ts'
import type { PageProps } from '../../../parts/page.ts'
import { ProblemView } from '../../../parts/problem.tsx'
import { SessionFrame } from '../frame.tsx'
import { type OwnShell, ownShellOf } from './own-shell.ts'
import { typedBefore } from './typed-before.ts'

/** Lines that were typed and are kept for the arrow keys. */
const TYPED_MAX = 100

/** A shell of the person's own in a session, which keeps its directory and variables. */
export function TerminalPage({ params }: PageProps) {
  const session = params.session ?? ''
  const shell = ownShellOf(session)
  const { problem, busy } = shell
  const line = useRef<HTMLInputElement>(null)
  const typed = useRef<{ lines: string[]; at: number }>({ lines: [], at: 0 })

  useEffect(() => {
    const before = shell.resume()
    typed.current = { lines: [], at: 0 }
    if (before !== null) {
      void typedBefore(session, before).then(
        (lines) => {
          const since = typed.current.lines
          const earlier = lines.filter((line, at) => at < lines.length - since.length || !since.includes(line))
          const all = [...earlier, ...since].slice(-TYPED_MAX)
          typed.current = { lines: all, at: all.length }
        },
        // The arrow keys have what is typed from now on.
        () => undefined,
      )
    }
    return () => shell.pause()
  }, [shell])
  const named = here.value.query.has('shell')
  useEffect(() => {
    // Links of earlier versions have the number of a shell, which may be an agent's.
    if (named) go(withQuery({ shell: null }), { replace: true })
  }, [named])
  useEffect(() => {
    const focusLine = () => {
      if (document.activeElement === document.body) line.current?.focus()
    }
    line.current?.focus()
    addEventListener('focus', focusLine)
    return () => removeEventListener('focus', focusLine)
  }, [shell])

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('line') as HTMLInputElement
    const { lines } = typed.current
    if (field.value) lines.push(field.value)
    typed.current = { lines: lines.slice(-TYPED_MAX), at: Math.min(lines.length, TYPED_MAX) }
    act(shell.enter(field.value))
    field.value = ''
  }

  function act(done: Promise<void>) {
    void done
    line.current?.focus()
  }

  function onKey(event: KeyboardEvent) {
    const field = event.currentTarget as HTMLInputElement
    // With text marked it copies.
    if (event.key === 'c' && event.ctrlKey && busy.value && field.selectionStart === field.selectionEnd) {
      event.preventDefault()
      void shell.interrupt()
      return
    }
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (step === 0) return
    event.preventDefault()
    const { lines, at } = typed.current
    const next = Math.max(0, Math.min(lines.length, at + step))
    typed.current.at = next
    field.value = lines[next] ?? ''
  }

  return (
    <SessionFrame session={session} tab="terminal">
      <div class="stack">
        <Screen shell={shell} calls={addressOf(['sessions', session, 'calls'])} />
        <form class="terminal-line" onSubmit={submit}>
          <label class="field-inline">
            <span aria-hidden="true">$</span>
            <input
              ref={line}
              class="mono"
              name="line"
              aria-label="Line for the shell"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              onKeyDown={onKey}
            />
          </label>
          <button type="submit" class="primary">
            Enter
          </button>
          <button type="button" disabled={!busy.value} onClick={() => act(shell.interrupt())}>
            Interrupt
          </button>
          <button type="button" onClick={() => act(shell.end())}>
            New shell
          </button>
        </form>
        {problem.value && <ProblemView problem={problem.value} />}
        <p class="soft" role="status">
          {busy.value ? 'A command runs: what you type is input for it.' : 'The shell waits for a line.'}
        </p>
        <p class="soft">
          This shell is yours. Agents are given shells of their own. Each line is a call of the session. ↑ and ↓ bring
          back what was typed. Ctrl-C and “Interrupt” end what runs, “New shell” the shell, too.
        </p>
      </div>
    </SessionFrame>
  )
}

interface ScreenProps {
  readonly shell: OwnShell
  /** Address of the session's calls. */
  readonly calls: string
}

/** Output of the shell, scrolled to its end. */
function Screen({ shell: { screen, number }, calls }: ScreenProps) {
  const view = useRef<HTMLPreElement>(null)
  const { text, isCut } = screen.value
  const toEnd = () => {
    if (view.current) view.current.scrollTop = view.current.scrollHeight
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <pre ref={view} class="text terminal" role="log" aria-label="Output of the shell" tabIndex={0}>
      {isCut && (
        <span class="soft">
          Earlier output is under <a href={calls}>Calls</a>.{'\n'}
        </span>
      )}
      {text && <AnsiText text={text} onDrawn={toEnd} />}
      {!text && number.value === null && (
        <span class="soft">The shell starts with the first line, in the session’s directory.</span>
      )}
      {!text && number.value !== null && (
        <span class="soft">
          Still in the shell from before; its earlier output is under <a href={calls}>Calls</a>.
        </span>
      )}
    </pre>
  )
}
