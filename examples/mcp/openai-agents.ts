import { Agent, MCPServerStreamableHttp, run, setTracingDisabled } from '@openai/agents'
import { standIn } from './stand-ins/openai-agents.ts'

const [url = 'http://localhost:8001/mcp', task = 'What is 6 times 7? Compute it.'] = process.argv.slice(2)
// Tracing sends each run to OpenAI.
setTracingDisabled(true)

const toolyard = new MCPServerStreamableHttp({ url, name: 'toolyard', cacheToolsList: true })
await toolyard.connect()
const agent = new Agent({
  name: 'Coder',
  instructions: 'Work in the files of the session; run code to be sure.',
  mcpServers: [toolyard],
  model: standIn, // leave it out for OpenAI's own models, by OPENAI_API_KEY
})
console.log((await run(agent, task)).finalOutput)
await toolyard.close()
