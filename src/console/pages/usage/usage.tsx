import { who } from '../../api.ts'
import { exitsOf, failuresOf } from '../../parts/failures.ts'
import { costText, countText, durationText } from '../../parts/format.ts'
import { here, withQuery } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Choice } from '../../parts/search.tsx'
import { Loading } from '../../parts/states.tsx'
import { isAdministrator } from '../keys/types.ts'
import type { Line } from './chart.tsx'
import { LazyChart } from './lazy-chart.tsx'
import { LimitsView } from './limits.tsx'
import { dayBefore, daysBetween, nameOf, readUsage, type Usage, type Used, type UsedGroup } from './types.ts'

const BY = { '': 'Tool', key: 'Key', session: 'Session', agent: 'Agent', day: 'Day' }
const FILTERS = ['tool', 'key', 'session', 'agent'] as const

/** Figures that a chart has: words with the unit, and its lines. */
const SHOWN: Readonly<
  Record<string, { axis: string; lines: readonly [string, string, (used: Used) => number | null][] }>
> = {
  '': {
    axis: 'Calls',
    lines: [
      ['Calls', '--accent', ({ calls }) => calls],
      ['Failed', '--bad', failuresOf],
    ],
  },
  latency: {
    axis: 'Latency (ms)',
    lines: [
      ['p50 (ms)', '--accent', ({ latency_ms }) => latency_ms?.p50 ?? null],
      ['p95 (ms)', '--warn', ({ latency_ms }) => latency_ms?.p95 ?? null],
    ],
  },
  sandbox: { axis: 'In sandboxes (s)', lines: [['Seconds', '--accent', ({ sandbox_seconds }) => sandbox_seconds]] },
  cost: { axis: 'Cost (unit of prices)', lines: [['Cost', '--accent', ({ cost }) => cost / 1_000_000]] },
}

/** Use of tools by day as a chart, and by tool, key, session or agent as a table; limits, and what is left of them. */
export function UsagePage() {
  const { query } = here.value
  const from = dayBefore(Number(query.get('days') || 7) - 1)
  const by = query.get('by') || 'tool'
  const where = Object.fromEntries(FILTERS.map((name) => [name, query.get(name)]))
  const given = Object.fromEntries(FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])))
  const key = JSON.stringify([from, where])
  const byDay = useResource(`usage day ${key}`, (signal) => readUsage({ ...where, from, group_by: 'day' }, signal))
  const groups = useResource(`usage ${by} ${key}`, (signal) => readUsage({ ...where, from, group_by: by }, signal))
  // Together, so that one does not move the other.
  const isWhole = [byDay, groups].every(({ value, problem }) => value !== undefined || problem !== null)
  const exported = (format: string) => `/v1/usage/export?${new URLSearchParams({ format, from, ...given })}`
  return (
    <div class="stack">
      <div class="page-head">
        <h1>Usage</h1>
        <a class="button" href={exported('csv')} download={`usage-${from}.csv`}>
          CSV
        </a>
        <a class="button" href={exported('jsonl')} download={`usage-${from}.jsonl`}>
          JSON lines
        </a>
      </div>
      <div class="filters">
        <Choice label="Days" name="days" options={{ '': '7', '30': '30', '90': '90' }} />
        <Choice label="By" name="by" options={BY} />
        <Choice
          label="Chart"
          name="show"
          options={{ '': 'Calls and failures', latency: 'p50 and p95', sandbox: 'Sandbox seconds', cost: 'Cost' }}
        />
        {FILTERS.map((name) =>
          query.get(name) ? (
            <a key={name} class="button quiet" href={withQuery({ [name]: null })}>
              {name}: {query.get(name)} ✕
            </a>
          ) : null,
        )}
      </div>
      {byDay.problem && <ProblemView problem={byDay.problem} retry={() => void byDay.reload()} />}
      {!isWhole && <Loading />}
      {isWhole && byDay.value && <Totals total={byDay.value.total} />}
      {isWhole && (
        <div class="usage-parts">
          {byDay.value && <DayChart usage={byDay.value} />}
          <div class="stack usage-groups">
            {groups.problem && <ProblemView problem={groups.problem} retry={() => void groups.reload()} />}
            {groups.value && <Groups groups={groups.value.data} by={by} />}
          </div>
          {isAdministrator(who.value) && <LimitsView />}
        </div>
      )}
    </div>
  )
}

function Totals({ total }: { readonly total: Used }) {
  const facts = [
    ['Calls', countText(total.calls)],
    ['Failed', countText(failuresOf(total))],
    ['Errors', countText(total.failed)],
    ['Exit codes', countText(exitsOf(total))],
    ['Refused', countText(total.refused)],
    ['p50', durationText(total.latency_ms?.p50)],
    ['p95', durationText(total.latency_ms?.p95)],
    ['In sandboxes', `${total.sandbox_seconds.toFixed(1)} s`],
    ['Cost', costText(total.cost)],
  ]
  return (
    <>
      <dl class="facts key-figures">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="soft">
        Failed are errors of tools, commands that ended with another exit code than 0, and refused calls, which never
        began.
      </p>
    </>
  )
}

function DayChart({ usage }: { readonly usage: Usage }) {
  const shown = SHOWN[here.value.query.get('show') ?? ''] ?? SHOWN['']
  const byDay = new Map(usage.data.map((group) => [nameOf(group, 'day'), group]))
  const days = daysBetween(usage.from, usage.to)
  if (!shown) return null
  const lines: Line[] = shown.lines.map(([label, colour, figureOf]) => ({
    label,
    colour,
    values: days.map((day) => {
      const group = byDay.get(day)
      return group ? figureOf(group) : shown.axis.startsWith('Latency') ? null : 0
    }),
  }))
  return <LazyChart axis={shown.axis} days={days} lines={lines} />
}

function Groups({ groups, by }: { readonly groups: readonly UsedGroup[]; readonly by: string }) {
  if (groups.length === 0) return <p class="soft">No calls in these days.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="scroll-x" aria-label="Use" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>{BY[by === 'tool' ? '' : (by as keyof typeof BY)]}</th>
            {['Calls', 'Failed', 'Errors', 'Exit codes', 'Refused', 'p50', 'p95', 'Sandbox s', 'Cost'].map((label) => (
              <th key={label} class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={nameOf(group, by)}>
              <td>
                <GroupName name={nameOf(group, by)} by={by} />
              </td>
              <td class="number">{countText(group.calls)}</td>
              <td class="number">{countText(failuresOf(group))}</td>
              <td class="number soft">{countText(group.failed)}</td>
              <td class="number soft">{countText(exitsOf(group))}</td>
              <td class="number soft">{countText(group.refused)}</td>
              <td class="number">{durationText(group.latency_ms?.p50)}</td>
              <td class="number">{durationText(group.latency_ms?.p95)}</td>
              <td class="number">{group.sandbox_seconds.toFixed(1)}</td>
              <td class="number">{costText(group.cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Names under which the server counts what no call of a tool is. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  '@session': 'Tools that sessions made',
  '@sandbox': 'Sandboxes, whether anything ran in them or not',
  '@warm': 'Sandboxes that are kept ready, of no session',
}

function GroupName({ name, by }: { readonly name: string; readonly by: string }) {
  if (OWN_NAMES[name]) return <span class="soft">{OWN_NAMES[name]}</span>
  const isName = by !== 'day' && name !== '–' && name !== 'several'
  return isName ? <a href={withQuery({ [by]: name })}>{name}</a> : <span>{name}</span>
}
