import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import { type Fixture, fixture, type Properties, text } from './fixture.ts'

type Form = ElicitRequestFormParams['requestedSchema']

const OPTIONS = ['option1', 'option2', 'option3']
const titled = (word: string) => ['1', '2', '3'].map((n) => ({ const: `value${n}`, title: `${word} ${n}` }))

const DEFAULTS: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
}

const ENUMS: Form = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option 1', 'Option 2', 'Option 3'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  },
}

const USER: Form = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
}

/** Tool that puts a form to the client's user while it is called. */
const elicits = (name: string, requestedSchema: Form, properties: Properties = {}) =>
  fixture(
    name,
    'Puts a form to the user.',
    async ({ message = 'Please fill this in' }, { mcpReq }) => {
      const params = { mode: 'form', message: String(message), requestedSchema } as const
      const { action, content } = await mcpReq.send({ method: 'elicitation/create', params })
      return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)
    },
    properties,
  )

/**
 * Tools that send requests to a client of the revisions with sessions, each on the stream of its call. The SDK's `elicitInput` and
 * `requestSampling` send them on the stream that a client opens by GET, where they are lost if it has not yet come.
 */
export const CLIENT_QUESTIONS: readonly Fixture[] = [
  elicits('test_elicitation', USER, { message: { type: 'string' } }),
  elicits('test_elicitation_sep1034_defaults', DEFAULTS),
  elicits('test_elicitation_sep1330_enums', ENUMS),
  fixture(
    'test_sampling',
    "Has the client's model answer.",
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: String(prompt) } }]
      const { content } = await mcpReq.send({ method: 'sampling/createMessage', params: { messages, maxTokens: 100 } })
      return text(`LLM response: ${JSON.stringify(content)}`)
    },
    { prompt: { type: 'string' } },
  ),
]
