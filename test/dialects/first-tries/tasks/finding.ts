import type { Task } from '../task.ts'

/** Looking for files and texts. */
export const FINDING = {
  'directory as a path': {
    wants: 'Find what is left to do',
    tries: {
      sends: ['file_search', { pattern: 'TODO', path: 'data' }],
      data: { total_matches: 2, matches: [{ file_path: 'data/load.py' }, { file_path: 'data/plan.md' }] },
    },
  },
  'regular expression in a directory': {
    wants: 'Find what is left to do',
    tries: {
      sends: ['file_search', { pattern: 'TODO|FIXME', directory: 'data', regex: true }],
      data: {
        dir_path: 'data',
        total_matches: 2,
        matches: [
          { file_path: 'data/load.py', line_number: 2 },
          { file_path: 'data/plan.md', line_number: 1 },
        ],
      },
    },
  },
  'expression that takes others exponential time': {
    wants: 'Find lines that end in "a"',
    tries: {
      sends: ['file_search', { file_path: 'aaa.txt', search_text: '(a+)+$', regex: true }],
      data: { total_matches: 0, total_lines: 1 },
    },
  },
  'expression that looks around': {
    wants: 'Find a "b" behind an "a"',
    tries: {
      sends: ['file_search', { file_path: 'aaa.txt', search_text: '(?<=a)b', regex: true }],
      fails: true,
      message:
        'the pattern cannot be used: it looks around, by (?=, (?!, (?<= or (?<!; search for less and choose among the lines (near "(?<=a)b")',
    },
  },
  'files by pattern': {
    wants: 'Find the programs of a directory',
    tries: {
      sends: ['file_glob', { pattern: '*.py', path: 'data' }],
      data: { total: 1, files: [{ path: 'data/load.py', size: 53 }] },
    },
  },
  'size of a file': {
    wants: 'Know how long a file is before reading it',
    tries: {
      sends: ['file_info', { path: 'big.txt' }],
      data: { kind: 'file', lines: 700000, size: 4788895, encoding: 'ascii', line_endings: 'lf' },
    },
  },
} as const satisfies Record<string, Task>
