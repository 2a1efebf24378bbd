import { expect, it } from 'vitest'
import document from '../../../../src/assets/openapi-v1.json' with { type: 'json' }

interface Described {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: Contents }>>
}
type Contents = Readonly<Record<string, { readonly schema?: Schema }>>
interface Schema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: object
}

const SCHEMAS = document.components.schemas as Readonly<Record<string, Schema>>

/** Fields of each form that an answer may have. */
function pagesOf({ $ref, anyOf, properties = {} }: Schema): readonly object[] {
  if ($ref !== undefined) return pagesOf(SCHEMAS[$ref.replace('#/components/schemas/', '')] ?? {})
  return anyOf?.flatMap(pagesOf) ?? [properties]
}

const OPERATIONS = Object.entries(
  document.paths as unknown as Readonly<Record<string, Record<string, Described>>>,
).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })))

/** Operations that make what has no place of its own: several things at once, and links, which are shown once and listed. */
const WITHOUT_PLACE = ['putPapers', 'createFileLink']

it('says in Location where a thing is that a POST has made', () => {
  const without = OPERATIONS.filter(({ method, responses }) => method === 'post' && responses['201'])
    .filter(({ responses }) => !('Location' in (responses['201']?.headers ?? {})))
    .map(({ operationId }) => operationId)
  expect(without.sort()).toEqual([...WITHOUT_PLACE].sort())
})

it('names a session in every path alike, in a parameter of that name', () => {
  const paths = OPERATIONS.map(({ path }) => path).filter((path) => path.startsWith('/v1/sessions/'))
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => !path.startsWith('/v1/sessions/{session}'))).toEqual([])
})

it('answers every list with data and next_cursor, and has one tag for every operation', () => {
  const lists = OPERATIONS.filter(({ operationId }) => operationId.startsWith('list'))
  expect(lists.length).toBeGreaterThan(10)
  for (const { operationId, responses } of lists) {
    const pages = pagesOf(responses['200']?.content?.['application/json']?.schema ?? {})
    for (const page of pages)
      expect(Object.keys(page), operationId).toEqual(expect.arrayContaining(['data', 'next_cursor']))
  }
  expect(OPERATIONS.filter(({ tags }) => tags?.length !== 1)).toEqual([])
})
