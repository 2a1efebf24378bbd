import { ActionReturn } from '../../src/lagent/action-return.ts'
import { ActionStatusCode, ParseError } from '../../src/lagent/index.ts'
import { fromWire } from '../../src/tools/python-actions/python-values.ts'
import { recorded, type SourceActions } from './actions.ts'
import { type Case, expectSame, sorted } from './case.ts'

/** Checks one input through the library's parser. Where the original crashed, the parser must refuse. */
export function checkParser(
  { action = '', parser = '', api = 'run', input, ...one }: Case,
  actions: SourceActions,
): void {
  let got: unknown
  try {
    got = { args: actions.parserOf(action, parser).parseInputs(fromWire(input), api) }
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : ''
    if (!one.expected_error) throw thrown
    if (one.expected_error.type !== 'ParseError') return
    expectSame('ParseError', thrown instanceof ParseError, true)
    expectSame('the library refuses', sorted(message), sorted(one.expected_error.message))
    return
  }
  expectSame('the library reads', got, one.expected ?? one.expected_error)
}

/** Checks one call of an action: in Python, or of the library's own. Where the original crashed, the call must fail. */
export async function checkCall(
  { action = '', parser = '', api = 'run', input, ...one }: Case,
  actions: SourceActions,
) {
  const answer = await actions.make(action, parser).call(fromWire(input), api)
  if (!one.expected_error) {
    return expectSame('the answer', comparable(unprefixed(recorded(answer))), comparable(one.expected ?? {}))
  }
  if (isUnprintable(answer)) return
  expectSame('it fails', answer.state === ActionStatusCode.SUCCESS, false)
  if (actions.has(action)) {
    const { type, message } = one.expected_error
    expectSame('as the original', sorted(String(answer.errmsg)), sorted(`${type}: ${message}`))
  }
}

/** The same input as a call in Python: what its parser makes of it is in the answer. */
export async function checkPythonParser(
  { action = '', parser = '', api = 'run', input, ...one }: Case,
  actions: SourceActions,
) {
  const { args, errmsg, state } = await actions.make(action, parser).call(fromWire(input), api)
  // A name that is no attribute of the action is answered before its parser sees the inputs.
  if (errmsg === `invalid API: ${api}`) return
  if (one.expected) return expectSame('Python reads', args, one.expected.args)
  const { type = '', message = '' } = one.expected_error ?? {}
  const isParsing = type === 'ParseError'
  expectSame('Python refuses', sorted(String(errmsg)), sorted(isParsing ? message : `${type}: ${message}`))
  if (isParsing) expectSame('Python says', state, ActionStatusCode.ARGS_ERROR)
}

/** The cases have `format_result` of each answer: where that failed in the original, the case is its failure. */
export function isUnprintable(answer: ActionReturn): boolean {
  try {
    answer.formatResult()
    return false
  } catch {
    return true
  }
}

/** Python names the module before a function, and the original was recorded without one. */
const unprefixed = (answer: ReturnType<typeof recorded>) => ({
  ...answer,
  errmsg: typeof answer.errmsg === 'string' ? withoutModule(answer.errmsg) : answer.errmsg,
})

const withoutModule = (message: string) => message.replace(/^tool\./, '')

/** Answer with sets in one order. */
export const comparable = (answer: Readonly<Record<string, unknown>>) =>
  typeof answer.errmsg === 'string' ? { ...answer, errmsg: sorted(answer.errmsg) } : answer

/** Content of a message: an answer, or the text that a hook made of one. */
export function contentOf(content: unknown): unknown {
  if (content instanceof ActionReturn) return comparable(unprefixed(recorded(content)))
  return typeof content === 'string' ? sorted(withoutModule(content)) : content
}
