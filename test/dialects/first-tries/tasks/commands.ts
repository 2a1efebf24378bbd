import { BEGUN, type Task } from '../task.ts'

/** Makes a commit in a new repository: it needs a name and an address. */
const COMMIT = 'git init -q r && cd r && touch x && git add x && git commit -qm first && git log --format=%s'

/** Commands, Python, and work in the background. */
export const COMMANDS = {
  'command that fails': {
    wants: 'List a directory that there is not',
    tries: {
      sends: ['execute_shell', { command: 'ls /no/such; exit 3' }],
      message: "ls: cannot access '/no/such': No such file or directory",
      data: { exit_code: 3, stdout: '' },
    },
  },
  'command that takes too long': {
    wants: 'Run a test that hangs',
    tries: {
      sends: ['execute_shell', { command: 'echo began; sleep 30', timeout: 1 }],
      fails: true,
      message: 'Command timeout after 1 seconds; give a larger timeout, or run it in the background',
      data: { stdout: 'began\n' },
    },
  },
  'command that may go on': {
    wants: 'Run what may take long, and lose nothing',
    tries: {
      sends: ['execute_shell', { command: 'echo began; sleep 2', timeout: 1, on_timeout: 'background' }],
      message:
        'it runs on as job … after 1 seconds; read on with job_output(job_id="…", from_byte=6, wait_seconds=30), end it with job_stop',
      data: { exit_code: null, stdout: 'began\n' },
    },
  },
  'output of work in the background': {
    wants: 'Start a build and look later',
    tries: {
      before: [['execute_shell', { command: 'echo built', run_in_background: true }]],
      sends: ['job_output', { id: BEGUN }],
      message: 'built',
      data: { next_from_byte: 6 },
    },
  },
  'job that there is not': {
    wants: 'Read the output of a job whose id it made up',
    tries: {
      sends: ['job_output', { job_id: 'job-1' }],
      fails: true,
      message: 'there is no job "job-1", or it ended more than a day ago; job_list has all',
    },
  },
  'ending programs by a word of the own command': {
    wants: 'End an old server and go on',
    tries: {
      sends: ['execute_shell', { command: 'pkill -f old_server.py; echo went on' }],
      message: 'went on',
      data: { exit_code: 0 },
    },
  },
  'shell that ends itself': {
    wants: 'End everything',
    tries: {
      sends: ['execute_shell', { command: 'kill -9 $$' }],
      message:
        'the command was ended by SIGKILL: by itself, or by a kill or pkill that matched its own shell (bash); what it printed and wrote until then is kept',
      data: { exit_code: 137 },
    },
  },
  'output of 600 KB': {
    wants: 'See what a program prints',
    tries: {
      sends: ['execute_shell', { command: 'seq 1 100000' }],
      message: '99999\n100000',
      data: { truncated: true },
    },
  },
  'first commit': {
    wants: 'Commit a file',
    tries: { sends: ['execute_shell', { command: COMMIT }], message: 'first', data: { exit_code: 0 } },
  },
  'package without an index': {
    wants: 'Install a package where there is no internet',
    tries: {
      sends: ['pip_install', { packages: ['flask'] }],
      fails: true,
      message:
        '1 of 1 packages could not be installed: flask (ERROR: the package index cannot be reached from the sandbox: 127.0.0.1:9 (Connection refused). Installed already: …)',
    },
  },
  'Python that raises': {
    wants: 'Run some Python, without a file',
    tries: {
      sends: ['execute_code', { code: 'def f():\n    return 1/0\nf()' }],
      message: 'Traceback (most recent call last):\n…\nZeroDivisionError: division by zero',
      data: { exit_code: 1 },
    },
  },
  'Python as a script': {
    wants: 'Calculate something',
    tries: {
      sends: ['execute_code', { script: 'print(6 * 7)' }],
      fails: true,
      message: 'file_path is Python and no path; give Python as code',
    },
  },
  'Python that asks the user': {
    wants: 'Run a program that waits for input',
    tries: {
      sends: ['execute_code', { code: 'name = input()' }],
      message: 'EOFError: EOF when reading a line',
      data: { exit_code: 1 },
    },
  },
} as const satisfies Record<string, Task>
