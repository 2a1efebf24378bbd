import type { Requirement } from '../../support/requirements.ts'

const document = (section: string) => `document, ${section}`
const manager = (path: string) => `server, ToolServerManager, ${path}`
const node = (path: string) => `server, ToolServerNode, ${path}`
const client = (method: string) => `client, XAgent/toolserver_interface.py, ${method}`
const notebook = (method: string) => `server, core/envs/pycoding.py, ${method}`
const shell = (method: string) => `server, core/envs/shell.py, ${method}`
const executor = 'server, core/tools/shell.py, shell_command_executor'
const files = (method: string) => `server, core/envs/filesystem.py, ${method}`

/** Nodes, lists, calls, files and the web. Each is verified by a test beside this file; a run of all tests counts. */
export const REQUIREMENTS = {
  'xagent:alive': {
    source: manager('/alive'),
    behaviour: 'GET /alive answers "alive", without a node and without a key',
  },
  'xagent:cookie': {
    source: manager('/get_cookie'),
    behaviour: 'a cookie with 64 hex digits opens a node, with the headers and the body of the published server',
  },
  'xagent:cookie:published-path': {
    source: document('/get_cookies'),
    behaviour: 'the path of the published document gives a cookie too',
    differs: 'its server knows /get_cookie only',
  },
  'xagent:cookie:attributes': {
    source: client('lazy_init'),
    behaviour:
      'the cookie has Path=/ and SameSite=lax and nothing that an HTTP library on plain http would drop it for',
  },
  'xagent:cookie:fresh': {
    source: manager('/get_cookie'),
    behaviour: 'each cookie is a node of its own, whatever was sent',
  },
  'xagent:cookie:soon': {
    source: manager('/get_cookie'),
    behaviour: 'a node is there at once, and no machine starts with it',
    differs: 'a container starts, which takes three seconds',
  },
  'xagent:node:unknown': {
    source: manager('proxy'),
    behaviour: 'every path of a node is 403 {"detail":"invalid node_id: …"} without a cookie, and with one of no node',
  },
  'xagent:node:first': { source: manager('proxy'), behaviour: 'the cookie is judged before the body' },
  'xagent:node:hello': { source: node('/'), behaviour: 'GET and POST / of a node say hello' },
  'xagent:node:root-without-cookie': {
    source: manager('proxy'),
    behaviour: '/ without a cookie is that of the Tool Server',
    differs: '403: no other API is at that address',
  },
  'xagent:node:tenant': {
    source: manager('proxy'),
    behaviour: "another tenant's node answers as one that does not exist, on every path",
    differs: 'there are no tenants',
  },
  'xagent:node:key': {
    source: client('__init__'),
    behaviour: 'a key stands in the URL that a client is given, /k/<key>, and without one a cookie opens nothing',
    differs: 'nobody needs a key',
  },
  'xagent:close': {
    source: manager('/close_session'),
    behaviour: 'a closed node is 503, may be closed again, and keeps its files',
  },
  'xagent:close:processes': {
    source: manager('/close_session'),
    behaviour: 'closing ends what runs, and what it wrote last is kept',
  },
  'xagent:reconnect': {
    source: manager('/reconnect_session'),
    behaviour: 'a closed node that reconnects answers again',
  },
  'xagent:reconnect:running': {
    source: manager('/reconnect_session'),
    behaviour: 'a running node that reconnects keeps its files and not its processes',
  },
  'xagent:release': {
    source: manager('/release_session'),
    behaviour: 'a released node is gone with its files, as if it had never been; a second release says so',
    differs: 'the second is 500 at first',
  },
  'xagent:session:unknown': {
    source: manager('/close_session'),
    behaviour: 'closing, reconnecting and releasing an unknown node is 200 "invalid node_id: …"',
  },
  'xagent:idle': {
    source: manager('node_checker'),
    behaviour: 'a node without a request for half an hour is 503 until it reconnects, with its files',
  },
  'xagent:not-found': { source: 'server, FastAPI', behaviour: 'an unknown path is 404 {"detail":"Not Found"}' },
  'xagent:method-not-allowed': {
    source: 'server, FastAPI',
    behaviour: 'a known path with another method is 405 {"detail":"Method Not Allowed"} and says which it takes',
  },

  'xagent:tools:available': {
    source: node('/get_available_tools'),
    behaviour: 'lists envs with short names, tools with full names, and the JSON of each tool, whatever the body is',
  },
  'xagent:tools:json': {
    source: document('/get_available_tools'),
    behaviour: 'the JSON of a tool has name, description and parameters with types, texts and which are required',
  },
  'xagent:tools:own': {
    source: node('/get_available_tools'),
    behaviour: 'shows the tools of XAgent and none of the Tool Server, nor the other way round',
  },
  'xagent:tools:schemas': {
    source: node('/get_json_schema_for_tools'),
    behaviour:
      'gives the JSON of tools by name, as a bare list, as tool_names and as tools, and says which are missing',
    differs: 'takes a bare list only',
  },
  'xagent:envs:schemas': {
    source: node('/get_json_schema_for_envs'),
    behaviour: 'gives envs by name, as a bare list, as env_names and as envs, and says which are missing',
    differs: 'takes a bare list only',
  },
  'xagent:schemas:invalid': {
    source: 'server, FastAPI',
    behaviour: 'a body that is no list of names is 422 with its place',
  },

  'xagent:retrieve': {
    source: node('/retrieving_tools'),
    behaviour: 'finds tools by a question in English, the one that fits best first',
  },
  'xagent:retrieve:json': {
    source: node('/retrieving_tools'),
    behaviour: 'gives the JSON of each tool that is found, in the same order',
  },
  'xagent:retrieve:chinese': {
    source: node('/retrieving_tools'),
    behaviour: 'finds tools by a question in Chinese, simplified or traditional',
  },
  'xagent:retrieve:top-k': {
    source: node('/retrieving_tools'),
    behaviour: 'gives five tools at most, or top_k, which may be text; none for 0',
  },
  'xagent:retrieve:nothing': {
    source: node('/retrieving_tools'),
    behaviour: 'gives nothing where no word of the question fits any tool',
    differs: 'as many as asked for, however little they fit',
  },
  'xagent:retrieve:empty': {
    source: node('/retrieving_tools'),
    behaviour: 'an empty question is 500 with one line',
    differs: 'with a traceback',
  },
  'xagent:retrieve:invalid': {
    source: 'server, FastAPI',
    behaviour: 'a question that is no text, and a top_k that is no whole number in its bounds, is 422 with its place',
    differs: 'top_k has no bounds',
  },
  'xagent:retrieve:hidden': {
    source: node('/retrieving_tools'),
    behaviour: 'tools of hidden envs are found by what is told of them',
  },
  'xagent:retrieve:own': {
    source: node('/retrieving_tools'),
    behaviour: 'a tool is found as soon as it is there, and only by those whose it is',
    differs: 'new tools are never found',
  },
  'xagent:retrieve:registered': {
    source: node('/retrieving_tools'),
    behaviour: 'tools of an API are found as soon as it is imported, in English and Chinese, and only by their tenant',
    differs: 'only those that were there when the index was made',
  },

  'xagent:apis:env': {
    source: 'server, ToolServerNode/extensions/envs/rapidapi.py',
    behaviour:
      'an API is an env, which says that its tools are in no list; they are in none, and found by the schema endpoints',
  },
  'xagent:apis:names': {
    source: 'server, ToolServerNode/utils/retriever.py, standardizing',
    behaviour: 'tools of RapidAPI are called as XAgent calls them, with its types',
  },
  'xagent:apis:toolbench': {
    source: 'server, ToolServerNode/extensions/envs/rapidapi.py',
    behaviour: 'descriptions as XAgent has them are asked of a ToolBench server with its payload and key',
  },
  'xagent:apis:execute': {
    source: node('/execute_tool'),
    behaviour: 'a call goes to the API with the secret of the tenant; its answer is wrapped, an error of it is 500',
  },
  'xagent:apis:listed': {
    source: node('/get_available_tools'),
    behaviour: 'tools that were registered and are not hidden are in the lists, those of other agents in none',
    differs: 'nothing can be registered for all nodes',
  },

  'xagent:execute': {
    source: node('/execute_tool'),
    behaviour: 'runs a tool by full name, by env and short name, and in the words of the published document',
    differs: 'the words of the document are 422',
  },
  'xagent:execute:arguments-text': {
    source: client('execute_command_client'),
    behaviour: 'takes the arguments as a text of JSON too',
    differs: '422',
  },
  'xagent:execute:not-found': {
    source: node('/execute_tool'),
    behaviour: 'an unknown tool is 404 and named, in an unknown env too',
    differs: 'an unknown env is 500 with a traceback',
  },
  'xagent:execute:invalid': {
    source: 'server, FastAPI',
    behaviour: 'a body that is not JSON, or lacks fields or their types, is 422 with their places',
  },
  'xagent:execute:arguments': {
    source: node('/execute_tool'),
    behaviour: "arguments that a tool lacks or does not know are 500 in Python's words",
  },
  'xagent:execute:failed': {
    source: node('/execute_tool'),
    behaviour: 'a tool that fails is 500 with one line: the type of the exception and what to do',
    differs: 'the whole traceback, of which this is the last line',
  },
  'xagent:execute:coerced': {
    source: node('/execute_tool'),
    behaviour: 'numbers and booleans may come as text',
    differs: 'Python fails on them',
  },

  'xagent:files:tree': {
    source: files('print_filesys_struture'),
    behaviour: 'prints the tree, with the root when it is asked for',
  },
  'xagent:files:read': {
    source: files('read_from_file'),
    behaviour: 'reads numbered lines, from one on or the last ones with their own numbers, and empty files',
    differs: 'the last ones are numbered one too low, and empty files fail',
  },
  'xagent:files:write': {
    source: files('write_to_file'),
    behaviour: 'adds, inserts, overwrites and truncates by lines, and answers with the whole file',
  },
  'xagent:files:outside': {
    source: files('write_to_file'),
    behaviour: 'nothing is read or written outside of the workspace',
  },
  'xagent:files:kept-out': {
    source: files('_check_ignorement'),
    behaviour: 'what git and package managers keep is not read nor written',
  },
  'xagent:upload': {
    source: client('upload_file'),
    behaviour: 'stores the part "file" under its name, whatever else the form has',
  },
  'xagent:upload:folders': {
    source: node('/upload_file'),
    behaviour: 'a name with folders makes them, and one that leaves the workspace is refused',
    differs: 'the first fails, the second is written there',
  },
  'xagent:upload:invalid': { source: node('/upload_file'), behaviour: 'a form without a file is 422' },
  'xagent:download': {
    source: node('/download_file'),
    behaviour: 'gives the bytes of a file, with its name and type',
  },
  'xagent:download:paths': {
    source: node('/download_file'),
    behaviour: 'takes a path as it is, with a slash before it, and with workspace/ before it',
    differs: 'the first character of every path is cut',
  },
  'xagent:download:absent': {
    source: node('/download_file'),
    behaviour: 'a file that is not there is an error that names it, and a folder is none',
    differs: '500 without a word',
  },
  'xagent:workspace:zip': {
    source: node('/download_workspace'),
    behaviour: 'gives all files as a zip without folders, and without links that lead elsewhere; an empty one is valid',
    differs: 'links are followed',
  },
  'xagent:workspace:structure': {
    source: node('/get_workspace_structure'),
    behaviour: 'gives the workspace as a tree of names, folders with children and files without',
  },

  'xagent:notebook:cells': {
    source: notebook('execute_cell'),
    behaviour:
      'cells are added, or replaced by index, negative too, and the one that is named runs, over lasting variables',
    differs: 'the last cell runs, whichever was replaced',
  },
  'xagent:notebook:rich': {
    source: notebook('execute_cell'),
    behaviour:
      'results come by their types: text, JSON as it is, pictures as binary without a name, several as a composite',
  },
  'xagent:notebook:error': {
    source: notebook('execute_cell'),
    behaviour: 'an error is 500 with the index, what was printed before, and the traceback without colours',
    differs: 'what was printed before is lost',
  },
  'xagent:notebook:commands': {
    source: notebook('execute_cell'),
    behaviour: 'a line that begins with ! runs as a command, and what programs print is shown',
  },
  'xagent:notebook:file': {
    source: notebook('_fix_path'),
    behaviour: 'the notebook is saved as python_notebook.ipynb of nbformat 4, together with what its cell changed',
  },
  'xagent:notebook:valid': {
    source: notebook('_fix_path'),
    behaviour: 'nbformat finds no fault with the saved notebook, whatever its cells showed, also one that was uploaded',
    differs: 'it is nbformat that writes it',
  },
  'xagent:notebook:frames': {
    source: notebook('execute_cell'),
    behaviour: 'a DataFrame of pandas comes as its text',
  },
  'xagent:notebook:figures': {
    source: notebook('execute_cell'),
    behaviour: 'a figure of matplotlib comes as its text and a png',
  },
  'xagent:notebook:reset': {
    source: notebook('execute_cell'),
    behaviour: 'reset gives a new kernel and keeps the cells, also while one runs',
  },
  'xagent:notebook:dead': {
    source: notebook('execute_cell'),
    behaviour: 'a kernel that died is replaced, and the answer says so',
    differs: 'it says nothing',
  },
  'xagent:notebook:limit': {
    source: notebook('execute_cell'),
    behaviour: 'a cell that takes too long is interrupted, and its kernel can be used with its variables',
    differs: 'the kernel goes on with the cell, and every other one is too late too',
  },
  'xagent:notebook:450': {
    source: notebook('execute_cell'),
    behaviour: 'a cell goes on after wait_ms: 450 says how to wait for it, again and again',
    differs: 'the call lasts as long as the cell',
  },
  'xagent:notebook:queue': {
    source: notebook('execute_cell'),
    behaviour: 'cells that come at once run one after another',
    differs: 'they disturb each other',
  },
  'xagent:notebook:huge': {
    source: notebook('execute_cell'),
    behaviour:
      'of much output head and tail are shown and the whole is a file; large pictures and bytes that are no text pass',
    differs: 'all of it is shown',
  },
  'xagent:notebook:restart': {
    source: notebook('execute_cell'),
    behaviour: 'a cell goes on when the server loses the session, and its result can be had after',
    differs: 'it is lost',
  },
  'xagent:notebook:lost': {
    source: notebook('execute_cell'),
    behaviour: 'after the sandbox was replaced the kernel is a new one, the cells are there, and the answer says so',
    differs: 'it says nothing',
  },
  'xagent:notebook:packages': {
    source: notebook('execute_cell'),
    behaviour: 'a package that a cell installs can be imported in the kernel that runs, and by commands',
  },
  'xagent:notebook:plain': {
    source: notebook('execute_cell'),
    behaviour: 'where there is no IPython plain Python runs the cells, with results, await, errors and interrupts',
  },
  'xagent:notebook:hostile': {
    source: notebook('execute_cell'),
    behaviour: 'a file that is no notebook is named, and code that breaks into the kernel breaks the kernel alone',
  },
  'xagent:notebook:forged': {
    source: notebook('execute_cell'),
    behaviour: 'code that answers in the place of notebook and shells gets an error of its own, and only while it does',
  },
  'xagent:notebook:tenants': {
    source: notebook('execute_cell'),
    behaviour: 'no node sees the kernel of another',
  },

  'xagent:shell:state': {
    source: shell('write_stdin'),
    behaviour: 'one shell keeps its directory, variables and programs; what it writes is in the workspace',
  },
  'xagent:shell:450': {
    source: shell('write_stdin'),
    behaviour: 'without output 450 says to read, as does reading with probe, until there is some',
  },
  'xagent:shell:stderr': {
    source: shell('read_stdout'),
    behaviour: 'stdout and stderr come in the order in which they were printed',
    differs: 'stderr comes first and alone',
  },
  'xagent:shell:exit': {
    source: shell('write_stdin'),
    behaviour: 'a shell that ended says so with its code, and restart gives a new one',
    differs: 'there is no way to a new one',
  },
  'xagent:shell:restart': {
    source: shell('read_stdout'),
    behaviour: 'the shell and its command go on when the server loses the session',
    differs: 'they end',
  },
  'xagent:executor:ends': {
    source: executor,
    behaviour: 'a command gives its code and both streams; one that fails is 500 with the same',
    differs: 'of two streams only stdout is kept',
  },
  'xagent:executor:timeout': {
    source: executor,
    behaviour: 'a command that takes too long is 500; with kill it ends, else it goes on under its shell_id',
  },
  'xagent:executor:async': {
    source: executor,
    behaviour: 'run_async leaves the shell running, which is read on, gets commands and ends by its shell_id',
    differs: 'an empty command fails',
  },
  'xagent:executor:read': {
    source: executor,
    behaviour: 'a shell_id alone answers at once with what the shell printed so far, and the command goes on',
    differs: 'the original waits 300 seconds for its end, and closes the shell',
  },
  'xagent:executor:exited': {
    source: executor,
    behaviour: 'a shell that exited by itself says so',
    differs: 'the call never answers',
  },
  'xagent:executor:many': {
    source: executor,
    behaviour: 'shells are bounded, and kill ends one with all that it started',
    differs: 'there is no bound',
  },
  'xagent:executor:450': {
    source: executor,
    behaviour: 'a command goes on after wait_ms, also when the server loses the session: 450 says how to wait for it',
    differs: 'the call lasts as long as the command',
  },
  'xagent:executor:huge': {
    source: executor,
    behaviour: 'of much output head and tail are shown and the whole is a file; bytes that are no text pass',
    differs: 'all of it is shown',
  },
  'xagent:executor:tenants': { source: executor, behaviour: 'no node sees the shells of another' },
  'xagent:run-interpreter': {
    source: 'server, extensions/tools/interpreter.py',
    behaviour: 'writes a file and runs it, or a command, and gives code and output, whatever the code is',
    differs: 'the file is added to',
  },

  'xagent:register': {
    source: node('/register_new_tool'),
    behaviour:
      'takes a tool as Python, described by its docstring; it is listed, has a schema, runs, and stays with the node',
  },
  'xagent:register:values': {
    source: node('/register_new_tool'),
    behaviour:
      'what its function returns is wrapped by its type; it runs in the workspace; one that is not visible is in no list',
  },
  'xagent:register:refused': {
    source: node('/register_new_tool'),
    behaviour: 'code that raises, lacks or does not label the name, and a name that is taken are 406 with one line',
    differs: 'the whole traceback',
  },
  'xagent:register:failed': {
    source: node('/execute_tool'),
    behaviour: 'what such a tool raises is 500: the text or object of ToolExecutionError, else type and message',
    differs: 'the whole traceback',
  },
  'xagent:register:tenants': {
    source: node('/register_new_tool'),
    behaviour: 'no node knows the tools of another',
  },

  'xagent:calculator': {
    source: 'server, extensions/tools/calculator.py',
    behaviour: 'calculates, and runs nothing',
    differs: 'any Python runs in the server',
  },
  'xagent:web:browse': {
    source: 'server, core/envs/web.py, browse_website',
    behaviour: 'reads a page as text without blank lines, and its links below it',
    differs: 'menus, and what operates a page, are in the text too',
  },
  'xagent:web:failed': {
    source: 'server, core/envs/web.py, browse_website',
    behaviour: 'a page that is not there is an error with its status',
  },
  'xagent:web:guarded': {
    source: 'server, core/envs/web.py, _check_url_valid',
    behaviour: 'no address of a private network is read',
    differs: 'the check is there and not called',
  },
  'xagent:web:search': {
    source: 'server, core/envs/web.py, search_and_browse',
    behaviour: 'gives name, snippet and page of the first three results; where a page fails, why',
  },
  'xagent:web:search:nothing': {
    source: client('handle_search, XAgent/function_handler.py'),
    behaviour: 'no result is an error, and never an empty list, on which the client fails',
    differs: 'an empty list',
  },
  'xagent:bing-search': {
    source: 'server, extensions/tools/search/bing.py',
    behaviour: 'at most three results, each with url, name and snippet',
  },
  'xagent:client:sequence': {
    source: client('all'),
    behaviour: 'the requests of the real client, in its order and form, all work',
  },
} as const satisfies Record<string, Requirement>
