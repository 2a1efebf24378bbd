import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { documentFor, V1 } from '../../../../scripts/openapi/documents.ts'
import { writtenGuide } from '../../../../scripts/openapi/guide.ts'
import { SERVED_DOCUMENTS } from '../../../../src/http/dialects/pages/documents.ts'
import { PROBLEM_CODES } from '../../../../src/http/problem.ts'
import { catalog } from '../../../../src/tools/catalog.ts'

const { path, text } = writtenGuide()
const document = documentFor(V1)
const MAX_WORDS = 2_000

/** Names of fields and words in the sources of tools. */
const toolSources = readdirSync('src/tools', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`src/tools/${name}`, 'utf8'))
  .join('\n')

/** All keys of an object, at any depth, and its texts. */
const wordsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value !== null && typeof value === 'object'
      ? Object.entries(value).flatMap(([key, inner]) => [key, ...wordsIn(inner)])
      : []

describe('/llms.txt', () => {
  it('is what `npm run openapi` writes, in no more words than an agent should have to read', () => {
    expect(readFileSync(path, 'utf8') === text, `${path} is not up to date; npm run openapi writes it`).toBe(true)
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS)
  })

  it('names each tool and each operation of /v1 but those of administrators, and none besides', () => {
    for (const { name } of catalog.list()) expect(text).toContain(`- ${name}(`)
    for (const { tools } of catalog.toolkits()) for (const { name } of tools) expect(text).toContain(` ${name}`)
    const operations = Object.entries(document.paths)
      // Those that an owner alone uses, or people at a browser, are left to the document.
      .filter(([at]) => !/^\/v1\/(?:mcp-servers|console-sessions|questions|sessions\/{session}\/questions)/.test(at))
      .flatMap(([at, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${at}`))
    const named = [...text.matchAll(/\b(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[^\s:`]*(?::[a-z-]+(?=:))?)/g)].map(
      ([, method, at]) => `${method} ${at}`,
    )
    expect(named.filter((operation) => !operations.includes(operation))).toEqual([])
    expect(operations.filter((operation) => !named.includes(operation))).toEqual([
      'GET /v1/openapi.json',
      ...['GET /v1/keys', 'POST /v1/keys', 'PATCH /v1/keys/{key}', 'POST /v1/keys/{key}/rotate'],
    ])
  })

  it('links to pages that are there, and uses words for fields that the server has', () => {
    const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, at]) => at)
    expect(links).toEqual(expect.arrayContaining(['/docs', '/v1/openapi.json']))
    const pages = ['/docs', ...SERVED_DOCUMENTS.map((served) => served.path)]
    expect(links.filter((at) => !pages.includes(at ?? ''))).toEqual([])
    const known = new Set([...wordsIn(document), ...PROBLEM_CODES])
    const words = [...text.matchAll(/`"?([a-z]+(?:_[a-z]+)*)"?`/g)].map(([, word = '']) => word)
    expect(words.length).toBeGreaterThan(20)
    expect(words.filter((word) => !known.has(word) && !new RegExp(`\\b${word}\\b`).test(toolSources))).toEqual([])
  })
})
