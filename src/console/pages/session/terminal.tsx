import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { AnsiText } from '../../parts/ansi.tsx'
import { go, here, withQuery } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { SessionFrame } from './frame.tsx'
import { ownShellOf } from './own-shell.ts'

/** Lines that were typed and are kept for the arrow keys. */
const TYPED_MAX = 100

/** A shell of the person's own in a session, which keeps its directory and variables. Its number is in the address. */
export function TerminalPage({ params }: PageProps) {
  const session = params.session ?? ''
  const shell = ownShellOf(session)
  const { screen, problem, busy, number } = shell
  const view = useRef<HTMLPreElement>(null)
  const typed = useRef<{ lines: string[]; at: number }>({ lines: [], at: 0 })

  useEffect(() => {
    shell.resume(numberOf(here.peek().query.get('shell')))
    return () => shell.pause()
  }, [shell])
  useEffect(() => {
    const known = number.value === null ? null : String(number.value)
    if (here.peek().query.get('shell') !== known) go(withQuery({ shell: known }), { replace: true })
  }, [number.value])
  useLayoutEffect(() => {
    if (view.current) view.current.scrollTop = view.current.scrollHeight
  }, [screen.value])

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('line') as HTMLInputElement
    const { lines } = typed.current
    if (field.value) lines.push(field.value)
    typed.current = { lines: lines.slice(-TYPED_MAX), at: Math.min(lines.length, TYPED_MAX) }
    void shell.enter(field.value)
    field.value = ''
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
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
        <pre ref={view} class="text terminal" role="log" aria-label="Output of the shell" tabIndex={0}>
          {screen.value ? (
            <AnsiText text={screen.value} />
          ) : (
            <span class="soft">The shell starts with the first line, in the session’s directory.</span>
          )}
        </pre>
        <form class="terminal-line" onSubmit={submit}>
          <label class="field-inline">
            <span aria-hidden="true">$</span>
            <input
              class="mono"
              name="line"
              aria-label="Line for the shell"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              autofocus
              onKeyDown={onKey}
            />
          </label>
          <button type="submit" class="primary">
            Enter
          </button>
          <button type="button" disabled={!busy.value} onClick={() => void shell.interrupt()}>
            Interrupt
          </button>
          <button type="button" onClick={() => void shell.end()}>
            New shell
          </button>
        </form>
        {problem.value && <ProblemView problem={problem.value} />}
        <p class="soft" role="status">
          {busy.value ? 'A command runs: what you type is input for it.' : 'The shell waits for a line.'}
        </p>
        <p class="soft">
          This shell is yours: agents have their own. Each line is a call of the session. ↑ and ↓ bring back what was
          typed. Ctrl-C and “Interrupt” end what runs, “New shell” the shell, too.
        </p>
      </div>
    </SessionFrame>
  )
}

/** A shell's number as it stands in an address; null for none. */
const numberOf = (text: string | null): number | null => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null)
