import { get } from '../../api.ts'
import { Action } from '../../parts/action.tsx'
import { plural } from '../../parts/format.ts'
import { addressOf, go, here, withQuery } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { type Pages, usePages } from '../../parts/resource.ts'
import { Badge, Empty, Loading } from '../../parts/states.tsx'
import { Text } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { WindowList } from '../../parts/window-list.tsx'
import { ForkAction } from './files.tsx'
import { SessionFrame } from './frame.tsx'
import { SnapshotAction } from './snapshot.tsx'
import { restore } from './take-back.tsx'
import { CHANGE_TONES, type Commit, type Difference, pathOf } from './types.ts'

/** Every change of files, and what differs between two of them. */
export function HistoryPage({ params }: PageProps) {
  const session = params.session ?? ''
  const { query } = here.value
  const path = query.get('path')
  const to = query.get('to')
  const commits = usePages<Commit>(
    `history of ${JSON.stringify([session, path])}`,
    (cursor, signal) => get(pathOf(session, 'history'), { limit: 100, cursor, path }, signal),
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
  const number = Number(to)
  const chosen = commits.items?.find(({ commit }) => commit === number)
  const choice = (name: 'from' | 'to', value: string | null | undefined) => (
    <label class="field-inline">
      {name === 'from' ? 'From' : 'to'}
      <select
        value={value ?? ''}
        onChange={(event) => {
          go(withQuery({ [name]: event.currentTarget.value }))
        }}
      >
        {name === 'from' && <option value="0">before all</option>}
        {commits.items?.map(({ commit }) => (
          <option key={commit} value={String(commit)}>
            {commit}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <section class="stack" aria-label="What differs">
      <div class="row-actions">
        {choice('from', from)}
        {choice('to', to)}
        {chosen?.author.startsWith('call_') && (
          <a class="button quiet" href={addressOf(['sessions', session, 'calls', chosen.author])}>
            The call
          </a>
        )}
        <a class="button quiet" href={addressOf(['sessions', session, 'files'], { as_of: to ?? null })}>
          Files then
        </a>
      </div>
      {Number.isInteger(number) && (
        <div class="row-actions">
          <Action
            confirm={`Set all files back to what they were after commit ${number}? The present state stays in the history.`}
            run={async () => {
              await restore(session, number, '')
              await commits.reload()
            }}
          >
            Restore all to {number}
          </Action>
          <ForkAction session={session} asOf={number} />
          <SnapshotAction session={session} commit={number} />
        </div>
      )}
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

interface FileDifferenceProps {
  readonly session: string
  readonly difference: Difference
  readonly before: string | null
}

function FileDifference({ session, difference, before }: FileDifferenceProps) {
  const { path, change, hunks, omitted } = difference
  const commit = Number(before)
  return (
    <article class="panel stack">
      <div class="row-actions">
        <Badge tone={CHANGE_TONES[change]}>{change}</Badge>
        <a class="mono file-name" href={addressOf(['sessions', session, 'files', ...path.split('/')])}>
          {path}
        </a>
        {before !== null && Number.isInteger(commit) && (
          <Action run={() => restore(session, commit, path)}>
            {change === 'created' ? 'Remove it again' : 'Take this file back'}
          </Action>
        )}
      </div>
      {hunks.map((hunk, at) => (
        <Text key={at} class="diff">
          <span class="soft">
            line {hunk.old_start} → {hunk.new_start}
            {'\n'}
          </span>
          {hunk.lines.map((line, index) => (
            <span key={index} class={line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : ''}>
              {line}
              {'\n'}
            </span>
          ))}
        </Text>
      ))}
      {omitted && <p class="soft">No lines to show: {omitted}.</p>}
    </article>
  )
}
