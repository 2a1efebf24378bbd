import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { newWork } from '../../../../src/registry/chain/budget.ts'
import { checkChain, type Resolved } from '../../../../src/registry/chain/check.ts'
import { dryRunChain } from '../../../../src/registry/chain/dry-run.ts'
import { evaluate } from '../../../../src/registry/chain/expression/evaluate.ts'
import { FUNCTIONS, LAZY_FUNCTIONS } from '../../../../src/registry/chain/expression/functions.ts'
import { parseExpression } from '../../../../src/registry/chain/expression/parse.ts'
import { ToolDefinition } from '../../../../src/registry/definition.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { done, failed, fakeRun } from './fake-run.ts'

const page = readFileSync('docs/chains.md', 'utf8')
const blocks = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => JSON.parse(text))
const isChain = (block: object) => 'steps' in block && !('ok' in block)
const chains = blocks.filter(isChain)

const INPUT = { topic: 'bees' }
const results = ['a', 'b'].map((name) => ({ title: name, url: `https://${name}.example`, description: '' }))

/** What the tools of the page would give, in the shapes of the real ones. */
const tools = {
  google_search: ({ query }: { query: string }) => done({ query, results, total_results: results.length }),
  google_scholar_search: () => done({ results: [] }),
  crawl_page: ({ url }: { url: string }) =>
    url.includes('b.')
      ? failed('upstream', 'the server of the page does not answer')
      : done({ url, markdown_file: 'upload/crawled_content/a.md' }),
  file_write: ({ file_path }: { file_path: string }) => done({ file_path }),
  file_read: () => failed('not_found', 'no file at notes/plan.md'),
  execute_shell: ({ command }: { command: string }) => done({ exit_code: 0, stdout: `${command.split(' ').length}\n` }),
}

function resolve(name: string): Resolved | null {
  const tool = catalog.list().find((one) => one.name === name)
  return tool ? { kind: 'tool', name, inputSchema: tool.inputSchema } : null
}

describe('docs/chains.md', () => {
  it.each(chains.map((chain, at) => [at, chain] as const))(
    'has a chain %i that the real tools fit and that runs',
    async (_, chain) => {
      const checked = await checkChain(
        chain,
        { name: 'chain.of.the.page', inputSchema: { properties: { topic: {} } } },
        resolve,
      )
      expect(checked.issues).toEqual([])
      const result = await fakeRun(tools).run(chain, INPUT)
      expect(result.failure).toBeUndefined()
      expect(result.output).not.toBeNull()
    },
  )

  it('shows a definition of a tool that can be registered', async () => {
    const { executor } = ToolDefinition.parse(blocks.find((block) => 'executor' in block))
    const { issues } = await checkChain(executor.kind === 'chain' ? executor.chain : null, { name: 'x' }, resolve)
    expect(issues).toEqual([])
  })

  it('shows the result that its first chain has', async () => {
    const [shown] = blocks.filter((block) => 'calls' in block)
    const result = JSON.parse(JSON.stringify(await fakeRun(tools).run(chains[0], INPUT)))
    expect({
      ...result,
      steps: result.steps.map(({ result: _, ms, ...step }: Record<string, unknown>) => step),
      ms: undefined,
    }).toEqual(shown)
  })

  it('shows what a dry run says for a result that is not there yet', async () => {
    const [first] = chains
    const definition = {
      steps: [
        first.steps[0],
        { id: 'n', tool: 'file_write', input: { file_path: 'n', content: '${{ steps.search.result.total_results }}' } },
      ],
    }
    const typed = (name: string): Resolved | null => {
      const tool = resolve(name)
      return tool?.kind === 'tool'
        ? { ...tool, outputSchema: { properties: { total_results: { type: 'integer' } } } }
        : tool
    }
    const { steps } = await dryRunChain(definition, { name: 'x' }, typed)
    const { content } = (steps[1]?.input ?? {}) as { content?: string }
    expect(page).toContain(`\`${content}\``)
  })

  const input = blocks.find((block) => 'hits' in block)
  const [, gives = ''] = /^\| expression \| gives \|\n(.*?)\n\n/ms.exec(page) ?? []
  const rows = [...gives.matchAll(/^\| `(.+)` \| `(.+)` \|$/gm)].map(([, expression = '', value = '']) => [
    expression.replaceAll('\\|', '|'),
    value,
  ])

  it.each(rows)('says what %s gives', (expression, value) => {
    expect(evaluate(parseExpression(expression), { names: new Map([['input', input]]), work: newWork() })).toEqual(
      JSON.parse(value),
    )
  })

  it('lists the functions that there are', () => {
    expect(rows.length).toBeGreaterThan(10)
    const [, table = ''] = /^\| functions \| \|\n\|---\|---\|\n(.*?)\n\n/ms.exec(page) ?? []
    const listed = [...table.matchAll(/^\|((?: `\w+`)+) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/\w+/g)].map(([name]) => name),
    )
    expect(listed.sort()).toEqual([...FUNCTIONS.keys(), ...LAZY_FUNCTIONS.keys()].sort())
  })
})
