import { expect, it } from 'vitest'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { needsMore, needsOf } from '../../../src/registry/needs.ts'

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
