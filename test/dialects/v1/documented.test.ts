import { beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTED, documentFor } from '../../../scripts/openapi/documents.ts'
import { PUBLISHED } from '../../../scripts/openapi/published/published.ts'
import { routesOf } from '../../../src/http/operations/route.ts'
import { AnswerCheck } from '../../support/openapi/answer-check.ts'
import { documentedOf, ExampleServer, exampleOf } from '../../support/openapi/examples.ts'
import { generatedRequests } from '../../support/openapi/generated-requests.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'

const toolyard = runningToolyard(async () => ({}))
let server: ExampleServer
beforeAll(() => {
  server = new ExampleServer(toolyard())
})

/** Requests for each operation: a hundred found no more than these in the routes of today. */
const REQUESTS = 30

describe.each(DOCUMENTED)('$name', (documented) => {
  const document = documentFor(documented)
  const routes = routesOf(documented.app).map((route) => [`${route.method} ${route.path}`, route] as const)

  it.each(routes)('%s answers its example as the document says', async (_name, route) => {
    const example = exampleOf(route, await server.prepare(route))
    const response = await server.send(example)
    const { status } = route.operation.example
    expect({
      ...example,
      status: response.status,
      answer: response.status === status || (await response.text()),
    }).toEqual({
      ...example,
      status,
      answer: true,
    })
    await response.body?.cancel()
  })

  it.each(routes)('%s answers whatever comes within the document, and never 500', async (_name, route) => {
    const prepared = await server.prepare(route)
    const wrong: unknown[] = []
    for (const request of generatedRequests(
      exampleOf(route, prepared),
      documentedOf(document, route),
      document,
      REQUESTS,
    )) {
      try {
        const response = await server.send(request)
        if (response.status === 500) wrong.push({ request, answer: await response.text() })
        else await response.body?.cancel()
      } catch (thrown) {
        wrong.push({ request, thrown: thrown instanceof Error ? thrown.message : thrown })
      }
    }
    expect(wrong).toEqual([])
  })
})

const SECRET = { 'X-Internal-Secret': 'dev-secret-token' }

/** Cookie of a new node. */
async function newNode() {
  const response = await fetch(`${toolyard().url}/get_cookie`, { method: 'POST' })
  return { Cookie: response.headers.get('Set-Cookie')?.split(';', 1)[0] ?? '' }
}

function formOf(parts: object): FormData {
  const form = new FormData()
  for (const [name, content] of Object.entries(parts)) form.append(name, new Blob([content]), `${name}.txt`)
  return form
}

describe.each(PUBLISHED)('$name', ({ name, document, examples }) => {
  const check = new AnswerCheck(document)

  it.each(examples)(
    '$method $path answers its example as the document says',
    async ({ method, url, body, isForm, status }) => {
      const headers = {
        ...(name === 'toolcore' && SECRET),
        ...(name === 'xagent' && (await newNode())),
        ...(!isForm && { 'Content-Type': 'application/json' }),
      }
      const sent = body === undefined ? {} : { body: isForm ? formOf(body as object) : JSON.stringify(body) }
      const response = await fetch(toolyard().url + url, { method: method.toUpperCase(), headers, ...sent })
      expect(response.status, await response.clone().text()).toBe(status)
      await check.check(method, url, response)
      await response.body?.cancel()
    },
  )
})
