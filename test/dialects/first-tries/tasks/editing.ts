import type { Task } from '../task.ts'

const PATCH = `--- a/red.txt
+++ b/red.txt
@@ -1 +1 @@
-red
+RED
--- a/blue.txt
+++ b/blue.txt
@@ -1 +1 @@
-green
+GREEN
`

/** Edits of a file that is not as the model remembers it. */
export const EDITING = {
  'text that is not quite there': {
    wants: 'Change a line',
    tries: {
      sends: ['file_edit', { path: 'sum.py', old_string: '  results += item', new_string: '  result -= item' }],
      fails: true,
      message: 'old_text not found in sum.py; nearest is line 4:\n    4:         result += item',
    },
  },
  'text that is there three times': {
    wants: 'Change a line',
    tries: {
      sends: ['file_edit', { file_path: 'thrice.py', old_text: 'a = 1', new_text: 'a = 2' }],
      fails: true,
      message:
        'old_text occurs 3 times in thrice.py: lines 1, 3, 5; add lines around it until it occurs once, or give replace_all',
    },
  },
  'file with line breaks of Windows': {
    wants: 'Change a line, and only that',
    tries: {
      sends: ['file_edit', { file_path: 'windows.txt', old_text: 'second\n', new_text: '2nd\n' }],
      message: '    1: first\n    2: 2nd\n    3: third',
      data: { line_endings: 'CRLF' },
    },
  },
  'stale lines': {
    wants: 'Replace a line that has moved since',
    tries: {
      sends: [
        'file_replace_lines',
        { file_path: 'list.txt', start_line: 2, end_line: 2, new_content: 'GAMMA', expected_content: 'gamma' },
      ],
      fails: true,
      message:
        'the content of line 2 of list.txt is not the expected_content; the expected text stands at line 3. Nothing was changed. There stands:\n    2: beta',
    },
  },
  'adding after the last line': {
    wants: 'Add a line at the end',
    tries: {
      sends: ['file_replace_lines', { file_path: 'list.txt', start_line: 4, end_line: 4, new_content: 'delta' }],
      fails: true,
      message: 'Invalid start line: 4; list.txt has 3 lines; to add lines at the end give end_line 3',
    },
  },
  'first line of an empty file': {
    wants: 'Fill an empty file',
    tries: {
      sends: ['file_replace_lines', { file_path: 'empty.txt', start_line: 1, end_line: 1, new_content: 'first' }],
      message: '    1: first',
      data: { total_lines: 1 },
    },
  },
  'patch of which one file does not fit': {
    wants: 'Change two files at once',
    tries: {
      sends: ['file_patch', { patch: PATCH }],
      fails: true,
      message:
        'hunk 1 of blue.txt does not fit, and nothing in the file is like its lines; read the file again. Nothing was changed',
    },
  },
} as const satisfies Record<string, Task>
