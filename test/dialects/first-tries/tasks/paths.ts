import type { Task } from '../task.ts'

/** Paths that mean another place. */
export const PATHS = {
  'path of the machine': {
    wants: 'Write a file for a moment',
    tries: {
      sends: ['file_write', { file_path: '/tmp/foo.py', content: 'x = 1' }],
      fails: true,
      message:
        '"/tmp/foo.py" is outside of the task directory; use "foo.py" or "code_run/foo.py" (commands may use /tmp, but files there are not kept)',
    },
  },
  'path of Windows': {
    wants: 'Read a file',
    tries: {
      sends: ['file_read', { file_path: 'C:\\x.txt' }],
      fails: true,
      message: '"C:\\\\x.txt" is outside of the task directory; use "x.txt" or "code_run/x.txt"',
    },
  },
  'path above the workspace': {
    wants: 'Write a file beside the workspace',
    tries: {
      sends: ['file_write', { file_path: '../x', content: 'x' }],
      fails: true,
      message: 'the path "../x" leaves the task directory; give one relative to the task root',
    },
  },
  'path without its directory': {
    wants: 'Read the file that a program wrote',
    tries: {
      sends: ['file_read', { file_path: 'a.txt' }],
      fails: true,
      message: 'File not found: a.txt; did you mean code_run/a.txt?',
    },
  },
  'deleting the environment of programs': {
    wants: 'Clean up',
    tries: {
      sends: ['file_delete', { path: 'code_env' }],
      fails: true,
      message:
        'code_env is the virtual environment that programs here run in, and stays; to remove a package use execute_shell: pip uninstall -y NAME',
    },
  },
} as const satisfies Record<string, Task>
