import { describe, expect, it } from 'vitest'
import { type Failure, FailureError } from '../../../src/core/failure.ts'
import { MAX_API_DOCUMENT_WORK } from '../../../src/core/limits/imports.ts'
import { ENVS } from '../../../src/http/dialects/xagent/tools.ts'
import { readDocument } from '../../../src/registry/apis/document.ts'
import type { Imported, ImportOptions } from '../../../src/registry/apis/imported.ts'
import { envName, OWN_ENVS, standardCallName, standardName } from '../../../src/registry/apis/names.ts'
import { toolsOfOpenApi } from '../../../src/registry/apis/openapi.ts'
import { toolsOfRapidApi } from '../../../src/registry/apis/rapidapi.ts'
import { expectCost, plainPassMs } from '../../support/processor-time.ts'

const PETS = `
openapi: 3.1.0
info: { title: Pets, version: '1' }
servers:
  - url: https://{region}.pets.example/{base}/
    variables: { region: { default: eu }, base: { enum: [v2, v1] } }
security: [{ key: [], tenant: [] }]
paths:
  /pets/{petId}/photos:
    parameters:
      - $ref: '#/components/parameters/petId'
    get:
      operationId: listPhotos
      summary: List the photos of a pet
      description: Newest first.
      parameters:
        - { name: tags, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: string } } }
        - { name: 'filter[kind]', in: query, schema: { $ref: '#/components/schemas/Kind' } }
        - { name: where, in: query, content: { application/json: { schema: { type: object } } } }
        - { name: X-Trace, in: header, schema: { type: string } }
        - { name: Authorization, in: header, schema: { type: string } }
        - { name: seen, in: cookie, schema: { type: boolean, default: false } }
      responses:
        '200': { content: { application/json: { schema: { $ref: '#/components/schemas/Tree' } } } }
    put:
      operationId: from
      security: []
      requestBody:
        required: true
        content:
          application/json:
            schema:
              allOf:
                - { type: object, required: [title], properties: { title: { type: string, nullable: true } } }
                - { properties: { petId: { type: integer, description: Whose. } } }
  /upload:
    post:
      operationId: upload
      requestBody: { content: { multipart/form-data: { schema: { type: object } } } }
  /login:
    post:
      security: [{ digest: [] }, { token: [] }]
      requestBody: { content: { application/x-www-form-urlencoded: { schema: { properties: { user: { type: string } } } } } }
  /login/:
    post:
      security: [{ digest: [] }]
components:
  parameters:
    petId: { name: petId, in: path, required: true, description: Which pet., schema: { type: integer } }
  schemas:
    Kind: { type: string, enum: [cat, dog] }
    Tree: { type: object, properties: { next: { $ref: '#/components/schemas/Tree' }, url: { type: string } } }
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    tenant: { type: apiKey, in: query, name: t }
    token: { type: http, scheme: Bearer }
    digest: { type: http, scheme: digest }
`

const pets = (options: Partial<ImportOptions> = {}) => toolsOfOpenApi(readDocument(PETS), { env: 'Pets', ...options })
const named = ({ tools }: Imported, id: string) => {
  const tool = tools.find((one) => one.id === id)
  if (!tool) throw new Error(`${id} is not among ${tools.map((one) => one.id).join(', ')}`)
  return tool
}

function failure(work: () => unknown): Failure {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof FailureError) return thrown.failure
    throw thrown
  }
  throw new Error('it worked')
}

describe('an OpenAPI document', () => {
  it('becomes one hidden tool for each operation that can be sent', () => {
    const { tools, skipped } = pets()
    expect(tools.map(({ id, toolkit, hidden }) => [id, toolkit, hidden])).toEqual([
      ['Pets_listphotos', 'Pets', true],
      ['Pets_is_from', 'Pets', true],
      ['Pets_post_login', 'Pets', true],
    ])
    expect(skipped).toEqual([
      { operation: 'POST /upload', reason: expect.stringContaining('multipart/form-data') },
      { operation: 'POST /login/', reason: expect.stringContaining('give auth') },
    ])
  })

  it('says of each argument what it is and where it goes', () => {
    const tool = named(pets(), 'Pets_listphotos')
    expect(tool).toMatchObject({ name: 'listPhotos', description: 'List the photos of a pet\nNewest first.' })
    expect(tool.input_schema).toEqual({
      type: 'object',
      properties: {
        petId: { type: 'integer', description: 'Which pet.' },
        tags: { type: 'array', items: { type: 'string' } },
        filter_kind_: { type: 'string', enum: ['cat', 'dog'] },
        where: { type: 'object' },
        'X-Trace': { type: 'string' },
        seen: { type: 'boolean', default: false },
      },
      required: ['petId'],
    })
    expect(tool.executor).toMatchObject({
      target: 'https://eu.pets.example/v2/pets/{petId}/photos',
      request: {
        method: 'GET',
        query: {
          tags: { arg: 'tags', style: 'pipeDelimited', explode: false },
          'filter[kind]': { arg: 'filter_kind_' },
          where: { arg: 'where', style: 'json' },
        },
        headers: { 'X-Trace': { arg: 'X-Trace' } },
        cookies: { seen: { arg: 'seen' } },
        body: null,
      },
    })
    expect(tool.output_schema).toEqual({ type: 'object', properties: { next: {}, url: { type: 'string' } } })
  })

  it('has arguments in its paths in the styles of OpenAPI, but for lists that would be taken apart', () => {
    const get = (style: string, explode: boolean, type: string) => ({
      get: { parameters: [{ name: 'a b', in: 'path', required: true, style, explode, schema: { type } }] },
    })
    const paths = {
      '/plain/{a b}/x': get('matrix', true, 'integer'),
      '/list/{a b}': get('matrix', false, 'array'),
      '/dot/{a b}': get('label', false, 'object'),
      '/apart/{a b}': get('label', true, 'array'),
      '/odd/{a b}': get('form', false, 'string'),
    }
    const document = { openapi: '3.1.0', servers: [{ url: 'https://a.example' }], paths }
    const { tools, skipped } = toolsOfOpenApi(document, { env: 'E' })
    expect(tools.map(({ executor }) => 'target' in executor && executor.target)).toEqual([
      'https://a.example/plain/;a%20b={a_b}/x',
      'https://a.example/list/;a%20b={a_b}',
      'https://a.example/dot/.{a_b}',
    ])
    expect(skipped).toEqual([
      { operation: 'GET /apart/{a b}', reason: expect.stringContaining('label with explode') },
      { operation: 'GET /odd/{a b}', reason: expect.stringContaining('form, which is unknown') },
    ])
  })

  it('takes the fields of a body for arguments, under other names where they are taken', () => {
    const { input_schema, executor } = named(pets(), 'Pets_is_from')
    expect(input_schema).toEqual({
      type: 'object',
      properties: {
        petId: { type: 'integer', description: 'Which pet.' },
        petId_body: { type: 'integer', description: 'Whose.' },
        title: { type: ['string', 'null'] },
      },
      required: ['petId', 'title'],
    })
    expect(executor).toMatchObject({
      request: { method: 'PUT', body: { as: 'json', fields: { petId: 'petId_body', title: 'title' } }, auth: [] },
    })
  })

  it('names the secrets that it needs, and takes those that it is given', () => {
    const auth = (imported: Imported, id: string) => {
      const { executor } = named(imported, id)
      return executor.kind === 'http' ? executor.request?.auth : null
    }
    expect(auth(pets(), 'Pets_listphotos')).toEqual([
      { type: 'header', name: 'X-Key', secret: 'PETS_KEY', prefix: '' },
      { type: 'query', name: 't', secret: 'PETS_TENANT' },
    ])
    expect(auth(pets(), 'Pets_post_login')).toEqual([{ type: 'bearer', secret: 'PETS_TOKEN' }])
    expect(pets({ auth: { key: 'MINE' } }).secrets).toContainEqual({ name: 'MINE', of: 'key' })
    const all = pets({ auth: [{ type: 'bearer', secret: 'ALL' }] })
    expect(all.tools).toHaveLength(4)
    expect(auth(all, 'Pets_is_from')).toEqual([{ type: 'bearer', secret: 'ALL' }])
    expect(failure(() => pets({ auth: { nokey: 'X' } })).message).toContain('known are: key, tenant, token, digest')
  })

  it.each([
    [{}, 'no OpenAPI document'],
    [[], 'no OpenAPI document'],
    [{ swagger: '2.0' }, 'swagger2openapi'],
    [{ openapi: '3.0.0', paths: {} }, 'describes no operations'],
    [{ openapi: '3.0.0', paths: { '/a': { get: {} } } }, 'base_url'],
    [{ openapi: '3.0.0', servers: [{ url: '/v1' }], paths: { '/a': { get: {} } } }, 'base_url'],
    [{ openapi: '3.0.0', servers: [{ url: 'ftp://a.example' }], paths: { '/a': { get: {} } } }, 'only http'],
    [{ openapi: '3.0.0', servers: [{ url: 'https://u:p@a.example' }], paths: { '/a': { get: {} } } }, 'password'],
    [{ openapi: '3.0.0', servers: [{ url: 'https://a.example' }], paths: { '/a': { $ref: 'other.yaml' } } }, 'bundle'],
  ])('that is %j is refused with what to do', (document, message) => {
    expect(failure(() => toolsOfOpenApi(document, { env: 'E' }))).toEqual({
      code: 'invalid_input',
      message: expect.stringContaining(message),
    })
  })

  it('is taken relative to where it came from', () => {
    const document = { openapi: '3.0.0', servers: [{ url: '/v1' }], paths: { '/a': { get: {} } } }
    const { tools } = toolsOfOpenApi(document, { env: 'E', documentUrl: 'https://a.example/docs/openapi.json' })
    expect(tools[0]).toMatchObject({ id: 'E_get_a', executor: { target: 'https://a.example/v1/a' } })
  })

  it('leads nowhere by references: loops, chains, and schemas that grow without end', () => {
    const operation = (schema: object) => ({
      openapi: '3.0.0',
      servers: [{ url: 'https://a.example' }],
      paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
      components: {
        schemas: {
          Loop: { $ref: '#/components/schemas/Loop' },
          Wide: {
            properties: Object.fromEntries(
              Array.from({ length: 9 }, (_, n) => [`p${n}`, { $ref: '#/components/schemas/Wide2' }]),
            ),
          },
          Wide2: {
            properties: Object.fromEntries(
              Array.from({ length: 99 }, (_, n) => [`q${n}`, { $ref: '#/components/schemas/Wide' }]),
            ),
          },
        },
      },
    })
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    expect(failure(() => toolsOfOpenApi(operation(ref('Loop')), { env: 'E' })).message).toContain('MAX_REFERENCES')
    expect(JSON.stringify(toolsOfOpenApi(operation(ref('Wide')), { env: 'E' })).length).toBeLessThan(60_000)
    expect(failure(() => toolsOfOpenApi(operation(ref('__proto__')), { env: 'E' })).message).toContain('nowhere')
  })
})

describe('a document that is small, and large when it is followed', () => {
  const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))
  /** Operations that all take the same schema. */
  const withSchema = (operations: number, schema: object, more: object = {}) => ({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example' }],
    paths: Object.fromEntries(
      many(operations, (n) => [
        `/${n}`,
        {
          post: {
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/S' } } } },
            ...more,
          },
        },
      ]),
    ),
    components: { schemas: { S: schema } },
  })
  const fields = (count: number) => Object.fromEntries(many(count, (n) => [`p${n}`, {}]))

  it.each([
    ['required names', { required: many(50_000, (n) => `p${n}`) }],
    ['values', { enum: many(50_000, (n) => n) }],
    ['schemas in allOf', { allOf: many(50_000, (n) => ({ properties: { [`p${n}`]: {} } })) }],
  ])('has tools with few of its %s, at once', (_, schema) => {
    const { tools } = toolsOfOpenApi(withSchema(150, schema), { env: 'E' })
    expect(tools).toHaveLength(150)
    for (const tool of tools) expect(JSON.stringify(tool).length).toBeLessThan(20_000)
  })

  it('is refused when it refers to large parts without end, in a moment', async () => {
    const bounded = (document: object) => failure(() => toolsOfOpenApi(document, { env: 'E' }))
    await expectCost(
      () => {
        expect(bounded(withSchema(2_000, { properties: fields(50_000) })).message).toContain('MAX_API_DOCUMENT_WORK')
        const description = 'x'.repeat(4_000)
        const long = Object.fromEntries(many(100, (n) => [`p${n}`, { description }]))
        expect(bounded(withSchema(100, { properties: long })).message).toContain('MAX_IMPORTED_BYTES')
      },
      { below: () => 30 * plainPassMs(MAX_API_DOCUMENT_WORK) },
    )
  })

  it('counts two bytes for each character of tools in scripts beyond Latin-1, as they are sent', () => {
    const long = (one: string) => Object.fromEntries(many(100, (n) => [`p${n}`, { description: one.repeat(2_000) }]))
    const half = (one: string) => withSchema(80, { properties: long(one) })
    expect(toolsOfOpenApi(half('é'), { env: 'E' }).tools).toHaveLength(80)
    expect(failure(() => toolsOfOpenApi(half('中'), { env: 'E' })).message).toContain('MAX_IMPORTED_BYTES')
  })

  it('is put together of many parts by thousands of operations, in seconds', async () => {
    await expectCost(
      () => {
        const parts = many(390, (n) => ({ properties: Object.fromEntries(many(300, (m) => [`p${n}_${m}`, {}])) }))
        expect(toolsOfOpenApi(withSchema(500, { allOf: parts }), { env: 'E' }).tools).toHaveLength(500)
        const names = { required: many(390, (n) => `p${n}`) }
        const refused = failure(() =>
          toolsOfOpenApi(withSchema(2_000, { allOf: many(390, () => names) }), { env: 'E' }),
        )
        expect(refused.message).toContain('MAX_API_DOCUMENT_WORK')
      },
      { below: () => 80 * plainPassMs(MAX_API_DOCUMENT_WORK) },
    )
  })

  it('gives thousands that are called alike a name each, at once', () => {
    const { tools } = toolsOfOpenApi(withSchema(5_000, {}, { operationId: 'same' }), { env: 'E' })
    expect(new Set(tools.map(({ id }) => id)).size).toBe(5_000)
    const url = 'https://a.example'
    const parameters = many(50_000, () => ({ name: 'é' }))
    const api = {
      tool_name: 't',
      api_list: [
        { name: 'a', url, required_parameters: parameters },
        { name: 'b', url },
      ],
    }
    expect(toolsOfRapidApi(api, { env: 'E' })).toMatchObject({ tools: [{ id: 'E_rapi_t_b' }], skippedCount: 1 })
  })
})

it('changes no prototype by the names that it gives', () => {
  const text = `{"openapi": "3.1.0", "servers": [{"url": "https://a.example"}], "paths": {
    "/a": {"get": {"parameters": [{"name": "__proto__", "in": "query"}]}},
    "/{__proto__}": {"post": {"requestBody": {"content": {"application/json": {"schema": {"properties": {"__proto__": {}}}}}}}}
  }}`
  const { tools, skippedCount } = toolsOfOpenApi(JSON.parse(text), { env: 'E' })
  expect(skippedCount).toBe(1)
  expect(tools).toMatchObject([{ executor: { target: 'https://a.example/{proto_path}' } }])
  expect(Object.getPrototypeOf(tools[0]?.input_schema.properties)).toBe(Object.prototype)
})

describe('a document', () => {
  it.each([
    ['{"a": ', 'is none'],
    ['a: [1', 'line 1: this is not YAML'],
    ['a: 1\nb: }', 'line 2: this is not YAML'],
    ['', 'empty'],
    ['a: &a [*a]', 'YAML'],
    [`${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'MAX_JSON_DEPTH'],
    [`a: ${'['.repeat(100)}${']'.repeat(100)}`, 'MAX_YAML_DEPTH'],
    [`a: &a 1\nb: [${'*a,'.repeat(300_000)}]`, 'MAX_YAML'],
    ['x'.repeat(4_000_001), 'MAX_YAML_CHARS'],
    [`{${' '.repeat(12_000_000)}}`, 'MAX_API_DOCUMENT_CHARS'],
  ])('that is hostile or broken is refused in words: %#', (text, message) => {
    expect(failure(() => readDocument(text)).message).toContain(message)
  })
})

describe("RapidAPI's", () => {
  const WEATHER = {
    tool_name: 'Open Weather Map',
    tool_description: 'Weather.',
    category: 'Weather',
    host: 'weather.p.rapidapi.com',
    api_list: [
      {
        name: 'Current (by city)',
        url: 'https://weather.p.rapidapi.com/weather/{country}',
        description: 'Now.',
        method: 'GET',
        required_parameters: [
          { name: 'q', type: 'STRING', description: 'City', default: 'London' },
          { name: 'country', type: 'STRING', description: '', default: '' },
        ],
        optional_parameters: [{ name: 'days', type: 'NUMBER', description: 'How many', default: 3 }],
      },
      {
        name: 'class',
        url: 'https://weather.p.rapidapi.com/x',
        method: 'POST',
        required_parameters: [{ name: 'a', type: 'ENUM' }],
      },
    ],
  }

  it("tools have XAgent's names and types, and go to the API's own host", () => {
    const { tools, secrets } = toolsOfRapidApi(WEATHER, { env: 'RapidAPIEnv' })
    expect(tools.map(({ id }) => id)).toEqual([
      'RapidAPIEnv_rapi_open_weather_map_current_by_city',
      'RapidAPIEnv_rapi_open_weather_map_is_class',
    ])
    expect(tools[0]).toMatchObject({
      description: 'Weather.\nNow.',
      input_schema: {
        properties: {
          q: { type: 'string', description: 'City', default: 'London' },
          country: { type: 'string' },
          days: { type: 'integer', default: 3 },
        },
        required: ['q', 'country'],
      },
      executor: {
        target: 'https://weather.p.rapidapi.com/weather/{country}',
        request: {
          method: 'GET',
          query: { q: { arg: 'q' }, days: { arg: 'days' } },
          headers: { 'X-RapidAPI-Host': 'weather.p.rapidapi.com' },
          auth: [{ type: 'header', name: 'X-RapidAPI-Key', secret: 'RAPIDAPI_KEY' }],
        },
      },
    })
    expect(tools[1]?.executor).toMatchObject({ request: { method: 'POST', body: { as: 'json', fields: { a: 'a' } } } })
    expect(secrets).toEqual([{ name: 'RAPIDAPI_KEY', of: 'X-RapidAPI-Key' }])
  })

  it('as XAgent keeps them are asked of a ToolBench server', () => {
    const code = `async def rapi_gs1_parse(self,*args,**kwargs):\n    '''Parse barcodes\n    \n    \n\n    :param string q: Data, defaults to 01\n    :param integer? n: How\n      many\n    '''\n`
    const infos = { rapi_gs1_parse: { api_name: 'parse', category: 'Logistics', tool_name: 'gs1', code } }
    const { tools } = toolsOfRapidApi(infos, { env: 'RapidAPIEnv', baseUrl: 'https://toolbench.example/rapidapi' })
    expect(tools[0]).toMatchObject({
      id: 'RapidAPIEnv_rapi_gs1_parse',
      description: 'Parse barcodes',
      input_schema: {
        properties: {
          q: { type: 'string', description: 'Data, defaults to 01', default: '01' },
          n: { type: 'integer', description: 'How many' },
        },
        required: ['q'],
      },
      executor: {
        target: 'https://toolbench.example/rapidapi',
        request: {
          method: 'POST',
          body: { fixed: { category: 'Logistics', tool_name: 'gs1', api_name: 'parse' }, under: 'tool_input' },
        },
      },
    })
    expect(failure(() => toolsOfRapidApi(infos, { env: 'RapidAPIEnv' })).message).toContain('base_url')
    expect(failure(() => toolsOfRapidApi({ a: 1 }, { env: 'E' })).message).toContain('tool_name')
  })
})

describe('names', () => {
  it("are made by the original's rule", () => {
    expect(standardName('  Get Weather!! (v2)__天气-查询^ ')).toBe('get_weather_v2_天气_查询^')
    expect(standardCallName('ID')).toBe('is_id')
  })

  it('of envs have no "_", and are none that nodes have already', () => {
    expect(envName('RapidAPIEnv')).toBe('RapidAPIEnv')
    for (const bad of ['my_env', '', '1a', 'é', 'FileSystemEnv', 'x'.repeat(61)]) {
      expect(failure(() => envName(bad)).code).toBe('invalid_input')
    }
    for (const { name } of ENVS) expect(OWN_ENVS).toContain(name)
  })
})
