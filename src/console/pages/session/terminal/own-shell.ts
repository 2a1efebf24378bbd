import { signal } from '@preact/signals'
import { events, get, Problem, problemOf, type StreamEvent, send } from '../../../api.ts'
import { outputOf } from '../stream.ts'
import { CONSOLE, pathOf, type Session } from '../types.ts'
import { type ScreenText, withMore } from './screen-text.ts'
import { rememberedShell, rememberShell } from './shell-numbers.ts'

/** Milliseconds for which one call follows a command; a longer command is followed by another call. */
const FOLLOWED_MS = 300_000
/** Milliseconds until a cut stream is opened again. */
const AGAIN_MS = 2_000

/** Milliseconds for which a line waits for a look at the shell: longer ones see that a command runs, for which the line is. */
const LOOK_MS = 1_000

/** End of a call of `shell_command`. */
interface CallEnd {
  readonly state: string
  readonly data?: { readonly shell_id?: number; readonly exit_code?: number }
  readonly error?: { readonly message: string; readonly data?: { readonly closed?: boolean } }
}

/** A call whose output is shown, and the last event of it that was. */
interface FollowedCall {
  readonly id: string
  readonly shell: number
  /** Whether it runs a line; else it reads what the shell prints. */
  readonly hasLine: boolean
  after: string
}

/** Shells by session: leaving the page keeps them, and what they printed. */
const shells = new Map<string, OwnShell>()

/** The shell of this browser in a session. */
export function ownShellOf(session: string): OwnShell {
  const known = shells.get(session) ?? new OwnShell(session)
  shells.set(session, known)
  return known
}

/**
 * A shell for a person, apart from those of agents: `shell_command` keeps it by its number. Each line is one call, which lasts as long as its
 * command and passes on what the shell prints. A line that is typed meanwhile is input for the command.
 */
export class OwnShell {
  readonly screen = signal<ScreenText>({ text: '', isCut: false })
  /** Whether a command runs, or is on its way. */
  readonly busy = signal(false)
  readonly problem = signal<Problem | null>(null)
  /** Number of the shell; null until its first line. */
  readonly number = signal<number | null>(null)
  readonly #session: string
  #call: FollowedCall | null = null
  #following: AbortController | null = null
  /** Settled when the call is followed no longer. */
  #followed: Promise<void> = Promise.resolve()
  /** Whether lines were passed to the command that runs: the shell may do them after it. */
  #hasInput = false
  #turn: Promise<void> = Promise.resolve()

  constructor(session: string) {
    this.#session = session
  }

  /** Shows output again, and goes on with the shell that was begun here before a reload. @returns its number; null where there is none */
  resume(): number | null {
    if (this.#call && !this.#following) this.#followed = this.#follow(this.#call)
    const before = rememberedShell(this.#session)
    if (this.number.value === null && before !== null) {
      this.number.value = before
      void this.#inTurn(() => this.#lookAt(before))
    }
    return this.number.value
  }

  /** Shows no more output until {@link resume}; commands go on. */
  pause(): void {
    this.#following?.abort()
    this.#following = null
  }

  /** Runs a line after those before it were sent, or gives it to the command that runs. */
  enter(line: string): Promise<void> {
    return this.#inTurn(async () => {
      const number = this.number.value ?? (await this.#open())
      this.#know(number)
      this.#print(`$ ${line}\n`)
      // Where nothing runs, a look at the shell is over in a moment.
      if (this.#call && !this.#call.hasLine) await Promise.race([this.#followed, pause(LOOK_MS)])
      if (!this.#call) return this.#begin({ shell_id: number, command: line })
      this.#hasInput = true
      const { error } = await this.#ask({ shell_id: number, command: line, keep: true, wait_ms: 0 })
      if (error) throw shellProblem(error.message)
    })
  }

  /** Ends the command that runs, as Ctrl-C does, and keeps the shell. */
  interrupt(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#call) return
      this.#print('^C\n')
      const { error } = await this.#ask({ shell_id: this.#call.shell, interrupt: true, keep: true, wait_ms: 0 })
      if (error) throw shellProblem(error.message)
    })
  }

  /** Ends the shell with all that it runs; the next line begins another one. */
  end(): Promise<void> {
    return this.#inTurn(async () => {
      const number = this.number.value
      this.pause()
      this.#idle()
      this.#know(null)
      if (number !== null) await this.#ask({ shell_id: number, kill: true })
    })
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.busy.value = true
    const done = this.#turn.then(async () => {
      this.problem.value = null
      try {
        await work()
      } catch (thrown) {
        this.problem.value = problemOf(thrown)
      }
      this.busy.value = this.#call !== null
    })
    this.#turn = done
    return done
  }

  /** Begins a shell that prints errors where they happen, between its output. @returns its number */
  async #open(): Promise<number> {
    const { data, error } = await this.#ask({ command: 'exec 2>&1', keep: true })
    if (data?.shell_id === undefined) throw shellProblem(error?.message ?? 'The shell did not begin.')
    return data.shell_id
  }

  #ask(args: object): Promise<CallEnd> {
    return send<CallEnd>('POST', pathOf(this.#session, 'calls'), {
      tool: 'shell_command',
      arguments: args,
      agent: CONSOLE,
    })
  }

  /** Follows what a shell may run still. It does not where that would wake the sandbox. */
  async #lookAt(shell: number): Promise<void> {
    const { state } = await get<Session>(pathOf(this.#session))
    if (state === 'running') await this.#begin({ shell_id: shell })
  }

  async #begin(args: { readonly shell_id: number; readonly command?: string }): Promise<void> {
    this.#hasInput = false
    const { call_id: id } = await send<{ call_id: string }>('POST', `${pathOf(this.#session, 'calls')}?wait=0`, {
      tool: 'shell_command',
      arguments: { ...args, keep: true, wait_ms: FOLLOWED_MS },
      agent: CONSOLE,
    })
    this.#call = { id, shell: args.shell_id, hasLine: args.command !== undefined, after: '' }
    this.#followed = this.#follow(this.#call)
  }

  async #follow(call: FollowedCall): Promise<void> {
    const leave = new AbortController()
    this.#following = leave
    const path = pathOf(this.#session, 'calls', call.id, 'events')
    let isCut = false
    while (!leave.signal.aborted) {
      try {
        for await (const event of events(path, leave.signal, { after: call.after })) {
          if (isCut) this.problem.value = null
          isCut = false
          call.after = event.id || call.after
          if (event.event === 'result' || event.event === 'error')
            return this.#ended(call, JSON.parse(event.data) as CallEnd)
          this.#print(shownOf(event))
        }
      } catch (thrown) {
        if (leave.signal.aborted) return
        const problem = problemOf(thrown)
        this.problem.value = problem
        isCut = true
        if (problem.status >= 400 && problem.status < 500) return this.#ended(call, { state: 'lost' })
      }
      await pause(AGAIN_MS)
    }
  }

  #ended({ shell, hasLine }: FollowedCall, { state, data, error }: CallEnd): void {
    this.#idle()
    if (error?.data?.closed) {
      this.#gone(
        hasLine
          ? '[The shell has ended, and did not run this. Type it again: another one begins.]\n'
          : '[The shell has ended. The next line begins another one.]\n',
      )
    } else if (data?.exit_code !== undefined) {
      this.#gone(`[The shell ended with exit code ${data.exit_code}.]\n`)
    } else if (error) {
      this.problem.value = shellProblem(error.message)
    } else if (state === 'pending' || this.#hasInput) {
      void this.#inTurn(() => this.#begin({ shell_id: shell }))
    }
  }

  #idle(): void {
    this.#call = null
    this.#following = null
    this.busy.value = false
  }

  #gone(words: string): void {
    this.#know(null)
    this.#print(words)
  }

  #know(number: number | null): void {
    this.number.value = number
    rememberShell(this.#session, number)
  }

  #print(text: string): void {
    this.screen.value = withMore(this.screen.peek(), text)
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Output in an event, or word of what is no longer kept. */
const shownOf = (event: StreamEvent): string =>
  event.event === 'gap' ? '\n[Some output is not shown: there was too much at once.]\n' : outputOf(event)

/** Why a line was not done, in the words of the tool. */
const shellProblem = (message: string): Problem =>
  new Problem(0, 'shell', message, 'Enter the line again, or begin a new shell.', null)
