import { expect, it } from 'vitest'
import type { OpenDocument } from '../../../src/documents/document.ts'
import { readDocument } from '../../../src/documents/read-document.ts'
import { expectCost, plainPassMs } from '../../support/processor-time.ts'

it('finds a late piece of one long line in time that is linear in the line', async () => {
  const line = 'x'.repeat(8_000_000)
  const document: OpenDocument = { unit: 'sheet', count: 1, metadata: {}, read: async () => line }
  const reading = () => readDocument(document, '1.80000', { now: () => 0 }, AbortSignal.timeout(60_000), 100)
  const { content, next_pages } = await expectCost(reading, { below: () => 20 * plainPassMs(line.length) })
  expect([content.length, next_pages]).toEqual([100, undefined])
})
