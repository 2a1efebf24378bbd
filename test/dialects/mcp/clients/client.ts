import * as z from 'zod'

/** Answer of a tool, as the program that uses a client has it. */
export interface Answer {
  readonly isError: boolean
  /** Texts together. */
  readonly text: string
  readonly images: readonly { readonly data: string; readonly mimeType: string }[]
  /** URIs of linked resources. */
  readonly links: readonly string[]
}

/** One connection of a client. */
export interface McpClient {
  tools(): Promise<readonly string[]>
  call(tool: string, args: object, following?: Following): Promise<Answer>
  /** Text of a resource. */
  read(uri: string): Promise<string>
  close(): Promise<void>
}

/** A program's hold of a call that lasts. */
export interface Following {
  readonly signal?: AbortSignal
  onProgress?(message: string): void
}

/** A client as its package has it. */
export interface ClientKind {
  /** Revision of MCP in which it speaks to a server of both. */
  readonly revision: '2026-07-28' | '2025-11-25'
  /** Reasons for what it has no way to do. */
  readonly cannot: { readonly progress?: string }
  connect(url: string): Promise<McpClient>
}

const RESULT = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      data: z.string().optional(),
      mimeType: z.string().optional(),
      uri: z.string().optional(),
    }),
  ),
})

/** Answer of a client that gives the result as it is on the wire. */
export function answerOf(result: unknown): Answer {
  const { content, isError = false } = RESULT.parse(result)
  return {
    isError,
    text: content.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : [])).join('\n'),
    images: content.flatMap(({ type, data = '', mimeType = '' }) => (type === 'image' ? [{ data, mimeType }] : [])),
    links: content.flatMap(({ type, uri = '' }) => (type === 'resource_link' ? [uri] : [])),
  }
}

const CONTENTS = z.looseObject({ contents: z.array(z.looseObject({ text: z.string() })) })

/** Text of a resource that a client gives as it is on the wire. */
export const textOf = (read: unknown): string =>
  CONTENTS.parse(read)
    .contents.map(({ text }) => text)
    .join('\n')
