import { functionName } from '../../../lagent/formats.ts'
import type { Services } from '../../dialect.ts'
import { unlistedToolkits } from '../../listed-tools.ts'
import { type Action, nameOf } from './action.ts'
import { findRegistered, listRegistered } from './registered-actions.ts'
import { fromTool, serverActions, UNLISTED_ACTIONS } from './server-actions.ts'

/** Caller of an action, and the agent it acts for. */
export interface ActionCaller {
  readonly services: Services
  readonly agent: string | null
}

export interface ActionPage {
  readonly actions: readonly Action[]
  /** Value of `after` for the next page; absent at the end. */
  readonly next: number | undefined
}

/** Actions of this caller: the server's own on the first page, then its tenant's registered ones. */
export async function listActions({ services, agent }: ActionCaller, after: number | undefined): Promise<ActionPage> {
  const unlisted = after === undefined ? await unlistedToolkits(services) : []
  const own = serverActions({
    ...services,
    toolkits: services.toolkits.filter((toolkit) => !unlisted.includes(toolkit)),
  })
  const taken = new Set([...serverActions(services), ...UNLISTED_ACTIONS].map(({ name }) => name))
  const { actions, next } = await listRegistered(services.tenant, agent, after)
  const callable = actions.filter(({ name, isToolkit }) => isToolkit || !taken.has(name))
  return { actions: after === undefined ? [...own, ...callable] : callable, next }
}

export interface Found {
  readonly action: Action
  /** Requested api; the action may not have it. */
  readonly api: string
}

/**
 * Finds an action by the caller's name for it: an action, `Toolkit.api`, a toolkit's tool by its own name, or either as
 * {@link functionName} writes it. The server's own actions come before the tenant's registered ones.
 */
export async function findAction({ services, agent }: ActionCaller, name: string): Promise<Found | null> {
  const own = [...serverActions(services), ...UNLISTED_ACTIONS]
  const found = byName(own, name) ?? byToolName(services, name)
  if (found?.action.apis.some((api) => api.name === found.api)) return found
  for (const spelled of new Set([name, name.replaceAll('__', '.')])) {
    const action = await findRegistered(services.tenant, agent, spelled)
    if (action) return { action, api: action.isToolkit ? (action.apis[0]?.name ?? '') : 'run' }
  }
  return found ?? byFunctionName(own, name)
}

function byName(actions: readonly Action[], name: string): Found | null {
  const dot = name.indexOf('.')
  const [first, api] = dot === -1 ? [name, 'run'] : [name.slice(0, dot), name.slice(dot + 1)]
  const action = actions.find((candidate) => candidate.name === first)
  return action ? { action, api } : null
}

function byToolName({ toolkits }: Services, name: string): Found | null {
  const tool = toolkits.flatMap(({ tools }) => tools).find((candidate) => candidate.name === name)
  return tool ? { action: fromTool(tool), api: 'run' } : null
}

function byFunctionName(actions: readonly Action[], name: string): Found | null {
  for (const action of actions) {
    const api = action.apis.find((candidate) => functionName(nameOf(action, candidate)) === name)
    if (api) return { action, api: api.name }
  }
  return null
}
