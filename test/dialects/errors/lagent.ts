import { calling, callingAfter, type Provoked, SITE } from './provoked.ts'

export const LAGENT: readonly Provoked[] = [
  calling('an action that there is not', ['ReadFile', { path: 'x' }]),
  calling(
    'an action that is like no other',
    ['Xyzzy', {}],
    'there is no action Xyzzy; call one of the tools that you were given, by its name',
  ),
  calling(
    'an api that the action has not',
    ['PPT.delete_page', {}],
    'invalid API: delete_page; call PPT.create_file, PPT.add_first_page, PPT.add_text_page, PPT.add_text_image_page, PPT.submit_file',
  ),
  calling(
    'a manager that cannot be called',
    ['IPythonInteractiveManager', { command: '1' }],
    'IPythonInteractiveManager has no api that can be called; call IPythonInteractive, or AsyncIPythonInterpreter with a session_id for each session',
  ),
  calling(
    'a page of a presentation that was not begun',
    ['PPT.add_first_page', { title: 'a', subtitle: 'b' }],
    'no ppt file was begun in this session; call PPT.create_file first',
  ),
  calling(
    'a theme that there is not',
    ['PPT.create_file', { theme: 'Dark', abs_location: '/a.pptx' }],
    'there is no theme Dark; give "Default"',
  ),
  calling(
    'a presentation without a name',
    ['PPT.create_file', { theme: 'Default', abs_location: '/' }],
    'abs_location "/" names no file; give e.g. "/slides/talk.pptx"',
  ),
  calling(
    'an image that is not there',
    ['PPT.add_text_image_page', { title: 'a', bullet_items: 'b', image: 'no.png' }],
    'no ppt file was begun in this session; call PPT.create_file first',
  ),
  calling(
    'an image that is gone',
    ['PPT.add_text_image_page', { title: 'a', bullet_items: 'b', image: `${SITE}/gone` }],
    'no ppt file was begun in this session; call PPT.create_file first',
  ),
  calling(
    'too many bullets',
    ['PPT.add_text_page', { title: 'a', bullet_items: 'b[SPAN]'.repeat(200) }],
    'bullet_items has 200 bullets; a page shows at most 60 (MAX_DECK_BULLETS), add another page',
  ),
  calling('an argument that lacks', ['PPT.add_first_page', { title: 'a' }], "missing required arguments: {'subtitle'}"),
  calling('an argument that there is not', ['GoogleSearch', { question: 'otters' }], "unknown arguments: {'question'}"),
  calling('inputs that are no JSON', ['GoogleSearch', '{"query": '], 'invalid json format: {"query": '),
  calling(
    'a search where none is set up',
    ['GoogleSearch', { query: 'otters' }],
    'web search is not available on this server; read pages whose address you know instead',
  ),
  calling(
    'a search of the browser where none is set up',
    ['WebBrowser.search', { query: ['otters'] }],
    'web search is not available on this server; read pages whose address you know instead',
  ),
  calling(
    'a result before any search',
    ['WebBrowser.select', { select_ids: [0] }],
    'No search results to select from. Call search first.',
  ),
  calling(
    'a page that is gone',
    ['WebBrowser.open_url', { url: `${SITE}/gone` }],
    'site.example answered 404 and no page; check url',
  ),
  calling(
    'an image as a page',
    ['WebBrowser.open_url', { url: `${SITE}/image` }],
    'http://site.example/image is image/png and no page; get it with a command that downloads it',
  ),
  calling(
    'a page of this machine',
    ['WebBrowser.open_url', { url: 'http://localhost/' }],
    'localhost is not the name of a public web site, and is refused; only those can be fetched',
  ),
  calling(
    'a map where none is set up',
    ['BINGMap.get_coordinates', { location: 'Kyiv' }],
    'maps are not available on this server; do without them',
  ),
  calling(
    'Google Scholar where it is not set up',
    ['GoogleScholar.get_author_id', { mauthors: 'Hinton' }],
    'Google Scholar is not available on this server; do without it',
  ),
  calling('Python that raises', ['IPythonInterpreter', { command: 'def f():\n    return 1/0\nf()' }]),
  calling('Python that is none', ['IPythonInterpreter', { command: 'for in' }]),
  calling(
    'Python that takes too long',
    ['IPythonInterpreter', { command: 'import time\ntime.sleep(60)', timeout: 1 }],
    'Timeout. No response after 1 seconds.',
  ),
  calling(
    'Python without the function',
    ['PythonInterpreter', { command: 'x = 1' }],
    `NameError("name 'solution' is not defined")`,
  ),
  calling(
    'a function that raises',
    ['PythonInterpreter', { command: 'def solution():\n    return {}["x"]' }],
    "KeyError('x')",
  ),
  calling('interactive Python that raises', ['IPythonInteractive', { command: '1/0' }]),
  calling(
    'a file that is not there',
    ['file_read', { file_path: 'no.txt' }],
    'File not found: no.txt; dir_list shows what exists',
  ),
  calling(
    'a number that is none',
    ['file_read', { file_path: 'no.txt', start_line: 'abc' }],
    'start_line: must be a whole number',
  ),
  calling(
    'a path out of the session',
    ['file_read', { file_path: '../../x' }],
    'the path "../../x" leaves the directory of the session; give one relative to the directory of the session',
  ),
  callingAfter(
    'an interactive shell that ended',
    [['shell.shell_write', { content: 'exit 3', wait_ms: 20_000 }]],
    ['shell.shell_write', { content: 'echo' }],
    'Shell is not running! It ended with exit code 3. Call shell.shell_write with restart=true for a new one',
  ),
  calling(
    'an action as Python that there is not',
    ['python_actions.python_action_call', { name: 'x', inputs: {} }],
    'there is no action x; python_actions.python_actions_list lists them',
  ),
  { what: 'a call without a name', ask: (client) => client.request('/lagent/execute', { inputs: {} }) },
  {
    what: 'a session without a name',
    ask: (client) => client.request('/lagent/execute', { session: '', name: 'dir_list', inputs: {} }),
  },
  { what: 'the description of an action that there is not', ask: (client) => client.request('/lagent/tools/none') },
  {
    what: 'actions as Python that cannot be loaded',
    ask: (client) => client.request('/lagent/actions', { source: 'import not_there' }),
  },
]
