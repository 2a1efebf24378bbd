import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Failure, FailureError } from '../../../../src/core/failure.ts'
import { tenantId } from '../../../../src/core/ids.ts'
import { unpackCall } from '../../../../src/core/packed-call.ts'
import type { Dialect, RequestScope, Services } from '../../../../src/http/dialect.ts'
import { lagent } from '../../../../src/http/dialects/lagent/routes.ts'
import { toolcore } from '../../../../src/http/dialects/toolcore/routes.ts'
import { toolserver } from '../../../../src/http/dialects/toolserver/routes.ts'
import { v1 } from '../../../../src/http/dialects/v1/routes.ts'
import { xagent } from '../../../../src/http/dialects/xagent/routes.ts'
import type { SessionApi, SessionInfo, SessionNodesApi } from '../../../../src/session/api.ts'
import { toolSources } from '../../../../src/session/toolbox/sources.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { NO_TOOLS } from '../../../support/no-tools.ts'
import type { Sandboxd } from '../../../support/sandboxd.ts'
import { sessionBench } from '../../../support/session-bench.ts'
import { wordTools } from './word-tools.ts'

afterEach(() => void vi.restoreAllMocks())

const NODE = 'a'.repeat(64)
const V1 = v1({ publicPapers: null, adminToken: null } as unknown as Parameters<typeof v1>[0]) // neither papers nor market are asked for

/** A session whose sources are those there are and one more, as a line in `sources.ts` has it. */
function open() {
  const begin = vi.spyOn(NO_TOOLS.calls, 'begin').mockImplementation((async ({ own }: { own?: object }) => {
    if (!own) throw new FailureError(ABSENT)
    return { tool: null, tight: false }
  }) as unknown as typeof NO_TOOLS.calls.begin)
  // No tool of these tests needs a sandbox.
  const bench = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd, {
    sources: (parts) => [...toolSources(parts), wordTools],
  })
  const session = {
    info: async () => ({ name: 'bench', nodeId: NODE }) as SessionInfo,
    call: (call, by) => bench.session.call(unpackCall(call), by),
    tools: bench.session.toolbox,
    nodes: {
      visit: async (_node, call, by) =>
        call
          ? { state: 'running', outcome: await bench.session.call(unpackCall(call), by) }
          : ({ state: 'running' } as const),
    },
  } satisfies Partial<Omit<SessionApi, 'nodes'>> & { nodes: Partial<SessionNodesApi> }
  const services = {
    tools: catalog.list(),
    toolkits: catalog.toolkits(),
    tenant: NO_TOOLS,
    key: 'k',
    session: () => session,
    node: async () => session,
    registeredTools: async () => ({ tools: [], find: async () => [] }),
    now: () => 0,
  } as unknown as Services // no more of it is asked for here
  const principal = { tenant: tenantId('acme'), scopes: ['read', 'execute'] as const, keyId: 'k' }
  const scope: RequestScope = { requestId: 'r', caller: { principal, services } }
  const ask = async ({ app }: Dialect, path: string, body?: unknown) => {
    const headers = { Cookie: `node_id=${NODE}`, 'Content-Type': 'application/json' }
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
    const response = await app.fetch(new Request(`http://localhost${path}`, init), scope)
    return (await response.json()) as Record<string, unknown>
  }
  return { bench, begin, ask }
}

const ABSENT: Failure = { code: 'not_found', message: 'Tool not found' }
const args = { text: 'one two  three' }

describe('a source of tools that is one object', () => {
  it('has its tools in the list of each dialect that is asked for the tools of a session', async () => {
    const { ask } = open()
    expect(await ask(xagent, '/get_available_tools', {})).toMatchObject({
      available_tools: expect.arrayContaining(['words.count']),
      tools_json: expect.arrayContaining([
        expect.objectContaining({ name: 'words.count', description: 'Counts the words of a text.' }),
      ]),
    })
    const { tools } = (await ask(lagent, '/lagent/tools?session=bench')) as { tools: { name: string }[] }
    expect(tools.at(-1)).toMatchObject({ name: 'words.count', parameters: [{ name: 'text', type: 'STRING' }] })
    expect(await ask(V1, '/v1/sessions/bench/tools')).toMatchObject({
      data: [{ id: 'words.count', timeout: 5, executor: { kind: 'source', source: 'words' } }],
    })
  })

  it.each<[string, Dialect, string, object, unknown]>([
    [
      'the Tool Server',
      toolserver,
      '/api/tool/execute',
      { task_id: 'bench', tool_name: 'registered_call', params: { tool_id: 'words.count', args } },
      expect.objectContaining({ success: true, data: { result: 3 } }),
    ],
    ['XAgent', xagent, '/execute_tool', { tool_name: 'words.count', arguments: args }, 3],
    [
      'Toolcore',
      toolcore,
      '/internal/tools/call',
      { tool_id: 'words.count', agent_id: 'a', microdao_id: 'm', args },
      expect.objectContaining({ ok: true, result: { result: 3 } }),
    ],
    [
      'Lagent',
      lagent,
      '/lagent/execute',
      { session: 'bench', name: 'words.count', inputs: args },
      expect.objectContaining({ errmsg: null, result: [{ type: 'text', content: '3 words' }] }),
    ],
    [
      'v1',
      V1,
      '/v1/sessions/bench/calls',
      { tool: 'words.count', args },
      expect.objectContaining({ state: 'done', text: '3 words', data: { result: 3 } }),
    ],
  ])('is called by %s, and counted once as a tool of the session', async (_name, dialect, path, body, answer) => {
    const { ask, begin } = open()
    expect(await ask(dialect, path, body)).toEqual(answer)
    const counted = begin.mock.calls as unknown as [{ reference: string; own?: object }][]
    expect(counted).toMatchObject([[{ reference: 'words.count', own: { timeout: 5, isNew: false } }]])
  })

  it('has its arguments checked where its definition wants it', async () => {
    const { ask } = open()
    const call = { tool: 'words.count', args: { text: 3 } }
    expect(await ask(V1, '/v1/sessions/bench/calls', call)).toMatchObject({
      state: 'failed',
      error: { code: 'invalid_input', message: expect.stringContaining('text: must be string') },
    })
  })

  it('is called by chains, and its names are taken', async () => {
    const { bench } = open()
    const make = (id: string) =>
      bench.call('tool_create', {
        id,
        description: 'Counts.',
        executor: {
          kind: 'chain',
          chain: {
            steps: [{ id: 'a', tool: 'words.count', input: { text: '${{ input.text }}' } }],
            output: '${{ steps.a.result.result }}',
          },
        },
        test: { args, expect: 3 },
      })
    expect(await make('count')).toMatchObject({ kind: 'done', result: { data: { tool_id: 'count' } } })
    expect(await make('words.count')).toMatchObject({
      kind: 'failed',
      failure: { code: 'conflict', message: expect.stringContaining('of its own already; give yours another id') },
    })
    expect(await bench.call('tool_list', {})).toMatchObject({ result: { data: { tools: [{ tool_id: 'count' }] } } })
  })

  it('is the one that the page about sources shows', async () => {
    const [page, code, sources] = await Promise.all([
      readFile('docs/adding-a-tool-source.md', 'utf8'),
      readFile('test/unit/session/toolbox/word-tools.ts', 'utf8'),
      readFile('src/session/toolbox/sources.ts', 'utf8'),
    ])
    const line = sources.slice(sources.indexOf('export const toolSources')).replace(/\n]\n$/, '\n  wordTools,\n]\n')
    expect(page).toContain(`\`\`\`ts\n${line}\`\`\``)
    const asInItsPlace = code
      .replaceAll('../../../../src/session/toolbox/', './')
      .replaceAll('../../../../src/', '../../')
    expect(page).toContain(`\`\`\`ts\n${asInItsPlace}\`\`\``)
  })
})
