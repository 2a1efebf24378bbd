import { type ActionOptions, BaseAction, ownStatics } from './base-action.ts'
import { BUILT_INS } from './built-in/classes.ts'
import { FinishAction, InvalidAction, NoAction } from './pseudo-actions.ts'

/** Class of actions. Its constructor may take any arguments. */
export interface ActionClass {
  // biome-ignore lint/suspicious/noExplicitAny: each class knows its own arguments
  new (...args: any[]): BaseAction
  readonly toolName?: string
  readonly name: string
}

/** No action of that name is registered, or one is already. */
export class RegistryKeyError extends Error {
  override readonly name = 'RegistryKeyError'
}

/** Registry of action classes by name. A new one begins with Lagent's own, and the actions that come with Lagent. */
export class ActionRegistry {
  readonly #classes = new Map<string, ActionClass>()
  /** Names of classes that came by {@link adopt}: others may take their places. */
  readonly #adopted = new Set<string>()

  constructor() {
    for (const type of [BaseAction, InvalidAction, NoAction, FinishAction, ...BUILT_INS]) this.register(type)
  }

  /**
   * Adds the class by its `toolName`, or by the name it has as a class. Works as a decorator of classes too, by whatever
   * compiler: not all of them call it with its registry.
   * @param _context of a decorator: older compilers take no decorator that does not ask for it
   * @throws RegistryKeyError when the name is taken
   */
  readonly register = <Type extends ActionClass>(type: Type, _context?: ClassDecoratorContext): Type => {
    const key = nameOf(type)
    if (this.#classes.has(key) && !this.#adopted.delete(key))
      throw new RegistryKeyError(`"${type.name}" with key '${key}' is already registered.`)
    this.#classes.set(key, type)
    return type
  }

  /** Adds a class as it is defined, replacing another one added so. A class that was registered by name stays. */
  adopt(type: ActionClass): void {
    const key = nameOf(type)
    if (this.#classes.has(key) && !this.#adopted.has(key)) return
    this.#classes.set(key, type)
    this.#adopted.add(key)
  }

  /** The names, in the order they came; with `withClass` each beside its class. */
  listTools(options?: { readonly withClass?: false }): string[]
  listTools(options: { readonly withClass: true }): [string, ActionClass][]
  listTools({ withClass = false }: { readonly withClass?: boolean } = {}): string[] | [string, ActionClass][] {
    return withClass ? [...this.#classes] : [...this.#classes.keys()]
  }

  /**
   * A new action of that class.
   * @throws RegistryKeyError
   */
  getTool(name: string, ...args: unknown[]): BaseAction {
    return new (this.getToolCls(name))(...args)
  }

  /** Class of that name. @throws RegistryKeyError */
  getToolCls(name: string): ActionClass {
    const type = this.#classes.get(name)
    if (!type) throw new RegistryKeyError(name)
    return type
  }
}

/** An action, or what one is made of: `{ type: Bold, …its options }`. */
export type ActionConfig = ActionOptions & { readonly type: ActionClass }

export function createAction(given: BaseAction | ActionConfig): BaseAction {
  if (given instanceof BaseAction) return given
  if (typeof given === 'object' && given !== null && typeof given.type === 'function') {
    const { type, ...options } = given
    return new type(options)
  }
  throw new TypeError(`action must be BaseAction, but got ${typeof given}`)
}

const nameOf = (type: ActionClass) => ownStatics(type).toolName ?? type.name

const ours = new ActionRegistry()

/** Adds a class to the registry of this program, which {@link listTools} and {@link getTool} look into. */
export const { register } = ours
/** Calls {@link ActionRegistry.adopt} of the library's own registry. */
export const adopt = (type: ActionClass): void => ours.adopt(type)
export const listTools = ours.listTools.bind(ours) as ActionRegistry['listTools']
export const getTool = (name: string, ...args: unknown[]): BaseAction => ours.getTool(name, ...args)
export const getToolCls = (name: string): ActionClass => ours.getToolCls(name)
