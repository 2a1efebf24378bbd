/** Text of the prompt `make_tool`. */
export const toolText = ({
  purpose,
  kind,
}: Readonly<Record<string, string>>) => `Make a tool on this server with \`tool_create\`:

${purpose}

${kind ? `Its executor is of the kind ${JSON.stringify(kind)}.` : 'Choose the executor that fits: "http" for a service with an address, "chain" for calls of tools that exist, "python" for anything else.'}

1. \`tool_list\` shows what this session made already; do not make it twice.
2. Call \`tool_create\` with "dry_run": true first, and correct what it refuses. Then without it: the tool is called once for real with "test", and is there only if that works.
3. Call it by \`registered_call\` with "tool_id" and "args". \`tool_delete\` removes it.

Arguments of \`tool_create\`, for a Python tool:
\`\`\`json
${JSON.stringify(EXAMPLE_TOOL, null, 2)}
\`\`\`
- "id" has letters, digits, "_", "." and "-". "description" says to a model what the tool does, when to use it and what it returns.
- "input_schema" is a JSON Schema of type "object", with a description for each property and "required".
- http: {"kind": "http", "target": "https://…/{city}", "request": {"method": "GET", "query": {"days": {"arg": "days"}}}}. {city} is an argument in the path.
- python: "target" is module:function; the function gets the arguments by name, and returns JSON. "requirements" are for pip.
- chain: {"kind": "chain", "chain": {"steps": […], "output": …}}; the prompt write_chain says how.
- "test" has "args" and, if something certain must come back, "expect": of an object the fields that matter.
- "timeout" is in seconds. "scope" is "session" (default, gone with the session) or "tenant" (for all; wants a key with the scope admin).`

/** Arguments that the prompt shows. */
export const EXAMPLE_TOOL = {
  id: 'text.count',
  description: 'Counts the words of a text. Returns words.',
  input_schema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'The text' } },
    required: ['text'],
  },
  executor: {
    kind: 'python',
    target: 'text:count',
    source: 'def count(text):\n    return {"words": len(text.split())}\n',
  },
  test: { args: { text: 'two words' }, expect: { words: 2 } },
}
