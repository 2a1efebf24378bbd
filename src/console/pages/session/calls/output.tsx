import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { send } from '../../../api.ts'
import { Action } from '../../../parts/action.tsx'
import { AnsiText } from '../../../parts/ansi.tsx'
import { keepNewest } from '../../../parts/keep-newest.ts'
import { Text } from '../../../parts/text.tsx'
import { outputOf, useStream } from '../stream.ts'
import { type Call, pathOf } from '../types.ts'

/** Characters of running output that are kept. */
const OUTPUT_MAX = 200_000
/** Milliseconds between two looks at a call whose work goes on. */
const LOOK_MS = 3_000

/** Output that was shown of calls while they ran, by their ids: the answer of one that was stopped has none. */
const printed = new Map<string, string>()
const PRINTED_MAX = 5

interface OutputProps {
  readonly session: string
  readonly call: Call
  /** Reads the call again. */
  readonly ended: () => Promise<void>
}

/** Output of a call that runs, as it comes. */
export function Output({ session, call, ended }: OutputProps) {
  const text = useSignal('')
  useStream(pathOf(session, 'calls', call.call_id, 'events'), {}, (event) => {
    text.value = (text.peek() + outputOf(event)).slice(-OUTPUT_MAX)
    keepNewest(printed, call.call_id, text.peek(), PRINTED_MAX)
    if (event.event !== 'result' && event.event !== 'error') return true
    void ended()
    return false
  })
  useEffect(() => {
    const timer = setInterval(() => void ended(), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  const cancel = async () => {
    await send('POST', pathOf(session, 'calls', call.call_id, 'cancel'))
    await ended()
  }
  return (
    <section class="stack part">
      <div class="row-actions">
        <h3>Output, as it comes</h3>
        <Action tone="danger" run={cancel}>
          Stop
        </Action>
      </div>
      <Text class="text live-output" live="polite">
        <AnsiText text={text.value || call.progress.lines.join('\n')} />
      </Text>
    </section>
  )
}

/** Output of a call until it was ended, as far as that was shown here. */
export function PrintedUntilThen({ call: { call_id } }: { readonly call: Pick<Call, 'call_id'> }) {
  const text = printed.get(call_id)
  if (!text) return null
  return (
    <>
      <h3>What it printed until then</h3>
      <Text class="text">
        <AnsiText text={text} />
      </Text>
    </>
  )
}
