import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { definitions, toolResult } from '../../src/client/adapters/index.ts' // yours: 'toolyard/adapters'
import { Toolyard } from '../../src/client/index.ts' // yours: 'toolyard/client'

const baseUrl = process.env.TOOLYARD_BASE_URL ?? 'http://localhost:8001'
const [task = 'Draw a picture with Python, look at it, and say what you see.', model = 'gpt-5.5'] =
  process.argv.slice(2)

const toolyard = new Toolyard({ baseUrl, apiKey: process.env.TOOLYARD_API_KEY })
await using session = await toolyard.sessions.create()
const found = await definitions(toolyard, 'mcp', { names: ['file_write', 'execute_shell', 'image_read'] })
const tools = found.map(({ name, description, inputSchema: schema }) => {
  const call = async (args: unknown) => {
    const { text, images, isError } = await toolResult(session, name, args)
    const said = isError ? `Error: ${text}` : text
    const pictures = images.map(({ mediaType, data }) => ({ type: 'image', mimeType: mediaType, data }))
    return pictures.length === 0 ? said : [{ type: 'text', text: said }, ...pictures]
  }
  return tool(call, { name, description, schema })
})

// Of OpenAI's APIs only that of responses takes a picture as the result of a tool.
const agent = createAgent({ model: new ChatOpenAI({ model, useResponsesApi: true }), tools })
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: task }] }, { recursionLimit: 40 })
console.log(messages.at(-1)?.text)
