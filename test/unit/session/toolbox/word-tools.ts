import type { SchemaTool } from '../../../../src/ports/toolbox.ts'
import type { ToolSource } from '../../../../src/session/toolbox/source.ts'

const COUNT: SchemaTool = {
  kind: 'tool',
  source: 'words',
  name: 'words.count',
  definition: {
    id: 'words.count',
    name: 'Count words',
    description: 'Counts the words of a text.',
    input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    output_schema: { type: 'integer' },
    executor: { kind: 'source', source: 'words' },
    timeout: 5,
    toolkit: null,
    hidden: false,
    checks: { input: true, output: false },
  },
}

/** Tools for words, which every session has. */
export const wordTools: ToolSource<'tool'> = {
  name: 'words',
  kind: 'tool',
  list: () => [COUNT],
  find: (name) => (name === COUNT.name ? COUNT : null),
  async call({ args }) {
    const words = String(args.text)
      .split(/\s+/)
      .filter((word) => word !== '').length
    return { text: `${words} words`, data: { result: words } }
  },
}
