/** Tools of a session for models, in the forms of their providers: see docs/adapters.md. It needs no other package. */
// biome-ignore-all lint/performance/noBarrelFile: what the package exports as `toolyard/adapters`
export { type AnthropicToolResult, anthropicResults } from './anthropic.ts'
export { type Definitions, definitions, type WantedTools } from './definitions.ts'
export { type GeminiPart, geminiResults } from './gemini.ts'
export { type ChatResult, openaiChatResults } from './openai-chat.ts'
export {
  type OpenAiCallOutput,
  openaiResponsesResults,
} from './openai-responses.ts'
export { type ToolImage, type ToolResult, toolResult } from './tool-result.ts'
