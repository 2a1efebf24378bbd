import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { say, tool } from '../../core/saying/saying.ts'
import type { SourcedDefinition } from '../../registry/definition.ts'
import { requiredText } from '../arguments.ts'
import { defineTool } from '../define.ts'
import { madeBy } from './made.ts'

export const toolDelete = defineTool({
  name: 'tool_delete',
  description:
    'Remove a tool that was made in this session by tool_create. Runs without a sandbox. Returns removed: true, and in ' +
    'used_by the tools that call it.',
  effect: 'write',
  uses: ['toolbox'],
  input: z.object({ tool_id: requiredText.describe('Its id; tool_list names all') }),

  async run({ tool_id }, { ports: { toolbox } }) {
    if (!toolbox.remove('session', tool_id)) {
      fail(
        'not_found',
        say`this session made no tool ${tool_id.slice(0, 200)}; ${tool('tool_list')} names those that it made`,
      )
    }
    const usedBy = (await madeBy(toolbox)).flatMap((made) => (calls(made, tool_id) ? [made.id] : []))
    if (usedBy.length === 0) return { text: `removed ${tool_id}`, data: { tool_id, removed: true } }
    const text = `removed ${tool_id}; these call it and fail from now on: ${usedBy.join(', ')}`
    return { text, data: { tool_id, removed: true, used_by: usedBy } }
  },
})

const calls = ({ executor }: SourcedDefinition, id: string) =>
  executor.kind === 'chain' && executor.chain.steps.some(({ tool }) => tool === id)
