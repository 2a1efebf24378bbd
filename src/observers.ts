import { analyticsEngine } from './adapters/observed/analytics-engine.ts'
import { callLog } from './adapters/observed/call-log.ts'
import { isolateMetrics } from './adapters/observed/metrics.ts'
import { OtlpExporter } from './adapters/observed/otlp-exporter.ts'
import type { OpenRequests } from './adapters/open-requests.ts'
import type { Config } from './config.ts'
import type { TenantId } from './core/ids.ts'
import { newTrace } from './core/trace-context.ts'
import { operatorsHttp } from './outside.ts'
import type { CallObserver } from './ports/call-observer.ts'

/** Parts of a session's object that its observers use. */
interface Surroundings {
  readonly tenant: TenantId
  /** Places of the object for requests. */
  readonly open: OpenRequests
  /** Has work continue when its call is answered. */
  readonly goOn: (work: Promise<unknown>) => void
}

/** Observers of one session's calls, as the settings have them; empty where nobody wants to know. */
export function callObservers(config: Config, { tenant, open, goOn }: Surroundings): readonly CallObserver[] {
  const { logsCalls, analytics, otlp, metricsToken } = config.observing
  return [
    ...(logsCalls ? [callLog(tenant)] : []),
    ...(analytics ? [analyticsEngine(tenant, analytics)] : []),
    ...(otlp
      ? [new OtlpExporter({ ...otlp, tenant, goOn, http: operatorsHttp(config, otlp.url, open), counted })]
      : []),
    ...(metricsToken === null ? [] : [isolateMetrics]),
  ]
}

const counted = (spans: number, isSent: boolean) => isolateMetrics.countSpans(spans, isSent)

/** Maker of traces for requests that come with none; null where no traces are recorded. */
export const traceMaker = ({ observing: { otlp } }: Pick<Config, 'observing'>) => otlp && (() => newTrace(otlp.ratio))
