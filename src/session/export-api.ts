import type { Failure } from '../core/failure.ts'
import type { SessionSettings } from '../core/session-settings.ts'

/** Steps of the export of a session, in their order. */
export const EXPORT_STEPS = ['files', 'snapshots', 'commits', 'changes', 'calls', 'contents'] as const

type ExportStep = (typeof EXPORT_STEPS)[number]

/** Place in the export of a session where a part begins. */
export interface ExportPlace {
  /** Node id of the session, which must not be another one of the same name by now. */
  readonly node: string
  /** Commit as of which the session is exported. */
  readonly commit: number
  readonly step: ExportStep
  /** Last row of the step that the part before has; 0 and an empty text at the step's begin. */
  readonly after: ExportCursor
  /** Number of pages of the step that are written. */
  readonly pages: number
}

export interface ExportCursor {
  readonly number: number
  readonly text: string
}

/** A session as its export describes it. */
export interface ExportedSession {
  readonly info: {
    readonly name: string
    readonly nodeId: string
    /** Label for people. */
    readonly title: string
    /** Python packages that it was made with, as requirement specifiers. */
    readonly requirements: readonly string[]
    /** Milliseconds since 1970. */
    readonly createdAt: number
  }
  readonly settings: SessionSettings
  /** Python packages of its sandboxes, as requirement specifiers. */
  readonly packages: readonly string[]
  readonly commit: number
  /** Files, directories and links as of the commit, and the size of the files together. */
  readonly files: { readonly entries: number; readonly bytes: number }
}

export interface ExportPart {
  /** The session, with its first part; null with all others. */
  readonly session: ExportedSession | null
  /** Entries of a tar, without an end of the archive. An error ends it when a content cannot be read. */
  readonly body: ReadableStream<Uint8Array>
  /** Place where the next part begins; null behind the last one. */
  readonly next: ExportPlace | null
}

export type ExportAnswer = { readonly part: ExportPart } | { readonly failure: Failure }
