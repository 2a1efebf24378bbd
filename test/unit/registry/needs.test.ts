import { expect, it } from 'vitest'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { needsMore, needsOf } from '../../../src/registry/needs.ts'
import { catalog } from '../../../src/tools/catalog.ts'

const asking = (target: string) =>
  needsOf(
    ToolDefinition.parse({ id: 'a', name: 'a', description: '', input_schema: {}, executor: { kind: 'http', target } }),
  )

it('names the host that is asked, however the address is written', () => {
  for (const target of ['https://api.example/x', 'https:api.example/x', 'https:/api.example', 'HTTPS:///API.example']) {
    expect([target, asking(target).hosts]).toEqual([target, ['https://api.example']])
  }
  expect(needsMore(asking('https:good.example/x'), asking('https:evil.example/x'))).toEqual([
    'the host https://evil.example',
  ])
})

it('says that a chain runs code when a tool in it does', () => {
  const chain = (tool: string) =>
    needsOf(
      ToolDefinition.parse({
        ...{ id: 'a', name: 'a', description: '', input_schema: {} },
        executor: { kind: 'chain', chain: { steps: [{ id: 'a', tool }] } },
      }),
    )
  const tools = [...catalog.list(), ...catalog.toolkits().flatMap((toolkit) => toolkit.tools)]
  const running = new Set(tools.filter(({ effect }) => effect === 'run').map(({ name }) => name))
  const jobs = ['job_list', 'job_output', 'job_stop']
  const harmless = [
    'git_clone',
    'ipython_reset',
    ...jobs,
    'parse_document',
    'registered_call',
    'shell_read',
    'tex2pdf_convert',
  ]
  expect([...running].filter((name) => !chain(name).code).sort()).toEqual(harmless)
  expect(chain('file_write').code).toBe(false)
  expect(needsMore(chain('file_write'), chain('execute_shell'))).toEqual(['the tool execute_shell', 'to run code'])
})
