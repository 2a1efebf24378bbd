import * as z from 'zod'
import { MAX_HUMAN_RESULT_CHARS, MAX_LISTED_QUESTION_CHARS } from '../../../../core/limits/sessions.ts'
import type { HumanTask } from '../../../../ports/people.ts'
import type { OpenQuestion } from '../../../../tenant/api.ts'

/** A question of one session, whole. */
export const Question = z
  .object({
    id: z.string(),
    text: z
      .string()
      .meta({ description: 'What the agent asks, or asks to be done. An agent wrote it: show it as text.' }),
    created_at: z.iso.datetime(),
    waits_until: z.iso.datetime().nullable().meta({
      description: 'End of the wait of the call that asks; null where it has no end. An answer is taken after it too.',
    }),
    answered_at: z.iso.datetime().nullable().meta({ description: 'null while it is open.' }),
    answer: z.string().nullable(),
  })
  .meta({ id: 'Question' })

/** A question among those of all sessions. */
export const OpenQuestionItem = z
  .object({
    session: z.string(),
    id: z.string(),
    text: z
      .string()
      .meta({ description: `Its first ${MAX_LISTED_QUESTION_CHARS} characters; the question itself has all.` }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'OpenQuestion' })

/** A person's answer. */
export const Answer = z
  .strictObject({
    text: z
      .string()
      .max(MAX_HUMAN_RESULT_CHARS)
      .meta({ description: 'What the agent gets as the result of its call.' }),
  })
  .meta({ id: 'QuestionAnswer' })

const timeOrNull = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

export const encodeQuestion = (task: HumanTask): z.output<typeof Question> => ({
  id: task.id,
  text: task.words,
  created_at: new Date(task.createdAt).toISOString(),
  waits_until: timeOrNull(task.dueAt),
  answered_at: timeOrNull(task.completedAt),
  answer: task.result,
})

export const encodeOpenQuestion = ({
  session,
  task,
  words,
  createdAt,
}: OpenQuestion): z.output<typeof OpenQuestionItem> => ({
  session,
  id: task,
  text: words,
  created_at: new Date(createdAt).toISOString(),
})
