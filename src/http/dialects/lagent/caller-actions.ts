import type { Outcome } from '../../../core/outcome.ts'
import { functionName } from '../../../lagent/formats.ts'
import type { Services } from '../../dialect.ts'
import { type Action, nameOf } from './action.ts'
import { findRegistered, listRegistered } from './registered-actions.ts'
import { fromTool, serverActions, UNLISTED_ACTIONS } from './server-actions.ts'

/** Who asks, and in whose name. */
export interface Caller {
  readonly services: Services
  readonly agent: string | null
  /** Hears how each call in a session ended. */
  readonly heard?: (outcome: Outcome) => void
}

export interface ActionPage {
  readonly actions: readonly Action[]
  /** Give it as `after` to read on; absent at the end. */
  readonly next: number | undefined
}

/** The actions of this caller: the server's own on the first page, then those that its tenant registered. */
export async function listActions({ services, agent }: Caller, after: number | undefined): Promise<ActionPage> {
  const own = serverActions(services)
  const taken = new Set([...own, ...UNLISTED_ACTIONS].map(({ name }) => name))
  const { actions, next } = await listRegistered(services.tenant, agent, after)
  const callable = actions.filter(({ name, isToolkit }) => isToolkit || !taken.has(name))
  return { actions: after === undefined ? [...own, ...callable] : callable, next }
}

export interface Found {
  readonly action: Action
  /** What the name asks for; the action may have no such api. */
  readonly api: string
}

/**
 * What the caller calls by that name: an action, `Toolkit.api`, a toolkit's tool by its own name, or either as
 * {@link functionName} writes it. What is the server's own comes before what the tenant registered.
 */
export async function findAction({ services, agent }: Caller, name: string): Promise<Found | null> {
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
