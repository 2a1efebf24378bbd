import { useSignal } from '@preact/signals'
import { get, type Listed } from '../../api.ts'
import { AnsiText } from '../../parts/ansi.tsx'
import { addressOf } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { useResource } from '../../parts/resource.ts'
import { Badge, Empty } from '../../parts/states.tsx'
import { Text } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { CallRow } from './calls/calls.tsx'
import { SessionFrame } from './frame.tsx'
import { outputOf, useStream } from './stream.ts'
import { CHANGE_TONES, type Commit, type ListedCall, pathOf } from './types.ts'

/** Milliseconds between two looks for new calls. */
const LOOK_MS = 1_000
/** Changes of files, and characters of output, that are kept. */
const COMMITS_MAX = 50
const OUTPUT_MAX = 20_000

/** What happens in a session now: calls and their output, and changes of files, as they come. */
export function LivePage({ params }: PageProps) {
  const session = params.session ?? ''
  const calls = useResource(
    `live calls of ${session}`,
    (signal) => get<Listed<ListedCall>>(pathOf(session, 'calls'), { limit: 20 }, signal),
    { everyMs: LOOK_MS },
  )
  const running = calls.value?.data.filter(({ state }) => state === 'running') ?? []
  return (
    <SessionFrame session={session} tab="live">
      <div class="split live">
        <section class="stack" aria-label="Files">
          <h2>Files</h2>
          <Commits session={session} />
        </section>
        <section class="stack" aria-label="Calls">
          <h2>{running.length > 0 ? 'Running now' : 'Calls'}</h2>
          {running.map((call) => (
            <RunningCall key={call.call_id} session={session} call={call} />
          ))}
          {calls.value?.data.length === 0 && <Empty title="No calls yet">They appear here as they begin.</Empty>}
          <ul class="live-calls">
            {calls.value?.data.map((call) => (
              <li key={call.call_id}>
                <CallRow call={call} href={addressOf(['sessions', session, 'calls', call.call_id])} />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </SessionFrame>
  )
}

function RunningCall({ session, call }: { readonly session: string; readonly call: ListedCall }) {
  const text = useSignal('')
  useStream(pathOf(session, 'calls', call.call_id, 'events'), {}, (event) => {
    text.value = (text.peek() + outputOf(event)).slice(-OUTPUT_MAX)
    return event.event !== 'result' && event.event !== 'error'
  })
  return (
    <article class="panel stack">
      <div class="row-actions">
        <strong>{call.tool}</strong>
        <Badge tone="busy">running</Badge>
        <span class="soft">
          began <Ago at={call.started_at} />
        </span>
      </div>
      <Text class="text live-output">
        <AnsiText text={text.value || call.arguments} />
      </Text>
    </article>
  )
}

function Commits({ session }: { readonly session: string }) {
  const commits = useSignal<readonly Commit[]>([])
  const watching = useSignal(false)
  useStream(pathOf(session, 'watch'), { from: 'HEAD' }, ({ event, data }) => {
    if (event === 'watching') watching.value = true
    if (event === 'commit') commits.value = [JSON.parse(data) as Commit, ...commits.peek()].slice(0, COMMITS_MAX)
    return event !== 'end'
  })
  if (commits.value.length === 0) {
    return <p class="soft">{watching.value ? 'No change since you opened this page.' : 'Beginning to look …'}</p>
  }
  return (
    <ul class="stack">
      {commits.value.map((commit) => (
        <li key={commit.commit}>
          <a
            href={addressOf(['sessions', session, 'history'], {
              from: String(commit.commit - 1),
              to: String(commit.commit),
            })}
          >
            {commit.commit}. {commit.tool ?? commit.author}
          </a>
          <ul>
            {commit.changes?.map(({ path, change }) => (
              <li key={path} class="cut">
                <Badge tone={CHANGE_TONES[change]}>{change}</Badge> <code>{path}</code>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
