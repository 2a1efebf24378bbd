import { CUT_OFF_BY_FULL_DISK, DISK_FULL } from '../core/disk-full.ts'
import { type Failure, FailureError } from '../core/failure.ts'
import { isNewerState, NEWER_STATE } from '../core/newer-state.ts'
import { LOST_FAILURE, LOST_REPEATABLE_FAILURE, lossOf } from './object-loss.ts'

/** Failure of a method's call whose object was lost. */
export interface Lost<Args extends readonly never[], Answer> {
  /** True when a second request changes nothing beyond the first. */
  isRepeatable(...args: Args): boolean
  /** The answer in place of an error; null for the error. */
  answer(failure: Failure, ...args: Args): Answer | null
}

/**
 * Rule for each method of an object: `repeat` where a second request changes nothing beyond the first, else `once`; `remove`
 * where the second answer would be another one, but a full disk takes the first removal back and lets the next object remove.
 */
export type Repeats<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (...args: infer Args extends never[]) => Promise<infer Answer>
    ? Rule | Lost<Args, Answer>
    : never
}
type Rule = 'repeat' | 'once' | 'remove'
type AnyRule = Rule | Lost<readonly never[], unknown>

/** Tells whether a call of an object failed because the disk below it is full. */
export type DiskJudge = (thrown: unknown) => Promise<boolean>

/**
 * Makes clients of objects. A client keeps its stub until that meets a loss, since the stub stays broken then. A repeatable
 * request is sent once more, by another stub; all else that is lost fails with `unavailable`, or on a full disk with
 * `insufficient_storage`: an object that is the first to meet one breaks, and the next one only reads.
 * @returns a client's constructor, which takes what opens a stub
 */
export function objectClient<Api extends object>(
  repeats: Repeats<Api>,
): (open: () => Api, isDiskFull?: DiskJudge) => Api {
  class Client {
    readonly #open: () => Api
    readonly #isDiskFull: DiskJudge
    #stub: Api | null = null

    constructor(open: () => Api, isDiskFull: DiskJudge) {
      this.#open = open
      this.#isDiskFull = isDiskFull
    }

    async ask(name: keyof Api, args: readonly never[]): Promise<unknown> {
      const rule = repeats[name] as AnyRule
      const isRepeatable = typeof rule === 'object' ? rule.isRepeatable(...args) : rule === 'repeat'
      for (let isFirst = true; ; isFirst = false) {
        this.#stub ??= this.#open()
        const stub = this.#stub
        try {
          return await Reflect.apply(stub[name] as (...args: readonly never[]) => unknown, stub, args)
        } catch (cause) {
          if (isNewerState(cause)) return this.#failed(NEWER_STATE, rule, args, cause)
          // An object that a full disk broke reports a reset, too.
          const loss = (await this.#isDiskFull(cause)) ? 'disk full' : lossOf(cause)
          if (loss === null) throw cause
          if (this.#stub === stub) this.#stub = null
          const mayRepeat = isRepeatable || (rule === 'remove' && loss === 'disk full')
          if (isFirst && mayRepeat && loss !== 'overloaded') continue
          const failure = FAILURES[loss === 'disk full' ? 'disk' : 'object'][isRepeatable ? 'harmless' : 'doubtful']
          return this.#failed(failure, rule, args, cause)
        }
      }
    }

    /**
     * Answer of the method's rule to a lost call.
     * @throws FailureError where the rule gives no answer in its place
     */
    #failed(failure: Failure, rule: AnyRule, args: readonly never[], cause: unknown): unknown {
      const answer = typeof rule === 'object' ? rule.answer(failure, ...args) : null
      if (answer !== null) return answer
      throw new FailureError(failure, { cause })
    }
  }
  for (const name of Object.keys(repeats) as (keyof Api)[]) {
    const value = function (this: Client, ...args: never[]) {
      return this.ask(name, args)
    }
    Object.defineProperty(Client.prototype, name, { value })
  }
  return (open, isDiskFull = async () => false) => new Client(open, isDiskFull) as unknown as Api // its methods are those that `repeats` has: all of them
}

/** Failures of calls that were lost to a full disk or with their object, by whether they are safe to repeat. */
const FAILURES = {
  disk: { harmless: DISK_FULL, doubtful: CUT_OFF_BY_FULL_DISK },
  object: { harmless: LOST_REPEATABLE_FAILURE, doubtful: LOST_FAILURE },
} as const
