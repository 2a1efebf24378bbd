import { get, type Listed } from '../../api.ts'
import { addressOf } from '../../parts/location.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Loading } from '../../parts/states.tsx'
import type { Invoice } from './types.ts'

interface InvoicePage extends Listed<Invoice> {
  /** Whether the month is over. */
  readonly complete: boolean
}

/** What tenants owe for a month, by their plans as they are now. */
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
        <a
          class="button"
          href={`/admin/invoices?${new URLSearchParams({ month, format: 'csv', limit: '25' })}`}
          download={`invoices-${month}.csv`}
        >
          CSV
        </a>
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
