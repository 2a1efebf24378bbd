/**
 * Calls as infiAgent's model makes them by the shipped `level_0_tools.yaml` (9f99eda), in an order in which each finds what
 * it needs: the eleven tools of it that need nothing but the server, but for `human_in_loop`.
 */
export const SHIPPED_CALLS = [
  ['dir_create', { path: 'code_run/src' }],
  ['file_write', { path: 'code_run/src/main.py', content: 'def add(a, b):\n    return a + b\n\nprint(add(1, 2))\n' }],
  ['file_write', { path: 'code_run/src/main.py', content: '# TODO tests\n', mode: 'append' }],
  ['file_write', { path: 'code_run/src/main.py', content: 'print(add(2, 3))', start_line: 4, end_line: 4 }],
  ['file_read', { path: ['code_run/src/main.py'], start_line: 1, end_line: 2, show_line_numbers: true }],
  ['dir_list', { path: 'code_run', recursive: true }],
  ['grep', { pattern: '^def\\s+(?P<name>\\w+)|TODO', search_path: '.', file_pattern: '*.py', recursive: true }],
  [
    'execute_code',
    { file_path: 'code_run/src/main.py', working_dir: 'code_run', use_venv: true, timeout: 30, background: false },
  ],
  ['execute_command', { command: 'ls -a && cat code_run/src/main.py', working_dir: '.', timeout: 30 }],
  ['file_move', { source: ['code_run/src/main.py'], destination: 'code_run/app.py', copy: false }],
  ['file_delete', { path: 'code_run/src' }],
] as const
