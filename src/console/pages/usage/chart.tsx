import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'

/** Line of a chart: its words with the unit, its colour by a custom property, a value for each day. */
export interface Line {
  readonly label: string
  readonly colour: string
  readonly values: readonly (number | null)[]
}

interface ChartProps {
  /** Words and unit of the upright axis. */
  readonly axis: string
  /** Days in UTC. */
  readonly days: readonly string[]
  readonly lines: readonly Line[]
}

const HEIGHT_PX = 260
/** Of the axes: a canvas takes no font of the page. */
const FONT = '12px system-ui, "Noto Sans", sans-serif'
const DAY_SECONDS = 86_400
/** Pixels between two days that are named: a name such as “23 Nov” and a gap, on a telephone too. */
const DAY_PX = 52
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayTexts = (_plot: uPlot, seconds: readonly number[]) => seconds.map((at) => day.format(at * 1000))
/** Steps of an axis of counts, which has no halves. */
const WHOLE_STEPS = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat()

/** Values by day, with axes that have units. The table beside it has the same figures in words. */
export function Chart({ axis, days, lines }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const colour = (name: string) => () => colourOf(element, name)
    const look = { stroke: colour('--soft'), font: FONT, labelFont: FONT, gap: 10, ticks: { show: false } }
    const areCounts = lines.every(({ values }) => values.every(Number.isInteger))
    const grid = { stroke: colour('--line'), width: 1 / devicePixelRatio }
    const upright = { ...look, grid, label: axis, size: 64, ...(areCounts && { incrs: WHOLE_STEPS }) }
    const level = { ...look, grid: { show: false }, label: 'Day (UTC)', values: dayTexts }
    // Without a pointer the legend has the last day.
    const showLast = (plot: uPlot) => plot.setLegend({ idx: days.length - 1 })
    const ready = (plot: uPlot) => {
      showLast(plot)
      plot.over.addEventListener('mouseleave', () => showLast(plot))
    }
    const options: uPlot.Options = {
      hooks: { ready: [ready] },
      width: element.clientWidth,
      height: HEIGHT_PX,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
      scales: { x: { time: true }, y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] } },
      axes: [{ ...level, space: DAY_PX, incrs: [1, 2, 3, 7, 14, 28].map((count) => count * DAY_SECONDS) }, upright],
      series: [
        { label: 'Day', value: '{YYYY}-{MM}-{DD}' },
        ...lines.map(({ label, colour: name }) => ({ label, stroke: colour(name), width: 2, points: { size: 6 } })),
      ],
    }
    const times = days.map((day) => Date.parse(day) / 1000)
    const plot = new uPlot(options, [times, ...lines.map(({ values }) => [...values])], element)
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    resized.observe(element)
    const themed = new MutationObserver(() => plot.redraw())
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      resized.disconnect()
      themed.disconnect()
      plot.destroy()
    }
  }, [axis, JSON.stringify(days), JSON.stringify(lines)])
  return <div ref={place} class="chart" role="img" aria-label={`${axis} by day`} />
}

/** Colour of a custom property in the theme that is shown: a canvas knows no `light-dark()`. */
function colourOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`
  const { color } = getComputedStyle(element)
  element.style.color = ''
  return color
}
