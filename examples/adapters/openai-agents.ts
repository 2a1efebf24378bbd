import { Agent, MCPServerStreamableHttp, run, setTracingDisabled } from '@openai/agents'

const baseUrl = process.env.TOOLYARD_BASE_URL ?? 'http://localhost:8001'
const [task = 'Draw a picture with Python, look at it, and say what you see.', model = 'gpt-5.5'] =
  process.argv.slice(2)
// Tracing sends each run to OpenAI.
setTracingDisabled(true)

// The address names the session; with a key: requestInit: { headers: { Authorization: `Bearer ${key}` } }.
const url = `${baseUrl}/mcp/s/openai-agents`
// A command may take longer than the SDK waits by itself: five seconds for the list of tools, a minute for a call.
const patience = { clientSessionTimeoutSeconds: 60, timeout: 300_000 }
const toolyard = new MCPServerStreamableHttp({ url, name: 'toolyard', ...patience })
await toolyard.connect()
const agent = new Agent({ name: 'Painter', model, mcpServers: [toolyard] })
const { finalOutput } = await run(agent, task, { maxTurns: 20 })
console.log(finalOutput)
await toolyard.close()
