import type { Operations, Schemas } from '../../client/index.ts'
import { command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import { byteText, durationText } from '../output/numbers.ts'
import type { Column } from '../output/table.ts'
import { given, integerOf } from '../values.ts'

type Group = Schemas['UsedGroup']
type Query = NonNullable<Operations['GET /v1/usage']['query']>
const GROUPS = ['tool', 'agent', 'key', 'session', 'day', 'hour'] as const

export const usage = command({
  summary: 'Show what was used: calls, failures, times, cost',
  details: 'Days are those of UTC. Costs are millionths, by the prices of the tenant.',
  arguments: [],
  options: {
    by: { type: 'string', value: 'KIND', choices: GROUPS, help: 'a line for each' },
    from: { type: 'string', value: 'DAY', help: 'first day, as 2026-11-01; six days before the last unless said' },
    to: { type: 'string', value: 'DAY', help: 'last day, included; today unless said' },
    tool: { type: 'string', value: 'NAME', help: 'calls of this tool alone' },
    agent: { type: 'string', value: 'NAME', help: 'calls of this agent alone' },
    key: { type: 'string', value: 'ID', help: 'calls of this key alone' },
    session: { type: 'string', value: 'NAME', help: 'calls of this session alone' },
    limit: { type: 'string', short: 'n', value: 'COUNT', help: 'most lines, 100 unless said, 1000 at most' },
  },
  examples: [
    { args: 'usage', does: 'the last seven days' },
    { args: 'usage --by tool --from 2026-11-01 --to 2026-11-30', does: 'a month, by tool' },
  ],
  async run({ values, client, output, signal }) {
    const { by, from, to, tool, agent, key, session } = values
    for (const [option, day] of [
      ['--from', from],
      ['--to', to],
    ] as const)
      if (day !== undefined && !/^\d{4}-\d\d-\d\d$/.test(day))
        throw usageError(`${option} cannot be "${day}"`, 'write a day as 2026-11-01')
    const limit = integerOf(values.limit, '--limit', { usual: 100, min: 1, max: 1_000 })
    const query = given({ group_by: by as Query['group_by'], from, to, tool, agent, key, session, limit })
    const used = await (await client()).request('GET /v1/usage', { query }, { signal })
    if (output.isJson) {
      await output.result(used, '')
      return EXIT.good
    }
    const total: Group = { ...used.total }
    const name: Column<Group> = {
      head: (used.group_by ?? 'days').toUpperCase(),
      cell: (group) => (group === total ? (used.group_by ? 'all' : daysText(used)) : nameOf(group, used.group_by)),
      isWhole: true,
    }
    await output.table([...used.data, total], [name, ...COLUMNS])
    if (used.next_cursor !== null) await output.note('there are more: --limit shows up to 1000, --json has the cursor')
    return EXIT.good
  },
})

const COLUMNS: readonly Column<Group>[] = [
  { head: 'CALLS', cell: ({ calls }) => calls, isNumber: true },
  { head: 'FAILED', cell: ({ failed }) => failed, isNumber: true },
  { head: 'REFUSED', cell: ({ refused }) => refused, isNumber: true },
  { head: 'P50', cell: ({ latency_ms }) => msText(latency_ms.p50), isNumber: true },
  { head: 'P95', cell: ({ latency_ms }) => msText(latency_ms.p95), isNumber: true },
  { head: 'IN', cell: ({ bytes_in }) => byteText(bytes_in), isNumber: true },
  { head: 'OUT', cell: ({ bytes_out }) => byteText(bytes_out), isNumber: true },
  { head: 'SANDBOX', cell: ({ sandbox_seconds }) => durationText(sandbox_seconds * 1_000), isNumber: true },
  { head: 'COST', cell: ({ cost }) => cost, isNumber: true },
]

const msText = (ms: number | null): string => (ms === null ? '' : durationText(ms))
const nameOf = (group: Group, by: Query['group_by'] | null): string => (by ? (group[by] ?? '(none)') : '')
const daysText = ({ from, to }: Schemas['Usage']): string => (from === to ? from : `${from} to ${to}`)
