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
  curl: ({ needsKey, ...call }) =>
    [
      `curl ${shellWord(addressOf(call))}`,
      needsKey ? `  -H "Authorization: Bearer $TOOLYARD_API_KEY"` : null,
      `  -H 'Content-Type: application/json'`,
      `  -d ${shellWord(JSON.stringify(bodyOf(call)))}`,
    ]
      .filter((line) => line !== null)
      .join(' \\\n'),
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
  MCP: ({ origin, session, tool, args }) =>
    `// POST ${origin}/mcp/s/${encodeURIComponent(session)}\n${JSON.stringify(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } },
      null,
      2,
    )}`,
}

const addressOf = ({ origin, session }: Pick<CallToCopy, 'origin' | 'session'>) =>
  `${origin}/v1/sessions/${encodeURIComponent(session)}/calls`
const bodyOf = ({ tool, args }: Pick<CallToCopy, 'tool' | 'args'>) => ({ tool, arguments: args })
const indented = (json: string) => json.replaceAll('\n', '\n  ')

/** A text as one word of a POSIX shell. */
const shellWord = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A text as Python writes it: JSON's escapes mean the same there. */
const pythonText = (text: string) => JSON.stringify(text)
