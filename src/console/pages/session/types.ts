import type { Tone } from '../../parts/tone.ts'

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

/** Words for the states of sessions, which are those of their sandboxes and say nothing of agents. */
export const STATE_WORDS: Readonly<Record<ListedSession['state'], string>> = {
  ready: 'no sandbox',
  running: 'sandbox awake',
  paused: 'sandbox asleep',
}

/** Tones of the states of sessions. */
export const STATE_TONES: Readonly<Record<ListedSession['state'], Tone>> = {
  ready: 'plain',
  running: 'busy',
  paused: 'warn',
}

/** Use by calls of a group, as `/v1/usage` counts it; `cost` in millionths. */
export interface UsedGroup {
  readonly session?: string | null
  readonly calls: number
  readonly failed: number
  readonly refused: number
  /** Calls that did not go well by why; `nonzero_exit` is for commands, which are not among the failed. */
  readonly reasons?: Readonly<Record<string, number>>
  readonly cost: number
}

/** A session by itself. */
export interface Session extends ListedSession {
  readonly requirements: readonly string[]
  /** Session and commit that it is a fork of. */
  readonly forked_from: { readonly session: string; readonly commit: number } | null
  /** `directories` among the entries; null where they were too many to be counted. */
  readonly files: { readonly entries: number; readonly directories: number | null; readonly bytes: number }
  readonly running_calls: readonly string[]
}

/** How a call stands. */
export type CallState = 'running' | 'pending' | 'done' | 'failed' | 'refused' | 'lost'

/** Where a call ran, what each step took in milliseconds, and what it cost in millionths, itself and by the calls that it made. */
interface Receipt {
  readonly executed_on: 'edge' | 'vm-warm' | 'vm-cold'
  readonly queued_ms: number
  readonly boot_ms: number
  readonly sync_ms: number
  readonly exec_ms: number
  readonly cost?: number
  readonly calls_cost?: number
}

/** A call in the list; `arguments` and `answer` are cut where they are long. */
export interface ListedCall {
  readonly call_id: string
  readonly parent_call_id?: string
  readonly tool: string
  /** Name of the agent that called; absent where the caller named none. */
  readonly agent?: string
  readonly state: CallState
  readonly arguments: string
  readonly answer: string
  /** Exit code of its command, where that is not 0. */
  readonly exit_code?: number
  readonly started_at: string
  readonly ended_at: string | null
  readonly receipt: Receipt | null
}

/** A picture of a result. */
interface Picture {
  readonly type: 'image'
  readonly mimeType: string
  readonly data: string
}

/** A call by itself. */
export interface Call extends ListedCall {
  readonly running: boolean
  readonly progress: { readonly lines: readonly string[]; readonly count: number }
  readonly result?: {
    readonly text?: string
    readonly data?: Readonly<Record<string, unknown>>
    readonly content?: readonly Picture[]
  }
  readonly error?: { readonly code?: string; readonly message: string }
  readonly files_shared?: boolean
}

/** A file that was changed. */
export interface FileOfCall {
  readonly path: string
  readonly change: 'created' | 'modified' | 'deleted'
  readonly kind?: FileEntry['type']
  readonly size: number | null
}

/** A file, directory or link of a session. */
export interface FileEntry {
  readonly path: string
  readonly type: 'file' | 'directory' | 'link'
  readonly size: number | null
  readonly modified_at: string
}

/** A change of files that was recorded. */
export interface Commit {
  readonly commit: number
  readonly author: string
  readonly tool: string | null
  readonly committed_at: string
  readonly changed: number
  /** Commit and path that a restore went back to, '' for all files; null for any other commit. */
  readonly restored: { readonly commit: number; readonly path: string } | null
  readonly changes: readonly FileOfCall[]
  readonly more_changes: number
}

/** Difference of one path between two commits. */
export interface Difference {
  readonly path: string
  readonly change: FileOfCall['change']
  readonly before: { readonly kind: FileEntry['type'] } | null
  readonly after: { readonly kind: FileEntry['type'] } | null
  readonly hunks: readonly {
    readonly old_start: number
    readonly new_start: number
    readonly lines: readonly string[]
  }[]
  readonly omitted: string | null
}

/** Tones of changes of files. */
export const CHANGE_TONES: Readonly<Record<FileOfCall['change'], Tone>> = {
  created: 'good',
  modified: 'busy',
  deleted: 'bad',
}

/** Name by which the console calls, where agents have theirs. */
export const CONSOLE = 'console'

/** Sign that a text among kept arguments, which are JSON, was cut, as the server puts it. */
export const CUT = /… \(\d+ characters\)"/

/** Path in `/v1` of a session, with segments below it, each encoded. */
export const pathOf = (session: string, ...segments: readonly string[]): string =>
  ['/v1/sessions', ...[session, ...segments].map(encodeURIComponent)].join('/')

/** Path in `/v1` of a file of a session; its slashes stay. */
export const filePathOf = (session: string, path: string): string =>
  `${pathOf(session, 'files')}/${path.split('/').map(encodeURIComponent).join('/')}`
