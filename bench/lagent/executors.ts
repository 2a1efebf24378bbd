import { ActionReturn } from '../../src/lagent/action-return.ts'
import { type ActionDescription, type ApiDescription, apisOf } from '../../src/lagent/description.ts'
import { ActionExecutor, ActionStatusCode, agentMessage, BaseAction, JsonParser } from '../../src/lagent/index.ts'
import { fromWire } from '../../src/tools/python-actions/python-values.ts'
import { parserNamed, recorded, type SourceActions } from './actions.ts'
import { comparable, contentOf, isUnprintable } from './calls.ts'
import { type Case, expectSame, sorted } from './case.ts'
import { executorWords, finishesInAction, hooksOf } from './executor-words.ts'
import { formattedOf } from './formatted.ts'

/** A message to an executor, with the hooks that the case names. Where the original crashed ours has to refuse. */
export async function checkExecutor(one: Case, actions: SourceActions): Promise<void> {
  const executor = executorOf(one, actions)
  const formatted = formattedOf(one)
  const message = agentMessage({ content: fromWire(one.input), ...(formatted !== undefined && { formatted }) })
  const answered: unknown[] = []
  executor.registerHook({ afterAction: (_, { content }) => void answered.push(content) })
  for (const hook of hooksOf(executorWords(one))) executor.registerHook(hook)
  let answer: Awaited<ReturnType<ActionExecutor['respond']>>
  try {
    answer = await executor.respond(message)
  } catch (thrown) {
    if (one.expected_error) return
    throw thrown
  }
  if (one.expected_error) {
    // The action's answer, which a hook may have made a text.
    const [content] = answered
    const failed = content instanceof ActionReturn && content.state !== ActionStatusCode.SUCCESS
    return expectSame('fails', failed || (content instanceof ActionReturn && isUnprintable(content)), true)
  }
  const { content, ...expected } = one.expected ?? {}
  expectSame(
    'message',
    { ...answer, content: contentOf(answer.content) },
    { content: expectedContent(content), ...expected },
  )
}

const expectedContent = (content: unknown) => {
  if (typeof content === 'string') return sorted(content)
  return comparable((content ?? {}) as Record<string, unknown>)
}

function executorOf(one: Case, actions: SourceActions): ActionExecutor {
  const executor = executorWords(one)
  const { kind } = one
  const name = executor.startsWith('Async') || kind === 'async_executor' ? 'AsyncActionExecutor' : 'ActionExecutor'
  const [, listed = kind === 'async_executor' ? 'AB(), Bold(), Kit()' : 'Bold(), Kit()'] =
    /Executor\((?:actions=)?\[(.*?)\]/s.exec(executor) ?? /Executor\((?:actions=)?(\w+\([^()]*\))/.exec(executor) ?? []
  const names = listed.split(/,\s*(?![^()]*\))/).filter((one) => one !== '')
  const single = (option: string) => new RegExp(`${option}=(\\w+\\((?:"[^"]*"|'[^']*'|[^)"'])*\\))`).exec(executor)?.[1]
  const [invalid, none, finish] = ['invalid_action', 'no_action', 'finish_action'].map(single)
  return new ActionExecutor({
    name,
    actions: names.map((text) => actions.make(text)),
    ...(invalid && { invalidAction: actions.make(invalid) }),
    ...(none && { noAction: actions.make(none) }),
    ...(finish && { finishAction: actions.make(finish) }),
    finishInAction: finishesInAction(executor),
  })
}

/** Checks the names of an executor's actions, or their descriptions. */
export async function checkKeys(one: Case, actions: SourceActions): Promise<void> {
  const expected = one.expected?.list ?? one.expected?.description ?? one.expected ?? one.expected_description ?? []
  const listed = expected as readonly (string | ApiDescription)[]
  const ours = executorWords(one).includes('Executor(') ? executorOf(one, actions) : listing(listed, actions)
  expectSame('list', typeof listed[0] === 'object' ? ours.description() : ours.keys(), listed)
}

/** Executor whose actions are derived from the list that it is expected to give. */
function listing(listed: readonly (string | ApiDescription)[], actions: SourceActions): ActionExecutor {
  const parsers = new Map<string, string | undefined>()
  for (const one of listed) {
    if (typeof one === 'string') parsers.set(one, undefined)
    else parsers.set(one.name.split('.')[0] ?? '', parserIn(one.parameter_description))
  }
  return new ActionExecutor({
    actions: [...parsers]
      .filter(([name]) => name !== 'FinishAction')
      .map(([name, parser]) => actions.make(name, parser)),
    finishInAction: parsers.has('FinishAction'),
  })
}

const parserIn = (format: string | undefined) =>
  format?.includes('tuple format') ? 'TupleParser' : format ? 'JsonParser' : 'BaseParser'

/** Checks an action made with a description or a parser of its own; its options are derived from the expectation. */
export async function checkConstruction({ expected, expected_error }: Case, actions: SourceActions): Promise<void> {
  if (expected_error) {
    const [, name = '', required = ''] = /function "(.*)": \{(.*)\}/.exec(expected_error.message) ?? []
    const description = {
      name,
      description: '',
      parameters: [],
      required: required.split(', ').map((one) => one.slice(1, -1)),
    }
    try {
      new JsonParser(description)
    } catch (thrown) {
      return expectSame('error', sorted((thrown as Error).message), sorted(expected_error.message))
    }
    throw new Error('the library takes it')
  }
  const described = expected?.d as ActionDescription
  const given = structuredClone(described)
  const formats = apisOf(given).map(([, api]) => api.parameter_description)
  for (const [, api] of apisOf(given)) delete api.parameter_description
  const parser = parserIn(formats[0])
  const action = actions.has(described.name)
    ? actions.make(described.name, parser)
    : new BaseAction({ description: given, parser: parserNamed(parser), language: 'en' })
  expectSame('description', action.description, described)
}

/** Checks the result of `dataclass2dict` for a call that the expectation names. */
export async function checkSerialized({ expected = {} }: Case, actions: SourceActions): Promise<void> {
  const args = (expected.args ?? {}) as Readonly<Record<string, unknown>>
  const action = actions.make(String(expected.type))
  const [inputs, name] = 'inputs' in args ? [args.inputs, String(args.name)] : readArguments(args, action)
  const answer = await action.call(inputs, name)
  const { format_result: _, ...plain } = recorded(answer)
  expectSame('plain data', comparable(plain), comparable(expected))
  expectSame('as JSON', Object.keys(answer.toJSON()), Object.keys(plain))
}

/** Call with these arguments: the api that has such, and the parser's result. */
function readArguments(args: Readonly<Record<string, unknown>>, { description }: BaseAction): [unknown, string] {
  const apis = apisOf(description)
  const called = apis.find(([, { parameters }]) =>
    Object.keys(args).every((given) => parameters.some(({ name }) => name === given)),
  )
  // Actions for unknown names have their input as `text`.
  return called ? [args, called[0]] : [args.text, apis[0]?.[0] ?? 'run']
}

/** An `ActionReturn` as one text, of its fields or of its `result` alone. */
export function checkFormat({ input, expected, expected_error }: Case): void {
  const given = fromWire(input)
  const fields = Array.isArray(given) ? { result: given } : ((given ?? {}) as object)
  let text: unknown
  try {
    text = new ActionReturn(fields).formatResult()
  } catch (thrown) {
    if (expected_error) return
    throw thrown
  }
  if (expected_error) throw new Error('the library formats it')
  const formats = expected?.format_result ?? expected?.text ?? expected?.result ?? expected
  expectSame('text', text, formats)
}
