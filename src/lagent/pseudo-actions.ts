import { ActionReturn } from './action-return.ts'
import { type ActionOptions, BaseAction } from './base-action.ts'
import { ActionStatusCode, ActionValidCode } from './codes.ts'
import type { ActionDescription } from './description.ts'
import { BaseParser } from './parsers.ts'
import { isTruthy } from './python/to-text.ts'

export type PseudoActionOptions = Omit<ActionOptions, 'caller' | 'description'> & { readonly errMsg?: string }

/** Answer of executors for an unknown name. As in Lagent the message is the call's input, if it has any. */
export class InvalidAction extends BaseAction {
  static override readonly toolName: string = 'InvalidAction'

  constructor({ errMsg, ...options }: PseudoActionOptions = {}) {
    const message = errMsg ?? 'The action is invalid, please check the action name.'
    super({
      parser: BaseParser,
      ...options,
      ...answering('InvalidAction', ERR_MSG, (input) => refusal(input, message)),
    })
  }
}

/** Answer of executors when a model names no action. */
export class NoAction extends BaseAction {
  static override readonly toolName: string = 'NoAction'

  constructor({ errMsg, ...options }: PseudoActionOptions = {}) {
    const message = errMsg ?? 'Please follow the format'
    super({ parser: BaseParser, ...options, ...answering('NoAction', ERR_MSG, (input) => refusal(input, message)) })
  }
}

/** Ends a task: the input is the answer. */
export class FinishAction extends BaseAction {
  static override readonly toolName: string = 'FinishAction'

  constructor(options: Omit<PseudoActionOptions, 'errMsg'> = {}) {
    super({ parser: BaseParser, ...options, ...answering('FinishAction', RESPONSE, finished) })
  }
}

const ERR_MSG = {
  does: 'Return the error message.',
  parameter: 'err_msg',
  about:
    'The error message. If err_msg is not None,\nit will be returned, otherwise the default error message will\nbe returned. Defaults to None.',
  required: false,
}
const RESPONSE = {
  does: 'Return the final result.',
  parameter: 'response',
  about: 'The final result.',
  required: true,
}

/** Tool of one text, which answers show as `text` in their arguments. */
function answering(
  name: string,
  { does, parameter, about, required }: typeof ERR_MSG,
  answer: (input: unknown) => Partial<ActionReturn>,
) {
  const description: ActionDescription = {
    name,
    description: does,
    parameters: [{ name: parameter, type: 'STRING', description: about }],
    required: required ? [parameter] : [],
  }
  const caller = (_api: string, args: Readonly<Record<string, unknown>>) =>
    new ActionReturn({ args: { text: args[parameter] ?? null }, type: name, ...answer(args[parameter]) })
  return { description, caller }
}

const refusal = (input: unknown, message: string): Partial<ActionReturn> => ({
  errmsg: isTruthy(input) ? input : message,
  state: ActionStatusCode.API_ERROR,
  valid: ActionValidCode.INVALID,
})

const finished = (input: unknown): Partial<ActionReturn> => ({
  result: [{ type: 'text', content: input ?? null }],
  valid: ActionValidCode.FINISH,
})
