import { createMCPClient } from '@ai-sdk/mcp'
import { generateText, stepCountIs } from 'ai'
import { standIn } from './stand-ins/ai-sdk.ts'

const [url = 'http://localhost:8001/mcp', task = 'What is 6 times 7? Compute it.'] = process.argv.slice(2)

const toolyard = await createMCPClient({ transport: { type: 'http', url } })
const { text } = await generateText({
  model: standIn, // or a model of a provider: anthropic('…'), openai('…')
  tools: await toolyard.tools(),
  stopWhen: stepCountIs(20),
  prompt: task,
})
console.log(text)
await toolyard.close()
