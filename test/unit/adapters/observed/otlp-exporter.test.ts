import { expect, it } from 'vitest'
import { OtlpExporter } from '../../../../src/adapters/observed/otlp-exporter.ts'
import { COLLECTOR_RESTS_MS, MAX_SPANS_AT_ONCE, MAX_WAITING_SPANS } from '../../../../src/core/limits/observing.ts'
import type { HttpResponse } from '../../../../src/ports/http.ts'
import { readSpans } from '../../../support/otlp-spans.ts'
import { observedCall } from './calls.ts'

/** An exporter to a collector that answers when the test has it answer. */
function opened() {
  const bodies: string[] = []
  const answers: ((answer: Partial<HttpResponse> | Error) => void)[] = []
  const counts = { sent: 0, dropped: 0 }
  const work: Promise<unknown>[] = []
  const exporter = new OtlpExporter({
    ...{ tenant: 'acme', url: 'https://collector.example/v1/traces', headers: {} },
    http: {
      fetch: ({ body = '' }) =>
        new Promise((resolve, reject) => {
          bodies.push(body)
          answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer as HttpResponse)))
        }),
      open: () => Promise.reject(new Error('a collector gets whole requests')),
    },
    goOn: (going) => work.push(going),
    counted: (spans, isSent) => {
      counts[isSent ? 'sent' : 'dropped'] += spans
    },
  })
  /** Answers the request under way. */
  const answer = (given: Partial<HttpResponse> | Error = { status: 200 }) => answers.shift()?.(given)
  const lengths = () => bodies.map((body) => readSpans(body).length)
  return { exporter, lengths, counts, work, answer }
}

it('spans that end while a batch is on its way are the next batch', async () => {
  const { exporter, lengths, counts, work, answer } = opened()
  for (let call = 0; call < 3; call++) exporter.ended(observedCall())
  expect(lengths()).toEqual([1])
  answer()
  await expect.poll(lengths).toEqual([1, 2])
  answer()
  await Promise.all(work)
  expect(work).toHaveLength(1)
  expect(counts).toEqual({ sent: 3, dropped: 0 })
})

it('a slow collector loses spans beyond the limit, and they are counted', async () => {
  const { exporter, lengths, counts, work, answer } = opened()
  for (let call = 0; call < MAX_WAITING_SPANS + 8; call++) exporter.ended(observedCall())
  expect(counts).toEqual({ sent: 0, dropped: 7 })
  const batches = [1]
  for (let left = MAX_WAITING_SPANS; left > 0; left -= MAX_SPANS_AT_ONCE) {
    batches.push(Math.min(left, MAX_SPANS_AT_ONCE))
    answer()
    await expect.poll(lengths).toEqual(batches)
  }
  answer()
  await Promise.all(work)
  expect(counts).toEqual({ sent: 1 + MAX_WAITING_SPANS, dropped: 7 })
})

it.each([{ status: 503 }, { status: 302 }, new Error('no collector')])(
  'a collector that did not take its spans is left alone for a while, and then has the next ones: %s',
  async (refusal) => {
    const { exporter, counts, work, answer } = opened()
    exporter.ended(observedCall())
    answer(refusal)
    await Promise.all(work)
    expect(counts).toEqual({ sent: 0, dropped: 1 })
    const { startedAt } = observedCall()
    exporter.ended(observedCall({ startedAt: startedAt + COLLECTOR_RESTS_MS - 1 }))
    expect(counts).toEqual({ sent: 0, dropped: 2 })
    exporter.ended(observedCall({ startedAt: startedAt + COLLECTOR_RESTS_MS }))
    answer()
    await Promise.all(work)
    expect(counts).toEqual({ sent: 1, dropped: 2 })
  },
)

it('calls of no trace, or of one that is not recorded, have no span', () => {
  const { exporter, lengths } = opened()
  const trace = { traceId: 'a'.repeat(32), parentId: null, isSampled: false }
  exporter.ended(observedCall({ origin: { dialect: 'v1', requestId: null, trace } }))
  exporter.ended(observedCall({ origin: { dialect: 'v1', requestId: null, trace: null }, spanId: null }))
  exporter.ended(observedCall({ origin: null, spanId: null }))
  expect(lengths()).toEqual([])
})
