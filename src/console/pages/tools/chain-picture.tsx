import type { ChainStep } from './types.ts'

/** Pixels of a step, of the room between steps, and of the characters in one. */
const STEP = { width: 200, height: 56, across: 24, down: 40 }
/** Characters of a name that fit into a step. */
const NAME_MAX = 24
/** Steps that are drawn. */
const STEPS_MAX = 100

interface ChainPictureProps {
  readonly steps: readonly ChainStep[]
  /** Steps that a dry run found to run, or not; unknown without one. */
  readonly runs?: ReadonlyMap<string, 'yes' | 'no' | 'perhaps'>
  /** What each step waits for, as a dry run says; without it, as the chain's text does. */
  readonly waits?: ReadonlyMap<string, readonly string[]>
}

interface Drawn {
  readonly step: ChainStep
  readonly level: number
  readonly place: number
}

/** Steps of a chain from top to bottom, each below those that it waits for. */
export function ChainPicture({ steps: all, runs, waits }: ChainPictureProps) {
  const steps = all.slice(0, STEPS_MAX)
  const waitsFor = directWaits(steps, (step, at) => waits?.get(step.id) ?? waitsOf(step, at, steps))
  const drawn = layOut(steps, waitsFor)
  const levels = Math.max(0, ...[...drawn.values()].map(({ level }) => level)) + 1
  const columns = Math.max(0, ...[...drawn.values()].map(({ place }) => place)) + 1
  const width = columns * (STEP.width + STEP.across) - STEP.across + 4
  const height = levels * (STEP.height + STEP.down) - STEP.down + 4
  const x = (one: Drawn) => 2 + one.place * (STEP.width + STEP.across)
  const y = (one: Drawn) => 2 + one.level * (STEP.height + STEP.down)
  return (
    <figure class="chain-picture scroll-x">
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Steps: ${steps.map(({ id, tool }) => `${id} by ${tool}`).join('; ')}`}
      >
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path class="arrow" d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {[...drawn.values()].flatMap((one) =>
          (waitsFor.get(one.step.id) ?? []).map((id) => {
            const from = drawn.get(id)
            if (!from) return null
            const [x1, y1] = [x(from) + STEP.width / 2, y(from) + STEP.height]
            const [x2, y2] = [x(one) + STEP.width / 2, y(one)]
            const middle = (y1 + y2) / 2
            const line = `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`
            return <path key={`${id} ${one.step.id}`} d={line} marker-end="url(#arrow)" />
          }),
        )}
        {[...drawn.values()].map((one) => (
          <g key={one.step.id} class={`chain-step runs-${runs?.get(one.step.id) ?? 'unknown'}`}>
            <rect x={x(one)} y={y(one)} width={STEP.width} height={STEP.height} rx={6} />
            <text class="chain-id" x={x(one) + 12} y={y(one) + 23}>
              {cut(one.step.id)}
            </text>
            <text x={x(one) + 12} y={y(one) + 43}>
              {cut(one.step.tool)}
            </text>
            <text class="chain-mark" x={x(one) + STEP.width - 12} y={y(one) + 23}>
              {[one.step.if && 'if', one.step.map && 'each'].filter(Boolean).join(' ')}
            </text>
            <title>{`${one.step.id}: ${one.step.tool}${one.step.if ? `, if ${one.step.if}` : ''}`}</title>
          </g>
        ))}
      </svg>
      {all.length > STEPS_MAX && <figcaption class="soft">The first {STEPS_MAX} steps.</figcaption>}
    </figure>
  )
}

const cut = (name: string) => (name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name)

/** Steps that a step waits for: all before it, or with `after` those named there and in its expressions. */
function waitsOf(step: ChainStep, at: number, steps: readonly ChainStep[]): readonly string[] {
  const before = steps.slice(0, at)
  if (!Array.isArray(step.after)) return before.map(({ id }) => id)
  const text = JSON.stringify([step.input, step.if, step.map])
  return before.map(({ id }) => id).filter((id) => step.after?.includes(id) || text.includes(`steps.${id}`))
}

/** What each step waits for, without the steps that those wait for in turn. */
function directWaits(
  steps: readonly ChainStep[],
  waitsFor: (step: ChainStep, at: number) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, ReadonlySet<string>>()
  const direct = new Map<string, readonly string[]>()
  for (const [at, step] of steps.entries()) {
    const waits = waitsFor(step, at)
    const further = new Set(waits.flatMap((id) => [...(all.get(id) ?? [])]))
    all.set(step.id, new Set([...waits, ...further]))
    direct.set(
      step.id,
      waits.filter((id) => !further.has(id)),
    )
  }
  return direct
}

/** A level below all that a step waits for, and the next free place on it. */
function layOut(steps: readonly ChainStep[], waitsFor: ReadonlyMap<string, readonly string[]>) {
  const drawn = new Map<string, Drawn>()
  const used: number[] = []
  for (const step of steps) {
    const above = (waitsFor.get(step.id) ?? []).map((id) => drawn.get(id)?.level ?? -1)
    const level = Math.max(-1, ...above) + 1
    const place = used[level] ?? 0
    used[level] = place + 1
    drawn.set(step.id, { step, level, place })
  }
  return drawn
}
