import type { Imported, ImportOptions } from '../registry/apis/imported.ts'
import type { ToolFile } from '../registry/import/tool-file.ts'
import type { PaperChunk, ReadPaper } from './papers.ts'

/**
 * Parses bytes of strangers in a place of its own, with its own memory and a wall clock that end it from outside: whatever a
 * document does to its parser, the server goes on answering.
 */
export interface Reader {
  /**
   * @param bytes the file; they are not changed
   * @throws FailureError `invalid_input` for what is no such file, `limit_exceeded` when it is beyond a limit or takes too much
   *   memory, `timeout` after READ_MS, `rate_limited` when too many wait, `upstream` when the reader cannot be asked
   */
  read<Kind extends ReadingKind>(reading: Reading<Kind>, signal: AbortSignal): Promise<ReadingResults[Kind]>
}

/** One thing to be read: what kind of file, what to do with it, and its bytes. */
export interface Reading<Kind extends ReadingKind = ReadingKind> {
  readonly kind: Kind
  readonly options: ReadingOptions[Kind]
  readonly bytes: Uint8Array
}

export type ReadingKind = keyof ReadingOptions

export interface ReadingOptions {
  /** `extension` in lower case, with its point; `pages` as `parse_document` takes it. */
  readonly document: { readonly name: string; readonly extension: string; readonly pages?: string }
  readonly page: PageOptions
  /** `name` says what kind it is: `.pdf`, `.tex`, `.tar.gz`, `.gz`, `.html`, `.md`, `.txt`. */
  readonly paper: { readonly name: string }
  /** The bytes are a JSON list of texts, in Markdown or plain. */
  readonly paper_texts: Readonly<Record<string, never>>
  readonly api: ImportOptions & { readonly format: 'openapi' | 'rapidapi' }
  /** `taken`: ids that tools of the file may not have, in lower case. */
  readonly tool_file: { readonly taken: readonly string[] }
}

export interface ReadingResults {
  readonly document: DocumentText
  readonly page: PageText
  readonly paper: ReadPaper
  /** Chunks of each text, cut by its headings. */
  readonly paper_texts: readonly (readonly PaperChunk[])[]
  readonly api: Imported
  readonly tool_file: ToolFile
}

/** A document as Markdown, as much of it as fits into one answer. */
export interface DocumentText {
  readonly content: string
  readonly metadata: Readonly<Record<string, string | number>>
  /** Remarks for who reads the content, e.g. that pages are scans. */
  readonly notes: readonly string[]
  /** Set when parts that were asked for are not in `content`. */
  readonly truncated?: true
  /** The next value of `pages`, when there is more to read. */
  readonly next_pages?: string
}

export interface PageOptions {
  /** Where the page came from: what its links are relative to. */
  readonly url: string
  /** The media type that its server said, without parameters; empty when it said none. */
  readonly type: string
  /** The whole `Content-Type`, which may name the encoding. */
  readonly contentType: string
  /** The file's name, by its server or its address. */
  readonly name: string
  /** False leaves images out; one that is a link then stands as the text that describes it. */
  readonly keepImages: boolean
  /** True has links stand as their text, and all of the page in `links`. */
  readonly linksApart: boolean
}

/** The readable part of a web page. */
export interface PageText {
  readonly title: string
  readonly byline: string | null
  readonly date: string | null
  /** The address that the page gives itself, when it is another one. */
  readonly canonicalUrl: string | null
  /** Images stand in it as `![alt](imageMark(n))`, n being their place in `images`. */
  readonly markdown: string
  /** Absolute URLs. */
  readonly images: readonly string[]
  /** Links of the whole page; none when they were not asked for. */
  readonly links: readonly PageLink[]
  /** Characters of text that can be read in it; next to none where scripts would write it. */
  readonly textLength: number
  /** True when it is HTML with scripts, which may write what is missing. */
  readonly hasScripts: boolean
}

export interface PageLink {
  readonly text: string
  /** Absolute, http or https. */
  readonly url: string
}
