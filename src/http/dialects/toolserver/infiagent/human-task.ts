import { sessionName } from '../../../../core/ids.ts'
import type { HumanTask } from '../../../../ports/people.ts'
import type { HumanTaskName } from '../../../../tenant/api.ts'
import type { Services } from '../../../dialect.ts'
import type { QuestionIds } from './human-in-loop.ts'

type Kind = HumanTaskName['kind']

/** A human task, with its session. */
export interface NamedHumanTask {
  readonly task: HumanTask
  /** Name of the session, which is the task id of the Tool Server. */
  readonly session: string
}

/** Human tasks of that name, the newest first; names whose task is gone are left out. */
export async function humanTasksNamed(
  { tenant, session }: Services,
  kind: Kind,
  name: string,
): Promise<NamedHumanTask[]> {
  const found: NamedHumanTask[] = []
  for (const named of await tenant.humanTaskNames.find(kind, name)) {
    const tasks = (await session(sessionName(named.session)).humanTasks()) ?? []
    const task = tasks.find(({ id }) => id === named.task)
    if (task) found.push({ task, session: named.session })
  }
  return found
}

export const isOpen = ({ completedAt }: HumanTask) => completedAt === null

/** Ids that the client gives to its questions in one session. */
export const questionIds = (services: Services, session: string): QuestionIds => ({
  async find(id, words) {
    // Looked up by session: models like the same ids, and only some sessions of one name are searched.
    const names = await services.tenant.humanTaskNames.of(session)
    const named = names.find((one) => one.kind === 'question' && one.name === id)
    const tasks = (named && (await services.session(sessionName(session)).humanTasks())) ?? []
    return tasks.find((task) => task.id === named?.task && task.words === words.trim())?.id ?? null
  },
  put: (name, task) => services.tenant.humanTaskNames.put({ kind: 'question', name, session, task }),
})
