import { expect, it } from 'vitest'
import manifest from '../../../../package.json' with { type: 'json' }
import { Metrics } from '../../../../src/adapters/observed/metrics.ts'
import { SERVER_VERSION } from '../../../../src/core/server-version.ts'
import { readPrometheus } from '../../../support/prometheus-text.ts'
import { observedCall } from './calls.ts'

it('counts calls by tool and end, their times in buckets, and their amounts', () => {
  const metrics = new Metrics()
  metrics.ended(observedCall())
  metrics.ended(observedCall({ ms: 700_000, outcome: 'failed', reason: 'timeout' }))
  metrics.ended(observedCall({ tool: 'execute_shell', ms: 1_000, sandboxMs: 900 }))
  metrics.sandboxTime({ runningMs: 90_000, pausedMs: 0 })
  metrics.sandboxTime({ runningMs: 1_500, pausedMs: 2_000 })
  metrics.countSpans(2, false)
  const { samples } = readPrometheus(metrics.text('1.2.3', 4))
  expect(Object.fromEntries(samples)).toMatchObject({
    'toolyard_build_info{version="1.2.3"}': 1,
    'toolyard_calls_total{tool="file_read",outcome="done"}': 1,
    'toolyard_calls_total{tool="file_read",outcome="failed"}': 1,
    'toolyard_call_failures_total{reason="timeout"}': 1,
    'toolyard_call_duration_seconds_bucket{tool="file_read",le="0.01"}': 0,
    'toolyard_call_duration_seconds_bucket{tool="file_read",le="0.025"}': 1,
    'toolyard_call_duration_seconds_bucket{tool="file_read",le="300"}': 1,
    'toolyard_call_duration_seconds_bucket{tool="file_read",le="+Inf"}': 2,
    'toolyard_call_duration_seconds_bucket{tool="execute_shell",le="1"}': 1,
    'toolyard_call_duration_seconds_sum{tool="execute_shell"}': 1,
    'toolyard_call_sandbox_seconds_total{tool="execute_shell"}': 0.9,
    'toolyard_call_bytes_total{tool="file_read",direction="out"}': 1_000,
    toolyard_sandboxes_running: 4,
    'toolyard_sandbox_seconds_total{state="running"}': 91.5,
    'toolyard_sandbox_seconds_total{state="paused"}': 2,
    'toolyard_spans_total{result="dropped"}': 2,
  })
})

it('is a good text before the first call, and where nobody knows how many sandboxes run', () => {
  const { samples } = readPrometheus(new Metrics().text('a "quoted" \\ one\n', null))
  expect([...samples.keys()]).not.toContain('toolyard_sandboxes_running')
  expect(samples.get('toolyard_build_info{version="a \\"quoted\\" \\\\ one\\n"}')).toBe(1)
})

it('the version that servers say is that of the package', () => {
  expect(SERVER_VERSION).toBe(manifest.version)
})
