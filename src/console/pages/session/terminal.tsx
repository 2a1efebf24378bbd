import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type Problem, problemOf, send } from '../../api.ts'
import { AnsiText } from '../../parts/ansi.tsx'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { SessionFrame } from './frame.tsx'
import { pathOf } from './types.ts'

/** Characters of the screen that are kept. */
const SCREEN_MAX = 200_000
/** Lines that were typed and are kept for the arrow keys. */
const TYPED_MAX = 100
/** Milliseconds that a reading waits for output. */
const WAIT_MS = 10_000
/** Readings without output after which the shell is not asked any more, until the next line. */
const QUIET_READS = 3

interface ShellAnswer {
  readonly data?: { readonly output?: string }
  readonly text?: string
  readonly error?: { readonly message: string }
}

/** Screens by session: leaving the page keeps what the shell said. */
const screens = new Map<string, string>()

/** The interactive shell of a session, which keeps its directory and variables: what agents write to as well. */
export function TerminalPage({ params }: PageProps) {
  const session = params.session ?? ''
  const screen = useSignal(screens.get(session) ?? '')
  const problem = useSignal<Problem | null>(null)
  const busy = useSignal(false)
  const view = useRef<HTMLPreElement>(null)
  const typed = useRef<{ lines: string[]; at: number }>({ lines: [], at: 0 })
  const reading = useRef(0)
  const shown = useRef(true)

  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  useLayoutEffect(() => {
    if (view.current) view.current.scrollTop = view.current.scrollHeight
  }, [screen.value])

  function print(text: string) {
    screen.value = (screen.peek() + text).slice(-SCREEN_MAX)
    screens.set(session, screen.peek())
  }

  async function ask(tool: string, args: object): Promise<string> {
    const answer = await send<ShellAnswer>('POST', pathOf(session, 'calls'), { tool, arguments: args })
    if (answer.error) throw new Error(answer.error.message)
    const output = answer.data?.output ?? answer.text ?? ''
    print(output)
    return output
  }

  async function readOn(turn: number) {
    for (let quiet = 0; quiet < QUIET_READS && shown.current && reading.current === turn; ) {
      const output = await ask('shell_read', { wait_ms: WAIT_MS })
      quiet = output ? 0 : quiet + 1
    }
  }

  async function run(line: string, restart = false) {
    busy.value = true
    problem.value = null
    const turn = ++reading.current
    print(`${restart ? '' : `$ ${line}\n`}`)
    try {
      await ask('shell_write', { content: line, wait_ms: 300, ...(restart && { restart }) })
      busy.value = false
      await readOn(turn)
    } catch (thrown) {
      problem.value = problemOf(thrown)
    }
    busy.value = false
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('line') as HTMLInputElement
    const { lines } = typed.current
    if (field.value) lines.push(field.value)
    typed.current = { lines: lines.slice(-TYPED_MAX), at: Math.min(lines.length, TYPED_MAX) }
    void run(field.value)
    field.value = ''
  }

  function recall(event: KeyboardEvent) {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (step === 0) return
    event.preventDefault()
    const { lines, at } = typed.current
    const next = Math.max(0, Math.min(lines.length, at + step))
    typed.current.at = next
    ;(event.currentTarget as HTMLInputElement).value = lines[next] ?? ''
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
              onKeyDown={recall}
            />
          </label>
          <button type="submit" class="primary" aria-busy={busy.value}>
            Enter
          </button>
          <button type="button" onClick={() => void run('', true)}>
            New shell
          </button>
        </form>
        {problem.value && <ProblemView problem={problem.value} />}
        <p class="soft">
          A line is sent when you press Enter, to the program that runs too. ↑ and ↓ bring back what was typed. “New
          shell” ends what runs.
        </p>
      </div>
    </SessionFrame>
  )
}
