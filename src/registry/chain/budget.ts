import { type Failure, FailureError } from '../../core/failure.ts'
import { MAX_CHAIN_CALLS, MAX_CHAIN_KEPT_CHARS, MAX_CHAIN_WORK } from '../../core/limits/chains.ts'
import type { Work } from './expression/work.ts'

/** Budget of one run, with all chains in it. Once it is spent the whole run ends, whatever `on_error` says. */
export class ChainBudget implements Work {
  #calls = 0
  #work = 0
  #keptChars = 0
  #exhausted: Failure | null = null

  get calls(): number {
    return this.#calls
  }

  get callsLeft(): number {
    return MAX_CHAIN_CALLS - this.#calls
  }

  /** Failure that must end the run; null while it may go on. */
  get exhausted(): Failure | null {
    return this.#exhausted
  }

  /** Counts a call. @throws FailureError `limit_exceeded` */
  call(): void {
    if (this.callsLeft <= 0) {
      this.#end(
        `the chain has made ${MAX_CHAIN_CALLS} calls (MAX_CHAIN_CALLS), the chains in it and repeated calls counted; go through fewer items, or find what calls in a loop`,
      )
    }
    this.#calls++
  }

  spend(units: number): void {
    this.#work += units
    if (this.#work > MAX_CHAIN_WORK) {
      this.#end(
        `the chain's expressions have looked at more than ${MAX_CHAIN_WORK} values and characters (MAX_CHAIN_WORK); leave such work to a step that runs code`,
      )
    }
  }

  keep(chars: number): void {
    this.#keptChars += chars
    if (this.#keptChars > MAX_CHAIN_KEPT_CHARS) {
      this.#end(
        `the chain's results have more than ${MAX_CHAIN_KEPT_CHARS} characters (MAX_CHAIN_KEPT_CHARS); let steps write files and give their paths`,
      )
    }
  }

  #end(message: string): never {
    this.#exhausted ??= { code: 'limit_exceeded', message }
    throw new FailureError(this.#exhausted)
  }
}

/** Counter of work for expressions outside of a run. */
export const newWork = (): Work => new ChainBudget()

/** Place of a chain in a run: the chains around it, and the budget of all of them. */
export interface Nesting {
  /** Names of the chains that are running around it, the outermost first. */
  readonly around: readonly string[]
  readonly budget: ChainBudget
}

/** Nesting of a chain that no chain called. */
export const outermost = (): Nesting => ({ around: [], budget: new ChainBudget() })
