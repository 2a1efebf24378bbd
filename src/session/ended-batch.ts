import { MAX_SETTLED_CALLS } from '../core/limits/registry.ts'
import { MAX_ENDS_AT_ONCE } from '../core/limits/usage.ts'
import type { EndedCall } from '../tenant/calls-api.ts'

const HOUR_MS = 60 * 60_000

/**
 * The first of these completions, as entries of a report: quick calls that are alike share one entry, since an agent may read a
 * file every millisecond.
 * @param perhapsHeard completions up to this number get entries of their own: the tenant may have acknowledged some of them, in
 * entries that ended elsewhere, and knows them by their numbers alone
 * @returns entries in order of their numbers, and how many of `ends` they stand for
 */
export function batchOf(
  ends: readonly EndedCall[],
  perhapsHeard: number,
): { readonly calls: readonly EndedCall[]; readonly count: number } {
  const groups: EndedCall[][] = []
  const alike = new Map<string, EndedCall[]>()
  let count = 0
  for (const end of ends) {
    if (count >= MAX_ENDS_AT_ONCE) break
    const isSummed = end.number > perhapsHeard && end.isQuick === true && !end.isRefused
    const place = isSummed ? placeOf(end) : null
    const group = place === null ? undefined : alike.get(place)
    if (group) {
      group.push(end)
    } else {
      if (groups.length >= MAX_SETTLED_CALLS) break
      const fresh = [end]
      groups.push(fresh)
      if (place !== null) alike.set(place, fresh)
    }
    count += 1
  }
  const calls = groups.map(asOne).sort((one, other) => one.number - other.number)
  return { calls, count }
}

const placeOf = ({ tool, key, agent, failure, isNonzeroExit, startedAt, cost }: EndedCall) =>
  JSON.stringify([tool, key, agent, failure, isNonzeroExit, Math.floor(startedAt / HOUR_MS), cost === undefined])

function asOne(group: EndedCall[]): EndedCall {
  const [first, ...others] = group
  if (!first) throw new Error('a group of ends has one at least')
  const last = others.at(-1)
  if (!last) return first
  const sum = (name: 'ms' | 'bytesIn' | 'bytesOut' | 'sandboxMs' | 'cost') =>
    group.reduce((all, end) => all + (end[name] ?? 0), 0)
  return {
    ...first,
    number: last.number,
    ms: sum('ms'),
    bytesIn: sum('bytesIn'),
    bytesOut: sum('bytesOut'),
    sandboxMs: sum('sandboxMs'),
    ...(first.cost !== undefined && { cost: sum('cost') }),
    each: {
      ms: group.map(({ ms }) => ms),
      admitted: group.flatMap(({ admittedAs }) => (admittedAs ? [admittedAs] : [])),
    },
  }
}
