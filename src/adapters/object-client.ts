import { CUT_OFF_BY_FULL_DISK, DISK_FULL } from '../core/disk-full.ts'
import { type Failure, FailureError } from '../core/failure.ts'
import { OBJECT_ATTEMPTS, OBJECT_PAUSE_MS } from '../core/limits/requests.ts'
import { isNewerState, NEWER_STATE } from '../core/newer-state.ts'
import {
  LOST_FAILURE,
  LOST_REPEATABLE_FAILURE,
  lossOf,
  OVERLOADED_FAILURE,
  OVERLOADED_REPEATABLE_FAILURE,
} from './object-loss.ts'
import {
  type AnyRule,
  type AnyRules,
  type Envelope,
  isGroup,
  type Repeat,
  type Rules,
  wireName,
} from './object-rules.ts'

/** Tells whether a call of an object failed because the disk below it is full. */
export type DiskJudge = (thrown: unknown) => Promise<boolean>

/** Waits before another attempt at a request. @param failed attempts so far */
export type Pause = (failed: number) => Promise<void>

const backoff: Pause = (failed) => {
  const longest = OBJECT_PAUSE_MS * 2 ** (failed - 1)
  return new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)))
}

/** The stub of an object as its client takes it. Methods of groups are called by their {@link wireName}. */
export type ObjectStub<Api> = {
  readonly [Name in keyof Api as Api[Name] extends (...args: never[]) => unknown ? Name : never]: Api[Name]
}

/** A method of an object: its rule, its name on a stub, and whether it answers with an {@link Envelope}. */
interface Target {
  readonly rule: AnyRule
  readonly wire: string
  readonly isGrouped: boolean
}

/**
 * Makes clients of objects. A client keeps its stub until that meets a loss, since the stub stays broken then. A repeatable
 * request is sent again, by another stub and after a pause, OBJECT_ATTEMPTS times in all; not to an object that has too much to
 * do, which would have even more. All else that is lost fails with `unavailable`, or on a full disk with `insufficient_storage`: an
 * object that is the first to meet one breaks, and the next one, which gets one attempt, only reads. A FailureError of a group's
 * method is thrown again here, with all that it says.
 * @returns a client's constructor, which takes what opens a stub
 */
export function objectClient<Api extends object>(
  rules: Rules<Api>,
): (open: () => ObjectStub<Api>, isDiskFull?: DiskJudge, pause?: Pause) => Api {
  class Client {
    readonly #open: () => ObjectStub<Api>
    readonly #isDiskFull: DiskJudge
    readonly #pause: Pause
    #stub: ObjectStub<Api> | null = null

    constructor(open: () => ObjectStub<Api>, isDiskFull: DiskJudge, pause: Pause) {
      this.#open = open
      this.#isDiskFull = isDiskFull
      this.#pause = pause
    }

    async ask(target: Target, args: readonly never[]): Promise<unknown> {
      const { rule } = target
      const repeat = repeatOf(rule, args)
      for (let attempt = 1; ; attempt++) {
        this.#stub ??= this.#open()
        const stub = this.#stub
        try {
          return await answerOf(stub, target, args)
        } catch (cause) {
          const failure = cause instanceof FailureError ? cause.failure : null
          if (!failure && isNewerState(cause)) return failed(NEWER_STATE, rule, args, cause)
          const loss = await this.#lossOf(cause, failure)
          if (loss === null) {
            if (failure) return failed(failure, rule, args, cause)
            throw cause
          }
          if (this.#stub === stub) this.#stub = null
          if (loss === 'disk full' && repeat !== 'once' && attempt === 1) continue
          if (loss === 'reset' && repeat === 'repeat' && attempt < OBJECT_ATTEMPTS) {
            await this.#pause(attempt)
            continue
          }
          const kind = repeat === 'repeat' ? 'harmless' : 'doubtful'
          return failed(failure ?? FAILURES[loss][kind], rule, args, cause)
        }
      }
    }

    async #lossOf(cause: unknown, failure: Failure | null): Promise<'disk full' | ReturnType<typeof lossOf>> {
      // Of the failures of a method only this one is about the disk: the others may have the text of a caller.
      if (failure && failure.code !== DISK_FULL.code) return null
      // An object that a full disk broke reports a reset, too.
      return (await this.#isDiskFull(cause)) ? 'disk full' : lossOf(cause)
    }
  }
  for (const [name, rule] of Object.entries(rules as AnyRules)) {
    if (isGroup(rule)) {
      const Group = groupClient(name, rule)
      const get = function (this: Client) {
        return new Group(this)
      }
      Object.defineProperty(Client.prototype, name, { get })
    } else {
      const target: Target = { rule, wire: name, isGrouped: false }
      const value = function (this: Client, ...args: never[]) {
        return this.ask(target, args)
      }
      Object.defineProperty(Client.prototype, name, { value })
    }
  }
  return (open, isDiskFull = async () => false, pause = backoff) =>
    new Client(open, isDiskFull, pause) as unknown as Api // its methods are those that `rules` has: all of them
}

interface Asking {
  ask(target: Target, args: readonly never[]): Promise<unknown>
}

/** Class of the clients of one group, whose methods ask by the object's client. */
function groupClient(group: string, rules: Readonly<Record<string, AnyRule>>): new (client: Asking) => object {
  class GroupClient {
    readonly #client: Asking

    constructor(client: Asking) {
      this.#client = client
    }

    static {
      for (const [name, rule] of Object.entries(rules)) {
        const target: Target = { rule, wire: wireName(group, name), isGrouped: true }
        const value = function (this: GroupClient, ...args: never[]) {
          return this.#client.ask(target, args)
        }
        Object.defineProperty(GroupClient.prototype, name, { value })
      }
    }
  }
  return GroupClient
}

/** Awaits an answer. @throws FailureError the failure of a group's method; any other error of the request */
async function answerOf(stub: object, { wire, isGrouped }: Target, args: readonly never[]): Promise<unknown> {
  const method = (stub as Record<string, (...args: readonly never[]) => unknown>)[wire]
  const answer = await Reflect.apply(method as (...args: readonly never[]) => unknown, stub, args)
  if (!isGrouped) return answer
  const envelope = answer as Envelope
  if ('failure' in envelope) throw new FailureError(envelope.failure)
  return envelope.value
}

function repeatOf(rule: AnyRule, args: readonly never[]): Repeat {
  if (typeof rule === 'string') return rule
  if ('freesRoom' in rule) return rule.repeat
  return rule.isRepeatable(...args) ? 'repeat' : 'once'
}

/**
 * Answer of the method's rule to a failed call.
 * @throws FailureError where the rule gives no answer in its place
 */
function failed(failure: Failure, rule: AnyRule, args: readonly never[], cause: unknown): unknown {
  const answer = typeof rule === 'object' && 'answer' in rule ? rule.answer(failure, ...args) : null
  if (answer !== null) return answer
  throw cause instanceof FailureError && cause.failure === failure ? cause : new FailureError(failure, { cause })
}

/** Failures of calls that were lost, by what they were lost to and by whether they are safe to repeat. */
const FAILURES = {
  'disk full': { harmless: DISK_FULL, doubtful: CUT_OFF_BY_FULL_DISK },
  reset: { harmless: LOST_REPEATABLE_FAILURE, doubtful: LOST_FAILURE },
  overloaded: { harmless: OVERLOADED_REPEATABLE_FAILURE, doubtful: OVERLOADED_FAILURE },
} as const
