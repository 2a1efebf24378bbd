import type { CallObserver, ObservedCall, ObservedSandboxTime } from '../../ports/call-observer.ts'

/** Upper bounds of the buckets of durations, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const

/** Calls of one tool. */
interface ToolCounts {
  readonly outcomes: Map<string, number>
  /** Calls within each bucket and no smaller one; the last number is those beyond all. */
  readonly buckets: number[]
  seconds: number
  sandboxSeconds: number
  queueSeconds: number
  bytesIn: number
  bytesOut: number
}

/**
 * Counts of calls since the start of the process, for Prometheus. Labels are bounded: built-in tools, outcomes and codes of
 * failures, and never a tenant.
 */
export class Metrics implements CallObserver {
  readonly #tools = new Map<string, ToolCounts>()
  readonly #reasons = new Map<string, number>()
  readonly #spans = { sent: 0, dropped: 0 }
  readonly #sandboxes = { running: 0, paused: 0 }

  ended({ tool, outcome, reason, ms, sandboxMs, queuedMs, bytesIn, bytesOut }: ObservedCall): void {
    const counts = this.#of(tool)
    increase(counts.outcomes, outcome)
    if (reason !== null) increase(this.#reasons, reason)
    const seconds = ms / 1_000
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound)
    const at = bucket === -1 ? BUCKETS.length : bucket
    counts.buckets[at] = (counts.buckets[at] ?? 0) + 1
    counts.seconds += seconds
    counts.sandboxSeconds += sandboxMs / 1_000
    counts.queueSeconds += queuedMs / 1_000
    counts.bytesIn += bytesIn
    counts.bytesOut += bytesOut
  }

  sandboxTime({ runningMs, pausedMs }: ObservedSandboxTime): void {
    this.#sandboxes.running += runningMs / 1_000
    this.#sandboxes.paused += pausedMs / 1_000
  }

  /** Counts spans that were sent to a collector, and those that were dropped. */
  countSpans(spans: number, isSent: boolean): void {
    this.#spans[isSent ? 'sent' : 'dropped'] += spans
  }

  /**
   * Text of all metrics, in Prometheus' format 0.0.4.
   * @param runningSandboxes running sandboxes of the deployment; null where that could not be found out
   * @see https://prometheus.io/docs/instrumenting/exposition_formats/
   */
  text(version: string, runningSandboxes: number | null): string {
    const tools = [...this.#tools].sort(([one], [other]) => (one < other ? -1 : 1))
    const perTool = (number: (counts: ToolCounts) => number) =>
      tools.map(([tool, counts]) => sample({ tool }, number(counts)))
    const families = [
      family('build_info', 'gauge', 'Version of the server.', [sample({ version }, 1)]),
      family(
        'calls_total',
        'counter',
        'Calls that have ended.',
        tools.flatMap(([tool, { outcomes }]) =>
          [...outcomes].map(([outcome, calls]) => sample({ tool, outcome }, calls)),
        ),
      ),
      family(
        'call_failures_total',
        'counter',
        'Failed and refused calls by code.',
        [...this.#reasons].map(([reason, calls]) => sample({ reason }, calls)),
      ),
      family(
        'call_duration_seconds',
        'histogram',
        'Time from the acceptance of a call to its end.',
        tools.flatMap(([tool, counts]) => histogram(tool, counts)),
      ),
      family(
        'call_sandbox_seconds_total',
        'counter',
        'Time that commands of calls ran.',
        perTool(({ sandboxSeconds }) => sandboxSeconds),
      ),
      family(
        'call_queue_seconds_total',
        'counter',
        'Time that calls waited for others of their session.',
        perTool(({ queueSeconds }) => queueSeconds),
      ),
      family(
        'call_bytes_total',
        'counter',
        'Bytes of arguments (in) and of results (out).',
        tools.flatMap(([tool, { bytesIn, bytesOut }]) => [
          sample({ tool, direction: 'in' }, bytesIn),
          sample({ tool, direction: 'out' }, bytesOut),
        ]),
      ),
      family(
        'sandboxes_running',
        'gauge',
        'Running sandboxes of sessions.',
        runningSandboxes === null ? [] : [sample({}, runningSandboxes)],
      ),
      family('sandbox_seconds_total', 'counter', 'Time of sandboxes of sessions, idle or at work.', [
        sample({ state: 'running' }, this.#sandboxes.running),
        sample({ state: 'paused' }, this.#sandboxes.paused),
      ]),
      family('spans_total', 'counter', 'Spans for the collector of traces.', [
        sample({ result: 'sent' }, this.#spans.sent),
        sample({ result: 'dropped' }, this.#spans.dropped),
      ]),
    ]
    return families.join('')
  }

  #of(tool: string): ToolCounts {
    const known = this.#tools.get(tool)
    if (known) return known
    const sums = { seconds: 0, sandboxSeconds: 0, queueSeconds: 0, bytesIn: 0, bytesOut: 0 }
    const fresh: ToolCounts = { outcomes: new Map(), buckets: Array(BUCKETS.length + 1).fill(0), ...sums }
    this.#tools.set(tool, fresh)
    return fresh
  }
}

const increase = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

type Labels = Readonly<Record<string, string>>

/** A sample without the name of its family. */
const sample = (labels: Labels, value: number, suffix = ''): string => {
  const pairs = Object.entries(labels).map(([name, label]) => `${name}="${escaped(label)}"`)
  return `${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
}

const escaped = (label: string) => label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const family = (name: string, type: 'counter' | 'gauge' | 'histogram', help: string, samples: readonly string[]) =>
  [
    `# HELP toolyard_${name} ${help}`,
    `# TYPE toolyard_${name} ${type}`,
    ...samples.map((one) => `toolyard_${name}${one}`),
  ]
    .map((line) => `${line}\n`)
    .join('')

function histogram(tool: string, { buckets, seconds }: ToolCounts): string[] {
  let calls = 0
  const lines = buckets.map((count, at) => {
    calls += count
    return sample({ tool, le: String(BUCKETS[at] ?? '+Inf') }, calls, '_bucket')
  })
  return [...lines, sample({ tool }, seconds, '_sum'), sample({ tool }, calls, '_count')]
}

/**
 * Metrics of this process: all objects of a self-hosted server share one isolate, and so these numbers. They are sums over all
 * tenants, without a tenant's name. In Cloudflare's cloud, where isolates come and go, Analytics Engine has them.
 */
export const isolateMetrics = new Metrics()
