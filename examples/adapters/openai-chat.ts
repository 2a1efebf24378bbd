import OpenAI from 'openai'
import { definitions, openaiChatResults } from '../../src/client/adapters/index.ts' // yours: 'toolyard/adapters'
import { Toolyard } from '../../src/client/index.ts' // yours: 'toolyard/client'

const baseUrl = process.env.TOOLYARD_BASE_URL ?? 'http://localhost:8001'
const [task = 'Draw a picture with Python, look at it, and say what you see.', model = 'gpt-5.5'] =
  process.argv.slice(2)

const toolyard = new Toolyard({ baseUrl, apiKey: process.env.TOOLYARD_API_KEY })
await using session = await toolyard.sessions.create()
const tools = await definitions(toolyard, 'openai', { names: ['file_write', 'execute_shell', 'image_read'] })
const openai = new OpenAI()

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: task }]
for (let turn = 0; turn < 20; turn++) {
  const [choice] = (await openai.chat.completions.create({ model, tools, messages })).choices
  if (!choice) break
  if (choice.message.content) console.log(choice.message.content)
  const results = await openaiChatResults(session, choice.message)
  if (results.length === 0) break
  messages.push(choice.message, ...results)
}
