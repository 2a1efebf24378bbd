import type { Differences } from './tasks.ts'

const UNKNOWN = (...names: string[]) => `unknown arguments: {${names.map((name) => `'${name}'`).join(', ')}}`

/** Differences of Lagent's actions: they refuse other names of arguments, in Lagent's words, and answer with texts alone. */
export const LAGENT: Differences = {
  'directory of a command by another name': { fails: true, message: UNKNOWN('cmd', 'cwd') },
  'path in another spelling': { fails: true, message: UNKNOWN('filePath') },
  'parameter that changes nothing': { fails: true, message: UNKNOWN('page') },
  'parameter that would change much': { message: UNKNOWN('cwdd') },
  'mistyped tool': { message: 'there is no action file_raed; did you mean file_read, files.read?' },
  'tool of another agent': { message: 'there is no action Bash; did you mean execute_shell?' },
  'mistyped session': { none: 'a session is made when it is first named' },
  'list as JSON text': { message: 'pip: installed' },
  'object for text': {
    fails: true,
    message: 'content: Invalid input: expected string, received object; give JSON as text, in quotes',
  },
  'required argument left out': { message: "missing required arguments: {'file_path'}" },
  'two names of one argument': { message: UNKNOWN('path') },
  'file of 5 MB': { message: '[lines 1-6621 of 700000, cut; read on with start_line 6622]' },
  'path of the machine': {
    message:
      '"/tmp/foo.py" is outside of the directory of the session; use "foo.py" or "code_run/foo.py" (commands may use /tmp, but files there are not kept)',
  },
  'path of Windows': {
    message: '"C:\\\\x.txt" is outside of the directory of the session; use "x.txt" or "code_run/x.txt"',
  },
  'path above the workspace': {
    message: 'the path "../x" leaves the directory of the session; give one relative to the directory of the session',
  },
  'deleting the environment of programs': { sends: ['file_delete', { file_path: 'code_env' }] },
  'text that is not quite there': {
    sends: ['file_edit', { file_path: 'sum.py', old_text: '  results += item', new_text: '  result -= item' }],
  },
  'picture by its tool': {
    sends: ['image_read', { file_path: 'picture.png' }],
    message: 'picture.png: image/png, 2 by 1 pixels, … bytes',
  },
  'directory as a path': { fails: true, message: UNKNOWN('pattern', 'path') },
  'regular expression in a directory': {
    sends: ['file_search', { search_text: 'TODO|FIXME', dir_path: 'data', regex: true }],
    message: 'data/load.py:2:    # TODO: check it\ndata/plan.md:1:TODO: write\n[2 lines in 2 of 2 files]',
  },
  'expression that takes others exponential time': { message: 'aaa.txt does not have "(a+)+$"' },
  'files by pattern': { sends: ['file_glob', { pattern: 'data/*.py' }], message: 'data/load.py  53' },
  'size of a file': { fails: true, message: UNKNOWN('path') },
  'output of work in the background': {
    before: [['execute_shell', { command: 'echo built', background: true }]],
    sends: ['job_output', { job_id: '<begun>' }],
  },
  'output of 600 KB': {
    message: '99999\n100000\nexit code 0\nthe whole output is in logs/…',
  },
  'Python as a script': { sends: ['execute_code', { file_path: 'print(6 * 7)' }] },
  'way back in the words of git': { sends: ['workspace_restore', { commit: 'HEAD~1', path: './undo.txt' }] },
  'tool to undo': { message: 'there is no action undo; did you mean workspace_restore?' },
  'changes since a snapshot': { sends: ['workspace_diff', { from: 'before-trying', path: '/since.txt' }] },
  'snapshot that there is not': { sends: ['workspace_restore', { commit: 'initial' }] },
  'file before it was made': {
    sends: ['file_read', { file_path: 'notes.txt', as_of: 0 }],
    message:
      'there was no file notes.txt as of 0; workspace.workspace_history with its path names the commits that changed it',
  },
  'long document': { sends: ['parse_document', { file_path: 'book.epub' }], message: '[cut; read on with pages "3"]' },
  'formula that nobody evaluated': { sends: ['parse_document', { file_path: 'prices.xlsx' }] },
  'Markdown as PDF': { sends: ['tex2pdf_convert', { input_path: 'docs/paper.md' }] },
  'papers by two common words': { sends: ['rag_search_abstracts', { query: 'tool use', m: 2 }] },
  'number of candidates': { message: '3. …' },
  'text of a paper of which there is only the abstract': {
    sends: ['rag_get_paper_content', { file_id: '1706.03762v7' }],
  },
}
