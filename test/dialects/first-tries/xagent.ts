import { BEGUN, type Call } from './task.ts'
import type { OwnTries } from './tasks.ts'

const READ = 'FileSystemEnv_read_from_file'
const WRITE = 'FileSystemEnv_write_to_file'
const CELL = 'PythonNotebook_execute_cell'
const RUN = 'shell_command_executor'

const unknown = (tool: string, name: string, known: string) =>
  `TypeError: ${tool}() got an unexpected keyword argument '${name}'. Known are: ${known}`

const RUN_TAKES = 'command, run_async, shell_id, kill'

const reads = (filepath: string, message: string, more: object = {}) => ({
  sends: [READ, { filepath, ...more }] as Call,
  message,
})

const SAME_TOOL = { none: 'the toolkit has the same tool here, and its words; how they come is asked above' }
const NO_EDITS = { none: 'XAgent edits by line numbers; it has no edit by text' }
const NO_SEARCH = { none: 'XAgent has no search; its models use grep' }
const NO_DOCUMENTS = { none: 'XAgent has no tool for documents; its models use Python' }
const NO_PAPERS = { none: 'XAgent has no papers' }

/** The tasks as XAgent's tools express them. Its errors are those of Python functions, as published. */
export const XAGENT: OwnTries = {
  'directory of a command by another name': {
    sends: [RUN, { command: 'pwd', cwd: 'data' }],
    fails: true,
    message: unknown(RUN, 'cwd', RUN_TAKES),
  },
  'path in another spelling': {
    sends: [READ, { filePath: 'notes.txt' }],
    fails: true,
    message: unknown(READ, 'filePath', 'filepath, line_number'),
  },
  'parameter that changes nothing': {
    sends: [READ, { filepath: 'notes.txt', page: 2 }],
    fails: true,
    message: unknown(READ, 'page', 'filepath, line_number'),
  },
  'parameter that would change much': {
    sends: [RUN, { command: 'rm -rf *', cwdd: 'data' }],
    fails: true,
    message: unknown(RUN, 'cwdd', RUN_TAKES),
  },
  'mistyped tool': {
    sends: ['FileSystemEnv_raed_from_file', { filepath: 'notes.txt' }],
    fails: true,
    message: 'The tool FileSystemEnv_raed_from_file is not found!',
  },
  'tool of another agent': {
    sends: ['Bash', { command: 'ls' }],
    fails: true,
    message: 'The tool Bash is not found!',
  },
  'mistyped session': { none: 'a node is named by a cookie of 64 digits, which no model writes' },
  'numbers and booleans in quotes': reads('notes.txt', '    3: three\n    4: four', { line_number: '3' }),
  'list as JSON text': { none: 'no argument of its tools is a list' },
  'object for text': {
    sends: [WRITE, { filepath: 'data.json', content: { a: 1 } }],
    fails: true,
    message: 'ValueError: content: Invalid input: expected string, received object; give JSON as text, in quotes',
  },
  'list for a command': {
    sends: [RUN, { command: ['ls', '-la'] }],
    fails: true,
    message: 'ValueError: command: Invalid input: expected string, received array',
  },
  'required argument left out': {
    sends: [WRITE, { content: 'hello' }],
    fails: true,
    message: `TypeError: ${WRITE}() missing 1 required positional argument: 'filepath'`,
  },
  'two names of one argument': {
    sends: [READ, { filepath: 'notes.txt', path: 'list.txt' }],
    fails: true,
    message: unknown(READ, 'path', 'filepath, line_number'),
  },
  'line past the end': {
    sends: [READ, { filepath: 'notes.txt', line_number: 9 }],
    fails: true,
    message: 'ValueError: Line number 9 is out of range. notes.txt has 4 lines',
  },
  'end before start': { none: 'a reading has no end' },
  'negative line': reads('notes.txt', '    3: three\n    4: four', { line_number: -2 }),
  'file of 5 MB': reads('big.txt', '[cut here: the text has 700000 lines; go on from line 18518]'),
  'line of 1 MB': reads('line.json', '[line 1 is cut after 100000 of its 1000003 characters]'),
  'binary file': {
    ...reads(
      'binary.dat',
      `ValueError: Cannot read binary file: binary.dat. File type '.dat' is not supported for text reading. Inspect it with ${RUN} (file, unzip -l, xxd) or with ${CELL}.`,
    ),
    fails: true,
  },
  'picture as a text': {
    ...reads(
      'picture.png',
      `ValueError: Cannot read binary file: picture.png. File type '.png' is not supported for text reading. Inspect it with ${RUN} (file, unzip -l, xxd) or with ${CELL}.`,
    ),
    fails: true,
  },
  'picture by its tool': { none: 'XAgent shows its models the pictures that a notebook makes' },
  'file in GBK': reads('gbk.txt', '    1: 你好，世界。这是一个用旧编码保存的文件。'),
  'file in UTF-16': reads('utf16.txt', '    1: Grüße\n    2: zwei'),
  'path of the machine': {
    sends: [WRITE, { filepath: '/tmp/foo.py', content: 'x = 1' }],
    message: '    1: x = 1',
  },
  'path of Windows': {
    ...reads('C:\\x.txt', 'ValueError: "C:\\\\x.txt" is outside of the workspace; use "x.txt" or "code_run/x.txt"'),
    fails: true,
  },
  'path above the workspace': {
    sends: [WRITE, { filepath: '../x', content: 'x' }],
    fails: true,
    message: 'ValueError: the path "../x" leaves the workspace; give one relative to the workspace',
  },
  'path without its directory': {
    ...reads('a.txt', 'FileNotFoundError: File a.txt not found in workspace.'),
    fails: true,
  },
  'deleting the environment of programs': { none: 'XAgent has no tool that deletes' },
  'text that is not quite there': NO_EDITS,
  'text that is there three times': NO_EDITS,
  'file with line breaks of Windows': {
    sends: [WRITE, { filepath: 'windows.txt', content: '2nd', line_number: 2, overwrite: true }],
    message: '    1: first\n    2: 2nd\n    3: third',
  },
  'stale lines': { none: 'XAgent cannot say what it expects in the lines' },
  'adding after the last line': {
    sends: [WRITE, { filepath: 'list.txt', content: 'delta', line_number: 4 }],
    message: '    1: alpha\n    2: beta\n    3: gamma\n    4: delta',
  },
  'first line of an empty file': {
    sends: [WRITE, { filepath: 'empty.txt', content: 'first', line_number: 1 }],
    message: '    1: first',
  },
  'patch of which one file does not fit': NO_EDITS,
  'directory as a path': NO_SEARCH,
  'regular expression in a directory': NO_SEARCH,
  'expression that takes others exponential time': NO_SEARCH,
  'expression that looks around': NO_SEARCH,
  'files by pattern': NO_SEARCH,
  'size of a file': { none: 'XAgent lists files without their sizes' },
  'command that fails': {
    sends: [RUN, { command: 'ls /no/such; exit 3' }],
    fails: true,
    message: `{"ReturnCode":3,"display":"\\nstderr:\\nls: cannot access '/no/such': No such file or directory\\n"}`,
  },
  'command that takes too long': {
    sends: [RUN, { command: 'echo began; sleep 30', timeout: 1 }],
    fails: true,
    message:
      'Timeout while executing command. It goes on in shell …; read on with shell_id=… and run_async=true, or end it with kill=true.\nstdout:\nbegan\n',
  },
  'command that may go on': { none: 'each command goes on in its shell after its time' },
  'output of work in the background': {
    before: [[RUN, { command: 'echo built; sleep 2', run_async: true }]],
    sends: [RUN, { shell_id: BEGUN }],
    message: 'shell still running, no return code',
  },
  'job that there is not': {
    sends: [RUN, { shell_id: 77 }],
    fails: true,
    message: '{"Error":"Shell not found or has been closed."}',
  },
  'ending programs by a word of the own command': {
    sends: [RUN, { command: 'pkill -f old_server.py; echo went on' }],
    message: 'went on',
  },
  'shell that ends itself': {
    sends: [RUN, { command: 'kill -9 $$' }],
    fails: true,
    message: '{"ReturnCode":137,"display":""}',
  },
  'output of 600 KB': { sends: [RUN, { command: 'seq 1 100000' }], message: '99999\n100000' },
  'first commit': {
    sends: [
      RUN,
      { command: 'git init -q r && cd r && touch x && git add x && git commit -qm first && git log --format=%s' },
    ],
    message: 'first',
  },
  'package without an index': {
    sends: [CELL, { code: '!pip install flask' }],
    message: 'ERROR: No matching distribution found for flask…',
  },
  'Python that raises': {
    sends: [CELL, { code: 'def f():\n    return 1/0\nf()' }],
    fails: true,
    message: 'cell_index: …\n…\nZeroDivisionError: division by zero',
  },
  'Python as a script': {
    sends: ['run_interpreter', { filename: 'print(6 * 7)' }],
    fails: true,
    message: 'LookupError: File not found: print(6 * 7); give code, or a command',
  },
  'Python that asks the user': {
    sends: [CELL, { code: 'name = input()' }],
    fails: true,
    message: 'cell_index: …\n…\nNotImplementedError: Python input() function is disabled.',
  },
  'way back in the words of git': {
    before: [
      [WRITE, { filepath: 'undo.txt', content: 'good' }],
      [WRITE, { filepath: 'undo.txt', content: 'broken', truncating: true }],
    ],
    sends: ['workspace_restore', { commit: 'HEAD~1', path: './undo.txt' }],
    message: 'restored undo.txt as after commit …, by commit …; commit … has what was before: 1 changed',
  },
  'tool to undo': { sends: ['undo', {}], fails: true, message: 'The tool undo is not found!' },
  'commit counted from the end': {
    sends: ['workspace_restore', { commit: -1 }],
    fails: true,
    message:
      'ValueError: commit: give the number of a commit, the name of a snapshot, or HEAD~1 for the commit before the newest; -1 is none, HEAD~1 may be meant',
  },
  'newest commit as the one to go back to': {
    sends: ['workspace_restore', { commit: 'latest' }],
    message: 'nothing to do: all files as after commit …; no commit was made; to undo commit … give commit: …',
  },
  'hash of a commit': SAME_TOOL,
  'changes since a snapshot': SAME_TOOL,
  'snapshot that there is not': SAME_TOOL,
  'snapshot to be restored by its own tool': SAME_TOOL,
  'file before it was made': { none: 'XAgent reads files as they are now' },
  'long document': NO_DOCUMENTS,
  'formula that nobody evaluated': NO_DOCUMENTS,
  'Markdown as PDF': NO_DOCUMENTS,
  'papers by two common words': NO_PAPERS,
  'number of candidates': NO_PAPERS,
  'text of a paper of which there is only the abstract': NO_PAPERS,
}
