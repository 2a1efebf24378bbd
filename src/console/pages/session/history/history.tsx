import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { get } from '../../../api.ts'
import { countText, plural } from '../../../parts/format.ts'
import { addressOf, go, here, withQuery } from '../../../parts/location.ts'
import type { PageProps } from '../../../parts/page.ts'
import { ProblemView } from '../../../parts/problem.tsx'
import { type Pages, usePages } from '../../../parts/resource.ts'
import { Empty, Loading } from '../../../parts/states.tsx'
import { Ago } from '../../../parts/time.tsx'
import { WindowList } from '../../../parts/window-list.tsx'
import { useLook, useNewest, useReadAgain } from '../changed.ts'
import { SessionFrame } from '../frame.tsx'
import { type Commit, type Difference, pathOf } from '../types.ts'
import { Against } from './against.tsx'
import { FileDifference, useHunkKeys } from './difference.tsx'
import { ForkAction } from './fork.tsx'
import { makerOf } from './later-changes.ts'
import { SetAllBack } from './restore.tsx'
import { type Snapshot, SnapshotAction, useSnapshots } from './snapshot.tsx'
import { SnapshotList } from './snapshot-list.tsx'
import { useTouched } from './touched.ts'

/** Most commits of one page of the list. */
const PAGE = 200

/** Files of a difference of which the page says what became of them since. */
const FOLLOWED_MAX = 30

/** Every change of files, and what differs between two of them. */
export function HistoryPage({ params }: PageProps) {
  const session = params.session ?? ''
  const { query } = here.value
  const path = query.get('path')
  const to = query.get('to')
  const against = query.get('against')
  const place = `history of ${JSON.stringify([session, path])}`
  const look = useLook(place)
  const commits = usePages<Commit>(
    place,
    (cursor, signal) => get(pathOf(session, 'history'), { limit: PAGE, cursor, path, look: look() }, signal),
    { idOf: ({ commit }) => String(commit) },
  )
  useReadAgain(commits)
  const newest = useNewest(session)
  const snapshots = useSnapshots(session)
  const isWhole = commits.items !== undefined && (snapshots.value !== undefined || snapshots.problem !== null)
  return (
    <SessionFrame session={session} tab="history">
      {path && (
        <p class="filters">
          <span>
            Changes of <code>{path}</code>
          </span>
          <a class="button quiet" href={withQuery({ path: null })}>
            Of all files
          </a>
        </p>
      )}
      {commits.problem && <ProblemView problem={commits.problem} retry={() => void commits.reload()} />}
      {snapshots.problem && <ProblemView problem={snapshots.problem} retry={() => void snapshots.reload()} />}
      {!isWhole && !commits.problem && <Loading />}
      {isWhole && <SnapshotList session={session} snapshots={snapshots.value ?? []} newest={newest} />}
      {commits.items?.length === 0 && <Empty title="Nothing was changed yet" />}
      {isWhole && commits.items && commits.items.length > 0 && (
        <div class="split">
          <section class="beside" aria-label="All changes">
            <p class="soft commit-count">
              {countText(commits.items.length)}
              {commits.next ? ' or more' : ''} {commits.items.length === 1 ? 'change' : 'changes'}, newest first
            </p>
            <Commits session={session} commits={commits} chosen={to} path={path} snapshots={snapshots.value ?? []} />
          </section>
          {against ? (
            <Against session={session} other={against} from={query.get('from')} />
          ) : to ? (
            <Changes session={session} commits={commits} newest={newest} />
          ) : (
            <p class="soft">Choose a change to see it line by line.</p>
          )}
        </div>
      )}
    </SessionFrame>
  )
}

interface CommitsProps {
  readonly session: string
  readonly commits: Pages<Commit>
  readonly chosen: string | null
  readonly path: string | null
  readonly snapshots: readonly Snapshot[]
}

function Commits({ session, commits, chosen, path, snapshots }: CommitsProps) {
  const names = new Map<number, string[]>()
  for (const { name, commit } of snapshots) names.set(commit, [...(names.get(commit) ?? []), name])
  return (
    <WindowList
      label="Changes"
      items={commits.items ?? []}
      idOf={({ commit }) => String(commit)}
      next={commits.next}
      rowHeight={64}
      box="commits"
      shown={(commits.items ?? []).findIndex(({ commit }) => String(commit) === chosen)}
    >
      {(commit) => (
        <a
          class="row commit-row"
          href={addressOf(['sessions', session, 'history'], {
            path,
            from: String(commit.commit - 1),
            to: String(commit.commit),
          })}
          aria-current={chosen === String(commit.commit) ? 'true' : undefined}
        >
          <span class="cut">
            <strong>
              {commit.commit}. {makerOf(commit)}
            </strong>
            <br />
            <span class="soft">
              {plural(commit.changed, 'path')}: <code>{commit.changes.map(pathText).join(', ')}</code>
            </span>
          </span>
          <span class="number soft">
            <SnapshotNames names={names.get(commit.commit) ?? []} />
            <Ago at={commit.committed_at} />
          </span>
        </a>
      )}
    </WindowList>
  )
}

/** Path of a change; that of a directory ends with a slash. */
const pathText = ({ path, kind }: Commit['changes'][number]): string => (kind === 'directory' ? `${path}/` : path)

/** Names that a commit has by snapshots: the first of them in the row, all of them on hover. */
function SnapshotNames({ names }: { readonly names: readonly string[] }) {
  const [first, ...others] = names
  if (first === undefined) return null
  return (
    <span class="badge snapshot-name" title={names.join(', ')}>
      {others.length > 0 && `+${others.length} `}
      {first}
    </span>
  )
}

interface ChangesProps extends Pick<CommitsProps, 'session' | 'commits'> {
  /** Number of the newest commit; undefined until it is known. */
  readonly newest: number | undefined
}

function Changes({ session, commits, newest }: ChangesProps) {
  const { query } = here.value
  const [from, to, path] = ['from', 'to', 'path'].map((name) => query.get(name))
  const differences = usePages<Difference>(
    `differences ${JSON.stringify([session, from, to, path])}`,
    (cursor, signal) => get(pathOf(session, 'diff'), { limit: 50, cursor, from, to, path }, signal),
    { idOf: (difference) => difference.path },
  )
  const [first, last] = [from, to].map((text) => (text && /^\d+$/.test(text) ? Number(text) : null))
  const between = (commits.items ?? []).filter(({ commit }) => commit > (first ?? 0) && commit <= (last ?? 0))
  const most = newest ?? commits.items?.[0]?.commit ?? 0
  const touched = useTouched(session)
  const region = useRef<HTMLElement>(null)
  useHunkKeys(region)
  // What was done is the change that is shown then.
  const show = (commit: number) => go(withQuery({ from: String(commit - 1), to: String(commit) }))
  const shown = differences.items?.length ?? 0
  const before = useRef(Number.POSITIVE_INFINITY)
  useEffect(() => {
    if (shown <= before.current) return
    const next = region.current?.querySelectorAll('article')[before.current]
    before.current = Number.POSITIVE_INFINITY
    if (!next) return
    next.tabIndex = -1
    next.focus({ preventScroll: true })
  }, [shown])
  return (
    <section class="stack" aria-label="What differs" ref={region}>
      <div class="row-actions">
        <CommitNumber label="From" name="from" value={from ?? ''} most={most} />
        <CommitNumber label="to" name="to" value={to ?? ''} most={most} />
        <CallsBetween session={session} commits={between} />
      </div>
      <dl class="moments">
        {first != null && (
          <Moment name="Before" session={session} commit={first}>
            {first > 0 && <ForkAction session={session} asOf={first} />}
            {first > 0 && <SnapshotAction session={session} commit={first} />}
            <SetAllBack session={session} commit={first} newest={newest} done={show} />
          </Moment>
        )}
        {last != null && (
          <Moment name="After" session={session} commit={last}>
            <ForkAction session={session} asOf={last} />
            <SnapshotAction session={session} commit={last} />
            <SetAllBack session={session} commit={last} newest={newest} done={show} />
          </Moment>
        )}
      </dl>
      {differences.problem && <ProblemView problem={differences.problem} />}
      {!differences.items && !differences.problem && <Loading />}
      {differences.items?.length === 0 && <p class="soft">Nothing differs.</p>}
      {differences.items?.map((difference, at) => (
        <FileDifference
          key={difference.path}
          session={session}
          difference={difference}
          from={from ?? null}
          to={to ?? null}
          isFollowed={at < FOLLOWED_MAX}
          touched={touched}
        />
      ))}
      {differences.next && (
        <button
          type="button"
          onClick={() => {
            before.current = shown
            differences.next?.()
          }}
        >
          More
        </button>
      )}
    </section>
  )
}

/** Calls of a range that have a link of their own. */
const LINKED_CALLS = 5

/** The calls that made some commits: one by itself, of several each with its commit. */
function CallsBetween({ session, commits }: { readonly session: string; readonly commits: readonly Commit[] }) {
  const ofCalls = commits.filter(({ author }) => author.startsWith('call_'))
  // A call that ran long may have made several.
  const calls = [...new Map(ofCalls.map((commit) => [commit.author, commit])).values()]
  const hrefOf = ({ author }: Commit) => addressOf(['sessions', session, 'calls', author])
  const [only] = calls
  if (commits.length === 1 && only) {
    return (
      <a class="button quiet" href={hrefOf(only)}>
        The call
      </a>
    )
  }
  if (!only) return null
  const more = calls.length - LINKED_CALLS
  return (
    <span class="soft">
      {plural(calls.length, 'call')}:{' '}
      {calls.slice(0, LINKED_CALLS).map((call, at) => (
        <span key={call.commit}>
          {at > 0 && ', '}
          <a href={hrefOf(call)}>
            {call.commit}. {makerOf(call)}
          </a>
        </span>
      ))}
      {more > 0 && ` and ${countText(more)} more`}
    </span>
  )
}

interface CommitNumberProps {
  readonly label: string
  readonly name: 'from' | 'to'
  readonly value: string
  /** Number of the newest commit. */
  readonly most: number
}

/** One end of what is compared: 0 is before all commits. */
function CommitNumber({ label, name, value, most }: CommitNumberProps) {
  return (
    <label class="field-inline">
      {label}
      <input
        class="commit-number"
        type="number"
        min={name === 'from' ? 0 : 1}
        max={most}
        required
        value={value}
        onChange={({ currentTarget }) => {
          if (currentTarget.reportValidity()) go(withQuery({ [name]: currentTarget.value }))
        }}
      />
    </label>
  )
}

interface MomentProps {
  readonly name: string
  readonly session: string
  readonly commit: number
  readonly children: ComponentChildren
}

/** State of all files at one end of what is compared, and what can be done with it. */
function Moment({ name, session, commit, children }: MomentProps) {
  return (
    <div>
      <dt>
        {name}, at {commit}
      </dt>
      <dd class="row-actions">
        <a class="button quiet" href={addressOf(['sessions', session, 'files'], { as_of: String(commit) })}>
          Files then
        </a>
        {children}
      </dd>
    </div>
  )
}
