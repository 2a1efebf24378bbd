import { get, type Listed } from '../../api.ts'
import { bytesText, costText, countText, durationText } from '../../parts/format.ts'
import { addressOf, here, withQuery } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Choice } from '../../parts/search.tsx'
import { Loading } from '../../parts/states.tsx'
import type { Line } from '../usage/chart.tsx'
import { LazyChart } from '../usage/lazy-chart.tsx'
import { daysBetween } from '../usage/types.ts'
import { Invoices } from './invoices.tsx'
import { Plans } from './plans.tsx'
import type { Sums, TenantUse } from './types.ts'

/** Months for which use is kept whole, the present one among them. */
const MONTHS = 3

/** Figures that the chart has: words with the unit, and its lines. */
const SHOWN: Readonly<Record<string, { axis: string; lines: readonly [string, string, (used: Sums) => number][] }>> = {
  '': {
    axis: 'Calls',
    lines: [
      ['Calls', '--accent', ({ calls }) => calls],
      ['Errors or refused', '--bad', ({ failed, refused }) => failed + refused],
    ],
  },
  running: {
    axis: 'Sandboxes ran (min)',
    lines: [
      ['Ran (min)', '--accent', ({ sandbox_running_seconds }) => sandbox_running_seconds / 60],
      ['In calls (min)', '--warn', ({ sandbox_seconds }) => sandbox_seconds / 60],
    ],
  },
  bytes: {
    axis: 'In and out (MiB)',
    lines: [
      ['In (MiB)', '--accent', ({ bytes_in }) => bytes_in / 2 ** 20],
      ['Out (MiB)', '--warn', ({ bytes_out }) => bytes_out / 2 ** 20],
    ],
  },
  cost: { axis: 'Cost (unit of prices)', lines: [['Cost', '--accent', ({ cost }) => cost / 1_000_000]] },
}

/** Use of all tenants, or of one, in a month: by day as a chart, by tenant as a table; plans, and invoices' data. */
export function OperatorUsagePage() {
  const { query } = here.value
  const month = query.get('month') || monthBefore(0)
  const tenant = query.get('tenant')
  const used = usePages<TenantUse>(
    `use of tenants ${JSON.stringify([month, tenant])}`,
    (cursor, signal) => get<Listed<TenantUse>>('/admin/usage', { month, tenant, by: 'day', limit: 25, cursor }, signal),
    { idOf: (one) => one.tenant },
  )
  const months = Array.from({ length: MONTHS }, (_, at) => monthBefore(at))
  return (
    <div class="stack">
      <h1>Usage</h1>
      <div class="filters">
        <Choice
          label="Month (UTC)"
          name="month"
          options={Object.fromEntries(months.map((name, at) => [at === 0 ? '' : name, name]))}
        />
        <Choice
          label="Chart"
          name="show"
          options={{ '': 'Calls, errors and refusals', running: 'Time of sandboxes', bytes: 'Bytes', cost: 'Cost' }}
        />
        {tenant && (
          <a class="button quiet" href={withQuery({ tenant: null })}>
            tenant: {tenant} ✕
          </a>
        )}
      </div>
      {used.problem && <ProblemView problem={used.problem} retry={() => void used.reload()} />}
      {!used.items && !used.problem && <Loading />}
      {used.items && (
        <>
          <DayChart month={month} used={used.items} />
          <Tenants used={used.items} />
        </>
      )}
      {used.next && (
        <p class="row-actions">
          <button type="button" onClick={used.next}>
            Read more tenants
          </button>
          <span class="soft">Chart and sums are of the first {countText(used.items?.length ?? 0)}.</span>
        </p>
      )}
      <Invoices month={month} />
      <Plans />
    </div>
  )
}

/** A month in UTC, so many before the present one. */
function monthBefore(count: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count)).toISOString().slice(0, 7)
}

function DayChart({ month, used }: { readonly month: string; readonly used: readonly TenantUse[] }) {
  const shown = SHOWN[here.value.query.get('show') ?? ''] ?? SHOWN['']
  if (!shown) return null
  const [year = 0, number = 0] = month.split('-').map(Number)
  const last = Math.min(Date.UTC(year, number) - 1, Date.now())
  const days = daysBetween(`${month}-01`, new Date(last).toISOString().slice(0, 10))
  const all = used.flatMap((one) => one.days ?? [])
  const lines: Line[] = shown.lines.map(([label, colour, figureOf]) => {
    const sums = new Map<string, number>()
    for (const { day, use } of all) sums.set(day, (sums.get(day) ?? 0) + figureOf(use))
    return { label, colour, values: days.map((day) => sums.get(day) ?? 0) }
  })
  return <LazyChart axis={shown.axis} days={days} lines={lines} />
}

const COLUMNS: readonly [string, (use: Sums) => string][] = [
  ['Calls', ({ calls }) => countText(calls)],
  ['Errors', ({ failed }) => countText(failed)],
  ['Refused', ({ refused }) => countText(refused)],
  ['In sandboxes', ({ sandbox_seconds }) => durationText(sandbox_seconds * 1_000)],
  ['Sandboxes ran', ({ sandbox_running_seconds }) => durationText(sandbox_running_seconds * 1_000)],
  ['Bytes in', ({ bytes_in }) => bytesText(bytes_in)],
  ['Bytes out', ({ bytes_out }) => bytesText(bytes_out)],
  ['Cost', ({ cost }) => costText(cost)],
]

function Tenants({ used }: { readonly used: readonly TenantUse[] }) {
  if (used.length === 0) return <p class="soft">There are no tenants.</p>
  const total = used.map(({ use }) => use).reduce<Sums>(added, NO_USE)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="scroll-x" aria-label="Use by tenant" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Tenant</th>
            {COLUMNS.map(([label]) => (
              <th key={label} class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {used.map(({ tenant, name, use }) => (
            <tr key={tenant}>
              <td>
                <a href={addressOf(['operator', 'tenants', tenant])}>{name || tenant}</a>{' '}
                <code class="soft">{tenant}</code>
              </td>
              {use ? (
                <Figures use={use} />
              ) : (
                <td colSpan={COLUMNS.length} class="soft">
                  deleted, and its use with it
                </td>
              )}
            </tr>
          ))}
          {used.length > 1 && (
            <tr>
              <td>
                <strong>All of these</strong>
              </td>
              <Figures use={total} />
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}

function Figures({ use }: { readonly use: Sums }) {
  return (
    <>
      {COLUMNS.map(([label, textOf]) => (
        <td key={label} class="number">
          {textOf(use)}
        </td>
      ))}
    </>
  )
}

const NO_USE: Sums = {
  ...{ calls: 0, failed: 0, refused: 0, bytes_in: 0, bytes_out: 0 },
  ...{ sandbox_seconds: 0, sandbox_running_seconds: 0, cost: 0 },
}

function added(one: Sums, other: Sums | null): Sums {
  if (!other) return one
  const names = Object.keys(NO_USE) as (keyof Sums)[]
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as Sums
}
