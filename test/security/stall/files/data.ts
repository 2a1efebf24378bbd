import { type HostileFile, ofTexts } from '../hostile-file.ts'

const YAML: Readonly<Record<string, () => string>> = {
  brackets: () => '['.repeat(1_048_000),
  braces: () => '{'.repeat(1_048_000),
  'lists within lists': () => '- '.repeat(500_000),
  'keys within keys': () => Array.from({ length: 1_400 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
  'aliases that double': () =>
    `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join('\n')}`,
  'merges that double': () =>
    `a0: &a0 {x: 1}\n${Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} {b: {<<: *a${at}}, c: {<<: *a${at}}}`).join('\n')}`,
  'an alias of what is around it': () => 'a: &a [*a, *a]',
  'very many documents': () => '---\na\n'.repeat(150_000),
  'one long text': () => `a: ${'x '.repeat(500_000)}`,
  'one long text in quotes': () => `a: "${'\\x41'.repeat(250_000)}"`,
  'a text that is folded': () => `a: >\n${'  x\n\n'.repeat(150_000)}`,
  comments: () => '#\n'.repeat(500_000),
  'question marks': () => '? '.repeat(500_000),
  anchors: () => '&a '.repeat(300_000),
  tags: () => '!a '.repeat(300_000),
  spaces: () => `a:${' '.repeat(1_000_000)}b`,
  tabs: () => '\t'.repeat(1_000_000),
  'keys that are the same': () => 'a: 1\n'.repeat(200_000),
  'a long key': () => `${'a'.repeat(1_000_000)}: 1`,
  'words that could be numbers': () => `a: ${'1_'.repeat(500_000)}`,
  'words that could be times': () => `a: ${'1:'.repeat(500_000)}`,
}

const JSONS: Readonly<Record<string, () => string>> = {
  brackets: () => '['.repeat(5_000_000),
  braces: () => '{"a":'.repeat(1_000_000),
  'quotes and backslashes': () => '"\\'.repeat(2_500_000),
  'backslashes before a quote': () => `"${'\\'.repeat(4_999_999)}"`,
  digits: () => '9'.repeat(5_000_000),
  'numbers that are too exact': () => `[${'12345678901234567890123,'.repeat(200_000)}1]`,
  'an exponent': () => `1e${'9'.repeat(4_000_000)}`,
  'keys that are the same': () => `{${'"a":1,'.repeat(700_000)}"a":1}`,
  spaces: () => `${' '.repeat(4_900_000)}x`,
  escapes: () => `"${'\\u0041'.repeat(800_000)}`,
  'very many values': () => `[${'1,'.repeat(999_998)}1]`,
}

const api = (paths: string, components = '{}') =>
  `{"openapi":"3.0.0","info":{"title":"A","version":"1"},"servers":[{"url":"https://a.example"}],"paths":${paths},"components":${components}}`
const doubling = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `s${at}`,
      {
        type: 'object',
        properties: { a: { $ref: `#/components/schemas/s${at + 1}` }, b: { $ref: `#/components/schemas/s${at + 1}` } },
      },
    ]),
  )
const operation = (schema: string) =>
  `{"post":{"operationId":"a","requestBody":{"content":{"application/json":{"schema":${schema}}}},"responses":{}}}`

const OPENAPI: Readonly<Record<string, () => string>> = {
  'schemas that refer to each other twice': () =>
    api(`{"/a":${operation('{"$ref":"#/components/schemas/s0"}')}}`, JSON.stringify({ schemas: doubling(60) })),
  'schemas that refer to themselves': () =>
    api(
      `{"/a":${operation('{"$ref":"#/components/schemas/a"}')}}`,
      '{"schemas":{"a":{"$ref":"#/components/schemas/a"}}}',
    ),
  'very many operations with one large schema': () =>
    api(
      `{${Array.from({ length: 4_000 }, (_, at) => `"/a${at}":${operation('{"$ref":"#/components/schemas/a"}')}`).join(',')}}`,
      JSON.stringify({
        schemas: {
          a: {
            type: 'object',
            properties: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, { type: 'string' }])),
          },
        },
      }),
    ),
  'a path of very many parameters': () => api(`{"/${'{a}'.repeat(200_000)}":{"get":{"responses":{}}}}`),
  'a path of braces': () => api(`{"/${'{'.repeat(1_000_000)}":{"get":{"responses":{}}}}`),
  'a server of slashes': () =>
    api('{"/a":{"get":{"responses":{}}}}').replace('https://a.example', `https://a.example${'/'.repeat(1_000_000)}x`),
  'a name of marks': () => api(`{"/a":{"get":{"operationId":"${'_'.repeat(1_000_000)}x","responses":{}}}}`),
  'a description of a megabyte': () => api(`{"/a":{"get":{"description":"${' \\n'.repeat(500_000)}","responses":{}}}}`),
  'a reference of a megabyte': () => api(`{"/a":{"$ref":"#/${'~1/'.repeat(500_000)}"}}`),
  'all of all of': () => api(`{"/a":${operation(`${'{"allOf":['.repeat(25)}{}${']}'.repeat(25)}`)}}`),
}

const XML: Readonly<Record<string, () => string>> = {
  'elements within each other': () => '<a>'.repeat(500_000),
  'very many elements': () => `<a>${'<b/>'.repeat(1_200_000)}</a>`,
  'entities that double': () =>
    `<!DOCTYPE a [<!ENTITY a "x">${Array.from({ length: 40 }, (_, at) => `<!ENTITY b${at} "&b${at - 1};&b${at - 1};">`).join('')}]><a>&b39;</a>`,
  attributes: () => `<a ${Array.from({ length: 200_000 }, (_, at) => `b${at}="x"`).join(' ')}/>`,
  'words without values': () => `<a ${'b '.repeat(1_500_000)}/>`,
  'an attribute that does not end': () => '<a b="'.repeat(500_000),
  'equal signs': () => `<a ${'= '.repeat(1_000_000)}/>`,
  'comments that do not end': () => `<a>${'<!--'.repeat(800_000)}`,
  'instructions that do not end': () => `<a>${'<?'.repeat(800_000)}`,
  references: () => `<a>${'&#x41;&amp;&a;&'.repeat(250_000)}</a>`,
  declarations: () => `<a>${'<!A>'.repeat(500_000)}</a>`,
}

export const data: readonly HostileFile[] = [
  ...ofTexts('yaml', YAML),
  ...ofTexts('json', JSONS),
  ...ofTexts('openapi', {
    ...OPENAPI,
    ...Object.fromEntries(Object.entries(YAML).map(([name, text]) => [`${name} as YAML`, text])),
  }),
  ...ofTexts('xml', XML),
]
