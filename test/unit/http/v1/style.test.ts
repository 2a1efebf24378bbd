import { expect, it } from 'vitest'
import adminDocument from '../../../../src/assets/openapi-admin.json' with { type: 'json' }
import document from '../../../../src/assets/openapi-v1.json' with { type: 'json' }

interface Described {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: Contents }
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: Contents }>>
}
type Contents = Readonly<Record<string, { readonly schema?: Schema }>>
interface Schema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: object
  readonly additionalProperties?: unknown
}

const SCHEMAS = document.components.schemas as Readonly<Record<string, Schema>>

/** Fields of each form that an answer may have. */
function pagesOf({ $ref, anyOf, properties = {} }: Schema): readonly object[] {
  if ($ref !== undefined) return pagesOf(SCHEMAS[$ref.replace('#/components/schemas/', '')] ?? {})
  return anyOf?.flatMap(pagesOf) ?? [properties]
}

const operationsOf = (paths: unknown) =>
  Object.entries(paths as Readonly<Record<string, Record<string, Described>>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )
const OPERATIONS = operationsOf(document.paths)
const ALL = [...OPERATIONS, ...operationsOf(adminDocument.paths)]

/** Operations that make what has no place of its own: several things at once. */
const WITHOUT_PLACE = ['putPapers']

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

/** Verbs of operations by their methods: those of things, and those of what else is done. */
const VERBS: Readonly<Record<string, RegExp>> = {
  get: /^(?:list|get|follow|watch|download|export)[A-Z]/,
  put: /^(?:put|upload|block)[A-Z]/,
  patch: /^update[A-Z]/,
  delete: /^(?:delete|revoke|unpublish)[A-Z]/,
  post: /^(?:create|put|import|publish|install|upgrade|report|batch|cancel|fork|restore|pause|resume|rollBack|rotate|test|retry|dryRun|refresh|renew|recover|accept|answer|move|copy|edit|patch|search|glob)[A-Z]/,
}

it('calls the same thing by one verb: list, get, create, update, put and delete, or what else it is', () => {
  const others = ALL.filter(({ method, operationId }) => !VERBS[method]?.test(operationId))
  expect(others.map(({ operationId }) => operationId)).toEqual([])
})

/** Operations whose deletion goes on behind the answer, which says how far it is. */
const GOING_ON = ['deleteTenant']

it('answers DELETE by 204 without content, and by 202 what goes on', () => {
  const all = ALL.filter(({ method }) => method === 'delete')
  const deletes = all.filter(({ operationId }) => !GOING_ON.includes(operationId))
  const goingOn = all.filter(({ responses }) => '202' in responses).map(({ operationId }) => operationId)
  expect(goingOn).toEqual(GOING_ON)
  expect(deletes.length).toBeGreaterThan(10)
  for (const { operationId, responses } of deletes) {
    expect(
      Object.keys(responses).filter((status) => status.startsWith('2')),
      operationId,
    ).toEqual(['204'])
    expect(responses['204'], operationId).not.toHaveProperty('content')
  }
})

it('names the parameters of its paths by what they are', () => {
  const names = ALL.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => name === 'id' || name === 'name' || name === 'env')).toEqual([])
})

it('takes limit and cursor in every list, and has a name for each page', () => {
  const lists = ALL.filter(({ operationId }) => operationId.startsWith('list'))
  expect(lists.length).toBeGreaterThan(20)
  for (const { operationId, parameters = [], responses } of lists) {
    const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    expect(query, operationId).toEqual(expect.arrayContaining(['limit', 'cursor']))
    const { $ref, anyOf = [{ $ref }] } = responses['200']?.content?.['application/json']?.schema ?? {}
    for (const page of anyOf) expect(page.$ref, operationId).toMatch(/\/(?:\w+Page|ExportedTools)$/)
  }
})

/** Records of papers come from elsewhere, with fields of their own. */
const WITH_OTHER_FIELDS = ['putPapers']

it('says of each body of JSON that it takes no other fields', () => {
  const schemaOf = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : (SCHEMAS[$ref.replace('#/components/schemas/', '')] ?? {})
  const open = OPERATIONS.filter(({ requestBody }) => {
    const { schema } = requestBody?.content['application/json'] ?? {}
    return schema && (schema.anyOf ?? [schema]).some((one) => schemaOf(one).additionalProperties !== false)
  })
  expect(open.map(({ operationId }) => operationId)).toEqual(WITH_OTHER_FIELDS)
})
