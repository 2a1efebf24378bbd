import { CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities, type ServerContext } from '@modelcontextprotocol/server'
import type { McpContext } from '../../context.ts'

/** Key of a person's answer. */
export const ANSWER = 'answer'

/** A question to a person as a form with one text. */
export const formOf = (words: string) =>
  ({
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: words,
      requestedSchema: { type: 'object', properties: { [ANSWER]: { type: 'string', title: 'Answer' } } },
    },
  }) as const

/** Answer of a form that was accepted; null where its text is empty: it was done without a word. */
export function textIn(content: unknown): string | null {
  const { [ANSWER]: text } = (content ?? {}) as { readonly [ANSWER]?: unknown } // the SDK's guard gives `{}`
  return typeof text === 'string' && text !== '' ? text : null
}

/** Whether the client puts forms to people. One that names no mode means forms. */
export function takesForms({ era, capabilities }: McpContext, request: ServerContext): boolean {
  const declared = era === 'legacy' ? capabilities?.() : capabilitiesOf(request)
  const modes = declared?.elicitation
  return modes !== undefined && (modes.form !== undefined || modes.url === undefined)
}

/** Capabilities that come with a request of 2026-07-28, which the SDK has checked. Its type names none of their keys. */
export const capabilitiesOf = ({ mcpReq: { envelope } }: ServerContext) =>
  (envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY]
