import { type Failure, FailureError } from '../core/failure.ts'
import { LOST_FAILURE, LOST_REPEATABLE_FAILURE, lossOf } from './object-loss.ts'

/** What becomes of a method's call whose object was lost. */
export interface Lost<Args extends readonly never[], Answer> {
  /** Whether asking again changes nothing that asking once does not. */
  isRepeatable(...args: Args): boolean
  /** The answer in place of an error; null for the error. */
  answer(failure: Failure, ...args: Args): Answer | null
}

/** For each method of an object: `repeat` where asking twice changes nothing that asking once does not, else `once`. */
export type Repeats<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (...args: infer Args extends never[]) => Promise<infer Answer>
    ? 'repeat' | 'once' | Lost<Args, Answer>
    : never
}

/**
 * Makes clients of objects. A client asks by a stub that it keeps until that meets a loss, since it stays broken then. What
 * may be repeated is asked once more, by another stub; all else that is lost fails with `unavailable`.
 * @returns a client's constructor, which takes what opens a stub
 */
export function objectClient<Api extends object>(repeats: Repeats<Api>): (open: () => Api) => Api {
  class Client {
    readonly #open: () => Api
    #stub: Api | null = null

    constructor(open: () => Api) {
      this.#open = open
    }

    async ask(name: keyof Api, args: readonly never[]): Promise<unknown> {
      const rule = repeats[name] as 'repeat' | 'once' | Lost<readonly never[], unknown>
      const isRepeatable = rule === 'repeat' || (rule !== 'once' && rule.isRepeatable(...args))
      for (let mayRepeat = isRepeatable; ; mayRepeat = false) {
        this.#stub ??= this.#open()
        const stub = this.#stub
        try {
          return await Reflect.apply(stub[name] as (...args: readonly never[]) => unknown, stub, args)
        } catch (cause) {
          const loss = lossOf(cause)
          if (loss === null) throw cause
          if (this.#stub === stub) this.#stub = null
          if (mayRepeat && loss === 'reset') continue
          const failure = isRepeatable ? LOST_REPEATABLE_FAILURE : LOST_FAILURE
          const answer = typeof rule === 'object' ? rule.answer(failure, ...args) : null
          if (answer !== null) return answer
          throw new FailureError(failure, { cause })
        }
      }
    }
  }
  for (const name of Object.keys(repeats) as (keyof Api)[]) {
    const value = function (this: Client, ...args: never[]) {
      return this.ask(name, args)
    }
    Object.defineProperty(Client.prototype, name, { value })
  }
  return (open) => new Client(open) as unknown as Api // its methods are those that `repeats` has: all of them
}
