import {
  acceptedContent,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { form } from './input-required.ts'
import { PNG } from './media.ts'

interface PromptFixture extends Prompt {
  get(given: Readonly<Record<string, string>>, request: ServerContext): GetPromptResult | InputRequiredResult
}

const messages = (...contents: GetPromptResult['messages'][number]['content'][]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})
const text = (words: string) => ({ type: 'text', text: words }) as const
const required = (name: string) => ({ name, description: name, required: true })

const PROMPTS: readonly PromptFixture[] = [
  {
    name: 'test_simple_prompt',
    description: 'Has no arguments.',
    get: () => messages(text('This is a simple prompt for testing.')),
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'Has two arguments.',
    arguments: [required('arg1'), required('arg2')],
    get: ({ arg1, arg2 }) => messages(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Has a resource.',
    arguments: [required('resourceUri')],
    get: ({ resourceUri = '' }) =>
      messages(
        { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'An embedded resource.' } },
        text('Please process the embedded resource above.'),
      ),
  },
  {
    name: 'test_prompt_with_image',
    description: 'Has an image.',
    get: () => messages({ type: 'image', data: PNG, mimeType: 'image/png' }, text('Please analyze the image above.')),
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'Asks a question first.',
    get: (_, { mcpReq }) => {
      const content = acceptedContent(mcpReq.inputResponses, 'user_context')
      if (content) return messages(text(`The context is ${content.context}.`))
      return inputRequired({ inputRequests: { user_context: form('What context should the prompt use?', 'context') } })
    },
  },
]

/** Adds the suite's prompts, and completion of their arguments. */
export function installPrompts(server: Server): void {
  server.registerCapabilities({ prompts: { listChanged: true }, completions: {} })
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS.map(({ get: _, ...prompt }) => prompt) }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }, request) => {
    const found = PROMPTS.find((prompt) => prompt.name === name)
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt ${name}`)
    return found.get(given, request)
  })
  server.setRequestHandler('completion/complete', ({ params: { argument } }) => {
    const values = ['testing', 'test', 'text'].filter((word) => word.startsWith(argument.value))
    return { completion: { values, total: values.length, hasMore: false } }
  })
}
