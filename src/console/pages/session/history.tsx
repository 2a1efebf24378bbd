import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { get } from '../../api.ts'
import { Action } from '../../parts/action.tsx'
import { plural } from '../../parts/format.ts'
import { addressOf, go, here, withQuery } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { type Pages, usePages } from '../../parts/resource.ts'
import { Empty, Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { FileDifference, useHunkKeys } from './difference.tsx'
import { ForkAction } from './files.tsx'
import { SessionFrame } from './frame.tsx'
import { SnapshotAction } from './snapshot.tsx'
import { restore } from './take-back.tsx'
import { type Commit, type Difference, pathOf } from './types.ts'

/** Most commits of one page of the list. */
const PAGE = 200

/** Every change of files, and what differs between two of them. */
export function HistoryPage({ params }: PageProps) {
  const session = params.session ?? ''
  const { query } = here.value
  const path = query.get('path')
  const to = query.get('to')
  const commits = usePages<Commit>(
    `history of ${JSON.stringify([session, path])}`,
    (cursor, signal) => get(pathOf(session, 'history'), { limit: PAGE, cursor, path }, signal),
    { idOf: ({ commit }) => String(commit), everyMs: 5_000 },
  )
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
      {!commits.items && !commits.problem && <Loading />}
      {commits.items?.length === 0 && <Empty title="Nothing was changed yet" />}
      {commits.items && commits.items.length > 0 && (
        <div class="split">
          <Commits session={session} commits={commits} chosen={to} path={path} />
          {to ? (
            <Changes session={session} commits={commits} />
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
}

function Commits({ session, commits, chosen, path }: CommitsProps) {
  return (
    <WindowList
      label="Changes"
      items={commits.items ?? []}
      idOf={({ commit }) => String(commit)}
      next={commits.next}
      rowHeight={64}
      box="beside commits"
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
              {commit.commit}. {commit.tool ?? commit.author.split('_')[0]}
            </strong>{' '}
            <span class="soft">{plural(commit.changed, 'path')}</span>
            <br />
            <code class="soft">{commit.changes.map((change) => change.path).join(', ')}</code>
          </span>
          <span class="number soft">
            <Ago at={commit.committed_at} />
          </span>
        </a>
      )}
    </WindowList>
  )
}

function Changes({ session, commits }: { readonly session: string; readonly commits: Pages<Commit> }) {
  const { query } = here.value
  const [from, to, path] = ['from', 'to', 'path'].map((name) => query.get(name))
  const differences = usePages<Difference>(
    `differences ${JSON.stringify([session, from, to, path])}`,
    (cursor, signal) => get(pathOf(session, 'diff'), { limit: 50, cursor, from, to, path }, signal),
    { idOf: (difference) => difference.path },
  )
  const [first, last] = [from, to].map((text) => (text && /^\d+$/.test(text) ? Number(text) : null))
  const newest = commits.items?.[0]?.commit ?? 0
  const chosen = commits.items?.find(({ commit }) => commit === last)
  const region = useRef<HTMLElement>(null)
  useHunkKeys(region)
  const setBack = async (commit: number) => {
    await restore(session, commit, '')
    await commits.reload()
  }
  return (
    <section class="stack" aria-label="What differs" ref={region}>
      <div class="row-actions">
        <CommitNumber label="From" name="from" value={from ?? ''} most={newest} />
        <CommitNumber label="to" name="to" value={to ?? ''} most={newest} />
        {chosen?.author.startsWith('call_') && (
          <a class="button quiet" href={addressOf(['sessions', session, 'calls', chosen.author])}>
            The call
          </a>
        )}
      </div>
      <dl class="moments">
        {first != null && first > 0 && (
          <Moment name="Before" session={session} commit={first}>
            <Action confirm={questionFor(first)} run={() => setBack(first)}>
              Set all files back to {first}
            </Action>
          </Moment>
        )}
        {last != null && (
          <Moment name="After" session={session} commit={last}>
            <ForkAction session={session} asOf={last} />
            <SnapshotAction session={session} commit={last} />
            {last < newest && (
              <Action tone="quiet" confirm={questionFor(last)} run={() => setBack(last)}>
                Set all files back to {last}
              </Action>
            )}
          </Moment>
        )}
      </dl>
      {differences.problem && <ProblemView problem={differences.problem} />}
      {!differences.items && !differences.problem && <Loading />}
      {differences.items?.length === 0 && <p class="soft">Nothing differs.</p>}
      {differences.items?.map((difference) => (
        <FileDifference key={difference.path} session={session} difference={difference} before={from ?? null} />
      ))}
      {differences.next && (
        <button type="button" onClick={differences.next}>
          More
        </button>
      )}
    </section>
  )
}

const questionFor = (commit: number) =>
  `Set all files back to what they were after commit ${commit}? The present state stays in the history.`

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
        {children}
        <a class="button quiet" href={addressOf(['sessions', session, 'files'], { as_of: String(commit) })}>
          Files then
        </a>
      </dd>
    </div>
  )
}
