import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Chart } from './chart.tsx'

type ChartProps = Parameters<typeof Chart>[0]

/** A chart in a panel of its height, whose code is loaded when it is first shown. */
export function LazyChart(props: ChartProps) {
  const View = useSignal<ComponentType<ChartProps> | null>(null)
  useEffect(() => {
    void import('./chart.tsx').then(({ Chart }) => (View.value = Chart))
  }, [])
  const Loaded = View.value
  return <div class="panel chart-place">{Loaded && <Loaded {...props} />}</div>
}
