import { z } from 'zod'
import { defineTool } from '../define.ts'

export const toolList = defineTool({
  name: 'tool_list',
  description: 'List the tools that were made in this session by tool_create.',
  effect: 'read',
  uses: ['madeTools'],
  input: z.object({}),

  async run(_, { ports: { madeTools } }) {
    const tools = madeTools.list().map(({ id, description, input_schema, executor }) => ({
      tool_id: id,
      description,
      input_schema,
      kind: executor.kind,
    }))
    const text = tools.map(({ tool_id, description }) => `${tool_id}: ${description}`).join('\n')
    return { text: text || 'this session made no tools', data: { tools } }
  },
})
