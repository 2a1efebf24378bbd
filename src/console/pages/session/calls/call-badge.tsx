import { Badge } from '../../../parts/states.tsx'
import type { Tone } from '../../../parts/tone.ts'
import type { CallState, ListedCall } from '../types.ts'

/** Tones of the states of calls. */
const TONES: Readonly<Record<CallState, Tone>> = {
  running: 'busy',
  pending: 'warn',
  done: 'good',
  failed: 'bad',
  refused: 'bad',
  lost: 'bad',
}

/** Words for states of calls: where the server says failed, a tool ended with an error; the console counts more among failures. */
const WORDS: Readonly<Partial<Record<CallState, string>>> = { failed: 'error' }

interface CallBadgeProps {
  readonly call: Pick<ListedCall, 'state' | 'exit_code'>
}

/** How a call stands. A command that ended with another code than 0 is done, and did not go well: its badge says the code. */
export function CallBadge({ call: { state, exit_code } }: CallBadgeProps) {
  if (state === 'done' && exit_code !== undefined) return <Badge tone="warn">exit {exit_code}</Badge>
  return <Badge tone={TONES[state]}>{WORDS[state] ?? state}</Badge>
}
