/** A call as it is written elsewhere. */
interface CallToCopy {
  readonly origin: string
  readonly session: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** True where the server wants a key; the lines have a place for it, never the key itself. */
  readonly needsKey: boolean
}

/** Ways to write a call, by what people say of them. Arguments are quoted as each language wants, whatever is in them. */
export const COPY_AS: Readonly<Record<string, (call: CallToCopy) => string>> = {
  curl: ({ needsKey, ...call }) => curlOf(addressOf(call), needsKey, [], bodyOf(call)),
  TypeScript: ({ needsKey, ...call }) => `const answer = await fetch(${JSON.stringify(addressOf(call))}, {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',${needsKey ? "\n    Authorization: 'Bearer ' + process.env.TOOLYARD_API_KEY," : ''}
  },
  body: JSON.stringify(${indented(JSON.stringify(bodyOf(call), null, 2))}),
})
const call = await answer.json()
console.log(call.state, call.text)
`,
  Python: ({ needsKey, ...call }) => `import json${needsKey ? ', os' : ''}, urllib.request

request = urllib.request.Request(
    ${pythonText(addressOf(call))},
    data=json.dumps(json.loads(${pythonText(JSON.stringify(bodyOf(call)))})).encode(),
    headers={"Content-Type": "application/json"${needsKey ? ', "Authorization": "Bearer " + os.environ["TOOLYARD_API_KEY"]' : ''}},
)
with urllib.request.urlopen(request) as answer:
    call = json.load(answer)
print(call["state"], call.get("text"))
`,
  MCP: ({ origin, session, tool, args, needsKey }) =>
    curlOf(`${origin}/mcp/s/${encodeURIComponent(session)}`, needsKey, MCP_HEADERS, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      // By way of `call_tool`, which knows every tool by its own name.
      params: { name: 'call_tool', arguments: { name: tool, arguments: args }, _meta: MCP_META },
    }),
}

/** Revision of MCP whose requests need no connection. */
const MCP_REVISION = '2026-07-28'
const MCP_HEADERS = [
  'Accept: application/json, text/event-stream',
  `MCP-Protocol-Version: ${MCP_REVISION}`,
  'Mcp-Method: tools/call',
  'Mcp-Name: call_tool',
]
const MCP_META = {
  'io.modelcontextprotocol/protocolVersion': MCP_REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

const curlOf = (address: string, needsKey: boolean, headers: readonly string[], body: object) =>
  [
    `curl ${shellWord(address)}`,
    ...(needsKey ? ['  -H "Authorization: Bearer $TOOLYARD_API_KEY"'] : []),
    ...['Content-Type: application/json', ...headers].map((header) => `  -H ${shellWord(header)}`),
    `  -d ${shellWord(JSON.stringify(body))}`,
  ].join(' \\\n')

const addressOf = ({ origin, session }: Pick<CallToCopy, 'origin' | 'session'>) =>
  `${origin}/v1/sessions/${encodeURIComponent(session)}/calls`
const bodyOf = ({ tool, args }: Pick<CallToCopy, 'tool' | 'args'>) => ({ tool, arguments: args })
const indented = (json: string) => json.replaceAll('\n', '\n  ')

/** A text as one word of a POSIX shell. */
const shellWord = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A text as Python writes it: JSON's escapes mean the same there. */
const pythonText = (text: string) => JSON.stringify(text)
