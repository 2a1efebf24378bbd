import { get } from '../../../api.ts'
import { addressOf } from '../../../parts/location.ts'
import { ProblemView } from '../../../parts/problem.tsx'
import { usePages } from '../../../parts/resource.ts'
import { Loading } from '../../../parts/states.tsx'
import { type Difference, pathOf } from '../types.ts'
import { FileDifference } from './difference.tsx'

/** Files of one page. */
const PAGE = 50

interface AgainstProps {
  readonly session: string
  /** Session that it is compared with, such as the one of which it is a fork. */
  readonly other: string
  /** Moment of the other session; null for its present files. */
  readonly from: string | null
}

/** What the files of a session have that those of another one have not. */
export function Against({ session, other, from }: AgainstProps) {
  const differences = usePages<Difference>(
    `differences ${JSON.stringify([session, 'against', other, from])}`,
    (cursor, signal) => get(pathOf(session, 'diff'), { limit: PAGE, cursor, against: other, from }, signal),
    { idOf: (difference) => difference.path },
  )
  const atOther = { from: String(Math.max(0, Number(from) - 1)), to: from }
  return (
    <section class="stack" aria-label="What differs">
      <h2>
        What differs from{' '}
        <a href={addressOf(['sessions', other, 'history'], from ? atOther : {})}>
          {other} {from ? `at ${from}` : 'now'}
        </a>
      </h2>
      {differences.problem && <ProblemView problem={differences.problem} retry={() => void differences.reload()} />}
      {!differences.items && !differences.problem && <Loading />}
      {differences.items?.length === 0 && <p class="soft">Nothing differs.</p>}
      {differences.items?.map((difference) => (
        <FileDifference
          key={difference.path}
          session={difference.change === 'deleted' ? other : session}
          difference={difference}
          from={difference.change === 'deleted' ? from : null}
          to={null}
          isFollowed={false}
        />
      ))}
      {differences.next && (
        <button type="button" onClick={differences.next}>
          More
        </button>
      )}
    </section>
  )
}
