import { FailureError, fail } from '../../core/failure.ts'
import { KILL_GRACE_MS, MAX_OUTPUT_BYTES } from '../../core/limits.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { Command, CommandResult, Runner } from '../../ports/runner.ts'
import { type RunResult, type Sandbox, SandboxGone } from '../../ports/sandbox.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import type { Lane } from '../lane.ts'
import type { Stopwatch } from '../stopwatch.ts'
import type { Pulled } from '../sync/pull.ts'
import {
  type Ended,
  MAX_INLINE_SCRIPT_CHARS,
  outputFiles,
  readEnd,
  type Unable,
  type Wrapped,
  wrap,
  wrapUp,
} from './exec-script.ts'
import type { Machine, Ready } from './machine.ts'
import { toOutput } from './output.ts'
import { DIRECTORY_GONE, STATE_DIRECTORY } from './place.ts'

/** What the calls of one session share about the commands that run now. */
export class RunningCommands {
  /** Commands that have not ended. */
  count = 0
  /** The last look found processes that outlived their command. */
  background = false
  readonly #done: string[] = []

  /** True when the sandbox may be changing files at this moment. */
  get active(): boolean {
    return this.count > 0 || this.background
  }

  /** Notes output files that nobody needs any more. */
  leave(files: readonly string[]): void {
    this.#done.push(...files)
  }

  /** Output files to remove now: many at once, since each removal starts a program. */
  takeLeft(): string[] {
    return this.#done.length < 64 ? [] : this.#done.splice(0)
  }
}

const isTimeout = (thrown: unknown) => thrown instanceof FailureError && thrown.failure.code === 'timeout'

/** @returns null when the deadline came */
const withinDeadline = (run: Promise<RunResult>): Promise<RunResult | null> =>
  run.catch((thrown) => (isTimeout(thrown) ? null : Promise.reject(thrown)))

/** Up to half of what an answer holds of a file that may be growing; '' when it cannot be read at once. */
async function readHead(sandbox: Sandbox, file: string): Promise<string> {
  const signal = AbortSignal.timeout(500)
  try {
    const reader = (await sandbox.readStream(file, signal))?.getReader()
    let text = ''
    const decoder = new TextDecoder()
    while (reader && text.length < MAX_OUTPUT_BYTES / 2) {
      const { done, value } = await reader.read()
      if (done) return text
      text += decoder.decode(value, { stream: true })
    }
    await reader?.cancel()
    return text.slice(0, MAX_OUTPUT_BYTES / 2)
  } catch {
    return '' // the machine is being given up: what it printed is a courtesy
  }
}

/** The `Runner` port for one call: commands in the session's sandbox, over its workspace. */
export class SessionRunner implements Runner {
  readonly #machine: Machine
  readonly #workspace: SyncedWorkspace
  readonly #lane: Lane
  readonly #running: RunningCommands
  readonly #callId: string
  readonly #env: Readonly<Record<string, string>>
  readonly #watch: Stopwatch
  readonly #signal: AbortSignal
  #commands = 0

  constructor(parts: {
    readonly machine: Machine
    readonly workspace: SyncedWorkspace
    readonly lane: Lane
    readonly running: RunningCommands
    readonly callId: string
    readonly env: Readonly<Record<string, string>>
    readonly stopwatch: Stopwatch
    readonly signal: AbortSignal
  }) {
    this.#machine = parts.machine
    this.#workspace = parts.workspace
    this.#lane = parts.lane
    this.#running = parts.running
    this.#callId = parts.callId
    this.#env = parts.env
    this.#watch = parts.stopwatch
    this.#signal = parts.signal
  }

  async run(command: Command): Promise<CommandResult> {
    const ready = await this.#prepare(command.timeoutMs)
    const { ended, timedOut, logs } = await this.#execute(command, ready)
    const pulled = await this.#pull(ended, ready.sandbox)
    const secrets = command.secrets ?? []
    return {
      exitCode: timedOut ? -1 : ended.exitCode,
      stdout: toOutput(ended.stdout, logs?.stdout ?? null, secrets),
      stderr: toOutput(ended.stderr, logs?.stderr ?? null, secrets),
      timedOut,
      conflicts: pulled?.conflicts ?? [],
      notes: [
        ...ready.failedRequirements.map(
          (spec) => `the requirement ${spec} could not be installed; use pip_install to see why`,
        ),
        ...(pulled?.notes ?? []),
      ],
      generation: this.#machine.generation,
      ...(ready.restored && { restored: ready.restored }),
    }
  }

  async #prepare(timeoutMs: number): Promise<Ready> {
    const asked = this.#watch.now()
    return this.#lane.run(async () => {
      this.#watch.add('queued', this.#watch.now() - asked)
      const ready = await this.#machine.ready(timeoutMs + KILL_GRACE_MS, this.#signal)
      this.#watch.add('boot', ready.bootMs)
      this.#watch.add('sync', ready.syncMs)
      this.#watch.ranOn(ready.cold ? 'vm-cold' : 'vm-warm')
      return ready
    })
  }

  async #execute(command: Command, { sandbox, state }: Ready) {
    const { timeoutMs, label, cwd, env } = command
    const callId = this.#commands === 0 ? this.#callId : `${this.#callId}-${this.#commands}`
    this.#commands += 1
    // A whole output may hold a secret, so it is kept only where there is none.
    const logs =
      (command.secrets ?? []).length > 0
        ? null
        : {
            stdout: `logs/${label}-${callId}.stdout.txt` as WorkspacePath,
            stderr: `logs/${label}-${callId}.stderr.txt` as WorkspacePath,
          }
    let script: Wrapped['script'] = command.script
    if (script.length > MAX_INLINE_SCRIPT_CHARS) {
      script = { file: `${STATE_DIRECTORY}/${callId}.sh` }
      await this.#guard(sandbox, () =>
        sandbox.write(
          [{ path: `${STATE_DIRECTORY}/${callId}.sh`, content: new TextEncoder().encode(command.script) }],
          this.#signal,
        ),
      )
    }
    const { watchPort } = state
    const wrapped: Wrapped = { callId, script, cwd, logs, watchPort, sweep: this.#running.takeLeft() }
    this.#running.count += 1
    const start = this.#watch.now()
    try {
      const printed = await this.#guard(sandbox, () =>
        withinDeadline(sandbox.run(wrap(wrapped), { env: { ...this.#env, ...env }, timeoutMs, signal: this.#signal })),
      )
      const said = (printed && readEnd(printed, wrapped)) ?? (await this.#wrapUp(sandbox, wrapped))
      return { ended: await this.#understand(said, sandbox, wrapped), timedOut: printed === null, logs }
    } finally {
      this.#running.count -= 1
      this.#running.leave(outputFiles(callId))
      this.#watch.add('exec', this.#watch.now() - start)
    }
  }

  async #understand(said: Ended | Unable, sandbox: Sandbox, { cwd }: Wrapped): Promise<Ended> {
    switch (said) {
      case 'cwd':
        fail('invalid_input', `the directory ${cwd} cannot be entered; is it a file? dir_list shows what is there`)
        break
      case 'gone':
        return this.#giveUp(sandbox, new SandboxGone(DIRECTORY_GONE))
      case 'full':
        return this.#giveUp(sandbox, new SandboxGone('the disk of the sandbox is full'))
      default:
        this.#running.background = said.background
        return said
    }
  }

  /** Ends a command whose deadline came or whose shell was killed: from inside, and if that fails with its sandbox. */
  async #wrapUp(sandbox: Sandbox, wrapped: Wrapped): Promise<Ended | Unable> {
    try {
      const printed = await withinDeadline(
        sandbox.run(wrapUp(wrapped), { timeoutMs: KILL_GRACE_MS, signal: this.#signal }),
      )
      const ended = printed && readEnd(printed, wrapped)
      if (ended) return ended
    } catch (thrown) {
      if (!(thrown instanceof SandboxGone)) throw thrown
    }
    return this.#salvage(sandbox, wrapped.callId)
  }

  /** Nothing in the sandbox could end the command: takes what was printed, and ends the sandbox. */
  async #salvage(sandbox: Sandbox, callId: string): Promise<Ended> {
    const [stdout, stderr] = await Promise.all(outputFiles(callId).map((file) => readHead(sandbox, file)))
    const kept = await this.#endSandbox(sandbox)
    const note = `\nThe command could not be stopped, so its sandbox was ended, with all that ran in it; ${filesAre(kept)}.\n`
    return {
      exitCode: 137,
      stdout: { head: stdout ?? '', tail: '', bytes: 0, capped: false },
      stderr: { head: `${stderr ?? ''}${note}`, tail: '', bytes: 0, capped: false },
      background: false,
      changed: false,
    }
  }

  async #pull(ended: Ended, sandbox: Sandbox): Promise<Pulled | null> {
    if (!ended.changed && !this.#running.active) return null
    const start = this.#watch.now()
    try {
      return await this.#guard(sandbox, () => this.#lane.run(() => this.#machine.pull(this.#workspace, this.#signal)))
    } finally {
      this.#watch.add('sync', this.#watch.now() - start)
    }
  }

  /** Not to be called in the lane: giving up waits for it. */
  async #guard<T>(sandbox: Sandbox, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (thrown) {
      if (thrown instanceof SandboxGone) return this.#giveUp(sandbox, thrown)
      throw thrown
    }
  }

  async #giveUp(sandbox: Sandbox, cause: SandboxGone): Promise<never> {
    const kept = await this.#endSandbox(sandbox)
    fail(
      'upstream',
      `${cause.message}; ${filesAre(kept)}. Call again: a new sandbox is made, with the files and packages put back`,
      { cause },
    )
  }

  /** @returns whether its files were taken along */
  #endSandbox(sandbox: Sandbox): Promise<boolean> {
    return this.#lane.run(() => {
      this.#running.background = false
      return this.#machine.giveUp(this.#workspace, this.#signal, sandbox.id)
    })
  }
}

const filesAre = (kept: boolean) => (kept ? 'what it wrote is kept' : 'files are kept as of the last call')
