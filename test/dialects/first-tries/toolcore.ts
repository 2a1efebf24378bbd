import type { Call, Try } from './task.ts'
import type { OwnTries } from './tasks.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }

/** A registered tool that calls one of the server's, with the arguments that it declares and some of its own. */
const tool = (id: string, called: string, properties: object, fixed: object = {}) => {
  const names = Object.keys(properties)
  const input = { ...Object.fromEntries(names.map((name) => [name, `\${{ input.${name} }}`])), ...fixed }
  return {
    id,
    checks: { input: true },
    input_schema: { type: 'object', properties, required: names, additionalProperties: false },
    executor: {
      kind: 'chain',
      chain: {
        steps: [{ id: 'it', tool: called, input }],
        output: '${{ steps.it.result }}',
      },
    },
  }
}

/** Tools that somebody has put into the registry, for files, commands and papers. */
export const REGISTERED = [
  tool('files.read', 'file_read', { file_path: text, start_line: integer }),
  tool('files.write', 'file_write', { file_path: text, content: text }),
  tool('files.edit', 'file_edit', { file_path: text, old_text: text, new_text: text }),
  tool('files.patch', 'file_patch', { patch: text }),
  tool('files.search', 'file_search', { search_text: text }, { dir_path: 'data', regex: true }),
  tool('files.delete', 'file_delete', { file_path: text }),
  tool('shell.run', 'execute_shell', { command: text }, { workdir: '.', timeout: 2 }),
  tool('python.run', 'execute_code', { code: text }),
  tool('pip.install', 'pip_install', { packages: { type: 'array', items: text } }),
  tool('papers.read', 'rag_get_paper_content', { file_id: text }),
] // biome-ignore format: a table

const unfit = (id: string, why: string) => `the arguments do not fit ${id}: ${why}`
const failed = (called: string, why: string) => `step it (${called}) failed: ${why}\n\nSteps: it failed`

const fails = (sends: Call, message: string): Try => ({ sends, fails: true, message })
const reads = (path: string, message: string, from = 1): Try => ({
  sends: ['files.read', { file_path: path, start_line: from }],
  message,
})
const cannotRead = (path: string, why: string) =>
  fails(['files.read', { file_path: path, start_line: 1 }], failed('file_read', why))

const NOT_HERE = { none: 'the registry has what its owner puts there; this is a matter of the tool behind it' }
const NO_JOBS = { none: 'a registered tool answers when it has ended' }

/** The tasks as tools of a registry express them. */
export const TOOLCORE: OwnTries = {
  'directory of a command by another name': fails(
    ['shell.run', { command: 'pwd', cwd: 'data' }],
    unfit('shell.run', 'cwd: is not known; there is command'),
  ),
  'path in another spelling': fails(
    ['files.read', { filePath: 'notes.txt', start_line: 1 }],
    unfit('files.read', 'file_path: is required and missing; filePath: is not known; there are file_path, start_line'),
  ),
  'parameter that changes nothing': fails(
    ['files.read', { file_path: 'notes.txt', start_line: 1, page: 2 }],
    unfit('files.read', 'page: is not known; there are file_path, start_line'),
  ),
  'parameter that would change much': fails(
    ['shell.run', { command: 'rm -rf *', cwdd: 'data' }],
    unfit('shell.run', 'cwdd: is not known; there is command'),
  ),
  'mistyped tool': fails(['files.raed', { file_path: 'notes.txt', start_line: 1 }], 'Tool not found: files.raed'),
  'tool of another agent': fails(['Bash', { command: 'ls' }], 'Tool not found: Bash'),
  'mistyped session': { none: 'an agent has one session, which its id names' },
  'numbers and booleans in quotes': fails(
    ['files.read', { file_path: 'notes.txt', start_line: '2' }],
    unfit('files.read', 'start_line: must be integer, and is string: "2"'),
  ),
  'list as JSON text': fails(
    ['pip.install', { packages: '["pip"]' }],
    unfit('pip.install', 'packages: must be array, and is string: "[\\"pip\\"]"'),
  ),
  'object for text': fails(
    ['files.write', { file_path: 'data.json', content: { a: 1 } }],
    unfit('files.write', 'content: must be string, and is object: an object'),
  ),
  'list for a command': fails(
    ['shell.run', { command: ['ls', '-la'] }],
    unfit('shell.run', 'command: must be string, and is array: a list of 2'),
  ),
  'required argument left out': fails(
    ['files.write', { content: 'hello' }],
    unfit('files.write', 'file_path: is required and missing'),
  ),
  'two names of one argument': fails(
    ['files.read', { file_path: 'notes.txt', path: 'list.txt', start_line: 1 }],
    unfit('files.read', 'path: is not known; there are file_path, start_line'),
  ),
  'line past the end': reads('notes.txt', 'Line 9 is past the end: the file has 4 lines. The last one is shown.', 9),
  'end before start': NOT_HERE,
  'negative line': reads('notes.txt', 'three\nfour', -2),
  'file of 5 MB': reads('big.txt', '6620\n6621'),
  'line of 1 MB': reads('line.json', 'line 1 has 1000003 characters, of which the first 32000 are shown; …'),
  'binary file': cannotRead(
    'binary.dat',
    "Cannot read binary file: binary.dat. File type '.dat' is not supported for text reading. …",
  ),
  'picture as a text': cannotRead(
    'picture.png',
    "Cannot read binary file: picture.png. File type '.png' is not supported for text reading. …",
  ),
  'picture by its tool': NOT_HERE,
  'file in GBK': reads('gbk.txt', '你好，世界。这是一个用旧编码保存的文件。'),
  'file in UTF-16': reads('utf16.txt', 'Grüße\nzwei'),
  'path of the machine': cannotRead('/tmp/foo.py', '"/tmp/foo.py" is outside of …'),
  'path of Windows': cannotRead('C:\\x.txt', '"C:\\\\x.txt" is outside of …'),
  'path above the workspace': cannotRead('../x', 'the path "../x" leaves …'),
  'path without its directory': cannotRead('a.txt', 'File not found: a.txt; did you mean code_run/a.txt?'),
  'deleting the environment of programs': fails(
    ['files.delete', { file_path: 'code_env' }],
    failed('file_delete', 'code_env is the virtual environment …'),
  ),
  'text that is not quite there': fails(
    ['files.edit', { file_path: 'sum.py', old_text: '  results += item', new_text: '' }],
    failed('file_edit', 'old text not found in sum.py; nearest is line 4:\n    4:         result += item'),
  ),
  'text that is there three times': fails(
    ['files.edit', { file_path: 'thrice.py', old_text: 'a = 1', new_text: 'a = 2' }],
    failed('file_edit', 'old text occurs 3 times in thrice.py: lines 1, 3, 5; …'),
  ),
  'file with line breaks of Windows': {
    sends: ['files.edit', { file_path: 'windows.txt', old_text: 'second\n', new_text: '2nd\n' }],
    message: '    1: first\n    2: 2nd\n    3: third',
  },
  'stale lines': NOT_HERE,
  'adding after the last line': NOT_HERE,
  'first line of an empty file': NOT_HERE,
  'patch of which one file does not fit': fails(
    ['files.patch', { patch: '--- a/blue.txt\n+++ b/blue.txt\n@@ -1 +1 @@\n-green\n+GREEN\n' }],
    failed('file_patch', 'hunk 1 of blue.txt does not fit, …'),
  ),
  'directory as a path': NOT_HERE,
  'regular expression in a directory': {
    sends: ['files.search', { search_text: 'TODO|FIXME' }],
    message: '    # TODO: check it',
  },
  'expression that takes others exponential time': {
    sends: ['files.search', { search_text: '(a+)+$' }],
    data: { total_matches: 0 },
  },
  'expression that looks around': fails(
    ['files.search', { search_text: '(?<=a)b' }],
    failed('file_search', 'the pattern cannot be used: it looks around, …'),
  ),
  'files by pattern': NOT_HERE,
  'size of a file': NOT_HERE,
  'command that fails': {
    sends: ['shell.run', { command: 'ls /no/such; exit 3' }],
    message: "ls: cannot access '/no/such': No such file or directory",
  },
  'command that takes too long': fails(
    ['shell.run', { command: 'sleep 30' }],
    failed('execute_shell', 'Command timeout after 2 seconds; …'),
  ),
  'command that may go on': NO_JOBS,
  'output of work in the background': NO_JOBS,
  'job that there is not': NO_JOBS,
  'ending programs by a word of the own command': {
    sends: ['shell.run', { command: 'pkill -f old_server.py; echo went on' }],
    message: 'went on',
  },
  'shell that ends itself': {
    sends: ['shell.run', { command: 'kill -9 $$' }],
    message: 'the command was ended by SIGKILL: …',
  },
  'output of 600 KB': { sends: ['shell.run', { command: 'seq 1 100000' }], message: '99999\n100000' },
  'first commit': NOT_HERE,
  'package without an index': fails(
    ['pip.install', { packages: ['flask'] }],
    failed(
      'pip_install',
      '1 of 1 packages could not be installed: flask (ERROR: the package index cannot be reached …)',
    ),
  ),
  'Python that raises': {
    sends: ['python.run', { code: 'def f():\n    return 1/0\nf()' }],
    message: 'ZeroDivisionError: division by zero',
  },
  'Python as a script': fails(
    ['python.run', { script: 'print(6 * 7)' }],
    unfit('python.run', 'code: is required and missing; script: is not known; there is code'),
  ),
  'Python that asks the user': {
    sends: ['python.run', { code: 'name = input()' }],
    message: 'EOFError: EOF when reading a line',
  },
  'way back in the words of git': NOT_HERE,
  'tool to undo': NOT_HERE,
  'commit counted from the end': NOT_HERE,
  'newest commit as the one to go back to': {
    sends: ['workspace_restore', { commit: 'latest' }],
    message: 'nothing to do: all files as after commit …; no commit was made; to undo commit … give commit: …',
  },
  'hash of a commit': NOT_HERE,
  'changes since a snapshot': NOT_HERE,
  'snapshot that there is not': NOT_HERE,
  'snapshot to be restored by its own tool': NOT_HERE,
  'file before it was made': NOT_HERE,
  'long document': NOT_HERE,
  'formula that nobody evaluated': NOT_HERE,
  'Markdown as PDF': NOT_HERE,
  'papers by two common words': NOT_HERE,
  'number of candidates': NOT_HERE,
  'text of a paper of which there is only the abstract': {
    sends: ['papers.read', { file_id: '1706.03762v7' }],
    message: 'only title and abstract of 1706.03762v7 are stored, …',
  },
}
