import type { RefObject } from 'preact'
import { DiffLines } from '../../../parts/diff-lines.tsx'
import { useKeys } from '../../../parts/keys.tsx'
import { addressOf } from '../../../parts/location.ts'
import { Badge } from '../../../parts/states.tsx'
import { Text } from '../../../parts/text.tsx'
import { CHANGE_TONES, type Difference } from '../types.ts'
import { useSince } from './since.ts'
import { ChangedSince, TakeBack } from './take-back.tsx'

interface FileDifferenceProps {
  readonly session: string
  readonly difference: Difference
  /** Moments that are compared; null for what a missing one stands for. */
  readonly from: string | null
  readonly to: string | null
  /** Whether it is looked for what became of it since, which takes a request or two. */
  readonly isFollowed: boolean
  /** Finds the newest later commit that changed a path, as {@link useTouched} does. */
  readonly touched?: (path: string, after: number) => number
}

/** What differs in one file, with its way back. */
export function FileDifference({ session, difference, from, to, isFollowed, touched }: FileDifferenceProps) {
  const { path, change, hunks, omitted } = difference
  const [before, after] = [from === null ? Number.NaN : Number(from), Number(to ?? Number.NaN)]
  const hasEnds = Number.isInteger(before) && Number.isInteger(after)
  const made = { path, change, before, after }
  const since = useSince(session, made, { isFollowed: isFollowed && hasEnds, touched: touched?.(path, after) ?? 0 })
  const isDirectory = (difference.after ?? difference.before)?.kind === 'directory'
  // A deleted path is in the files before.
  const href = addressOf(['sessions', session, 'files', ...path.split('/'), ...(isDirectory ? [''] : [])], {
    as_of: change === 'deleted' ? from : to,
  })
  return (
    <article class="panel stack">
      <div class="row-actions">
        <Badge tone={CHANGE_TONES[change]}>{change}</Badge>
        <a class="mono file-name" href={href}>
          {path}
          {isDirectory && '/'}
        </a>
        <span class="soft">
          <ChangedSince session={session} since={since} />
        </span>
        {hasEnds && (
          <TakeBack session={session} made={made} since={since} to={`commit ${before}`}>
            {change === 'created' ? 'Remove it again' : 'Take this file back'}
          </TakeBack>
        )}
      </div>
      {hunks.map((hunk, at) => (
        <div key={at}>
          <p class="soft hunk-head">{placeOf(hunk)}</p>
          <Text class="diff">
            <DiffLines lines={hunk.lines} />
          </Text>
        </div>
      ))}
      {omitted && <p class="soft">No lines to show: {omitted}.</p>}
    </article>
  )
}

/** Where a changed place is: its lines before, and where they are now if they moved. */
function placeOf({ old_start, new_start, lines }: Difference['hunks'][number]): string {
  const span = (start: number, without: string) => {
    const count = lines.filter((line) => !line.startsWith(without)).length
    return count === 0 ? '' : count === 1 ? `line ${start}` : `lines ${start} to ${start + count - 1}`
  }
  const [before, now] = [span(old_start, '+'), span(new_start, '-')]
  if (!before || !now) return before ? `${before}, gone` : `${now}, new`
  return before === now ? before : `${before}, now ${now}`
}

/** Keys that go from one changed place to the next: `n` and `p` from anywhere, `j` and `k` where the focus is among them. */
export function useHunkKeys(region: RefObject<HTMLElement | null>): void {
  const move = (by: number) => {
    const hunks = [...(region.current?.querySelectorAll<HTMLElement>('pre.diff') ?? [])]
    const at = hunks.findIndex((hunk) => hunk.matches(':focus'))
    const next = hunks[at < 0 ? (by > 0 ? 0 : hunks.length - 1) : at + by]
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'center' })
  }
  const when = () => region.current?.contains(document.activeElement) ?? false
  const next = { label: 'Next changed place', run: () => move(1) }
  const previous = { label: 'Previous changed place', run: () => move(-1) }
  useKeys({ n: next, p: previous, j: { ...next, when }, k: { ...previous, when } })
}
