import { ActionReturn } from '../../src/lagent/action-return.ts'
import {
  ActionExecutor,
  ActionPreprocessor,
  ActionStatusCode,
  agentMessage,
  InternLMActionProcessor,
  JsonParser,
  TupleParser,
} from '../../src/lagent/index.ts'
import { fromWire } from '../../src/tools/python-actions/python-values.ts'
import type { SourceActions } from './actions.ts'
import { recorded } from './actions.ts'
import { comparable, contentOf } from './calls.ts'
import { type Case, expectSame, sorted } from './case.ts'

const HOOKS = { ActionPreprocessor, InternLMActionProcessor }

/** A message to an executor, with the hooks that the case names. Where the original crashed ours has to refuse. */
export async function checkExecutor(one: Case, actions: SourceActions): Promise<void> {
  const executor = executorOf(one, actions)
  const formatted = formattedOf(one)
  const message = agentMessage({ content: fromWire(one.input), ...(formatted !== undefined && { formatted }) })
  let answer: Awaited<ReturnType<ActionExecutor['respond']>>
  try {
    answer = await executor.respond(message)
  } catch (thrown) {
    if (one.expected_error) return
    throw thrown
  }
  if (one.expected_error) {
    const { content } = answer
    return expectSame('fails', content instanceof ActionReturn && content.state !== ActionStatusCode.SUCCESS, true)
  }
  const { content, ...expected } = one.expected ?? {}
  expectSame(
    'message',
    { ...answer, content: contentOf(answer.content) },
    { content: expectedContent(content), ...expected },
  )
}

const expectedContent = (content: unknown) => {
  if (typeof content === 'string') return content
  return comparable((content ?? {}) as Record<string, unknown>)
}

function executorOf({ executor = '', kind }: Case, actions: SourceActions): ActionExecutor {
  const name = executor.startsWith('Async') || kind === 'async_executor' ? 'AsyncActionExecutor' : 'ActionExecutor'
  const [, listed] = /Executor\(\[(.*?)\]/s.exec(executor) ?? []
  const names = listed === undefined ? ['Bold()', 'Kit()'] : listed.split(/,\s*(?![^()]*\))/)
  const single = (option: string) => new RegExp(`${option}=(\\w+\\([^)]*\\))`).exec(executor)?.[1]
  const [invalid, none, finish] = ['invalid_action', 'no_action', 'finish_action'].map(single)
  return new ActionExecutor({
    name,
    actions: names.map((text) => actions.make(text)),
    ...(invalid && { invalidAction: actions.make(invalid) }),
    ...(none && { noAction: actions.make(none) }),
    ...(finish && { finishAction: actions.make(finish) }),
    finishInAction: /finish_in_action\s*=\s*True/.test(executor),
    hooks: Object.entries(HOOKS).flatMap(([hook, type]) => (executor.includes(hook) ? [new type()] : [])),
  })
}

/** `formatted=…` of the case's words; where they shorten it, the input without the key `action` is meant. */
function formattedOf({ executor = '', input }: Case): unknown {
  const at = executor.indexOf('formatted=')
  if (at === -1) return undefined
  try {
    return fromWire(JSON.parse(executor.slice(at + 'formatted='.length)))
  } catch {
    return input
  }
}

export async function checkKeys({ executor, expected }: Case, actions: SourceActions): Promise<void> {
  const listed = (expected?.list ?? []) as string[]
  const finishInAction = executor === undefined ? listed.includes('FinishAction') : /finish_in_action/.test(executor)
  const ours = new ActionExecutor({ actions: [actions.make('Bold'), actions.make('Kit')], finishInAction })
  expectSame('keys', ours.keys(), listed)
}

/** An action made with a description or a parser of its own; what it is made with is read off what is expected. */
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
  const described = expected?.d as { readonly name: string; readonly parameter_description?: string }
  const parser = described.parameter_description?.includes('tuple format') ? TupleParser : JsonParser
  const { parameter_description: _, ...given } = described
  const action = actions.has(described.name)
    ? actions.make(described.name, parser === TupleParser ? 'TupleParser' : 'JsonParser')
    : null
  expectSame(
    'description',
    action?.description ?? { ...given, parameter_description: parser.parameterDescription('en') },
    described,
  )
}

/** What `dataclass2dict` gives of a call that the expectation names. */
export async function checkSerialized({ expected = {} }: Case, actions: SourceActions): Promise<void> {
  const { inputs, name = 'run' } = (expected.args ?? {}) as { readonly inputs?: unknown; readonly name?: string }
  const answer = await actions.make(String(expected.type)).call(inputs ?? expected.args, name)
  const { format_result: _, ...plain } = recorded(answer)
  expectSame('plain data', comparable(plain), comparable(expected))
  expectSame('as JSON', Object.keys(answer.toJSON()), Object.keys(plain))
}
