import type { UsageQuery, UsageReport, Used } from '../../../tenant/usage-api.ts'

const HOUR_MS = 60 * 60_000
/** Tools in one answer, as in Toolcore's usage engine. */
const MOST_USED = 20

/**
 * Query for the last `period_hours`. A period begins with an hour, so that up to an hour more is reported.
 * Source: Toolcore's usage engine, GET /internal/usage/tools and /internal/usage/summary.
 * @param below prefix: only sessions whose names begin with it count
 */
export const usageOfPeriod = (
  periodHours: number,
  now: number,
  groupBy: 'tool' | 'agent',
  below?: string,
): UsageQuery => {
  const current = Math.floor(now / HOUR_MS)
  const query = { from: current - periodHours, to: current + 1, groupBy, where: {}, limit: MOST_USED }
  return below === undefined ? query : { ...query, below }
}

/** Names of tools by id. A deleted or unregistered tool has its id for a name. */
export type ToolNames = ReadonlyMap<string, string>

/** `{tools: [{tool_id, tool_name, calls, success_rate, avg_latency_ms}]}`, the most called first. */
export const encodeToolUsage = ({ groups }: UsageReport, names: ToolNames) => ({
  tools: groups.map((used) => encodeTool(used, names)),
})

/** Usage with sums and agents. Counts of models, messages and runs of agents are zero: this server sees none of them. */
export const encodeUsageSummary = (
  { tools, agents }: { readonly tools: UsageReport; readonly agents: UsageReport },
  { from }: UsageQuery,
  { now, microdao, names }: { readonly now: number; readonly microdao: string | null; readonly names: ToolNames },
) => ({
  summary: {
    period_start: new Date(from * HOUR_MS).toISOString(),
    period_end: new Date(now).toISOString(),
    microdao_id: microdao,
    agent_id: null,
    ...NOT_SEEN,
    tool_calls_total: tools.total.calls,
    tool_calls_success: tools.total.calls - tools.total.failed,
    tool_calls_failed: tools.total.failed,
    tool_latency_avg_ms: averageMs(tools.total),
  },
  models: [],
  agents: agents.groups.flatMap(({ name, calls }) =>
    name === null
      ? []
      : [{ agent_id: name, invocations: 0, llm_calls: 0, tool_calls: calls, messages_sent: 0, total_tokens: 0 }],
  ),
  tools: tools.groups.map((used) => encodeTool(used, names)),
})

const NOT_SEEN = {
  llm_calls_total: 0,
  llm_tokens_total: 0,
  llm_tokens_prompt: 0,
  llm_tokens_completion: 0,
  llm_latency_avg_ms: 0,
  agent_invocations_total: 0,
  agent_invocations_success: 0,
  agent_invocations_failed: 0,
  messages_sent: 0,
  messages_total_length: 0,
}

const encodeTool = (used: Used, names: ToolNames) => ({
  tool_id: used.name,
  tool_name: (used.name !== null && names.get(used.name)) || used.name,
  calls: used.calls,
  success_rate: used.calls === 0 ? 0 : (used.calls - used.failed) / used.calls,
  avg_latency_ms: averageMs(used),
})

const averageMs = ({ calls, ms }: Used) => (calls === 0 ? 0 : ms / calls)
