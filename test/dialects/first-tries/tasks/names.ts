import type { Task } from '../task.ts'

const READ_TAKES = 'file_path (required), start_line, end_line, line_numbers, max_chars, as_of, encoding'
const SHELL_TAKES = 'command (required), workdir, timeout, env, stdin, max_chars, background, on_timeout'

/** Names and types that another server has. */
export const NAMES = {
  'directory of a command by another name': {
    wants: 'Run a command in a directory',
    tries: { sends: ['execute_shell', { cmd: 'pwd', cwd: 'data' }], message: '/home/user/workspace/data' },
  },
  'path in another spelling': {
    wants: 'Read a file',
    tries: { sends: ['file_read', { filePath: 'notes.txt' }], message: 'one\ntwo\nthree\nfour' },
  },
  'parameter that changes nothing': {
    wants: 'Read the second page of a file',
    tries: {
      sends: ['file_read', { file_path: 'notes.txt', page: 2 }],
      message: `unknown parameter: page. Known: ${READ_TAKES}`,
    },
  },
  'parameter that would change much': {
    wants: 'Empty a directory',
    tries: {
      sends: ['execute_shell', { command: 'rm -rf *', cwdd: 'data' }],
      fails: true,
      message: `unknown parameter: cwdd (did you mean workdir?). Known: ${SHELL_TAKES}`,
    },
  },
  'mistyped tool': {
    wants: 'Read a file',
    tries: {
      sends: ['file_raed', { file_path: 'notes.txt' }],
      fails: true,
      message: 'Tool file_raed not found; did you mean file_read?',
    },
  },
  'tool of another agent': {
    wants: 'Run a command',
    tries: {
      sends: ['Bash', { command: 'ls' }],
      fails: true,
      message: 'Tool Bash not found; did you mean execute_shell?',
    },
  },
  'mistyped session': {
    wants: 'Go on in a task',
    tries: {
      sends: ['file_read', { file_path: 'notes.txt' }],
      session: 'frist-tries',
      fails: true,
      message: 'Task frist-tries not found; did you mean first-tries?',
    },
  },
  'numbers and booleans in quotes': {
    wants: 'Read two lines, numbered',
    tries: {
      sends: ['file_read', { file_path: 'notes.txt', start_line: '2', end_line: '3', line_numbers: 'true' }],
      message: '    2: two\n    3: three',
    },
  },
  'list as JSON text': {
    wants: 'Install a package',
    tries: {
      sends: ['pip_install', { packages: '["pip"]' }],
      data: { results: [{ package: 'pip', success: true }] },
    },
  },
  'object for text': {
    wants: 'Write a JSON file',
    tries: {
      sends: ['file_write', { file_path: 'data.json', content: { a: 1 } }],
      message: 'content was no text, and was written as JSON',
    },
  },
  'list for a command': {
    wants: 'Run a command',
    tries: {
      sends: ['execute_shell', { command: ['echo', 'a  b'] }],
      message: 'a  b',
    },
  },
  'required argument left out': {
    wants: 'Write a file',
    tries: {
      sends: ['file_write', { content: 'hello' }],
      fails: true,
      message: 'missing required parameter: file_path',
      data: { notes: ['file_write takes: file_path (required), content (required), mode, is_base64, encoding'] },
    },
  },
  'two names of one argument': {
    wants: 'Read a file',
    tries: {
      sends: ['file_read', { file_path: 'notes.txt', path: 'list.txt' }],
      fails: true,
      message: 'path and file_path are two names of one parameter, and differ; give one of them',
    },
  },
} as const satisfies Record<string, Task>
