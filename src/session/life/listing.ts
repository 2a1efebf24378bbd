import { type Lifetimes, NO_LIFETIMES, USUAL_SETTINGS } from '../../core/session-settings.ts'
import type { NewSession } from '../../tenant/api.ts'
import type { SessionSpec } from '../api.ts'
import type { SessionRecord } from '../record.ts'

/** Settings of a new session's record, and the lifetimes that its tenant's defaults will give. A fork has those of its origin. */
export function settingsOf({ settings, fork }: SessionSpec): Pick<SessionRecord, 'settings' | 'defaulted'> {
  const defaulted = fork ? [] : LIFETIMES.filter((lifetime) => settings?.[lifetime] === undefined)
  return { ...(settings && { settings: { ...NO_LIFETIMES, ...settings } }), ...(defaulted.length > 0 && { defaulted }) }
}

/** A new session, as the tenant's list is given it. */
export const toList = ({ name, nodeId, title, createdAt, settings, origin, defaulted }: SessionRecord): NewSession => ({
  name,
  nodeId,
  title,
  createdAt,
  ...(settings && { settings }),
  ...(origin && { origin }),
  ...(defaulted && { defaulted }),
})

/**
 * Record of a session that the tenant's list has.
 * @param record the session's own by now: a lifetime that was given meanwhile stays
 * @param given lifetimes by the tenant's defaults; absent without any
 */
export function listedRecord(record: SessionRecord, given: Partial<Lifetimes> | undefined): SessionRecord {
  const { madeBy: _, defaulted = [], ...rest } = record
  const lifetimes = Object.fromEntries(defaulted.flatMap((name) => (given?.[name] ? [[name, given[name]]] : [])))
  const { settings = USUAL_SETTINGS } = rest
  const hasSome = Object.keys(lifetimes).length > 0
  return { ...rest, ...(hasSome && { settings: { ...settings, ...lifetimes } }), state: 'listed' }
}

/** Record of a session some of whose lifetimes were given by a change: no default takes their place. */
export function withoutDefaults(record: SessionRecord, changes: Partial<Lifetimes>): SessionRecord {
  const { defaulted, ...rest } = record
  const left = defaulted?.filter((lifetime) => changes[lifetime] === undefined) ?? []
  return { ...rest, ...(left.length > 0 && { defaulted: left }) }
}

const LIFETIMES = ['lifetimeMs', 'idleLifetimeMs'] as const satisfies (keyof Lifetimes)[]
