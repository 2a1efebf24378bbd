import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { providersOf } from '../../src/adapters/choose-provider.ts'
import { tenantId } from '../../src/core/ids.ts'
import { paperLibrary } from '../../src/papers/library.ts'
import type { Papers } from '../../src/ports/papers.ts'
import { catalog } from '../../src/tools/catalog.ts'
import { NodeDatabase } from '../support/database-node.ts'
import { failureOf } from '../support/failure-of.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { attention, residual } from '../support/papers.ts'
import { providerBench } from '../support/provider-bench.ts'
import { jsonAnswer, type StandInRequest } from '../support/stand-in.ts'
import { toolbench } from '../support/toolbench.ts'
import { papersContract } from './papers.ts'

const schema = readFileSync('migrations/0002_papers.sql', 'utf8')

async function ownLibrary(): Promise<Papers> {
  const parts = { db: new NodeDatabase(schema), clock: fakeClock(), semantics: null }
  await paperLibrary({ ...parts, reader: null }).put([residual, attention])
  return paperLibrary({ ...parts, reader: tenantId('acme') })
}

/** A Tool Server whose papers are those of {@link ownLibrary}. */
async function asToolServer() {
  const tools = toolbench(catalog, {}, { papers: await ownLibrary() })
  const execute = async (body: string) => {
    const { tool_name, params } = JSON.parse(body) as { tool_name: string; params: Record<string, unknown> }
    try {
      return { success: true, data: await tools.data(tool_name, params), error: null }
    } catch (thrown) {
      const { message } = await failureOf(Promise.reject(thrown))
      return { success: false, data: null, error: message }
    }
  }
  return ({ url, body }: StandInRequest) => {
    if (url.pathname === '/health') return jsonAnswer({ status: 'ok' })
    if (url.pathname === '/api/tools') return jsonAnswer({ data: catalog.list().map(({ name }) => name) })
    return (response: ServerResponse) => void execute(body).then((answer) => response.end(JSON.stringify(answer)))
  }
}

papersContract("the server's own library", ownLibrary)
papersContract('another Tool Server', async () => {
  const { outside } = await providerBench({ RAG_SERVICE_URL: '' }, await asToolServer())
  return outside.papers
})

it('each provider of papers keeps the contract', () => {
  expect(providersOf('papers').map(({ name }) => name)).toEqual(['remote'])
})
