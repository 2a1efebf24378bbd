import { ActionReturn } from './action-return.ts'
import type { BaseAction } from './base-action.ts'
import { ActionStatusCode, ActionValidCode } from './codes.ts'
import { type ApiDescription, flattened } from './description.ts'
import { type AgentMessage, agentMessage, isFunctionCall } from './message.ts'
import { FinishAction, InvalidAction, NoAction } from './pseudo-actions.ts'
import { type ActionConfig, createAction } from './registry.ts'

type Given = BaseAction | ActionConfig

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing
type Replaced = AgentMessage | null | undefined | void

/** Hook before and after each call. Its return value, if any, replaces the message. */
export interface Hook {
  beforeAction?(executor: ActionExecutor, message: AgentMessage, sessionId: number): Replaced | Promise<Replaced>
  afterAction?(executor: ActionExecutor, message: AgentMessage, sessionId: number): Replaced | Promise<Replaced>
}

export interface ExecutorOptions {
  readonly actions: Given | readonly Given[]
  readonly invalidAction?: BaseAction
  readonly noAction?: BaseAction
  readonly finishAction?: BaseAction
  /** Lists the finishing action with the others. As in Lagent its answers are then `OPEN`, not `FINISH`. */
  readonly finishInAction?: boolean
  readonly hooks?: readonly Hook[]
  /** The sender of its messages. */
  readonly name?: string
}

/** Executor of several actions, called by name: a tool as `Bold`, an API of a toolkit as `Kit.add`. */
export class ActionExecutor {
  readonly #actions = new Map<string, BaseAction>()
  readonly #hooks = new Set<{ readonly hook: Hook }>()
  readonly #name: string
  readonly invalidAction: BaseAction
  readonly noAction: BaseAction
  readonly finishAction: BaseAction

  /** Makes an executor. @throws TypeError when an action is none */
  constructor(options: ExecutorOptions) {
    this.#name = options.name ?? 'ActionExecutor'
    this.invalidAction = options.invalidAction ?? new InvalidAction()
    this.noAction = options.noAction ?? new NoAction()
    this.finishAction = options.finishAction ?? new FinishAction()
    for (const action of [options.actions].flat()) this.addAction(action)
    if (options.finishInAction) this.addAction(this.finishAction)
    for (const hook of options.hooks ?? []) this.registerHook(hook)
  }

  /** APIs of all enabled actions, for a model. The published name of {@link description}. */
  getActionsInfo(): ApiDescription[] {
    return this.#enabled().flatMap(({ description }) => flattened(description))
  }

  description(): ApiDescription[] {
    return this.getActionsInfo()
  }

  /** Whether an action of that name exists and is enabled. */
  isValid(name: string): boolean {
    return this.#actions.get(name)?.enable ?? false
  }

  actionNames({ onlyEnable = true }: { readonly onlyEnable?: boolean } = {}): string[] {
    return onlyEnable ? this.#enabled().map(({ name }) => name) : this.keys()
  }

  keys(): string[] {
    return [...this.#actions.keys()]
  }

  has(name: string): boolean {
    return this.#actions.has(name)
  }

  get(name: string): BaseAction | undefined {
    return this.#actions.get(name)
  }

  /** Adds the action, in the place of one of the same name. */
  addAction(given: Given): void {
    const action = createAction(given)
    this.#actions.set(action.name, action)
  }

  delAction(name: string): void {
    this.#actions.delete(name)
  }

  /** Hooks run in the order in which they came. */
  registerHook(hook: Hook): { remove(): void } {
    const entry = { hook }
    this.#hooks.add(entry)
    return { remove: () => void this.#hooks.delete(entry) }
  }

  /**
   * Calls an action, without hooks. Never throws: unknown names are answered by the invalid action, or by the two that
   * their names call.
   */
  async call(name: string, parameters: unknown): Promise<ActionReturn> {
    if (typeof name !== 'string') return this.invalidAction.call(parameters)
    const [action = '', api = 'run', ...more] = name.split('.')
    if (more.length > 0) return this.#tooManyDots(name, parameters)
    const known = this.isValid(action) ? this.#actions.get(action) : undefined
    if (!known) return this.#pseudoAction(name).call(parameters)
    const answer = await known.call(parameters, api)
    answer.valid = ActionValidCode.OPEN
    return answer
  }

  /**
   * Answers a message whose content is a call, with what hooks make of both.
   * @throws TypeError when the content is no call, and what hooks throw
   */
  async respond(message: AgentMessage, sessionId = 0): Promise<AgentMessage> {
    const request = await this.#hooked('beforeAction', message, sessionId)
    if (!isFunctionCall(request.content))
      throw new TypeError('the content of the message has no `name` and `parameters`')
    const { name, parameters } = request.content
    const answer = agentMessage({ sender: this.#name, content: await this.call(name, parameters) })
    return this.#hooked('afterAction', answer, sessionId)
  }

  async #hooked(when: keyof Hook, message: AgentMessage, sessionId: number): Promise<AgentMessage> {
    let current = message
    for (const { hook } of [...this.#hooks]) current = (await hook[when]?.(this, current, sessionId)) || current
    return current
  }

  #enabled(): BaseAction[] {
    return [...this.#actions.values()].filter(({ enable }) => enable)
  }

  #pseudoAction(name: string): BaseAction {
    if (name === this.noAction.name) return this.noAction
    return name === this.finishAction.name ? this.finishAction : this.invalidAction
  }

  #tooManyDots(name: string, parameters: unknown): ActionReturn {
    return new ActionReturn({
      args: { text: parameters },
      type: this.invalidAction.name,
      errmsg: `${name} has more than one dot; an action is called by its name, or by Toolkit.api`,
      state: ActionStatusCode.API_ERROR,
      valid: ActionValidCode.INVALID,
    })
  }
}
