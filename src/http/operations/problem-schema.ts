import * as z from 'zod'
import { PROBLEM_CODES } from '../problem.ts'

/** Answer to a request that failed, by RFC 9457. */
export const ProblemSchema = z
  .object({
    type: z.string().meta({ description: 'Registered type of the problem; else about:blank.' }),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: 'What was wrong, and what to do next, for people and models.' }),
    code: z.enum(PROBLEM_CODES).meta({ description: 'The problem, for programs.' }),
    retryable: z.boolean().meta({ description: 'Whether the same request may succeed later.' }),
    hint: z.string().meta({ description: 'Advice on what to do now.' }),
    request_id: z.string().meta({ description: 'Name of this request in the log of the server.' }),
    errors: z
      .unknown()
      .optional()
      .meta({ description: 'Refused parts of a request that has several, each with its reason.' }),
    outcome: z.enum(['unknown', 'done']).optional().meta({
      description: 'What is known of an earlier request with the same Idempotency-Key whose answer is not there.',
    }),
    call_id: z.string().optional().meta({ description: 'The call of that request.' }),
    tool: z.string().optional().meta({ description: 'The tool of that call.' }),
    request: z.string().optional().meta({ description: 'Method and path of that request.' }),
    began_at: z.string().optional().meta({ description: 'When it began.' }),
    ended_at: z.string().optional().meta({ description: 'When it ended.' }),
    'violated-policies': z.array(z.string()).optional().meta({ description: 'Names of the limits that were reached.' }),
  })
  .meta({ id: 'Problem', description: 'A problem by RFC 9457.' })
