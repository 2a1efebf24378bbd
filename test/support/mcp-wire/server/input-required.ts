import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { capabilitiesOf } from '../../../../src/http/dialects/mcp/server/people/forms.ts'
import { type Fixture, fixture, text } from './fixture.ts'

/** State between two calls that belong together, which its client cannot change unnoticed. */
export const states = createRequestStateCodec<string>({ key: 'the same key in all isolates of the wire Worker' })

/** Form with one required field. */
export const form = (message: string, field: string, type: 'string' | 'boolean' = 'string') => {
  const property = type === 'string' ? ({ type: 'string' } as const) : ({ type: 'boolean' } as const)
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: property }, required: [field] },
  })
}

const NAME = { user_name: form('What is your name?', 'name') }

/** Name that the user gave; null until then. */
export function userName({ mcpReq }: ServerContext): string | null {
  const name = acceptedContent(mcpReq.inputResponses, 'user_name')?.name
  return typeof name === 'string' ? name : null
}

export const nameRequired = () => inputRequired({ inputRequests: NAME })

const sampling = (prompt: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  })

const has = ({ mcpReq }: ServerContext, key: string) => inputResponse(mcpReq.inputResponses, key).kind !== 'missing'

/** Tool that gives a state with its question, and wants it back. */
const withState = (name: string) =>
  fixture(name, 'Has the user confirm, over a state.', async (_, request) => {
    if (has(request, 'confirm') && request.mcpReq.requestState<string>() === name) return text('state-ok')
    const inputRequests = { confirm: form('Please confirm', 'ok', 'boolean') }
    return inputRequired({ inputRequests, requestState: await states.mint(name) })
  })

/** Tools that answer a call of 2026-07-28 with questions first. */
export const INPUT_REQUIRED: readonly Fixture[] = [
  fixture('test_input_required_result_elicitation', 'Asks for a name.', (_, request) => {
    const name = userName(request)
    return name === null ? nameRequired() : text(`Hello, ${name}!`)
  }),
  fixture('test_input_required_result_sampling', 'Asks a model.', (_, { mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question')
    if (answer.kind === 'sampling') return text(JSON.stringify(answer.result.content))
    return inputRequired({ inputRequests: { capital_question: sampling('What is the capital of France?') } })
  }),
  fixture('test_input_required_result_list_roots', 'Asks for roots.', (_, { mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots')
    if (answer.kind === 'roots') return text(answer.roots.map(({ uri }) => uri).join('\n'))
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  }),
  withState('test_input_required_result_request_state'),
  withState('test_input_required_result_tampered_state'),
  fixture('test_input_required_result_multiple_inputs', 'Asks three questions at once.', async (_, request) => {
    const questions = { ...NAME, greeting: sampling('Generate a greeting'), client_roots: inputRequired.listRoots() }
    if (Object.keys(questions).every((key) => has(request, key))) return text('All three are answered.')
    return inputRequired({ inputRequests: questions, requestState: await states.mint('three questions') })
  }),
  fixture('test_input_required_result_multi_round', 'Asks one question after the other.', async (_, request) => {
    const state = request.mcpReq.requestState<string>()
    if (state === 'second' && has(request, 'step2')) return text('Both are answered.')
    if (state === 'first' && has(request, 'step1')) {
      const inputRequests = { step2: form('Step 2: What is your favorite color?', 'color') }
      return inputRequired({ inputRequests, requestState: await states.mint('second') })
    }
    const inputRequests = { step1: form('Step 1: What is your name?', 'name') }
    return inputRequired({ inputRequests, requestState: await states.mint('first') })
  }),
  fixture('test_input_required_result_capabilities', 'Asks what the client can answer.', (_, request) => {
    const { sampling: samples, elicitation } = capabilitiesOf(request) ?? {}
    const inputRequests = { ...(elicitation && NAME), ...(samples && { greeting: sampling('Generate a greeting') }) }
    return Object.keys(inputRequests).length === 0
      ? text('The client can answer nothing.')
      : inputRequired({ inputRequests })
  }),
  fixture('test_streaming_elicitation', 'Asks for a name on a stream.', (_, request) =>
    userName(request) === null ? nameRequired() : text('There is a name.'),
  ),
]
