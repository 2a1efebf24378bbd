import * as z from 'zod'
import { type Api, type CallResult, type Conversation, must, type PastTurn, type Turn } from './conversation.ts'
import { checkGemini } from './schemas.ts'

/** Bytes in base64, of either alphabet, as that of a URL. */
const Bytes = z.string().transform((text) => text.replaceAll('-', '+').replaceAll('_', '/'))
const InlineData = z.strictObject({ mimeType: z.string(), data: Bytes.pipe(z.base64()) })
const FunctionCall = z.strictObject({ id: z.string().optional(), name: z.string(), args: z.json() })
const FunctionResponse = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  response: z.record(z.string(), z.json()),
  parts: z.array(z.strictObject({ inlineData: InlineData })).optional(),
})
const Part = z.strictObject({
  text: z.string().optional(),
  inlineData: InlineData.optional(),
  thoughtSignature: z.string().optional(),
  functionCall: FunctionCall.optional(),
  functionResponse: FunctionResponse.optional(),
})

/** Body of a request. @see https://ai.google.dev/api/generate-content */
const Body = z.strictObject({
  contents: z.array(z.strictObject({ role: z.enum(['user', 'model']), parts: z.array(Part) })),
  tools: z.array(
    z.strictObject({
      functionDeclarations: z.array(
        z.strictObject({
          name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/),
          description: z.string(),
          parameters: z.json(),
        }),
      ),
    }),
  ),
  generationConfig: z.looseObject({}).optional(),
})

/** Fields whose keys are the caller's own. */
const FREE = new Set(['args', 'response'])

/**
 * The value with its fields in camel case. The API takes the names of its protocol buffers too, which the package for Python sends.
 * @see https://protobuf.dev/programming-guides/json/
 */
function camelCased(value: unknown, hasOwnKeys = false): unknown {
  if (Array.isArray(value)) return value.map((item) => camelCased(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      if (!hasOwnKeys && FREE.has(key)) return [key, field]
      const name = hasOwnKeys ? key : key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return [name, camelCased(field, !hasOwnKeys && key === 'properties')]
    }),
  )
}

/** Conversation of a request to `:generateContent`. @throws Refusal, ZodError */
function read(json: unknown): Conversation {
  const { contents, tools } = Body.parse(camelCased(json))
  const declared = tools.flatMap(({ functionDeclarations }) => functionDeclarations)
  for (const { name, parameters } of declared) checkGemini(name, parameters)
  const turns: PastTurn[] = []
  for (const [at, { role, parts }] of contents.entries()) {
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    if (role === 'user' || calls.length === 0) continue
    must(parts[0]?.thoughtSignature === SIGNATURE, 'Function call is missing a thought_signature in functionCall parts')
    const results = (contents[at + 1]?.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? [])
    const names = [calls, results].map((list) => list.map(({ name }) => name).join())
    must(names[0] === names[1], 'the function response parts do not equal the function call parts')
    turns.push({
      calls: calls.map(({ id = '', name, args }) => ({ id, name, args })),
      results: results.map(resultOf),
    })
  }
  return { tools: declared.map(({ name }) => name), turns }
}

const resultOf = ({ id, response, parts = [] }: z.infer<typeof FunctionResponse>): CallResult => ({
  ...{ id: id ?? null, isError: 'error' in response, text: String(response.error ?? response.output) },
  pictures: parts.map(({ inlineData: { mimeType, data } }) => ({ mediaType: mimeType, base64: data })),
})

/** Signature of a thought, which comes back with the first call of its turn. */
const SIGNATURE = 'c2lnbmVk'

/** Answer of generateContent. */
function write(turn: Turn, model: string): object {
  const parts =
    'text' in turn
      ? [{ text: turn.text }]
      : turn.calls.map((call, at) => ({ functionCall: call, ...(at === 0 && { thoughtSignature: SIGNATURE }) }))
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: model,
  }
}

/** Error as the Gemini API gives it. */
const refuse = (message: string): object => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } })

/** API of Gemini, of either version. */
export const GEMINI: Api = {
  path: /^\/v1(?:beta)?\/models\/[^/]+:generateContent$/,
  keys: ['x-goog-api-key'],
  read,
  write,
  refuse,
}
