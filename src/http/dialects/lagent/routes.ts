import type { Context } from 'hono'
import { fail, orNull, toFailure } from '../../../core/failure.ts'
import { type SessionName, sessionName } from '../../../core/ids.ts'
import { MAX_JSON_DEPTH } from '../../../core/limits/requests.ts'
import type { Outcome, ToolCall } from '../../../core/outcome.ts'
import type { ActionReturn } from '../../../lagent/action-return.ts'
import { BaseAction } from '../../../lagent/base-action.ts'
import { apisOf, flattened } from '../../../lagent/description.ts'
import { ActionExecutor } from '../../../lagent/executor.ts'
import { ParseError } from '../../../lagent/parsers.ts'
import { toPlain } from '../../../lagent/python/to-plain.ts'
import { toStr } from '../../../lagent/python/to-text.ts'
import type { BroughtTool } from '../../../ports/toolbox.ts'
import { type AppEnv, callerOf, type Dialect, dialectApp, servicesFor } from '../../dialect.ts'
import { callInSession } from '../../first-call.ts'
import { parseInput, readInput } from '../../input.ts'
import { readBodyText } from '../../json.ts'
import { toolkitTool } from '../../listed-tools.ts'
import { failureResponse, methodResponse, problemResponse, toProblem } from '../../problem.ts'
import { outcomeHeaders, outcomeStatus } from '../../rate-limit-headers.ts'
import { describeAction, nameOf } from './action.ts'
import { callInstead, encodeAnswer, encodeOutcome, invalidApi, unknownAction } from './answer.ts'
import { type ActionCaller, type Found, findAction, listActions } from './caller-actions.ts'
import { ActionsBody, decodeExecution, type Execution, encodeApis, encodeFound, ListQuery, parserFor } from './codec.ts'
import {
  callablePython,
  encodeBrought,
  encodeFoundPython,
  encodePython,
  encodePythonOutcome,
  findPython,
  listPython,
  pythonCall,
} from './python-actions.ts'
import { findOfSession, listOfSession } from './registered-actions.ts'
import { vocabularyOf } from './vocabulary.ts'

/** Vocabulary of a request, also of one without a good key. */
const vocabularyIn = ({ env: { caller } }: Context<AppEnv>) =>
  vocabularyOf('services' in caller ? caller.services : { tools: [], toolkits: [] })

const app = dialectApp((c, failure) => failureResponse(failure, c.env.requestId, vocabularyIn(c)))
app.notFound((c) =>
  problemResponse(toProblem({ code: 'not_found', message: '/lagent has no such path' }, c.env.requestId)),
)

app.get('/lagent/tools', async (c) => {
  const services = servicesFor(c, 'read')
  const { agent, cursor, session, ...form } = parseInput(c.req.query(), ListQuery)
  const { actions, next } = await listActions({ services, agent }, cursor)
  const isFirst = session !== undefined && cursor === undefined
  const own = isFirst ? await toolsOf({ services }, sessionName(session)) : []
  const tools = [
    ...encodeApis([...actions, ...listOfSession(own)], form),
    ...encodePython(listPython(own), form.format),
  ]
  return c.json({ tools, ...(next !== undefined && { next_cursor: String(next) }) })
})

app.get('/lagent/tools/:name', async (c) => {
  const services = servicesFor(c, 'read')
  const { agent, session, ...form } = parseInput(c.req.query(), ListQuery)
  const name = c.req.param('name')
  const common = await findAction({ services, agent }, name)
  const own = common || session === undefined ? [] : await toolsOf({ services }, sessionName(session))
  const found = common ?? findInSession(own, name)
  const api = found?.action.apis.find((candidate) => candidate.name === found.api)
  if (found && (api || name === found.action.name)) return c.json(encodeFound(found.action, api, form))
  const python = found ? null : findPython(listPython(own), name)
  if (python) return c.json(encodeFoundPython(python, form.format))
  return fail('not_found', `there is no action ${name.slice(0, 200)}; the list of the tools has what there is`)
})

app.post('/lagent/execute', async (c) => {
  const services = servicesFor(c, 'execute')
  const execution = decodeExecution(await readBodyText(c.req.raw))
  const outcomes: Outcome[] = []
  const heard = {
    report: (thrown: unknown) => c.env.report?.(thrown),
    outcome: (outcome: Outcome) => void outcomes.push(outcome),
  }
  const answer = await execute({ services, agent: execution.agent }, execution, heard)
  const [outcome] = outcomes
  return c.json(encodeAnswer(answer), outcome ? outcomeStatus(outcome) : 200, outcome && outcomeHeaders(outcome))
})

app.post('/lagent/actions', async (c) => {
  const services = servicesFor(c, 'execute')
  const { session, ...args } = await readInput(c.req.raw, ActionsBody)
  const caller = { services, agent: null }
  const own = sessionName(session)
  const inThat = (call: ToolCall) => inSession(caller, own, call)
  const brought = encodeBrought(await inThat({ tool: 'python_actions_register', args }))
  const tools = await toolsOf(caller, own)
  const taken = []
  for (const { name } of brought.actions) {
    if (!((await findAction(caller, name)) ?? findInSession(tools, name))) continue
    await inThat({ tool: 'python_actions_remove', args: { name } })
    taken.push(name)
  }
  if (taken.length > 0) fail('conflict', namesTaken(taken, brought.actions.length - taken.length))
  return c.json(brought)
})

/** Error for new actions whose names are taken: an existing name comes first, so nobody could call them. */
const namesTaken = (names: readonly string[], others: number) =>
  `there are actions of these names already, give yours others: ${names.join(', ')}` +
  (others > 0 ? '; the rest of the source is registered' : '')

for (const [path, allow] of Object.entries({
  '/lagent/tools': 'GET, HEAD',
  '/lagent/tools/:name': 'GET, HEAD',
  '/lagent/execute': 'POST',
  '/lagent/actions': 'POST',
})) {
  app.all(path, (c) => methodResponse(c.req.method, allow, c.env.requestId))
}

/** The lagent dialect: Lagent's actions over HTTP. There is no published server of them, so the paths are ours. */
export const lagent: Dialect = {
  name: 'lagent',
  owns: (path) => path === '/lagent' || path.startsWith('/lagent/'),
  keepsKey: (path) => (path === '/lagent/execute' ? 'with calls' : undefined),
  app,
}

/** Callbacks for facts that Lagent's answers cannot express. */
interface Heard {
  report(thrown: unknown): void
  outcome(outcome: Outcome): void
}

/** Executes a call as Lagent's executor does, over all actions of the caller. */
async function execute(
  caller: ActionCaller,
  { session, name, inputs, pythonInputs, parser, requestedParser, kind }: Execution,
  heard: Heard,
): Promise<ActionReturn> {
  const sessionId = sessionName(session)
  const common = await findAction(caller, name)
  const own = common ? [] : await toolsOf(caller, sessionId)
  const found = common ?? findInSession(own, name)
  if (!found)
    return executeElsewhere(
      caller,
      own,
      { session: sessionId, name, inputs, pythonInputs, requestedParser, kind },
      heard,
    )
  const { action, api } = found
  if (action.instead !== undefined) return callInstead({ name: action.name, instead: action.instead }, inputs)
  if (!action.apis.some((one) => one.name === api)) return invalidApi(describeAction(action), api, inputs)
  return new BaseAction({
    description: describeAction(action),
    parser: parserFor(action, api, parser),
    caller: async (called, args) => {
      const target = action.apis.find((candidate) => candidate.name === called)
      if (!target) throw new Error('an action calls apis that it describes')
      const outcome = await inSession(caller, sessionId, target.toCall(plainArgs(args))).catch((thrown) => {
        heard.report(thrown)
        return { kind: 'failed', failure: toFailure(thrown) } as const
      })
      heard.outcome(outcome)
      const answer = encodeOutcome(outcome, target, { session, services: caller.services })
      if (outcome.kind !== 'refused') answer.args = target.argsOf?.(args) ?? null
      return answer
    },
  }).call(inputs, api)
}

/** The session's own tools; none where there is no such session. */
const toolsOf = async (
  { services }: Pick<ActionCaller, 'services'>,
  name: SessionName,
): Promise<readonly BroughtTool[]> => (await orNull(services.session(name).tools.list(), 'session_not_found')) ?? []

/** Names that the caller can call: the first page of its list, and the session's own. */
async function callableNames(caller: ActionCaller, own: readonly BroughtTool[]): Promise<string[]> {
  const { actions } = await listActions(caller, undefined)
  const names = [...actions, ...listOfSession(own)].flatMap((action) => action.apis.map((api) => nameOf(action, api)))
  return [
    ...names,
    ...listPython(own)
      .flatMap(flattened)
      .map((api) => api.name),
  ]
}

function findInSession(own: readonly BroughtTool[], name: string): Found | null {
  const action = findOfSession(own, name)
  return action && { action, api: 'run' }
}

/** Executes an action that is no tool: one that the session has as Python, or an unknown one. */
async function executeElsewhere(
  caller: ActionCaller,
  own: readonly BroughtTool[],
  {
    session,
    name,
    inputs,
    pythonInputs,
    ...reading
  }: Pick<Execution, 'name' | 'inputs' | 'pythonInputs' | 'requestedParser' | 'kind'> & {
    readonly session: SessionName
  },
  heard: Heard,
): Promise<ActionReturn> {
  const found = callablePython(own, name)
  if (!found) {
    const isUnlisted = (tool: string) => toolkitTool(caller.services, tool) !== undefined
    const invalidAction = unknownAction(name, await callableNames(caller, own), isUnlisted)
    return new ActionExecutor({ actions: [], invalidAction }).call(name, inputs)
  }
  const { description, api } = found
  if (!apisOf(description).some(([known]) => known === api)) return invalidApi(description, api, inputs)
  const outcome = await inSession(caller, session, pythonCall(found, pythonInputs(), reading))
  heard.outcome(outcome)
  return encodePythonOutcome(outcome, description.name, vocabularyOf(caller.services))
}

function plainArgs(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  try {
    return toPlain(args, MAX_JSON_DEPTH, refuseOnlyPython) as Record<string, unknown>
  } catch (cause) {
    if (cause instanceof ParseError) throw cause
    throw new ParseError(`the arguments have more than ${MAX_JSON_DEPTH} levels (MAX_JSON_DEPTH)`, { cause })
  }
}

/** Refuses Python's `...`, which a model may write for something left out: it must not end in a file. */
function refuseOnlyPython(value: unknown): never {
  throw new ParseError(`${toStr(value)} is no argument for a tool; give text, a number, a list or an object`)
}

function inSession({ services, agent }: ActionCaller, name: SessionName, call: ToolCall): Promise<Outcome> {
  return callInSession(services.session(name), call, callerOf(services, agent), { title: 'Lagent session' })
}
