import type { Vocabulary } from '../../../core/saying/worded.ts'
import type { Services } from '../../dialect.ts'
import { nameOf } from './action.ts'
import { serverActions } from './server-actions.ts'

/** Names that a model of Lagent knows: those of the listed actions. An action takes the arguments of its tool. */
export function vocabularyOf(services: Pick<Services, 'tools' | 'toolkits'>): Vocabulary {
  return {
    tool: (name) => actionOf(services, name),
    field: (name) => name,
    places: {
      directory: 'directory of the session',
      root: 'directory of the session',
      session: 'session',
      'session id': 'name of the session',
    },
  }
}

/**
 * Name of the listed action that calls this tool of the core.
 * @returns null when none does
 */
export function actionOf(services: Pick<Services, 'tools' | 'toolkits'>, tool: string): string | null {
  for (const action of serverActions(services)) {
    const api = action.apis.find((one) => one.toCall({}).tool === tool)
    if (api) return nameOf(action, api)
  }
  return null
}
