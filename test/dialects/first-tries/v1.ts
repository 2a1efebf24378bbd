import type { Differences } from './tasks.ts'

/** Differences of `/v1`: it refuses unknown parameters, and has sessions in the place of tasks. */
export const V1: Differences = {
  'parameter that changes nothing': { fails: true },
  'mistyped tool': { message: 'Tool not found: file_raed; did you mean file_read?' },
  'tool of another agent': { message: 'Tool not found: Bash; did you mean execute_shell?' },
  'mistyped session': { message: 'there is no session frist-tries; did you mean first-tries?' },
  'required argument left out': {
    message:
      'missing required parameter: file_path. file_write takes: file_path (required), content (required), mode, is_base64, encoding',
    data: {},
  },
  'path of the machine': {
    message:
      '"/tmp/foo.py" is outside of the session directory; use "foo.py" or "code_run/foo.py" (commands may use /tmp, but files there are not kept)',
  },
  'path of Windows': {
    message: '"C:\\\\x.txt" is outside of the session directory; use "x.txt" or "code_run/x.txt"',
  },
  'path above the workspace': {
    message: 'the path "../x" leaves the session directory; give one relative to the session root',
  },
  'command that may go on': { data: { stdout: 'began\n' } },
  'regular expression in a directory': {
    data: { total_matches: 2, matches: [{ file_path: 'data/load.py' }, { file_path: 'data/plan.md' }] },
  },
  'tool to undo': { message: 'Tool not found: undo; did you mean workspace_restore?' },
  'number of candidates': { data: { total: 3 } },
}
