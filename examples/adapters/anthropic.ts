import Anthropic from '@anthropic-ai/sdk'
import { anthropicResults, definitions } from '../../src/client/adapters/index.ts' // yours: 'toolyard/adapters'
import { Toolyard } from '../../src/client/index.ts' // yours: 'toolyard/client'

const baseUrl = process.env.TOOLYARD_BASE_URL ?? 'http://localhost:8001'
const [task = 'Draw a picture with Python, look at it, and say what you see.', model = 'claude-sonnet-5-5'] =
  process.argv.slice(2)

const toolyard = new Toolyard({ baseUrl, apiKey: process.env.TOOLYARD_API_KEY })
await using session = await toolyard.sessions.create()
const tools = await definitions(toolyard, 'anthropic', { names: ['file_write', 'execute_shell', 'image_read'] })
const claude = new Anthropic()

const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }]
for (let turn = 0; turn < 20; turn++) {
  const { content } = await claude.messages.create({ model, max_tokens: 4096, tools, messages })
  for (const block of content) if (block.type === 'text') console.log(block.text)
  const results = await anthropicResults(session, content)
  if (results.length === 0) break
  messages.push({ role: 'assistant', content }, { role: 'user', content: results })
}
