import OpenAI from 'openai'
import { definitions, openaiResponsesResults } from '../../src/client/adapters/index.ts' // yours: 'toolyard/adapters'
import { Toolyard } from '../../src/client/index.ts' // yours: 'toolyard/client'

const baseUrl = process.env.TOOLYARD_BASE_URL ?? 'http://localhost:8001'
const [task = 'Draw a picture with Python, look at it, and say what you see.', model = 'gpt-5.5'] =
  process.argv.slice(2)

const toolyard = new Toolyard({ baseUrl, apiKey: process.env.TOOLYARD_API_KEY })
await using session = await toolyard.sessions.create()
const tools = await definitions(toolyard, 'openai_responses', { names: ['file_write', 'execute_shell', 'image_read'] })
const openai = new OpenAI()

const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: task }]
for (let turn = 0; turn < 20; turn++) {
  const { output, output_text } = await openai.responses.create({ model, tools, input })
  if (output_text) console.log(output_text)
  const results = await openaiResponsesResults(session, output)
  if (results.length === 0) break
  // The package's types of what is answered are wider than those of what is sent.
  input.push(...(output as OpenAI.Responses.ResponseInput), ...results)
}
