/** Text of the prompt `write_chain`. */
export const chainText = ({ goal, tool_id }: Readonly<Record<string, string>>) => `Write a chain for this server:

${goal}

A chain is JSON: steps, each a call of a tool whose arguments come from the chain's input and from earlier results. For example, to search the web, read what was found and keep a note:
\`\`\`json
${JSON.stringify(EXAMPLE_CHAIN, null, 2)}
\`\`\`
- "\${{ … }}" is an expression. A text that is one expression becomes its value. "input" is what the chain was called with, steps.<id>.result the data of an earlier step, steps.<id>.outcome "done", "failed", "skipped" or "used_default".
- "if" is a condition; "map" calls the tool for each item of a list, "concurrency" at a time; both have an expression without braces.
- "retry" repeats a failed call: give it to steps that only ask. "on_error": "continue" goes on without a result, {"use": value} with that one.
- Operators: ?: ?? || && == != < <= > >= in + - * / % !. Nothing is converted by itself. Functions: length, contains, slice, keys, values, first, last, flatten, pluck, where, sum, min, max, round, split, join, replace, starts_with, ends_with, lower, upper, trim, text, number, json, parse_json, has, default, coalesce, shell.
- In a command line, what comes from outside stands in \${{ shell(x) }} only.
- A path that leads to nothing is a mistake: where something may be missing, write x ?? null.
- Steps run in the order in which they stand. A step with "after": [] begins at once, one with "after": ["a"] after a.
- What a registered tool gives is in steps.<id>.result.result.

Keep it with \`tool_create\`: "executor": {"kind": "chain", "chain": …}, ${tool_id ? `"id": ${JSON.stringify(tool_id)}` : 'an "id" such as "notes.sources"'}, a "description", an "input_schema" with what "input" has, a "timeout" in seconds for the whole chain, and a "test". With "dry_run": true it shows which calls it would make with test.args, and all mistakes at once; then call it without. \`registered_call\` calls the chain.`

/** Chain that the prompt shows. */
export const EXAMPLE_CHAIN = {
  steps: [
    { id: 'search', tool: 'google_search', input: { query: '${{ input.topic }}', num_results: 5 } },
    {
      id: 'pages',
      tool: 'crawl_page',
      if: 'steps.search.result.total_results > 0',
      map: { over: 'steps.search.result.results', as: 'hit', concurrency: 3 },
      input: { url: '${{ hit.url }}' },
      retry: { attempts: 3 },
      on_error: 'continue',
    },
    {
      id: 'note',
      tool: 'file_write',
      input: {
        file_path: 'notes/sources.md',
        content: '# ${{ input.topic }}\n\n${{ join(pluck(steps.search.result.results, "url"), "\\n") }}',
      },
    },
  ],
  output: { note: '${{ steps.note.result.file_path }}' },
}
