import { TOOLCORE } from '../../../scripts/openapi/published/toolcore.ts'
import { ToolDefinition, ToolPolicy } from '../../../src/registry/definition.ts'
import { AnswerCheck } from '../../support/openapi/answer-check.ts'
import { verifierOf } from '../../support/requirements.ts'
import { tenantObject } from '../../support/sandbox-control.ts'
import type { Toolyard } from '../../support/toolyard.ts'
import { REQUIREMENTS } from './requirements.ts'

/** Checks each answer against the dialect's document. */
const ANSWERS = new AnswerCheck(TOOLCORE.document)

/** A test of behaviours that are listed in requirements.ts. */
export const verifies = verifierOf(REQUIREMENTS)

export const SECRET = 'dev-secret-token'

interface RequestOptions {
  readonly secret?: string | null
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** One request, as the printed examples make it. */
export async function ask(
  url: string,
  path: string,
  { secret = SECRET, method, body, headers = {} }: RequestOptions = {},
) {
  const response = await fetch(`${url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(secret !== null && { 'X-Internal-Secret': secret }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  // Without the header, /health is another dialect's; a path with a slash at its end leads to the one without.
  if (response.status !== 307 && (path !== '/health' || secret !== null)) {
    await ANSWERS.check(method ?? (body === undefined ? 'GET' : 'POST'), path, response)
  }
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

/** A call by the agent of the printed examples. */
export const call = (url: string, tool_id: string, rest: object = {}) =>
  ask(url, '/internal/tools/call', {
    body: { tool_id, agent_id: 'agent:sofia', microdao_id: 'microdao:7', args: {}, ...rest },
  })

/** A tool as a line of config.yaml has it. */
export interface ConfiguredTool {
  readonly id: string
  /** URL of a tool that is another service; else give `executor`. */
  readonly target?: string
  readonly [field: string]: unknown
}

/** Puts tools into a tenant's registry. */
export async function register(toolyard: Toolyard, tools: readonly ConfiguredTool[], tenant = 'dev'): Promise<void> {
  await tenantObject(toolyard, tenant).tools.change(
    tools.map((tool) => ({
      op: 'put' as const,
      definition: ToolDefinition.parse({
        name: tool.id,
        description: '',
        input_schema: {},
        ...tool,
        executor: tool.executor ?? { kind: 'http', target: tool.target },
      }),
      policy: ToolPolicy.parse(tool),
    })),
    { key: null, agent: null },
  )
}
