import { fail } from '../../../../core/failure.ts'
import type { Outcome } from '../../../../core/outcome.ts'
import type { Params } from '../../../parameters/params.ts'
import { type Call, textOf, without } from './calls.ts'

/** Human tasks by the client's ids, in the session of the call. */
export interface QuestionIds {
  /** Human task with that id and these words; null when there is none. */
  find(id: string, words: string): Promise<string | null>
  put(id: string, humanTask: string): Promise<void>
}

/** Asks a question under an id of the client's own: the same id and words wait for the same answer. */
export async function askPerson(params: Params, call: Call, ids: QuestionIds): Promise<Outcome> {
  const hil_id = textOf(params, 'hil_id') ?? ''
  const human_task = textOf(params, 'human_task') ?? fail('invalid_input', 'missing required parameter: instruction')
  const args = without(params, 'hil_id', 'human_task')
  let id = await ids.find(hil_id, human_task)
  if (id === null) {
    const begun = await call({ tool: 'human_in_loop', args: { ...args, human_task, wait_seconds: 0 } })
    if (begun.kind !== 'pending') return begun
    id = String(begun.soFar.data.human_task_id)
    await ids.put(hil_id, id)
  }
  const outcome = await call({ tool: 'human_in_loop', args: { ...args, human_task_id: id } })
  if (outcome.kind === 'done')
    return { ...outcome, result: { ...outcome.result, data: { ...outcome.result.data, hil_id } } }
  if (outcome.kind !== 'pending') return outcome
  const soFar = { ...outcome.soFar, data: { ...outcome.soFar.data, hil_id } }
  return { ...outcome, soFar, next: { tool: 'human_in_loop', args: { hil_id, instruction: human_task } } }
}
