import * as z from 'zod'
import { MAX_ANSWERED_FILES, MAX_CALL_WAIT_SECONDS } from '../../../../core/limits/calls.ts'
import { MAX_AGENT_CHARS } from '../../../../core/limits/registry.ts'
import { MAX_VIEW_CHARS, MAX_VIEW_TOKENS, MIN_VIEW_TOKENS, VIEW_TOKENS } from '../../../../core/limits/views.ts'
import { anyObject, integerWithin } from '../../../../tools/arguments.ts'

const ENDED = ['done', 'failed', 'refused', 'lost'] as const

/** States of a call: each but `running` and `pending` is an end. */
export const CallState = z.enum(['running', 'pending', ...ENDED]).meta({
  id: 'CallState',
  description:
    '`running`; `pending`: it has answered, and its work goes on or waits for a person; `done`; `failed`: it ran and could not; `refused`: it never ran; `lost`: a restart of the server cut it off.',
})

const Receipt = z
  .object({
    executed_on: z.enum(['edge', 'vm-warm', 'vm-cold']),
    queued_ms: z.number(),
    boot_ms: z.number(),
    sync_ms: z.number(),
    exec_ms: z.number(),
    cost: z.int().optional().meta({
      description:
        'What the call adds to the usage, in millionths of the currency, by the `prices` at its beginning. Absent where the tenant has none, and while the work goes on.',
    }),
    calls_cost: z.int().optional().meta({
      description:
        'What the calls cost that it made and that have a `parent_call_id`, as far as they had ended. Absent where there are none.',
    }),
  })
  .meta({ id: 'Receipt', description: 'Where the call ran, what it took, and what it cost.' })

const anyFields = z.record(z.string(), z.unknown())

const CallError = z
  .object({ code: z.string().optional(), message: z.string(), data: anyFields.optional() })
  .meta({ id: 'CallError', description: 'Why a call failed, for a model to read.' })

const CallFile = z
  .object({
    path: z.string(),
    change: z.enum(['created', 'modified', 'deleted']),
    size: z.int().nullable().meta({ description: 'Bytes; null for a deleted file.' }),
    url: z.string().nullable().meta({ description: 'Where to get it; null for a deleted file.' }),
  })
  .meta({ id: 'CallFile' })
const files = {
  files: z.array(CallFile).optional().meta({ description: 'Files that the call changed or made.' }),
  more_files: z
    .int()
    .optional()
    .meta({ description: `Further ones, which are not named: ${MAX_ANSWERED_FILES} are.` }),
  files_shared: z.literal(true).optional().meta({
    description:
      'Other calls or background processes worked in the sandbox meanwhile: `files` are those that any of them changed.',
  }),
}

const Content = z.array(z.object({ type: z.literal('image'), mimeType: z.string(), data: z.string() }))
const Next = z.object({ tool: z.string(), args: z.unknown() })

const result = {
  text: z.string().optional(),
  data: anyFields.optional(),
  content: Content.optional().meta({ description: 'Pictures, in the form that MCP has for them.' }),
}

/** Part of the whole that an answer with a view shows. */
const View = z
  .object({
    view: z.string(),
    tokens: z.int().meta({ description: 'Estimated tokens of `text`.' }),
    whole_tokens: z.int().meta({ description: 'Estimated tokens of the whole text.' }),
    handle: z.string().nullable().meta({
      description:
        'Name of the whole result, which `GET …/calls/{handle}` shows by another view; null when all of it is shown.',
    }),
  })
  .meta({ id: 'ResultView' })

const VIEW =
  'Part of the result to show as `text`: `head_tail`, `head`, `tail`, `grep:PATTERN`, `lines:FROM-TO` or `jsonpath:PATH`.'
const TOKENS = `Estimated tokens of the result to show, ${VIEW_TOKENS} with a view alone.`
const viewText = z.string().min(1).max(MAX_VIEW_CHARS)
const viewTokens = z.int().min(MIN_VIEW_TOKENS).max(MAX_VIEW_TOKENS)

/** Answer of a call that has ended, or answered. */
export const CallAnswer = z
  .object({
    call_id: z.string().nullable().meta({ description: 'Null for a read of a log, which is noted nowhere.' }),
    tool: z.string(),
    state: CallState,
    ...result,
    view: View.optional(),
    error: CallError.optional(),
    next: Next.optional().meta({ description: 'The call that waits on for the result of pending work.' }),
    retry_after_ms: z.number().optional(),
    ...files,
    receipt: Receipt.optional(),
  })
  .meta({ id: 'CallAnswer' })

/** Answer of a call that runs. */
export const RunningCall = z
  .object({
    call_id: z.string(),
    tool: z.string(),
    state: z.literal('running'),
    notes: z.array(z.string()).optional(),
  })
  .meta({ id: 'RunningCall', description: 'A call that goes on: `Location` is where to ask for it.' })

const listed = {
  call_id: z.string(),
  parent_call_id: z
    .string()
    .optional()
    .meta({ description: 'The call that made this one, such as a chain or code; absent for a call of a caller.' }),
  tool: z.string(),
  agent: z
    .string()
    .optional()
    .meta({ description: 'Name of the agent that called, as it gave it; absent where it gave none.' }),
  state: CallState,
  arguments: z.string().meta({ description: 'JSON, secrets masked; a long one is cut.' }),
  answer: z.string().meta({ description: "Start of the answer's text, or the reason of a failure." }),
  exit_code: z.int().optional().meta({
    description:
      'What its command ended with, where that is not 0: its state is `done` all the same. Absent otherwise.',
  }),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  receipt: Receipt.nullable(),
}
export const ListedCall = z.object(listed).meta({ id: 'ListedCall' })

export const Call = z
  .object({
    ...listed,
    running: z.boolean().meta({ description: 'It runs, or its work goes on.' }),
    progress: z.object({ lines: z.array(z.string()), count: z.int() }),
    result: z.object(result).optional().meta({ description: 'The whole result, where it is kept.' }),
    view: View.optional(),
    error: CallError.optional(),
    ...files,
  })
  .meta({ id: 'Call' })

const newCall = {
  tool: z.string().min(1).meta({ description: 'A tool of the server, or a registered one: its id, or `id@version`.' }),
  arguments: anyObject.optional().meta({ description: 'Arguments of the tool.' }),
  args: anyObject.optional().meta({ deprecated: true, description: 'The earlier name of `arguments`.' }),
  context: anyObject.optional().meta({ description: 'Context for a registered tool.' }),
  agent: z
    .string()
    .min(1)
    .max(MAX_AGENT_CHARS)
    .optional()
    .meta({ description: 'Name of the calling agent, for tools that not all agents may call.' }),
  answer: z
    .enum(['text', 'data', 'both'])
    .default('both')
    .meta({ description: 'Form of the result: text for a model, named fields, or both. With a view it is text.' }),
  view: viewText.optional().meta({ description: VIEW }),
  max_tokens: viewTokens.optional().meta({ description: TOKENS }),
}
export const NewCall = z.strictObject(newCall).meta({ id: 'NewCall' })
export type NewCall = z.output<typeof NewCall>

const Seconds = z.preprocess(
  (given) => (given === undefined ? given : Number(given)),
  z.int().min(0).max(MAX_CALL_WAIT_SECONDS).optional(),
)

/** Query of a new call. */
export const waitQuery = z.strictObject({
  wait: Seconds.meta({ description: 'Seconds to wait for the end; then the answer is 202, and the call goes on.' }),
})

/** Query of a call that is looked at. */
export const endQuery = z.strictObject({
  wait: Seconds.meta({ description: 'Seconds to wait for the end; then the answer is the call as it is.' }),
  view: viewText.optional().meta({ description: VIEW }),
  max_tokens: integerWithin(MIN_VIEW_TOKENS, MAX_VIEW_TOKENS).optional().meta({ description: TOKENS }),
})
