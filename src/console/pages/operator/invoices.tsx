import { get, type Listed, request } from '../../api.ts'
import { Action } from '../../parts/action.tsx'
import { addressOf } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { saveText } from '../../parts/save.ts'
import { Loading } from '../../parts/states.tsx'
import type { Invoice } from './types.ts'

interface InvoicePage extends Listed<Invoice> {
  /** Whether the month is over. */
  readonly complete: boolean
}

/** Invoices of all tenants as CSV: the server has them by pages, each with the names of its columns in its first line. */
async function csvOf(month: string): Promise<string> {
  let text = ''
  let cursor: string | null = null
  do {
    const answer: Response = await request('GET', '/admin/invoices', {
      query: { month, format: 'csv', limit: 25, cursor },
    })
    const page = await answer.text()
    text += text === '' ? page : page.slice(page.indexOf('\n') + 1)
    const next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1]
    cursor = next === undefined ? null : new URL(next, location.origin).searchParams.get('cursor')
  } while (cursor !== null)
  return text
}

/** Dues of tenants for a month, by their plans as they are now. */
export function Invoices({ month }: { readonly month: string }) {
  const invoices = usePages<Invoice & { readonly complete: boolean }>(
    `invoices ${month}`,
    async (cursor, signal) => {
      const page = await get<InvoicePage>('/admin/invoices', { month, limit: 25, cursor }, signal)
      return { ...page, data: page.data.map((invoice) => ({ ...invoice, complete: page.complete })) }
    },
    { idOf: ({ tenant }) => tenant },
  )
  const billed = invoices.items?.filter(({ plan }) => plan !== null)
  const isOver = invoices.items?.[0]?.complete ?? true
  return (
    <section class="stack" aria-label="Invoices">
      <div class="row-actions">
        <h2>Invoices’ data of {month}</h2>
        <Action run={async () => saveText(`invoices-${month}.csv`, await csvOf(month), 'text/csv')}>CSV</Action>
      </div>
      {invoices.problem && <ProblemView problem={invoices.problem} retry={() => void invoices.reload()} />}
      {!invoices.items && !invoices.problem && <Loading lines={2} />}
      {!isOver && <p class="soft">The month is not over: amounts still grow.</p>}
      {billed?.length === 0 && <p class="soft">None of these tenants has a plan.</p>}
      {billed && billed.length > 0 && (
        <ul class="plain-rows">
          {billed.map(({ tenant, name, plan, currency, total }) => (
            <li key={tenant}>
              <span>
                <a href={addressOf(['operator', 'tenants', tenant])}>{name || tenant}</a>{' '}
                <span class="soft">plan {plan}</span>
              </span>
              <span class="number">
                {total ?? 'unknown'} {currency}
              </span>
            </li>
          ))}
        </ul>
      )}
      {invoices.next && (
        <p>
          <button type="button" onClick={invoices.next}>
            Read more invoices
          </button>
        </p>
      )}
    </section>
  )
}
