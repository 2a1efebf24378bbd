import { type Before, calling, callingAfter, type Provoked, SITE } from './provoked.ts'

const READ = 'FileSystemEnv_read_from_file'
const WRITE = 'FileSystemEnv_write_to_file'
const CELL = 'PythonNotebook_execute_cell'
const BROWSE = 'WebEnv_browse_website'
const RUN = 'shell_command_executor'
const page = (url: string) => ({ url, goals_to_browse: 'otters' })

/** What lies in the workspace before. */
export const XAGENT_BEFORE: Before = [
  [WRITE, { filepath: 'two.txt', content: 'a\nb' }],
  [WRITE, { filepath: 'x.png', content: 'x' }],
]

export const XAGENT: readonly Provoked[] = [
  calling('reading a file that is not there', [READ, { filepath: 'no.txt' }]),
  calling('reading a directory', [READ, { filepath: '/' }]),
  calling('reading beyond the end', [READ, { filepath: 'two.txt', line_number: 9 }]),
  calling('a line number that is no number', [READ, { filepath: 'two.txt', line_number: 'abc' }]),
  calling('an empty path', [READ, { filepath: '' }]),
  calling('a path that is a list', [READ, { filepath: ['a', 'b'] }]),
  calling('a path out of the workspace', [READ, { filepath: '../../etc/passwd' }]),
  calling('reading an image as text', [READ, { filepath: 'x.png' }]),
  calling('writing into lines of a file that is not there', [
    WRITE,
    { filepath: 'no.txt', content: 'x', line_number: 7 },
  ]),
  calling('overwrite that is no boolean', [WRITE, { filepath: 'a.txt', content: 'x', overwrite: 'maybe' }]),
  calling('writing to the workspace itself', [WRITE, { filepath: '.', content: 'x' }]),
  calling('a file without content', [WRITE, { filepath: 'a.txt' }]),
  calling('a field of another server', [READ, { file_path: 'a.txt' }]),
  calling('a tool that there is not', ['FileSystemEnv_delete_file', { filepath: 'a.txt' }]),
  calling('a tool of another server', ['dir_list', {}]),
  calling('a page whose address is none', [BROWSE, page('not a url')]),
  calling('a page of this machine', [BROWSE, page('http://localhost/')]),
  calling('a page of a private address', [BROWSE, page('http://10.0.0.7/')]),
  calling('a page at another port', [BROWSE, page('http://example.com:8443/')]),
  calling('a page of a host that there is not', [BROWSE, page('http://nobody.example.com/')]),
  calling('a file of the disk as a page', [BROWSE, page('file:///etc/passwd')]),
  calling('a page that is gone', [BROWSE, page(`${SITE}/gone`)]),
  calling('an image as a page', [BROWSE, page(`${SITE}/image`)]),
  calling('a page that programs may not read', [BROWSE, page(`${SITE}/secret`)]),
  calling('a search where none is set up', ['bing_search', { query: 'otters' }]),
  calling('reading what a search finds where none is set up', [
    'WebEnv_search_and_browse',
    { search_query: 'otters', goals_to_browse: 'x' },
  ]),
  calling('a calculation that is none', ['calculator', { expression: 'two plus two' }]),
  calling('a division by zero', ['calculator', { expression: '1/0' }]),
  calling('a number without end', ['calculator', { expression: '9**9**9' }]),
  calling('a cell that raises', [CELL, { code: 'def f():\n    return 1/0\nf()' }]),
  calling('a cell that is no Python', [CELL, { code: 'for in' }]),
  calling('a cell whose module is not there', [CELL, { code: 'import not_there' }]),
  calling('a cell with nothing in it', [CELL, { code: '' }]),
  calling('a cell that there is not', [CELL, { code: '1', cell_index: 99 }]),
  calling('a cell that takes too long', [CELL, { code: 'import time\ntime.sleep(60)', timeout: 1 }]),
  calling('a program that raises within a cell', [CELL, { code: 'import json\njson.loads("{")' }]),
  calling('a shell that there is not', [RUN, { shell_id: 77 }]),
  calling('a command that fails', [RUN, { command: 'ls /no/such/place' }]),
  calling('a command that takes too long', [RUN, { command: 'sleep 60', timeout: 1 }]),
  callingAfter(
    'an interactive shell that ended',
    [['ShellEnv_write_stdin', { content: 'exit 3', wait_ms: 20_000 }]],
    ['ShellEnv_write_stdin', { content: 'echo' }],
  ),
  calling('an interpreter without a file', ['run_interpreter', { filename: 'none.py' }]),
  { what: 'a call that is no JSON', ask: (client) => client.request('/execute_tool', '{"tool_name": ') },
  {
    what: 'arguments that are a list',
    ask: (client) => client.request('/execute_tool', { tool_name: READ, arguments: ['a'] }),
  },
  {
    what: 'a file to download that is not there',
    ask: (client) => client.request('/download_file', { file_path: 'no' }),
  },
  {
    what: 'a question without words',
    ask: (client) => client.request('/retrieving_tools', { question: ' ' }),
  },
  {
    what: 'a tool of its own without the label',
    ask: (client) => client.request('/register_new_tool', { tool_name: 'mine', code: 'def mine():\n    return 1' }),
  },
  {
    what: 'a tool of its own that raises',
    async ask(client) {
      const code = '@toolwrapper()\ndef raises(x: int):\n    return {}[x]'
      await client.sent('/register_new_tool', { tool_name: 'raises', code })
      return client.call('raises', { x: 1 })
    },
  },
  {
    what: 'a tool of its own whose code raises',
    ask: (client) => client.request('/register_new_tool', { tool_name: 'mine', code: 'def mine(:\n    return 1' }),
  },
]
