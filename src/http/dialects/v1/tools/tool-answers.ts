import * as z from 'zod'
import { MAX_AGENT_CHARS, MAX_TOOL_ID_CHARS } from '../../../../core/limits/registry.ts'
import {
  MAX_NAMED_TOOLS,
  MAX_RETRIEVED_TOOLS,
  MAX_TOOL_QUESTION_CHARS,
  MAX_TOOLS_PAGE,
  TOOLS_PAGE,
} from '../../../../core/limits/tool-search.ts'
import { flag, withDefault } from '../../../../tools/arguments.ts'
import { PageOf, pageQuery } from '../../../operations/page.ts'
import { FORMATS } from './exports/formats.ts'

const anyFields = z.record(z.string(), z.unknown())

const agent = z
  .string()
  .min(1)
  .max(MAX_AGENT_CHARS)
  .optional()
  .meta({ description: 'Name of the agent that would call: tools that it may not call are left out.' })

/** Query of a list of tools. */
export const ToolsQuery = z.strictObject({
  ...pageQuery(MAX_TOOLS_PAGE, TOOLS_PAGE),
  q: z
    .string()
    .trim()
    .min(1)
    .max(MAX_TOOL_QUESTION_CHARS)
    .optional()
    .meta({
      description: `What the tool should do, in plain words: the best come first, ${MAX_RETRIEVED_TOOLS} at most.`,
    }),
  toolkit: z.string().min(1).max(MAX_TOOL_ID_CHARS).optional().meta({ description: 'Tools of this toolkit alone.' }),
  names: z
    .string()
    .min(1)
    .max(MAX_NAMED_TOOLS * (MAX_TOOL_ID_CHARS + 1))
    .optional()
    .meta({ description: `Names with commas between them, ${MAX_NAMED_TOOLS} at most: these tools, in this order.` }),
  agent,
  format: z
    .enum(FORMATS)
    .optional()
    .meta({ description: 'Definitions as this provider of models, or MCP, takes them, under names that it takes.' }),
  strict: withDefault(flag, false).meta({
    description: "OpenAI's strict form, where a tool's schema has one.",
    'x-default': false,
  }),
})

export const ToolQuery = z.strictObject({ agent })

const shown = {
  name: z.string().meta({ description: 'Name that calls have as `tool`.' }),
  kind: z.enum(['server', 'registered']).meta({ description: "Whether it is the server's, or was registered." }),
  title: z.string().nullable().meta({ description: 'Name for people, of a registered tool.' }),
  toolkit: z.string().nullable(),
  description: z.string(),
  effect: z.enum(['read', 'write', 'run', 'fetch']).nullable().meta({
    description:
      '`read`: changes nothing; `write`: changes files; `run`: runs code; `fetch`: asks other services. Null where nobody knows.',
  }),
  input_schema: anyFields.meta({ description: 'JSON Schema of the arguments.' }),
}

export const CallableTool = z.object(shown).meta({ id: 'CallableTool' })

export const ToolDescription = z
  .object({
    ...shown,
    output_schema: anyFields.nullable().meta({ description: 'JSON Schema of the result, where it is known.' }),
    exported_name: z.string().meta({ description: 'Name in exports, which calls may have as well.' }),
    synonyms: z
      .record(z.string(), z.array(z.string()))
      .meta({ description: 'Other names that are taken for an argument, by argument.' }),
    call: z
      .object({ method: z.string(), path: z.string(), body: anyFields, curl: z.string() })
      .meta({ description: 'How it is called, with an example of the required arguments.' }),
  })
  .meta({ id: 'ToolDescription' })

export const ExportedTools = PageOf(anyFields.meta({ description: 'A definition in the form that was asked for.' }))
  .extend({
    format: z.enum(FORMATS),
    names: z.record(z.string(), z.string()).meta({ description: 'Name of each tool here, by its exported name.' }),
    notes: z
      .array(z.object({ tool: z.string(), note: z.string() }))
      .meta({ description: 'What the definitions lack, since the format does not have it.' }),
  })
  .meta({ id: 'ExportedTools' })
