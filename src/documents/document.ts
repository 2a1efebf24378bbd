/** Unit that `pages` counts. */
export type Unit = 'page' | 'slide' | 'sheet' | 'chapter' | 'part'

export type Metadata = Readonly<Record<string, string | number>>

/** An opened document: its parts are read one by one, so that the first ones of a long one come soon. */
export interface OpenDocument {
  readonly unit: Unit
  /** Number of parts. */
  readonly count: number
  readonly metadata: Metadata
  /** Notes for a reader besides the content, e.g. that pages are scans. Complete when all parts were read. */
  readonly notes?: readonly string[]
  /**
   * Markdown of one part, from 1. Parts are read in ascending order.
   * @param goesOn whether the part before was read just before
   */
  read(part: number, goesOn: boolean): string | Promise<string>
  close?(): Promise<void>
}

/** A format that is read in the Worker itself. @throws FailureError for bytes that are not such a document */
export type OpenFormat = (bytes: Uint8Array, name: string) => OpenDocument | Promise<OpenDocument>
