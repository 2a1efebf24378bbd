import { type Failure, fail, toFailure } from '../../../core/failure.ts'
import { sessionName } from '../../../core/ids.ts'
import { MAX_JSON_DEPTH } from '../../../core/limits.ts'
import type { Outcome, ToolCall } from '../../../core/outcome.ts'
import type { ActionReturn } from '../../../lagent/action-return.ts'
import { BaseAction } from '../../../lagent/base-action.ts'
import { ActionExecutor } from '../../../lagent/executor.ts'
import { ParseError } from '../../../lagent/parsers.ts'
import { toPlain } from '../../../lagent/python/to-plain.ts'
import { callerOf, type Dialect, dialectApp, servicesFor } from '../../dialect.ts'
import { parseInput, readInput } from '../../input.ts'
import { problemResponse, toProblem } from '../../problem.ts'
import { describeAction } from './action.ts'
import { encodeAnswer, encodeOutcome, unknownAction } from './answer.ts'
import { type Caller, findAction, listActions } from './caller-actions.ts'
import { decodeExecution, ExecuteBody, type Execution, encodeApis, encodeFound, ListQuery } from './codec.ts'
import { findMade } from './registered-actions.ts'

const app = dialectApp((c, failure) => problemResponse(toProblem(failure, c.env.requestId)))
app.notFound((c) =>
  problemResponse(toProblem({ code: 'not_found', message: '/lagent has no such path' }, c.env.requestId)),
)

app.get('/lagent/tools', async (c) => {
  const services = servicesFor(c, 'read')
  const { agent, cursor, ...form } = parseInput(c.req.query(), ListQuery)
  const { actions, next } = await listActions({ services, agent }, cursor)
  return c.json({ tools: encodeApis(actions, form), ...(next !== undefined && { next_cursor: String(next) }) })
})

app.get('/lagent/tools/:name', async (c) => {
  const services = servicesFor(c, 'read')
  const { agent, ...form } = parseInput(c.req.query(), ListQuery)
  const name = c.req.param('name')
  const found = await findAction({ services, agent }, name)
  const api = found?.action.apis.find((candidate) => candidate.name === found.api)
  if (!found || (!api && name !== found.action.name)) {
    return fail('not_found', `there is no action ${name.slice(0, 200)}; GET /lagent/tools lists what there is`)
  }
  return c.json(encodeFound(found.action, api, form))
})

app.post('/lagent/execute', async (c) => {
  const services = servicesFor(c, 'execute')
  const execution = decodeExecution(await readInput(c.req.raw, ExecuteBody))
  const report = (thrown: unknown) => c.env.report?.(thrown)
  return c.json(encodeAnswer(await execute({ services, agent: execution.agent }, execution, report)))
})

/** Lagent's actions over HTTP; there is no published server of them, so the paths are ours. */
export const lagent: Dialect = {
  name: 'lagent',
  owns: (path) => path === '/lagent' || path.startsWith('/lagent/'),
  app,
}

/** As Lagent's executor does it, over all that the caller has. */
async function execute(
  caller: Caller,
  { session, name, inputs, parser }: Execution,
  report: (thrown: unknown) => void,
): Promise<ActionReturn> {
  const sessionId = sessionName(session)
  const made = async () => {
    const action = await findMade(caller.services.session(sessionId), name)
    return action && { action, api: 'run' }
  }
  const found = (await findAction(caller, name)) ?? (await made())
  if (!found) return new ActionExecutor({ actions: [], invalidAction: unknownAction(name) }).call(name, inputs)
  const { action, api } = found
  return new BaseAction({
    description: describeAction(action),
    parser,
    caller: async (called, args) => {
      const target = action.apis.find((candidate) => candidate.name === called)
      if (!target) throw new Error('an action calls apis that it describes')
      const outcome = await inSession(caller, sessionId, target.toCall(plainArgs(args))).catch((thrown) => {
        report(thrown)
        return { kind: 'failed', failure: toFailure(thrown) } as const
      })
      const answer = encodeOutcome(outcome, target, session)
      if (outcome.kind !== 'refused') answer.args = target.argsOf?.(args) ?? null
      return answer
    },
  }).call(inputs, api)
}

function plainArgs(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  try {
    return toPlain(args, MAX_JSON_DEPTH) as Record<string, unknown>
  } catch (cause) {
    throw new ParseError(`the arguments have more than ${MAX_JSON_DEPTH} levels (MAX_JSON_DEPTH)`, { cause })
  }
}

/** A session is made at its first call. */
async function inSession(
  { services, agent }: Caller,
  name: ReturnType<typeof sessionName>,
  call: ToolCall,
): Promise<Outcome> {
  const session = services.session(name)
  const make = () => session.call(call, callerOf(services, agent))
  const outcome = await make()
  if (outcome.kind !== 'refused' || outcome.failure.code !== 'not_found' || (await session.info())) return outcome
  const made = await session.create({ title: 'Lagent session', requirements: [], directories: [], files: [] })
  return 'failure' in made ? refused(made.failure) : make()
}

const refused = (failure: Failure): Outcome => ({ kind: 'refused', failure })
