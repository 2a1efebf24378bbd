import { withAnySignal } from '../../core/any-signal.ts'
import { fail } from '../../core/failure.ts'
import {
  MAX_PYTHON_ARGUMENT_CHARS,
  MAX_PYTHON_MODULES,
  MAX_PYTHON_REQUIREMENTS,
  MAX_PYTHON_SOURCE_CHARS,
  PYTHON_START_MS,
} from '../../core/limits/python.ts'
import { KILL_GRACE_MS, PACKAGES_INSTALL_MS } from '../../core/limits/sandbox.ts'
import { SESSION, say } from '../../core/saying/saying.ts'
import { sha256 } from '../../core/sha256.ts'
import { ROOT } from '../../core/workspace-path.ts'
import type { Python, PythonAsk, PythonCall, PythonModule, PythonReply } from '../../ports/python.ts'
import type { LivePiece, Output } from '../../ports/runner.ts'
import { INSTALL_SCRIPT, lastWords } from '../../tools/packages/install-script.ts'
import { requirement } from '../../tools/packages/requirement.ts'
import { Mask } from '../../tools/registered/masked.ts'
import { LiveMask } from '../live/live-mask.ts'
import { liveReader } from '../live/live-reader.ts'
import { ResidentGone, type ResidentLink, type ResidentRequest } from '../resident/link.ts'
import { NotStopped } from '../sandbox/overdue.ts'
import type { SessionRunner } from '../sandbox/session-runner.ts'
import type { Ready, SessionSandbox } from '../sandbox/session-sandbox.ts'
import { Watchdog } from '../sandbox/watchdog.ts'
import { HostReply, readEnd, readPrinted } from './reply.ts'

interface PythonParts {
  readonly runner: SessionRunner
  readonly sessionSandbox: SessionSandbox
  readonly link: ResidentLink
  readonly now: () => number
  /** Signals that end the call. */
  readonly signals: readonly AbortSignal[]
  /** Takes what a call prints while it runs; left out where nobody follows it. */
  readonly live?: (piece: LivePiece) => void
}

interface Asking {
  readonly signal: AbortSignal
  readonly sent: () => void
  readonly heard: () => void
  /** Takes what the call prints; null where nobody follows it. */
  readonly live: LiveMask | null
}

/** The `Python` port for one call. */
export class SessionPython implements Python {
  readonly #parts: PythonParts

  constructor(parts: PythonParts) {
    this.#parts = parts
  }

  async call(
    { module, ask, timeoutMs, secrets = [], ran: reportMs }: PythonCall,
    signal?: AbortSignal,
  ): Promise<PythonReply> {
    checkSize(module, ask)
    const hash = hashOf(module)
    await this.#install(module.requirements)
    const mask = new Mask(secrets)
    const signals = [...this.#parts.signals, ...(signal ? [signal] : [])]
    const { runner, now } = this.#parts
    // A description is for nobody who follows a call.
    const live = this.#parts.live && ask.do !== 'describe' ? new LiveMask(mask.forms, this.#parts.live) : null
    const watchdog = new Watchdog(NEVER)
    let began = now()
    let isAnswered = false
    const sent = () => {
      began = now()
      watchdog.start(timeoutMs)
    }
    let resume = () => Promise.resolve<unknown>(null)
    const done = await runner.within(timeoutMs, watchdog, async (ready) => {
      resume = () => ready.sandbox.run(RESUME_ALL, { timeoutMs: KILL_GRACE_MS, signal: NEVER })
      const request = {
        do: 'call',
        module: hash,
        ask,
        seconds: timeoutMs / 1000,
        hide: mask.forms,
        ...(live && { live: true }),
        watch: ready.state.watchPort,
      }
      watchdog.onOver(() => runner.noteOverdue(ready.sandbox, false))
      watchdog.start(timeoutMs + PYTHON_START_MS)
      const ran = await withAnySignal(signals, async (stopped) => {
        stopped.addEventListener('abort', () => watchdog.expire())
        const heard = () => runner.noteSettled()
        return this.#ask(ready, module, request, { signal: stopped, sent, heard, live })
          .catch((thrown) => goneToFailure(thrown, watchdog))
          .finally(() => live?.end())
      })
      if (!isAnswered) reportMs?.(ran.ms)
      const isUnchanged = ran.watched !== null && ran.watched === ready.state.watched
      return { ran, ended: { background: ran.background, changed: !isUnchanged } }
    })
    if (!done) {
      isAnswered = true
      // The host keeps the deadline too, unless the module stopped it with all others.
      resume().catch(() => undefined)
      const ms = now() - began
      reportMs?.(ms)
      return { how: 'timedOut', stdout: NOT_HEARD, stderr: NOT_HEARD, ms, warm: true, notices: runner.lateNotices() }
    }
    const { ran, notices } = done
    return {
      ...readEnd(ran, mask),
      stdout: readPrinted(ran.out),
      stderr: readPrinted(ran.err),
      ms: ran.ms,
      warm: ran.warm,
      notices,
    }
  }

  /** Asks the host. The source is sent only when the host does not have it. */
  async #ask(
    { sandbox }: Ready,
    { files, main, requirements, environment }: PythonModule,
    request: Omit<ResidentRequest, 'id'> & { readonly seconds: number },
    { signal, sent, heard, live }: Asking,
  ) {
    const load = { files, main, environment: environment === 'task' || requirements.length > 0 }
    for (const more of [{}, { load }, { load }]) {
      const id = crypto.randomUUID()
      const printed = live ? liveReader((piece) => live.write(piece)) : undefined
      const reply = HostReply.safeParse(
        await this.#parts.link.ask(sandbox, { ...request, ...more, id }, signal, sent, printed),
      )
      if (!reply.success) return fail('upstream', NO_REPLY)
      heard()
      if ('full' in reply.data) return fail('limit_exceeded', FULL)
      if ('waited' in reply.data) return fail('timeout', WAITED)
      if (!('unknown' in reply.data)) return reply.data
    }
    return fail('upstream', NO_REPLY)
  }

  /** Installs requirements that the session has not had yet; earlier ones are in each of its sandboxes. */
  async #install(requirements: readonly string[]): Promise<void> {
    const { sessionSandbox, runner } = this.#parts
    const had = new Set(sessionSandbox.packages.specs())
    for (const { spec, shown, secrets } of requirements.map(requirement)) {
      if (had.has(spec)) continue
      if (secrets.length > 0)
        fail(
          'invalid_input',
          `${shown} has a credential; packages of a Python module are kept, so its URL must have none`,
        )
      const installed = await runner.run({
        script: INSTALL_SCRIPT,
        cwd: ROOT,
        env: { TOOLYARD_REQUIREMENT: spec },
        timeoutMs: PACKAGES_INSTALL_MS,
        label: 'pip_install',
      })
      if (installed.exitCode !== 0 || installed.timedOut) {
        const why = installed.timedOut
          ? 'it took too long (PACKAGES_INSTALL_MS)'
          : lastWords({ stdout: installed.stdout.text, stderr: installed.stderr.text })
        fail('upstream', `the package ${shown} could not be installed: ${why}`)
      }
      sessionSandbox.packages.add([spec])
    }
  }
}

function checkSize({ files, main, requirements }: PythonModule, ask: PythonAsk): void {
  const chars = Object.values(files).reduce((sum, text) => sum + text.length, 0)
  if (chars > MAX_PYTHON_SOURCE_CHARS) {
    fail(
      'limit_exceeded',
      `the module has ${chars} characters; at most ${MAX_PYTHON_SOURCE_CHARS} are taken (MAX_PYTHON_SOURCE_CHARS)`,
    )
  }
  if (requirements.length > MAX_PYTHON_REQUIREMENTS) {
    fail(
      'limit_exceeded',
      `the Python module names ${requirements.length} packages; at most ${MAX_PYTHON_REQUIREMENTS} are taken (MAX_PYTHON_REQUIREMENTS)`,
    )
  }
  const place = main.replaceAll('.', '/')
  const isThere = `${place}.py` in files || `${place}/__init__.py` in files
  // A requirement may bring it.
  if (!isThere && requirements.length === 0) {
    const names = Object.keys(files)
    fail(
      'invalid_input',
      names.length === 0
        ? `the Python module ${main} has no code: whoever made it must give that, or a package that brings it`
        : `the module ${main} is in none of the files; there is ${names.slice(0, 5).join(', ')}`,
    )
  }
  const argumentChars = JSON.stringify(ask).length
  if (argumentChars > MAX_PYTHON_ARGUMENT_CHARS) {
    fail(
      'limit_exceeded',
      say`the arguments have ${argumentChars} characters as JSON; at most ${MAX_PYTHON_ARGUMENT_CHARS} are taken (MAX_PYTHON_ARGUMENT_CHARS). Write them into a file of the ${SESSION}`,
    )
  }
}

/** Hash that names a module's process: the same module gets the same process. */
function hashOf({ files, main, requirements, environment }: PythonModule): string {
  const content = JSON.stringify([
    main,
    requirements,
    environment,
    Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)),
  ])
  return sha256(content)
}

/**
 * Failure for a host without an answer. A host silent long after the deadline that it keeps itself may be stopped: its sandbox is
 * ended then.
 */
function goneToFailure(thrown: unknown, { isOver }: Watchdog): never {
  if (!(thrown instanceof ResidentGone)) throw thrown
  if (isOver) throw new NotStopped({ cause: thrown })
  return fail('upstream', NO_REPLY, { cause: thrown })
}

const RESUME_ALL = 'kill -CONT -1'
const NEVER = new AbortController().signal
/** Output of a module whose host did not answer in time. */
const NOT_HEARD: Output = { text: '', bytes: 0 }

const NO_REPLY =
  'the process that runs Python modules ended while this ran, or does not answer; its memory may be full. Call again: it is started anew'
const FULL = `${MAX_PYTHON_MODULES} Python modules of the session run at this moment (MAX_PYTHON_MODULES); call again when one has ended`
const WAITED =
  'an earlier call of the same Python module runs still, and its calls run one after another; call again later'
