import { type Model, Usage } from '@openai/agents'
import { answer, CALL } from './script.ts'

/** Model of the OpenAI Agents SDK that makes one call of a tool, and answers with what that gave. */
export const standIn: Model = {
  async getResponse({ input }) {
    const result = Array.isArray(input) ? input.find(({ type }) => type === 'function_call_result') : undefined
    const { name, args } = CALL
    return {
      usage: new Usage(),
      output: result
        ? [
            {
              ...{ type: 'message', role: 'assistant', status: 'completed' },
              content: [{ type: 'output_text', text: answer(result) }],
            },
          ]
        : [{ type: 'function_call', callId: 'call_1', name, status: 'completed', arguments: JSON.stringify(args) }],
    }
  },
  getStreamedResponse() {
    throw new Error('this example does not stream')
  },
}
