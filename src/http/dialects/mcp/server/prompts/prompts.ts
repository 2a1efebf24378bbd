import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import { MAX_PROMPT_ARGUMENT_CHARS } from '../../../../../core/limits/mcp-resources.ts'
import type { McpContext } from '../../context.ts'
import { PROMPTS } from './texts.ts'

/** Adds prompts that teach a model to work with this server. */
export function installPrompts(server: Server, context: McpContext): void {
  server.registerCapabilities({ prompts: { listChanged: false } })
  server.setRequestHandler('prompts/list', async () => ({
    prompts: PROMPTS.map(({ text: _, ...prompt }) => prompt),
  }))
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }) => {
    const prompt = PROMPTS.find((one) => one.name === name)
    if (!prompt) refuse(`there is no such prompt; there are ${PROMPTS.map((one) => one.name).join(', ')}`)
    for (const argument of prompt.arguments ?? []) {
      const value = given[argument.name]?.trim() ?? ''
      if (argument.required && value === '')
        refuse(`the argument "${argument.name}" is missing; it says: ${argument.description}`)
      if (value.length > MAX_PROMPT_ARGUMENT_CHARS)
        refuse(
          `the argument "${argument.name}" has more than ${MAX_PROMPT_ARGUMENT_CHARS} characters (MAX_PROMPT_ARGUMENT_CHARS)`,
        )
    }
    const text = `${prompt.text(given)}\n\n${HOW_TO_FIND[context.endpoint.tools.kind]}`
    return { description: prompt.description ?? '', messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
}

function refuse(message: string): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

/** Advice on a tool that the client's list does not show. */
const LISTED =
  'If your list lacks a tool that is named here, it is offered at the address of this server with ?tools=all.'
const HOW_TO_FIND = {
  all: 'All tools that are named here are in your list, unless your key may not call them.',
  core: LISTED,
  toolkits: LISTED,
  search:
    'Find the tools by `search_tools`, read how they are called by `describe_tools`, and call them by `call_tool`.',
} as const
