import { createMCPClient } from '@ai-sdk/mcp'
import { generateText, stepCountIs, type ToolSet } from 'ai'
import { standIn } from './stand-ins/ai-sdk.ts'

const [url = 'http://localhost:8001/mcp', task = 'What is 6 times 7? Compute it.'] = process.argv.slice(2)

const toolyard = await createMCPClient({ transport: { type: 'http', url } })
const { text } = await generateText({
  model: standIn, // or a model of a provider: anthropic('…'), openai('…')
  // Its types are those of the next version of ai; what it makes fits this one.
  tools: (await toolyard.tools()) as unknown as ToolSet,
  stopWhen: stepCountIs(20),
  prompt: task,
})
console.log(text)
await toolyard.close()
