import { SandboxGone } from '../ports/sandbox.ts'
import { type Effect, isLong } from '../tools/define.ts'
import type { Lane } from './lane.ts'
import type { Caller, Machine } from './machine/machine.ts'
import type { OverdueCommands } from './machine/overdue.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface TurnsParts {
  readonly lane: Lane
  readonly machine: Machine
  readonly overdue: OverdueCommands
  readonly caller: (callId: string) => Caller
  readonly logError: (thrown: unknown) => void
}

/** The call that asks for its turn, and the clock that its waiting goes to. */
export interface Turn {
  readonly callId: string
  readonly stopwatch: Stopwatch
}

/**
 * The order in which the calls of a session work: what changes files waits its turn; while commands run, what looks at
 * files sees what they have written so far.
 */
export class Turns {
  readonly #parts: TurnsParts

  constructor(parts: TurnsParts) {
    this.#parts = parts
  }

  async run<T>(effect: Effect, turn: Turn, work: () => Promise<T>): Promise<T> {
    const { lane, machine, overdue } = this.#parts
    if (isLong(effect)) return work()
    if (effect === 'read' && !machine.active) return work()
    const { stopwatch } = turn
    const asked = stopwatch.now()
    if (machine.active) await overdue.settled()
    return lane.run(async () => {
      stopwatch.add('queued', stopwatch.now() - asked)
      if (machine.active) await this.#catchUp(turn)
      return work()
    })
  }

  /** Takes over what the sandbox changed. A sandbox that cannot be asked now does not keep a file tool from its work. */
  async #catchUp({ callId, stopwatch }: Turn): Promise<void> {
    const { machine, caller, logError } = this.#parts
    const start = stopwatch.now()
    try {
      await machine.pull(caller(callId))
    } catch (thrown) {
      logError(thrown)
      if (thrown instanceof SandboxGone) await machine.giveUp(caller(callId)).catch(logError)
    }
    stopwatch.add('sync', stopwatch.now() - start)
  }
}
