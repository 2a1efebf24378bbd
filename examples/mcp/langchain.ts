import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { standIn } from './stand-ins/langchain.ts'

const [url = 'http://localhost:8001/mcp', task = 'What is 6 times 7? Compute it.'] = process.argv.slice(2)

const toolyard = new MultiServerMCPClient({ mcpServers: { toolyard: { transport: 'http', url } } })
const tools = await toolyard.getTools()
const model = standIn.bindTools(tools) // or a model of a provider: new ChatAnthropic({ … }).bindTools(tools)

// Calls are made until the model makes none, as createAgent of the package langchain does it.
const messages: BaseMessage[] = [new HumanMessage(task)]
for (;;) {
  const answer = await model.invoke(messages)
  messages.push(answer)
  if (!answer.tool_calls?.length) break
  for (const call of answer.tool_calls) {
    const tool = tools.find(({ name }) => name === call.name)
    messages.push(await tool?.invoke({ ...call, type: 'tool_call' }))
  }
}
console.log(messages.at(-1)?.text)
await toolyard.close()
