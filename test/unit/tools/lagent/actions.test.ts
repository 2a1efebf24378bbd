import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { LAGENT_ACTIONS } from '../../../../src/lagent/built-in/action-table.ts'
import { describeAction, lagentAction } from '../../../../src/lagent/built-in/actions.ts'
import { LAGENT_VARIANTS } from '../../../../src/lagent/built-in/variants.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { lagentError, lagentState } from '../../../../src/tools/lagent/state.ts'

const APIS = [...LAGENT_ACTIONS, ...LAGENT_VARIANTS].flatMap(({ name, apis }) =>
  apis.map((api) => ({ ...api, of: name })),
)
const TOOLS = new Map(catalog.toolkits().flatMap(({ tools }) => tools.map((tool) => [tool.name, tool])))
const TYPES = { STRING: ['string'], NUMBER: ['integer'], FLOAT: ['number'], BOOLEAN: ['boolean'], Array: ['array'] }

interface Schema {
  readonly properties: Readonly<Record<string, { readonly type?: string; readonly anyOf?: readonly unknown[] }>>
  readonly required?: readonly string[]
}

describe("Lagent's actions", () => {
  it.each(APIS)('$of.$name is done by the tool $tool, which takes the same arguments', ({ tool, parameters }) => {
    const { properties = {}, required = [] } = (TOOLS.get(tool)?.inputSchema ?? {}) as Partial<Schema>
    expect(Object.keys(properties)).toEqual(parameters.map(({ name }) => name))
    expect(required).toEqual(parameters.filter((one) => one.required).map(({ name }) => name))
    for (const { name, type } of parameters) {
      // Two lists are described as one item there, since Lagent looks for a word in the type's text.
      const isMisnamed = name === 'select_ids' || (name === 'query' && tool === 'browser_search')
      expect([name, isMisnamed || TYPES[type].includes(properties[name]?.type ?? '')]).toEqual([name, true])
    }
  })

  it('describe themselves as Lagent writes it, a tool and a toolkit', () => {
    const described = (name: string) => {
      const action = lagentAction(name)
      return action && describeAction(action)
    }
    expect(described('GoogleSearch')).toEqual({
      name: 'GoogleSearch',
      description: expect.stringMatching(/^一个可以从谷歌搜索结果的API/),
      parameters: [
        { name: 'query', type: 'STRING', description: 'the search content' },
        { name: 'k', type: 'NUMBER', description: 'select first k results in the search results as response' },
      ],
      required: ['query'],
    })
    expect(described('ArxivSearch')).toEqual({
      name: 'ArxivSearch',
      description: expect.stringMatching(/^Search information from Arxiv\.org\. Useful/),
      api_list: [
        {
          name: 'get_arxiv_article_information',
          description: 'Run Arxiv search and get the article meta information.',
          parameters: [{ name: 'query', type: 'STRING', description: 'the content of search query' }],
          required: ['query'],
          return_data: [{ name: 'content', description: 'a list of 3 arxiv search papers', type: 'STRING' }],
        },
      ],
    })
    expect(described('NoSuchAction')).toBeUndefined()
    expect(described('IPythonInteractiveManager')).toEqual({
      name: 'IPythonInteractiveManager',
      description: 'An interactive IPython shell manager for code execution',
      parameters: [],
      required: [],
    })
  })

  it('have a variant each for programs that do not wait, which differs by its name and in two places', () => {
    const names = LAGENT_ACTIONS.map(({ name }) => name)
    expect(LAGENT_VARIANTS.slice(0, names.length).map(({ name }) => name)).toEqual(names.map((name) => `Async${name}`))
    const shown = (name: string) => {
      const action = lagentAction(name)
      return action && { ...describeAction(action), name: '' }
    }
    const differing = names.filter((name) => !isDeepStrictEqual(shown(name), shown(`Async${name}`)))
    expect(differing).toEqual(['IPythonInterpreter', 'WebBrowser'])
    expect(shown('AsyncIPythonInterpreter')).toMatchObject({
      parameters: [{ name: 'command' }, { name: 'timeout' }, { name: 'session_id', type: 'STRING', description: '' }],
      required: ['command'],
    })
    expect(shown('AsyncWebBrowser')).toMatchObject({
      api_list: [
        {
          name: 'search',
          description: 'BING search API',
          parameters: [{ name: 'query', type: 'STRING', description: 'list of search query strings' }],
        },
        { name: 'select' },
        { name: 'open_url' },
      ],
    })
  })

  it("turn how a call ended into Lagent's state and message", () => {
    const json = { answer: 'json' } as const
    const text = { answer: 'text' } as const
    const done = (data: Record<string, unknown>) => ({ kind: 'done', result: { text: '', data } }) as const
    const failed = (code: 'upstream' | 'not_found' | 'invalid_input') =>
      ({ kind: 'failed', failure: { code, message: 'why' } }) as const
    const refused = { kind: 'refused', failure: { code: 'invalid_input', message: 'why' } } as const
    expect([lagentState(done({}), text), lagentError(done({}), text)]).toEqual([0, null])
    // A page that cannot be opened is an answer of the browser; an error in the user's code is none of the interpreter.
    expect([lagentState(done({ error: 'E' }), json), lagentError(done({ error: 'E' }), json)]).toEqual([0, null])
    expect([lagentState(done({ error: 'E' }), text), lagentError(done({ error: 'E' }), text)]).toEqual([-1002, 'E'])
    expect(lagentError(done({ error: 'E', notes: ['the sandbox is a new one'] }), text)).toBe(
      'E\nthe sandbox is a new one',
    )
    expect([lagentState(refused, json), lagentError(refused, json)]).toEqual([-1001, 'why'])
    expect(lagentState(failed('upstream'), json)).toBe(-1000)
    expect(lagentState(failed('invalid_input'), json)).toBe(-1002)
    expect(lagentState(failed('not_found'), { answer: 'json', failsAsHttp: true })).toBe(-1000)
  })
})
