import { createMCPClient } from '@ai-sdk/mcp'
import { openai } from '@ai-sdk/openai'
import { generateText, stepCountIs } from 'ai'

const baseUrl = process.env.TOOLYARD_BASE_URL ?? 'http://localhost:8001'
const [task = 'Draw a picture with Python, look at it, and say what you see.', model = 'gpt-5.5'] =
  process.argv.slice(2)

// The address names the session; with a key: headers: { Authorization: `Bearer ${key}` }.
const toolyard = await createMCPClient({ transport: { type: 'http', url: `${baseUrl}/mcp/s/ai-sdk` } })
const { text } = await generateText({
  model: openai(model),
  tools: await toolyard.tools(),
  stopWhen: stepCountIs(20),
  prompt: task,
})
console.log(text)
await toolyard.close()
