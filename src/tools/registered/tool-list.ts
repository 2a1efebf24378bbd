import * as z from 'zod'
import { defineTool } from '../define.ts'
import { madeBy } from './made.ts'

export const toolList = defineTool({
  name: 'tool_list',
  description:
    'List the tools that were made in this session by tool_create. Runs without a sandbox. Returns tools: tool_id, ' +
    'description, input_schema and kind.',
  effect: 'read',
  uses: ['toolbox'],
  input: z.object({}),

  async run(_, { ports: { toolbox } }) {
    const tools = (await madeBy(toolbox)).map(({ id, description, input_schema, executor }) => ({
      tool_id: id,
      description,
      input_schema,
      kind: executor.kind,
    }))
    const text = tools.map(({ tool_id, description }) => `${tool_id}: ${description}`).join('\n')
    return { text: text || 'this session made no tools', data: { tools } }
  },
})
