import { FailureError } from '../core/failure.ts'
import type { Served } from '../core/served.ts'
import { type AnyRule, type AnyRules, type Envelope, isGroup, type Rules, wireName } from './object-rules.ts'

/** How an object serves its groups. */
export interface Serving<Instance, Api> {
  /** The groups' classes. Called for each request, so an object makes them once. */
  open(object: Instance): Served<Api>
  /** Runs work that may write on a full disk, for rules with `freesRoom`. */
  removing<T>(object: Instance, work: () => Promise<T>): Promise<T>
}

type Groups = Readonly<Record<string, Readonly<Record<string, (...args: readonly unknown[]) => unknown>>>>

/**
 * Gives a Durable Object's class the methods of its groups, as its client asks for them. A method answers with an {@link
 * Envelope}: a FailureError is told in it. All else is thrown as it is, since clients judge losses and full disks by it.
 * @param rules the table of the object's client
 */
export function serveGroups<Instance extends object, Api>(
  objects: { readonly prototype: Instance },
  rules: Rules<Api>,
  { open, removing }: Serving<Instance, Api>,
): void {
  for (const [group, methods] of Object.entries(rules as AnyRules)) {
    if (!isGroup(methods)) continue
    for (const [name, rule] of Object.entries(methods)) {
      const mayFreeRoom = freesRoom(rule)
      const value = async function (this: Instance, ...args: readonly unknown[]): Promise<Envelope> {
        const call = () => (open(this) as Groups)[group]?.[name]?.(...args)
        try {
          return { value: await (mayFreeRoom ? removing(this, async () => call()) : call()) }
        } catch (thrown) {
          if (thrown instanceof FailureError) return { failure: thrown.failure }
          throw thrown
        }
      }
      Object.defineProperty(objects.prototype, wireName(group, name), { value })
    }
  }
}

const freesRoom = (rule: AnyRule) => typeof rule === 'object' && 'freesRoom' in rule
