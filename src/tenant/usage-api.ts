/** Usage of one tenant's calls. */
export interface UsageApi {
  /**
   * Usage by group.
   * @throws FailureError `limit_exceeded` when the report would read too many rows
   */
  read(query: UsageQuery): Promise<UsageReport>
  /** Usage as it is stored, a page of it. */
  rows(query: UsageRowsQuery): Promise<UsageRowsPage>
}

/** Names of which calls are counted: each left out stands for all. */
export type UsageNames = Readonly<Partial<Record<'tool' | 'agent' | 'key' | 'session', string>>>

export interface UsageRowsQuery {
  /** Hours since 1970; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** Only rows of this key. */
  readonly key?: string
  /** Only rows of these names. */
  readonly where?: UsageNames
  /** The {@link UsageRowsPage.next} of the page before. */
  readonly after?: UsageKey
}

export interface UsageRowsPage {
  readonly rows: readonly WrittenUsage[]
  /** Where the next page begins; null behind the last one. A page with a next one may be empty. */
  readonly next: UsageKey | null
}

/** Key of a usage row. An absent name is an empty text; `*` stands for several that were counted together. */
export interface UsageKey {
  /** Hours since 1970. */
  readonly hour: number
  readonly tool: string
  readonly key: string
  readonly agent: string
  readonly session: string
}

export interface WrittenUsage extends UsageKey, UsageSums {}

export type UsageGroup = 'tool' | 'agent' | 'key' | 'session' | 'day' | 'hour'

export interface UsageQuery {
  /** Hours since 1970; `to` is exclusive. A call belongs to the hour in which it began. */
  readonly from: number
  readonly to: number
  readonly groupBy: UsageGroup | null
  readonly where: UsageNames
  /** Only sessions whose names begin with this prefix, which ends with a slash. */
  readonly below?: string
  /** Largest number of groups. */
  readonly limit: number
  /** Groups to leave out before; 0 if not given. */
  readonly offset?: number
}

export interface UsageReport {
  readonly total: Used
  /** Days and hours in their order, named by their numbers since 1970; other groups by number of calls, most first. */
  readonly groups: readonly Used[]
  readonly more: boolean
}

/** Sums over calls. Times in milliseconds, cost in millionths. */
export interface UsageSums {
  readonly calls: number
  readonly failed: number
  /** Calls refused before they began, by a limit or a permission; not among `calls`. */
  readonly refused: number
  readonly ms: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly sandboxMs: number
  readonly cost: number
  /** Times of sessions' sandboxes, calls or not; not among `ms` and `sandboxMs`. */
  readonly sandboxRunningMs: number
  readonly sandboxPausedMs: number
}

export const NO_USE = {
  ...{ calls: 0, failed: 0, refused: 0 },
  ...{ ms: 0, bytesIn: 0, bytesOut: 0, sandboxMs: 0, cost: 0, sandboxRunningMs: 0, sandboxPausedMs: 0 },
} satisfies UsageSums

/** Usage of one group. Percentiles are within 4.5 %, null without calls. */
export interface Used extends UsageSums {
  /** Name of the group: null for nobody, `*` for several that were counted together. */
  readonly name: string | null
  /** Failed and refused calls by code, and calls whose command ended with another code than 0 as `nonzero_exit`. */
  readonly reasons: Readonly<Record<string, number>>
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
}
