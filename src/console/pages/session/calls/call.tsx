import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { get } from '../../../api.ts'
import { Copy } from '../../../parts/action.tsx'
import { AnsiText } from '../../../parts/ansi.tsx'
import { bringTo } from '../../../parts/bring-to.ts'
import { durationText, receiptCostText } from '../../../parts/format.ts'
import { useKeys } from '../../../parts/keys.tsx'
import { addressOf, go, keepRow } from '../../../parts/location.ts'
import type { PageProps } from '../../../parts/page.ts'
import { ProblemView } from '../../../parts/problem.tsx'
import { type Resource, useResource } from '../../../parts/resource.ts'
import { Loading } from '../../../parts/states.tsx'
import { Text } from '../../../parts/text.tsx'
import { Ago, useSeconds } from '../../../parts/time.tsx'
import { useNameInTitle } from '../../../parts/title.ts'
import { SessionFrame } from '../frame.tsx'
import { type Call, CONSOLE, type Commit, pathOf } from '../types.ts'
import { CallBadge } from './call-badge.tsx'
import { CallInput } from './call-input.tsx'
import { callFilters, tookMs, useCalls, withText } from './calls.tsx'
import { FilesOfCall, isRunning, useCommitsOf } from './files-of-call.tsx'
import { Output, PrintedUntilThen } from './output.tsx'

/** Id of a call that was made on this page a moment ago, to whose output somebody is brought; '' for none. */
let justMade = ''

/** Types of pictures that are shown; others of a result are named only. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** One call: what went in, what came out, what it took, and the files that it changed. */
export function CallPage({ params }: PageProps) {
  const { session = '', call: id = '' } = params
  const call = useResource(`call ${JSON.stringify([session, id])}`, (signal) =>
    get<Call>(pathOf(session, 'calls', id), {}, signal),
  )
  const { value } = call
  useNameInTitle('tool', value?.tool)
  const output = useRef<HTMLElement>(null)
  // Read beside the call.
  const commits = useCommitsOf(session, id, isRunning(value))
  const isWhole = useWhole(id, value !== undefined, commits.value !== undefined || commits.problem !== null)
  useEffect(() => {
    if (!isWhole || justMade !== id) return
    justMade = ''
    bringTo(output.current)
  }, [isWhole, id])
  return (
    <SessionFrame session={session} tab="calls">
      <Neighbours session={session} id={id} />
      {call.problem && <ProblemView problem={call.problem} retry={() => void call.reload()} />}
      {!isWhole && !call.problem && <Loading />}
      {value && isWhole && (
        <div class="stack" key={id}>
          <div class="page-head call-head">
            <h2 class="mono">{value.tool}</h2>
            <CallBadge call={value} />
          </div>
          <Facts session={session} call={value} />
          <section ref={output} tabIndex={-1} aria-label="Answer">
            {isRunning(value) ? <Output session={session} call={value} ended={call.reload} /> : <Result call={value} />}
          </section>
          <Files session={session} call={value} commits={commits} />
          <CallInput
            session={session}
            call={value}
            made={(made) => {
              justMade = made
            }}
          />
        </div>
      )}
    </SessionFrame>
  )
}

/** Milliseconds that a call waits for its files, so that they push nothing down when they come. */
const TOGETHER_MS = 500

/** Whether a call is shown: when its files are known too, or they take long. */
function useWhole(id: string, isThere: boolean, areFilesThere: boolean): boolean {
  const waited = useSignal('')
  useEffect(() => {
    if (!isThere) return
    const timer = setTimeout(() => (waited.value = id), TOGETHER_MS)
    return () => clearTimeout(timer)
  }, [id, isThere])
  return isThere && (areFilesThere || waited.value === id)
}

/** The ways to the calls before and after, among those that fit the filters, and back to the list. */
function Neighbours({ session, id }: { readonly session: string; readonly id: string }) {
  const calls = useCalls(session)
  const shown = withText(calls.items) ?? []
  const at = shown.findIndex(({ call_id }) => call_id === id)
  const filters = callFilters()
  // The list is read anew for a call that it does not have, and on until it has this call, and the one after it.
  const readFor = useSignal('')
  useEffect(() => {
    if (!calls.items) return
    if (at < 0 && readFor.value !== id) void calls.reload().then(() => (readFor.value = id))
    else if (at < 0 || at === shown.length - 1) calls.next?.()
  }, [id, at, shown.length, calls.next === null, readFor.value])
  const hrefAt = (index: number) => {
    const call = at < 0 ? undefined : shown[index]
    return call && addressOf(['sessions', session, 'calls', call.call_id], filters)
  }
  const newer = hrefAt(at - 1)
  const older = hrefAt(at + 1)
  const list = addressOf(['sessions', session, 'calls'], filters)
  useEffect(() => keepRow(addressOf(['sessions', session, 'calls']), id), [session, id])
  useKeys({
    j: { label: 'Older call', run: () => older && go(older) },
    k: { label: 'Newer call', run: () => newer && go(newer) },
    u: { label: 'Up to the list', run: () => go(list) },
  })
  const step = (label: string, href: string | undefined) =>
    href ? (
      <a class="button" href={href}>
        {label}
      </a>
    ) : (
      <button type="button" disabled>
        {label}
      </button>
    )
  return (
    <nav class="row-actions filters" aria-label="Calls beside this one">
      <a class="button quiet" href={list}>
        ← All{Object.values(filters).some(Boolean) ? ' that fit' : ' calls'}
      </a>
      {step('Newer', newer)}
      {step('Older', older)}
      <span class="soft">{at >= 0 ? `${at + 1} of ${shown.length}${calls.next ? ' or more' : ''}` : ''}</span>
    </nav>
  )
}

const PLACES = { edge: 'on the server', 'vm-warm': 'in the sandbox', 'vm-cold': 'in a new sandbox' } as const

/** What a call took, and where it ran. */
export function Facts({ session, call }: { readonly session: string; readonly call: Call }) {
  const { receipt } = call
  useSeconds(call.ended_at === null)
  const steps = receipt && {
    Queue: receipt.queued_ms,
    Boot: receipt.boot_ms,
    'Files in and out': receipt.sync_ms,
    Work: receipt.exec_ms,
  }
  return (
    <dl class="facts">
      <Fact name="Began">
        <Ago at={call.started_at} />
      </Fact>
      {call.agent && <Fact name="Called by">{call.agent === CONSOLE ? 'the console' : call.agent}</Fact>}
      <Fact name="Took">{durationText(tookMs(call))}</Fact>
      {receipt && <Fact name="Ran">{PLACES[receipt.executed_on]}</Fact>}
      {Object.entries(steps ?? {}).map(([name, ms]) => (
        <Fact key={name} name={name}>
          {durationText(ms)}
        </Fact>
      ))}
      {receipt?.cost !== undefined && <Fact name="Cost">{receiptCostText(receipt.cost, receipt.calls_cost)}</Fact>}
      {call.parent_call_id && (
        <Fact name="Made by">
          <a href={addressOf(['sessions', session, 'calls', call.parent_call_id])}>the call around it</a>
        </Fact>
      )}
      <Fact name="Id">
        <code>{call.call_id}</code>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** What a call answered: its text, pictures and data, or why it failed. */
export function Result({ call }: { readonly call: Call }) {
  const text = call.error?.message ?? call.result?.text ?? call.answer
  const { data, content = [] } = call.result ?? {}
  const hasFailed = call.error !== undefined || call.state === 'failed'
  return (
    <section class="stack part">
      <div class="row-actions">
        <h3>{hasFailed ? 'Why it failed' : 'Output'}</h3>
        {text && <Copy text={text} />}
      </div>
      {text ? (
        <Text class={`text ${call.error ? 'bad' : ''}`}>
          <AnsiText text={text} />
        </Text>
      ) : (
        <p class="soft">It answered nothing.</p>
      )}
      {hasFailed && <PrintedUntilThen call={call} />}
      {content.map((picture, at) =>
        PICTURES.includes(picture.mimeType) ? (
          <img
            key={at}
            class="picture"
            alt={`Result, ${at + 1} of ${content.length}`}
            src={`data:${picture.mimeType};base64,${picture.data}`}
          />
        ) : (
          <p key={at}>A picture of type {picture.mimeType}</p>
        ),
      )}
      {data && Object.keys(data).length > 0 && (
        <details>
          <summary>As JSON</summary>
          <Text>{JSON.stringify(data, null, 2)}</Text>
        </details>
      )}
    </section>
  )
}

interface FilesProps {
  readonly session: string
  readonly call: Call
  readonly commits: Resource<readonly Commit[]>
}

/** Files that a call changed, with the way back. */
export function Files({ session, call, commits }: FilesProps) {
  return (
    <>
      {call.files_shared && <p class="soft">Other work changed files meanwhile: some of these may be of it.</p>}
      <FilesOfCall session={session} commits={commits} startedAt={call.started_at} />
    </>
  )
}
