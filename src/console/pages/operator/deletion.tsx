import { useEffect } from 'preact/hooks'
import { get } from '../../api.ts'
import { bytesText, countText } from '../../parts/format.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Loading } from '../../parts/states.tsx'
import { Ago } from '../../parts/time.tsx'
import { type Deletion, pathOfTenant } from './types.ts'

/** Milliseconds between two looks at a deletion that is under way. */
const LOOK_MS = 2_000

/** Steps of a deletion, and their words. */
const STEPS: Readonly<Record<string, string>> = {
  keys: 'Its keys end',
  sessions: 'Its sessions are removed',
  objects: 'Contents of its files are removed',
  rows: 'Its rows in the database are removed',
  tables: 'Its own tables are removed',
  end: 'It is noted as deleted',
}

interface DeletionViewProps {
  readonly tenant: string
  /** Called when nothing is left. */
  readonly ended: () => Promise<void>
}

/** How far the deletion of a tenant is, and its receipt in the end. */
export function DeletionView({ tenant, ended }: DeletionViewProps) {
  const deletion = useResource(
    `deletion ${tenant}`,
    (signal) => get<Deletion>(pathOfTenant(tenant, 'deletion'), {}, signal),
    { everyMs: LOOK_MS },
  )
  const { value } = deletion
  const isOver = value?.status === 'deleted'
  useEffect(() => {
    if (isOver) void ended()
  }, [isOver])
  return (
    <section class="panel stack" aria-label="Deletion">
      <h2>{isOver ? 'Nothing is left of it' : 'It is being deleted'}</h2>
      {deletion.problem && <ProblemView problem={deletion.problem} retry={() => void deletion.reload()} />}
      {!value && !deletion.problem && <Loading lines={2} />}
      {value && (
        <>
          {value.step && <p role="status">{STEPS[value.step] ?? value.step} …</p>}
          {value.problem && <p class="problem">The last try failed, and is made again: {value.problem}</p>}
          <Receipt deletion={value} />
        </>
      )}
    </section>
  )
}

function Receipt({ deletion }: { readonly deletion: Deletion }) {
  const { sessions, objects, rows } = deletion
  const facts: [string, string][] = [
    ['Sessions removed', `${countText(sessions.removed)} of ${countText(sessions.total)}`],
    ['Contents removed', `${countText(objects.removed)}, ${bytesText(objects.bytes)}`],
    ...Object.entries(rows ?? {}).map(([name, count]): [string, string] => [
      `${name[0]?.toUpperCase()}${name.slice(1)}`,
      countText(count),
    ]),
  ]
  return (
    <dl class="facts">
      <div>
        <dt>Asked for</dt>
        <dd>
          <Ago at={deletion.requested_at} />
        </dd>
      </div>
      <div>
        <dt>Ended</dt>
        <dd>
          <Ago at={deletion.ended_at} />
        </dd>
      </div>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
