import type { OpenApi } from '../../src/http/operations/document.ts'
import { catalog } from '../../src/tools/catalog.ts'
import { documentFor, V1 } from './documents.ts'

/** Tool as a call of a function: its parameters, those that it can do without with a question mark. */
function signatureOf(name: string, { properties = {}, required = [] }: InputSchema): string {
  const parameters = Object.keys(properties).map((each) => (required.includes(each) ? each : `${each}?`))
  return `${name}(${parameters.join(', ')})`
}

interface InputSchema {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
}

const toolLines = () =>
  catalog.list().map(({ name, inputSchema }) => `- ${signatureOf(name, inputSchema as InputSchema)}`)

const toolkitLines = () =>
  catalog
    .toolkits()
    .map(({ name, description, tools }) => `- ${name}: ${description} ${tools.map((tool) => tool.name).join(', ')}`)

interface Described {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary: string
}

/** Operations on keys of the tenant, which agents do not manage: they mint child keys. */
const FOR_ADMINISTRATORS = ['listKeys', 'createKey', 'updateKey', 'rotateKey']

/** Operations by resource, without the document's own. */
function operationLines({ paths }: OpenApi): string[] {
  const lines = new Map<string, string[]>(Object.keys(V1.info.tags).map((tag) => [tag, []]))
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { operationId, tags, summary } = operation as unknown as Described
      if (!FOR_ADMINISTRATORS.includes(operationId))
        lines.get(tags[0])?.push(`- ${method.toUpperCase()} ${path}: ${summary}`)
    }
  }
  lines.delete('documents')
  // Agents ask by a tool: people answer.
  lines.delete('questions')
  // For owners alone: their tools are among the registered ones.
  lines.delete('mcp servers')
  // For people at a browser.
  lines.delete('console')
  return [...lines].filter(([, these]) => these.length > 0).flatMap(([tag, these]) => [`### ${tag}`, ...these, ''])
}

/** Guide that tells an agent how to use the server: `/llms.txt`, made of the tools and of the operations of /v1. */
const guideText = (): string => `# Toolyard

> Tools for LLM agents over HTTP: files, shell, Python, packages, git, documents, papers, the web. They work in a session, which keeps its files between calls and runs commands in a sandbox.

- [OpenAPI 3.1 of this API](/v1/openapi.json): each field of each request and answer
- [Reference for people](/docs)

## First calls

\`BASE\` is the origin that this file comes from, \`KEY\` your API key. A local server needs none.

\`\`\`bash
curl "$BASE/v1/sessions" -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{"name": "first"}'
curl "$BASE/v1/sessions/first/calls" -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -H "Idempotency-Key: first-1" -d '{"tool": "file_write", "arguments": {"file_path": "hello.py", "content": "print(6 * 7)"}}'
curl "$BASE/v1/sessions/first/calls" -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{"tool": "execute_code", "arguments": {"file_path": "hello.py"}, "answer": "text"}'
curl "$BASE/v1/sessions/first/files" -H "Authorization: Bearer $KEY"
curl -X DELETE "$BASE/v1/sessions/first" -H "Authorization: Bearer $KEY"
\`\`\`

## Calls

- Send \`{"tool": NAME, "arguments": {…}}\` to \`POST /v1/sessions/{session}/calls\`. A slash in a session's name is \`%2F\`.
- The answer has \`state\`, \`text\` to read, \`data\` with the same as fields, and \`files\` that changed. \`"answer": "text"\` or \`"answer": "data"\` asks for one of both.
- A tool that failed is answered 200 with \`error\`. A call that never ran is a problem with a 4xx or 5xx.
- Long work: send \`Prefer: respond-async\`, get 202 and \`Location\`, and look there; or \`?wait=SECONDS\`. \`Accept: text/event-stream\` shows output while it comes.
- An unknown field or parameter is refused with the names that exist: read the refusal and correct the call.

## Length of answers

Long answers are cut, and say so: \`truncated\`, with \`notes\` on where the rest is (\`next_start_line\`, \`next_pages\`, the file \`full_output\`). Many tools take \`max_chars\`, to have more or less. Ask for the part that you need: a range of lines, file_search, a directory further down. An answer that names \`result_…\` is kept whole for a day: result_query shows any part of it.

## Errors

Problems are JSON: \`code\` says what happened, \`detail\` what was wrong, \`hint\` what to do next, \`retryable\` whether the same request may succeed later, \`request_id\` what to report. 429 and 503 have \`Retry-After\` in seconds. 401: send a key. 403: the key lacks the scope that \`detail\` names.

## Exactly once

Send \`Idempotency-Key\`, a new one for each POST, PUT, PATCH or DELETE. When no answer came, send the very same request with the same key: it is done once, and \`Idempotent-Replayed: true\` marks a repeated answer. 409 \`key_in_use\`: wait and send it again. 409 \`outcome_unknown\`: look at what it names before you do it again under a new key. 422 \`key_reused\`: the key was another request's.

## Tools

Parameters with \`?\` can be left out. Paths are relative to the session: \`code_run/\` is where commands run and \`upload/\` has files that were given.

${toolLines().join('\n')}

Toolkits, for those who know them by these names:

${toolkitLines().join('\n')}

Tools that your tenant registered: \`GET /v1/tools/registered\`; call them by id. Those of remote MCP servers (\`/v1/mcp-servers\`) are among them.

## Operations

Lists are \`{"data": […], "next_cursor": …}\`: send \`next_cursor\` as \`cursor\` until it is null.

${operationLines(documentFor(V1)).join('\n').trim()}
`

/** The guide that the server serves. */
export const writtenGuide = () => ({ path: 'src/assets/llms.txt', text: guideText() })
