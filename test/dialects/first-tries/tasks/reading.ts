import type { Task } from '../task.ts'

const NOT_TEXT = (path: string, type: string) =>
  `Cannot read binary file: ${path}. File type '${type}' is not supported for text reading. Inspect it with execute_shell (file, unzip -l, xxd) or with execute_code.`

/** Ranges, sizes and encodings. */
export const READING = {
  'line past the end': {
    wants: 'Read on behind what was read',
    tries: {
      sends: ['file_read', { file_path: 'notes.txt', start_line: 9 }],
      message: 'Line 9 is past the end: the file has 4 lines. The last one is shown.',
      data: { content: 'four\n', line_range: '4-4' },
    },
  },
  'end before start': {
    wants: 'Read some lines',
    tries: {
      sends: ['file_read', { file_path: 'notes.txt', start_line: 3, end_line: 1 }],
      message: 'The end, line 1, is before the start, line 3: line 3 alone is shown.',
      data: { content: 'three\n' },
    },
  },
  'negative line': {
    wants: 'Read the last lines',
    tries: {
      sends: ['file_read', { file_path: 'notes.txt', start_line: -2, line_numbers: true }],
      message: '    3: three\n    4: four',
    },
  },
  'file of 5 MB': {
    wants: 'Read a file, whose size it does not know',
    tries: {
      sends: ['file_read', { file_path: 'big.txt' }],
      message: '6620\n6621',
      data: { line_range: '1-6621', total_lines: 700000, truncated: true, next_start_line: 6622 },
    },
  },
  'line of 1 MB': {
    wants: 'Read a file of one long line',
    tries: {
      sends: ['file_read', { file_path: 'line.json' }],
      message:
        'line 1 has 1000003 characters, of which the first 32000 are shown; max_chars shows more (at most 1048576), execute_shell any part: sed -n 1p FILE | cut -c 32001-',
      data: { truncated: true },
    },
  },
  'binary file': {
    wants: 'See what is in a file',
    tries: { sends: ['file_read', { file_path: 'binary.dat' }], fails: true, message: NOT_TEXT('binary.dat', '.dat') },
  },
  'picture as a text': {
    wants: 'Look at a picture',
    tries: {
      sends: ['file_read', { file_path: 'picture.png' }],
      fails: true,
      message: NOT_TEXT('picture.png', '.png'),
      data: { notes: ['image_read shows a picture'] },
    },
  },
  'picture by its tool': {
    wants: 'Look at a picture',
    tries: {
      sends: ['image_read', { path: 'picture.png' }],
      data: { media_type: 'image/png', width: 2, height: 1 },
    },
  },
  'file in GBK': {
    wants: 'Read a Chinese text of an old program',
    tries: {
      sends: ['file_read', { file_path: 'gbk.txt' }],
      message: '你好，世界。这是一个用旧编码保存的文件。',
      data: { detected_encoding: 'GB2312' },
    },
  },
  'file in UTF-16': {
    wants: 'Read a text of a Windows program',
    tries: {
      sends: ['file_read', { file_path: 'utf16.txt' }],
      message: 'Grüße\nzwei',
      data: { detected_encoding: 'UTF-16' },
    },
  },
} as const satisfies Record<string, Task>
