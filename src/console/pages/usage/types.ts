import { get, type Listed, request } from '../../api.ts'

/** Sums of calls: counts, milliseconds, seconds, and cost in millionths. */
export interface Used {
  readonly calls: number
  readonly failed: number
  readonly refused: number
  readonly reasons: Readonly<Record<string, number>>
  readonly latency_ms: { readonly p50: number | null; readonly p95: number | null } | null
  readonly sandbox_seconds: number
  readonly cost: number
}

/** Group of calls, with its name under what it was grouped by. */
export type UsedGroup = Used & Readonly<Record<string, unknown>>

/** Use in a period of days in UTC. */
export interface Usage extends Listed<UsedGroup> {
  readonly from: string
  readonly to: string
  readonly total: Used
}

/** Limit for calls of a tenant, or of each key, agent or tool that `name` fits. */
export interface LimitRule {
  readonly scope: 'tenant' | 'key' | 'agent' | 'tool'
  readonly name?: string
  readonly per_day?: number
  readonly budget_per_day?: number
}

/** All limits and prices of the tenant. */
export interface Limits {
  readonly rules: readonly LimitRule[]
  readonly prices: readonly object[]
}

/** The limits as they were read, with the tag by which the server knows whether they still are. */
export interface KnownLimits {
  readonly settings: Limits
  readonly tag: string
}

/** Reads the limits. @throws Problem */
export async function readLimits(signal?: AbortSignal): Promise<KnownLimits> {
  const answer = await request('GET', '/v1/limits', { signal })
  const tag = answer.headers.get('ETag')
  if (tag === null) throw new Error('The limits came without their ETag: a proxy on the way has to let it through.')
  return { settings: (await answer.json()) as Limits, tag }
}

/** Puts limits in the place of those that were read. @throws Problem 412 where others are there now */
export const putLimits = (limits: unknown, tag: string): Promise<Response> =>
  request('PUT', '/v1/limits', { json: limits, headers: { 'If-Match': tag } })

/** Most groups of one answer. */
const GROUPS_MAX = 1_000

/** Name of a group; a dash for none, and words for several counted together. */
export function nameOf(group: UsedGroup, by: string): string {
  const name = group[by]
  if (name === '*') return 'several'
  return typeof name === 'string' && name !== '' ? name : '–'
}

/** Day in UTC, so many days before today. */
export const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Days in UTC from one to another, both among them. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

/** Reads use by groups. @throws Problem */
export const readUsage = (query: Readonly<Record<string, string | null>>, signal: AbortSignal): Promise<Usage> =>
  get<Usage>('/v1/usage', { ...query, limit: GROUPS_MAX }, signal)
