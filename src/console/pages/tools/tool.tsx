import { get } from '../../api.ts'
import { useKeys } from '../../parts/keys.tsx'
import { addressOf, here } from '../../parts/location.ts'
import type { PageProps } from '../../parts/page.ts'
import { ProblemView } from '../../parts/problem.tsx'
import { useResource } from '../../parts/resource.ts'
import { Badge, Loading } from '../../parts/states.tsx'
import { lastVisited } from '../session/last-visited.ts'
import { type Call, pathOf } from '../session/types.ts'
import { CallForm } from './call-form.tsx'
import { EFFECTS, type Tool } from './types.ts'

/** One tool: what it does, and a form to call it in a session. */
export function ToolPage({ params }: PageProps) {
  const name = params.name ?? ''
  useKeys({ 'Ctrl+Enter': { label: 'Call the tool, from a field' } })
  const tool = useResource(`tool ${name}`, (signal) => get<Tool>(`/v1/tools/${encodeURIComponent(name)}`, {}, signal))
  const from = placeOfCall(here.value.query.get('from'))
  const earlier = useResource(from && `call ${JSON.stringify([from.session, from.call])}`, (signal) =>
    get<Call>(pathOf(from?.session ?? '', 'calls', from?.call ?? ''), {}, signal),
  )
  const { value } = tool
  const named = here.value.query.get('session')
  const isRegistered = value?.kind === 'registered'
  return (
    <>
      <p class="filters">
        <a href="/console/tools">← All tools</a>
      </p>
      <div class="page-head">
        <h1 class="mono tool-name">{name}</h1>
        {value && <Badge tone="plain">{value.effect ? EFFECTS[value.effect] : 'Registered'}</Badge>}
        {value?.toolkit && <Badge tone="plain">{value.toolkit}</Badge>}
        {isRegistered && (
          <a class="button" href={addressOf(['tools', 'registered', name])}>
            Versions
          </a>
        )}
      </div>
      {tool.problem && <ProblemView problem={tool.problem} retry={() => void tool.reload()} />}
      {earlier.problem && <ProblemView problem={earlier.problem} retry={() => void earlier.reload()} />}
      {!value && !tool.problem && <Loading />}
      {value && <p class="prose tool-about">{value.description}</p>}
      {value && (!from || earlier.value || earlier.problem) && (
        <CallForm
          key={`${name} ${earlier.value?.call_id} ${named}`}
          tool={value}
          earlier={earlier.value ?? null}
          session={from?.session ?? named ?? lastVisited()}
        />
      )}
    </>
  )
}

/** The session and call of `?from={session}/{call}`. A name of a session may have slashes. */
function placeOfCall(from: string | null) {
  const at = from?.lastIndexOf('/') ?? -1
  return from && at > 0 ? { session: from.slice(0, at), call: from.slice(at + 1) } : null
}
