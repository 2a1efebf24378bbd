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
  calling(
    'reading a file that is not there',
    [READ, { filepath: 'no.txt' }],
    'FileNotFoundError: File no.txt not found in workspace.',
  ),
  calling('reading a directory', [READ, { filepath: '/' }], 'FileNotFoundError: File / not found in workspace.'),
  calling(
    'reading beyond the end',
    [READ, { filepath: 'two.txt', line_number: 9 }],
    'ValueError: Line number 9 is out of range. two.txt has 2 lines',
  ),
  calling(
    'a line number that is no number',
    [READ, { filepath: 'two.txt', line_number: 'abc' }],
    'ValueError: line_number: must be a whole number',
  ),
  calling('an empty path', [READ, { filepath: '' }], 'ValueError: filepath is required'),
  calling(
    'a path that is a list',
    [READ, { filepath: ['a', 'b'] }],
    'ValueError: filepath: give one path; make a call for each, or name them in one command',
  ),
  calling(
    'a path out of the workspace',
    [READ, { filepath: '../../etc/passwd' }],
    'ValueError: the path "../../etc/passwd" leaves the workspace; give one relative to the workspace',
  ),
  calling(
    'reading an image as text',
    [READ, { filepath: 'x.png' }],
    "ValueError: Cannot read binary file: x.png. File type '.png' is not supported for text reading. Inspect it with shell_command_executor (file, unzip -l, xxd) or with PythonNotebook_execute_cell.",
  ),
  calling(
    'writing into lines of a file that is not there',
    [WRITE, { filepath: 'no.txt', content: 'x', line_number: 7 }],
    'FileNotFoundError: File no.txt not found in workspace. Leave line_number out to make it',
  ),
  calling(
    'overwrite that is no boolean',
    [WRITE, { filepath: 'a.txt', content: 'x', overwrite: 'maybe' }],
    'ValueError: overwrite: must be true or false',
  ),
  calling(
    'writing to the workspace itself',
    [WRITE, { filepath: '.', content: 'x' }],
    'ValueError: File . is not a file.',
  ),
  calling(
    'a file without content',
    [WRITE, { filepath: 'a.txt' }],
    "TypeError: FileSystemEnv_write_to_file() missing 1 required positional argument: 'content'",
  ),
  calling(
    'a field of another server',
    [READ, { file_path: 'a.txt' }],
    "TypeError: FileSystemEnv_read_from_file() got an unexpected keyword argument 'file_path'. Known are: filepath, line_number",
  ),
  calling(
    'a tool that there is not',
    ['FileSystemEnv_delete_file', { filepath: 'a.txt' }],
    'The tool FileSystemEnv_delete_file is not found!',
  ),
  calling('a tool of another server', ['dir_list', {}], 'The tool dir_list is not found!'),
  calling(
    'a page whose address is none',
    [BROWSE, page('not a url')],
    'ValueError: the URL has white space, control characters or a backslash in it; write them as %20, %5C …',
  ),
  calling(
    'a page of this machine',
    [BROWSE, page('http://localhost/')],
    'PermissionError: localhost is not the name of a public web site, and is refused; only those can be fetched',
  ),
  calling(
    'a page of a private address',
    [BROWSE, page('http://10.0.0.7/')],
    'PermissionError: 10.0.0.7 is private, and refused; only addresses of the public internet can be fetched',
  ),
  calling(
    'a page at another port',
    [BROWSE, page('http://example.com:8443/')],
    'PermissionError: port 8443 is refused; only the ports of web sites can be reached, 80 and 443',
  ),
  calling(
    'a page of a host that there is not',
    [BROWSE, page('http://nobody.example.com/')],
    'ConnectionError: there is no host named nobody.example.com; check the URL',
  ),
  calling(
    'a file of the disk as a page',
    [BROWSE, page('file:///etc/passwd')],
    'PermissionError: file: addresses cannot be fetched; give one of http:// or https://',
  ),
  calling(
    'a page that is gone',
    [BROWSE, page(`${SITE}/gone`)],
    'ConnectionError: site.example answered 404 and no page; check url',
  ),
  calling(
    'an image as a page',
    [BROWSE, page(`${SITE}/image`)],
    'ValueError: http://site.example/image is image/png and no page; get it with shell_command_executor',
  ),
  calling(
    'a page that programs may not read',
    [BROWSE, page(`${SITE}/secret`)],
    'PermissionError: site.example does not let programs read this page (robots.txt); look for another source',
  ),
  calling(
    'a search where none is set up',
    ['bing_search', { query: 'otters' }],
    'ConnectionError: web search is not available on this server; read pages whose address you know instead',
  ),
  calling(
    'reading what a search finds where none is set up',
    ['WebEnv_search_and_browse', { search_query: 'otters', goals_to_browse: 'x' }],
    'ConnectionError: web search is not available on this server; read pages whose address you know instead',
  ),
  calling('a calculation that is none', ['calculator', { expression: 'two plus two' }]),
  calling('a division by zero', ['calculator', { expression: '1/0' }], 'ValueError: division by zero'),
  calling(
    'a number without end',
    ['calculator', { expression: '9**9**9' }],
    'ValueError: a number would have more than 65536 bits (MAX_INTEGER_BITS); use decimal numbers, or PythonNotebook_execute_cell',
  ),
  calling('a cell that raises', [CELL, { code: 'def f():\n    return 1/0\nf()' }]),
  calling('a cell that is no Python', [CELL, { code: 'for in' }]),
  calling('a cell whose module is not there', [CELL, { code: 'import not_there' }]),
  calling('a cell with nothing in it', [CELL, { code: '' }], 'ValueError: code is required'),
  calling(
    'a cell that there is not',
    [CELL, { code: '1', cell_index: 99 }],
    'ValueError: cell_index 99 is out of range: there are 3 cells, and 3 adds one',
  ),
  calling('a cell that takes too long', [CELL, { code: 'import time\ntime.sleep(60)', timeout: 1 }]),
  calling('a program that raises within a cell', [CELL, { code: 'import json\njson.loads("{")' }]),
  calling('a shell that there is not', [RUN, { shell_id: 77 }], '{"Error":"Shell not found or has been closed."}'),
  calling(
    'a command that fails',
    [RUN, { command: 'ls /no/such/place' }],
    `{"ReturnCode":2,"display":"\\nstderr:\\nls: cannot access '/no/such/place': No such file or directory\\n"}`,
  ),
  calling(
    'a command that takes too long',
    [RUN, { command: 'sleep 60', timeout: 1 }],
    'Timeout while executing command. It goes on in shell 1; read on with shell_id=1 and run_async=true, or end it with kill=true.',
  ),
  callingAfter(
    'an interactive shell that ended',
    [['ShellEnv_write_stdin', { content: 'exit 3', wait_ms: 20_000 }]],
    ['ShellEnv_write_stdin', { content: 'echo' }],
    'OSError: Shell is not running! It ended with exit code 3. Call ShellEnv_write_stdin with restart=true for a new one',
  ),
  calling(
    'an interpreter without a file',
    ['run_interpreter', { filename: 'none.py' }],
    'LookupError: File not found: none.py; give code, or a command',
  ),
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
