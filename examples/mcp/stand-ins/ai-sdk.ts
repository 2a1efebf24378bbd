import { MockLanguageModelV4 } from 'ai/test'
import { answer, CALL } from './script.ts'

const tokens = { noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0, total: 1 }

/** Model of the Vercel AI SDK that makes one call of a tool, and answers with what that gave. */
export const standIn = new MockLanguageModelV4({
  async doGenerate({ prompt }) {
    const result = prompt.find(({ role }) => role === 'tool')
    return {
      usage: { inputTokens: tokens, outputTokens: tokens },
      warnings: [],
      finishReason: { unified: result ? 'stop' : 'tool-calls', raw: undefined },
      content: result
        ? [{ type: 'text', text: answer(result) }]
        : [{ type: 'tool-call', toolCallId: 'call_1', toolName: CALL.name, input: JSON.stringify(CALL.args) }],
    }
  },
})
