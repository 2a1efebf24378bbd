import type { Tone } from '../../parts/states.tsx'

/** A session in the list, as `/v1/sessions` has it. */
export interface ListedSession {
  readonly name: string
  readonly title: string
  readonly state: 'ready' | 'running' | 'paused'
  readonly labels: Readonly<Record<string, string>>
  readonly created_at: string
  readonly last_used_at: string
  readonly expires_at: string | null
}

/** Tones of the states of sessions. */
export const STATE_TONES: Readonly<Record<ListedSession['state'], Tone>> = {
  ready: 'plain',
  running: 'busy',
  paused: 'warn',
}

/** What calls of a group took, as `/v1/usage` counts it; `cost` in millionths. */
export interface UsedGroup {
  readonly session?: string | null
  readonly calls: number
  readonly failed: number
  readonly refused: number
  readonly cost: number
}
