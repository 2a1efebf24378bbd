import { expect, it } from 'vitest'
import { z } from 'zod'
import ACTIONS from '../../../src/lagent/built-in/actions.json' with { type: 'json' }

const Returned = z.strictObject({ name: z.string().optional(), description: z.string(), type: z.string().optional() })
const Parameter = z.strictObject({
  name: z.string(),
  type: z.string(),
  description: z.string(),
  required: z.literal(true).optional(),
})
const Api = z.strictObject({
  name: z.string(),
  tool: z.string(),
  answer: z.enum(['json', 'text', 'items']),
  argsAs: z.enum(['text', 'fence']).optional(),
  failsAsHttp: z.literal(true).optional(),
  description: z.string(),
  parameters: z.array(Parameter),
  returned: z.array(Returned).optional(),
})
const Actions = z.array(
  z.strictObject({
    name: z.string(),
    isToolkit: z.boolean(),
    description: z.string(),
    apis: z.array(Api).min(0),
    instead: z.string().optional(),
  }),
)

it('each action of the table has what its type says, and no other field', () => {
  expect(Actions.safeParse(ACTIONS).error).toBeUndefined()
})
