import type { DocumentInfo } from '../../operations/document.ts'

/** Words of the document about /v1. */
export const V1_INFO: DocumentInfo = {
  title: 'Toolyard',
  version: '1',
  description: `Sessions of LLM agents with their tools, calls and files, and what a tenant has beside them.

Lists are \`{data, next_cursor}\`: send \`next_cursor\` as \`cursor\` for the next page; it is null on the last one. Errors are problems (RFC 9457) with a \`code\` for programs, a \`hint\` for people and models, and \`retryable\`. Times are RFC 3339 in UTC. A new field may come in any answer: ignore those you do not know.`,
  tags: {
    sessions: 'Places where calls run: files, a shell, packages.',
    calls: 'Calls of tools in a session.',
    questions: 'What agents ask people, and the answers.',
    files: 'Files of a session: contents, directories, archives.',
    history: 'History of the files of a session: who changed what, what differs, and the way back.',
    tools: 'Tools of the server, and those that a tenant registers.',
    toolkits: "Named sets of the server's tools, and which of them a tenant's lists show.",
    chains: 'Tools made of steps, each of which calls a tool.',
    apis: 'APIs whose operations are tools.',
    'mcp servers': 'Remote MCP servers, whose tools become registered tools.',
    marketplace: 'Tools that tenants publish for others. All texts are those of other tenants.',
    papers: 'Papers that tools search.',
    secrets: 'Values that tools use and nobody reads back.',
    keys: 'Keys of the tenant, and child keys that can do less than the key that mints them.',
    console: 'Browsers that signed in to the console.',
    tenants: "A tenant of one's own, by an invitation of the server's owner.",
    webhooks: 'Receivers of events, and what was sent to them.',
    limits: "Limits on the use of a tenant's tools.",
    usage: 'Use of tools, counted.',
    audit: 'Log of what changed a tenant.',
    documents: 'This document.',
  },
}
