import { expect, it } from 'vitest'
import dashboard from '../../../../docs/dashboards/toolyard.json' with { type: 'json' }
import { Metrics } from '../../../../src/adapters/observed/metrics.ts'
import { readPrometheus } from '../../../support/prometheus-text.ts'
import { observedCall } from './calls.ts'

const metrics = new Metrics()
metrics.ended(observedCall({ outcome: 'failed', reason: 'timeout' }))
const { samples, families } = readPrometheus(metrics.text('1.2.3', 1))
const names = new Set([...samples.keys()].map((sample) => sample.replace(/\{.*/, '')))
const targets = dashboard.panels.flatMap(({ targets }) => targets)

it('the dashboard asks for metrics that there are, by labels that they have', () => {
  for (const { expr, legendFormat } of targets) {
    const queried = expr.match(/toolyard_\w+/g) ?? []
    expect(queried.length, expr).toBeGreaterThan(0)
    expect(queried.filter((name) => !names.has(name))).toEqual([])
    const [, by = ''] = /\bby \(([^)]*)\)/.exec(expr) ?? []
    const [, shown] = /^\{\{(\w+)\}\}$/.exec(legendFormat) ?? []
    const labels = [...by.split(',').map((label) => label.trim()), ...(shown === undefined ? [] : [shown])]
    const known = [...samples.keys()].filter((sample) => sample.startsWith(`${queried[0]}{`)).join()
    for (const label of labels.filter((label) => label !== '')) expect(known, expr).toContain(`${label}="`)
  }
})

it('the dashboard shows each family of metrics', () => {
  const queried = targets.map(({ expr }) => expr).join()
  expect([...families].filter((family) => !queried.includes(family))).toEqual([])
})
