import type { CallObserver } from '../../ports/call-observer.ts'

/**
 * Points of Cloudflare's Analytics Engine, one for each call, whose columns `docs/operating.md` lists: their order is what queries
 * know them by, so new ones go to the end. Writing a point waits for nothing.
 */
export const analyticsEngine = (
  tenant: string,
  dataset: Pick<AnalyticsEngineDataset, 'writeDataPoint'>,
): CallObserver => ({
  ended: ({ tool, outcome, reason, origin, ms, sandboxMs, queuedMs, bytesIn, bytesOut }) =>
    dataset.writeDataPoint({
      indexes: [tenant],
      blobs: [origin?.dialect ?? '', tool, outcome, reason ?? ''],
      doubles: [ms, sandboxMs, queuedMs, bytesIn, bytesOut],
    }),
})
