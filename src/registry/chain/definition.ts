import * as z from 'zod'
import type { FailureCode } from '../../core/failure.ts'
import {
  CHAIN_BACKOFF_MS,
  CHAIN_MAP_CONCURRENCY,
  CHAIN_STEP_MS,
  MAX_CHAIN_ATTEMPTS,
  MAX_CHAIN_BACKOFF_MS,
  MAX_CHAIN_CONCURRENCY,
  MAX_CHAIN_EXPRESSION_CHARS,
  MAX_CHAIN_MS,
  MAX_CHAIN_STEPS,
} from '../../core/limits/chains.ts'
import { knownFields } from '../known-fields.ts'

/** A chain as a model writes it; docs/chains.md explains it. Null stands for "not given", and numbers may be texts. */

const absent = (value: unknown) => (value === null ? undefined : value)
const optional = <S extends z.ZodType>(schema: S) => z.preprocess(absent, schema.optional()).optional()

const count = (least: number, most: number, limit: string) =>
  optional(
    z.preprocess(
      (value) => (typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value),
      z
        .int('must be a whole number')
        .min(least, `must be at least ${least}`)
        .max(most, `must be at most ${most} (${limit})`),
    ),
  )

const name = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'must be 1 to 64 letters a to z, digits and "_", and begin with no digit')

const expression = z
  .string('must be a text with an expression, as "length(input.items) > 0" or "steps.find.result.hits"')
  .min(1, 'is empty')
  .max(
    MAX_CHAIN_EXPRESSION_CHARS,
    `is longer than ${MAX_CHAIN_EXPRESSION_CHARS} characters (MAX_CHAIN_EXPRESSION_CHARS)`,
  )

/** Codes of failures that a step can have: its session is there, and it has no idempotency key. */
const CODES = {
  invalid_input: 'invalid_input',
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  not_found: 'not_found',
  conflict: 'conflict',
  limit_exceeded: 'limit_exceeded',
  rate_limited: 'rate_limited',
  insufficient_storage: 'insufficient_storage',
  timeout: 'timeout',
  upstream: 'upstream',
  unavailable: 'unavailable',
  internal: 'internal',
} as const satisfies { readonly [Code in Exclude<FailureCode, 'session_not_found' | KeyCode>]: Code }

/** Codes of failures about an idempotency key, which only a client sends. */
type KeyCode = 'key_reused' | 'key_in_use' | 'outcome_unknown' | 'answer_not_kept'

const step = knownFields({
  id: name.describe('Later steps name it: ${{ steps.<id>.result }}'),
  tool: z
    .string()
    .min(1)
    .max(200)
    .describe('The tool or chain to call, with a range of versions if it has any: "my.tool@^2"'),
  input: z
    .unknown()
    .optional()
    .describe('Its arguments. Texts may hold ${{ expressions }}; a text that is one expression becomes its value'),
  if: optional(expression).describe(
    'A condition, e.g. length(steps.search.result.hits) > 0. The step is skipped when it is false',
  ),
  map: optional(
    knownFields(
      {
        over: expression.describe('A list: the tool is called once for each item'),
        as: optional(name).describe('What expressions call the item; "item" if not given. Its place is "index"'),
        concurrency: count(1, MAX_CHAIN_CONCURRENCY, 'MAX_CHAIN_CONCURRENCY').describe(
          `Items at once; ${CHAIN_MAP_CONCURRENCY} if not given`,
        ),
      },
      '{"over": "input.items", "as": "item", "concurrency": 4}',
    ),
  ),
  after: optional(z.array(name).max(MAX_CHAIN_STEPS)).describe(
    'The steps that it waits for, besides those that it names. Without it, all steps before it. [] to begin at once',
  ),
  timeout_ms: count(1, MAX_CHAIN_MS, 'MAX_CHAIN_MS').describe(`Of each call; ${CHAIN_STEP_MS} if not given`),
  retry: optional(
    knownFields(
      {
        attempts: count(1, MAX_CHAIN_ATTEMPTS, 'MAX_CHAIN_ATTEMPTS').describe('Calls altogether; 3 if not given'),
        backoff_ms: count(0, MAX_CHAIN_BACKOFF_MS, 'MAX_CHAIN_BACKOFF_MS').describe(
          `Before the second call, and twice as long before each that follows; ${CHAIN_BACKOFF_MS} if not given`,
        ),
        on: optional(z.array(z.enum(CODES)).min(1)).describe(
          'Failures that are worth another call; timeout, upstream and rate_limited if not given',
        ),
      },
      '{"attempts": 3, "backoff_ms": 1000}',
    ),
  ),
  on_error: optional(
    z.union([z.enum(['fail', 'continue']), z.strictObject({ use: z.unknown() })], {
      error: 'must be "fail", "continue" or {"use": value}',
    }),
  ).describe(
    '"fail" ends the chain, "continue" goes on without a result, {"use": value} goes on with the value for its result',
  ),
})

export const chainDefinition = knownFields({
  steps: z
    .array(step, {
      error: ({ input }) => (input === undefined ? undefined : 'must be a list of steps, each with id, tool and input'),
    })
    .min(1, 'must have at least one step')
    .max(
      MAX_CHAIN_STEPS,
      `must have at most ${MAX_CHAIN_STEPS} steps (MAX_CHAIN_STEPS); put some into a chain of their own`,
    ),
  output: z
    .unknown()
    .optional()
    .describe("What the chain gives, with ${{ expressions }}; the last step's result if not given"),
})

export type ChainDefinition = z.output<typeof chainDefinition>
export type StepDefinition = ChainDefinition['steps'][number]
