import * as z from 'zod'
import { FailureError, fail, failureWith, messageParts, toFailure } from '../../core/failure.ts'
import { MAX_REGISTERED_TIMEOUT_SECONDS, REGISTERED_TIMEOUT_SECONDS } from '../../core/limits/registry.ts'
import { MAX_TEST_RESULT_CHARS } from '../../core/limits/sessions.ts'
import type { Result } from '../../core/outcome.ts'
import { safeRead } from '../../core/safe-read.ts'
import { say } from '../../core/saying/saying.ts'
import type { Toolbox, Trial } from '../../ports/toolbox.ts'
import { ToolDefinition } from '../../registry/definition.ts'
import { returnedBy } from '../../registry/returned.ts'
import { argumentProblem, schemaProblem } from '../../registry/schema-sanity.ts'
import { flag, integer, optional, requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { describeIssues } from '../registry.ts'
import { misfit } from './expected.ts'
import { plannedResult } from './planned.ts'

const Fields = z.record(z.string(), z.unknown())

/** Makes a tool for the session. No published API has this: it is for what agents make for themselves. */
export const toolCreate = defineTool({
  name: 'tool_create',
  description:
    'Make a new tool out of Python in the sandbox, an HTTP request to a service, or a chain of other tools. It is checked, ' +
    'then called once with the arguments of test; only when that works it is there. Returns what the test returned. Call it ' +
    'by registered_call, and name it in steps of chains.',
  effect: 'run',
  uses: ['toolbox'],
  input: z.object({
    id: requiredText.describe('How it is called: letters, digits, "_", "." and "-", e.g. "weather.now"'),
    description: requiredText.describe('What it does, when to use it and what it returns, for a model'),
    name: optional(z.string()).describe('What people call it. Default: the id'),
    input_schema: optional(Fields).describe(
      'JSON Schema of its arguments, with a description for each: {"type": "object", "properties": {…}, "required": […]}. Default: any',
    ),
    output_schema: optional(Fields).describe('JSON Schema of its result. Default: any result'),
    executor: Fields.describe(
      'How it works. {"kind": "http", "target": "https://…/{city}", "request": {"method": "GET", "query": {"days": {"arg": ' +
        '"days"}}}}: asks a service. {"kind": "chain", "chain": {"steps": [{"id": "a", "tool": "…", "input": {"x": "${{ ' +
        'input.x }}"}}], "output": "${{ steps.a.result }}"}}: calls other tools; a step may have "if": "length(input.x) > 0", ' +
        '"map": {"over": "steps.a.result.hits", "as": "hit", "concurrency": 4}, "retry": {"attempts": 3}, "timeout_ms": 60000, ' +
        '"on_error": "continue". {"kind": "python", "target": "tool:run", "source": "def run(city): …", "requirements": []}: calls a function of a module, whose result is JSON',
    ),
    timeout: optional(integer).describe(
      `Seconds for one call, at most ${MAX_REGISTERED_TIMEOUT_SECONDS}. Default ${REGISTERED_TIMEOUT_SECONDS}`,
    ),
    test: z
      .object({
        args: Fields.describe('The arguments of the call that tries it'),
        expect: z
          .unknown()
          .optional()
          .describe('What it must return; of an object the fields that matter. Default: any result will do'),
      })
      .describe('A call that is made for real before the tool is there'),
    scope: optional(z.enum(['session', 'tenant'])).describe(
      '"session": for this session, and gone with it. "tenant": for all agents, which the key must be allowed. Default "session"',
    ),
    dry_run: optional(flag).describe(
      'true: calls and makes nothing; shows what a chain would call with test.args. Default false',
    ),
  }),

  async run({ test, scope = 'session', dry_run = false, ...given }, { ports: { toolbox }, signal }) {
    const definition = definitionOf(given)
    const wrong = schemaProblem(definition.input_schema) ?? argumentProblem(definition.input_schema, test.args)
    if (wrong !== null) fail('invalid_input', wrong)
    const trial: Trial = dry_run ? { only: 'plan', input: test.args } : { only: 'check' }
    const { plan = null } = await toolbox.put(scope, definition, trial)
    if (dry_run) return plannedResult(plan)
    const tried = await tryOut(definition, test.args, toolbox, signal)
    const result = returnedBy(tried) ?? null
    if (test.expect !== undefined) {
      const unfit = misfit(test.expect, result, 'result')
      if (unfit !== null) {
        fail('invalid_input', `${NOTHING_MADE} Its test returned something else than was expected: ${unfit}`, {
          data: { result },
        })
      }
    }
    const kept = await toolbox.put(scope, definition)
    const { id } = definition
    const call = { tool: 'registered_call', args: { tool_id: id, args: test.args } }
    const where = scope === 'session' ? 'in this session' : 'for all agents'
    return {
      text: `${id} is there ${where}. Call it as ${JSON.stringify(call)}. Its test returned:\n${cut(tried.text)}`,
      data: { tool_id: id, scope, ...kept, test: { result }, call },
    }
  },
})

type Given = Omit<z.output<typeof toolCreate.input>, 'test' | 'scope' | 'dry_run'>

function definitionOf({ id, name, timeout, input_schema, ...given }: Given): ToolDefinition {
  if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/.test(id)) {
    fail('invalid_input', 'id: must be 1 to 100 letters, digits, "_", "." and "-", and begin with a letter or "_"')
  }
  const read = safeRead(ToolDefinition, {
    ...given,
    id,
    name: name ?? id,
    input_schema: input_schema ?? {},
    ...(timeout !== undefined && { timeout }),
  })
  return read.success ? read.data : fail('invalid_input', `${NOTHING_MADE} ${describeIssues(read.error)}`)
}

/** Tries the new tool by a call like any other. @throws FailureError saying that nothing was made */
async function tryOut(
  definition: ToolDefinition,
  args: Readonly<Record<string, unknown>>,
  toolbox: Toolbox,
  signal: AbortSignal,
): Promise<Result> {
  const call = { kind: 'tool', tool: definition.id, args, draft: definition } as const
  try {
    const answer = await toolbox.call(call, toolbox.nesting, signal)
    return 'soFar' in answer ? answer.soFar : answer
  } catch (thrown) {
    if (!(thrown instanceof FailureError)) throw thrown
    const { failure } = thrown
    throw new FailureError(
      failureWith(failure.code, say`${NOTHING_MADE} Its test failed: ${messageParts(toFailure(thrown))}`, failure.data),
    )
  }
}

const cut = (text: string) =>
  text.length > MAX_TEST_RESULT_CHARS ? `${text.slice(0, MAX_TEST_RESULT_CHARS).toWellFormed()}…` : text

const NOTHING_MADE = 'No tool was made.'
