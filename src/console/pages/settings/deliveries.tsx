import { get, type Listed, send } from '../../api.ts'
import { Action, say } from '../../parts/action.tsx'
import { plural } from '../../parts/format.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { usePages } from '../../parts/resource.ts'
import { Badge, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { DELIVERY_TONES, type Delivery, pathOfWebhook } from './types.ts'

/** Milliseconds between two looks at the newest deliveries. */
const LOOK_MS = 3_000

/** What was sent to a webhook, newest first; a test of it, and another try of each. */
export function Deliveries({ webhook }: { readonly webhook: string }) {
  const path = pathOfWebhook(webhook, 'deliveries')
  const deliveries = usePages<Delivery>(
    `deliveries ${webhook}`,
    (cursor, signal) => get<Listed<Delivery>>(path, { limit: 20, cursor }, signal),
    { idOf: ({ id }) => id, everyMs: LOOK_MS },
  )
  return (
    <section class="stack" aria-label="Deliveries">
      <div class="row-actions">
        <h2>Deliveries</h2>
        <Action
          run={async () => {
            await send('POST', pathOfWebhook(webhook, 'test'))
            await deliveries.reload()
            say('A test is on its way.')
          }}
        >
          Send a test
        </Action>
      </div>
      {deliveries.problem && <ProblemView problem={deliveries.problem} retry={() => void deliveries.reload()} />}
      {!deliveries.items && !deliveries.problem && <Loading lines={2} />}
      {deliveries.items?.length === 0 && <p class="soft">Nothing was sent to it yet.</p>}
      <ul class="plain-rows" aria-label="Deliveries, newest first">
        {deliveries.items?.map((delivery) => (
          <li key={delivery.id}>
            <div class="child-words">
              <strong>{delivery.type}</strong> <code class="soft">{delivery.id}</code>
              <br />
              <span class="soft">
                {attemptsText(delivery)} · <Ago at={delivery.created_at} />
                {delivery.next_attempt_at && (
                  <>
                    {' '}
                    · again <Ago at={delivery.next_attempt_at} />
                  </>
                )}
              </span>
            </div>
            <Badge tone={DELIVERY_TONES[delivery.state]}>{delivery.state}</Badge>
            <Action
              tone="quiet"
              name={`Send again ${delivery.id}`}
              run={async () => {
                await send('POST', pathOfWebhook(webhook, 'deliveries', delivery.id, 'retry'))
                await deliveries.reload()
                say('It is sent again.')
              }}
            >
              Send again
            </Action>
          </li>
        ))}
      </ul>
      {deliveries.next && (
        <p>
          <button type="button" onClick={deliveries.next}>
            More
          </button>
        </p>
      )}
    </section>
  )
}

function attemptsText({ attempts, status, error }: Delivery): string {
  const came = [status && `answered ${status}`, error].filter(Boolean).join(': ')
  return `${attempts === 0 ? 'not tried yet' : plural(attempts, 'try', 'tries')}${came && `, ${came}`}`
}
