import { type Before, calling, type Provoked, SITE } from './provoked.ts'

/** What the task has before. */
export const TOOLSERVER_BEFORE: Before = [
  ['file_write', { file_path: 'two.txt', content: 'a\nb\n' }],
  ['file_write', { file_path: 'x.png', content: 'x' }],
  ['file_write', { file_path: 'locked.txt', content: 'x' }],
  ['file_lock', { file_path: 'locked.txt', locker_name: 'me', locker_level: 5 }],
]

export const TOOLSERVER: readonly Provoked[] = [
  calling(
    'reading a file that is not there',
    ['file_read', { file_path: 'no.txt' }],
    'File not found: no.txt; dir_list shows what exists',
  ),
  calling(
    'reading a directory',
    ['file_read', { file_path: 'upload' }],
    'Not a file: upload; dir_list shows what is in it',
  ),
  calling(
    'a line number that is no number',
    ['file_read', { file_path: 'no.txt', start_line: 'abc' }],
    'start_line: must be a whole number',
  ),
  calling(
    'a path out of the task',
    ['file_read', { file_path: '../../etc/passwd' }],
    'the path "../../etc/passwd" leaves the task directory; give one relative to the task root',
  ),
  calling('a path that is missing', ['file_read', {}], 'missing required parameter: file_path'),
  calling('an empty path', ['file_read', { file_path: '' }], 'file_path is required'),
  calling(
    'reading an image as text',
    ['file_read', { file_path: 'x.png' }],
    "Cannot read binary file: x.png. File type '.png' is not supported for text reading. Inspect it with execute_shell (file, unzip -l, xxd) or with execute_code.",
  ),
  calling(
    'writing to a directory',
    ['file_write', { file_path: 'upload', content: 'x' }],
    "[Errno 21] Is a directory: 'upload'",
  ),
  calling(
    'lines that there are not',
    ['file_replace_lines', { file_path: 'two.txt', start_line: 8, end_line: 9, new_content: '' }],
    'Invalid start line: 8; two.txt has 2 lines',
  ),
  calling(
    'lines from nowhere',
    ['file_replace_lines', { file_path: 'two.txt', start_line: 0, end_line: 0, new_content: '' }],
    'file_path, start_line, and end_line are required; lines count from 1',
  ),
  calling(
    'base64 that is none',
    ['file_write', { file_path: 'a', content: '*', is_base64: true }],
    'Base64 decode error: content is not base64; send plain text with is_base64 false',
  ),
  calling(
    'deleting what is not there',
    ['file_delete', { file_path: 'no.txt' }],
    'File not found: no.txt; dir_list shows what exists',
  ),
  calling(
    'moving what is not there',
    ['file_move', { src_path: 'no.txt', dest_path: 'b' }],
    'Source not found: no.txt; dir_list shows what exists',
  ),
  calling(
    'moving without a target',
    ['file_move', { src_path: '', dest_path: 'b' }],
    'src_path and dest_path are required',
  ),
  calling(
    'a copy with another extension',
    ['file_copy', { src_path: 'two.txt', dest_path: 'two.md' }],
    'File extension mismatch: .txt != .md; a copy keeps its extension, file_move changes it',
  ),
  calling(
    'listing what is not there',
    ['dir_list', { dir_path: 'none' }],
    'Directory not found: none; list its parent to see what exists',
  ),
  calling('listing a file', ['dir_list', { dir_path: 'two.txt' }], 'Not a directory: two.txt; file_read reads a file'),
  calling(
    'running a file that is not there',
    ['execute_code', { file_path: 'no.py' }],
    'File not found: no.py; write it with file_write first',
  ),
  calling('an empty command', ['execute_shell', { command: '' }], 'command is required'),
  calling(
    'a command that takes too long',
    ['execute_shell', { command: 'sleep 60', timeout: 1 }],
    'Command timeout after 1 seconds; give a larger timeout, or run it in the background',
  ),
  calling(
    'a package that is an option',
    ['pip_install', { packages: ['--index-url=x'] }],
    '"--index-url=x" cannot be installed: options are not allowed; use a form such as "requests", "numpy>=2,<3", "./upload/x.whl" or "https://host/x.whl"',
  ),
  calling(
    'a repository by ssh',
    ['git_clone', { repo_url: 'git@github.com:a/b.git' }],
    'ssh URLs cannot be cloned: there are no keys here; use the https:// URL, and token if private',
  ),
  calling(
    'a repository of the disk',
    ['git_clone', { repo_url: 'file:///etc' }],
    'repo_url must be an https://, http:// or git:// URL, e.g. https://github.com/user/repo.git; for a repository of the task run execute_shell: git clone PATH TARGET',
  ),
  calling(
    'a document that is not there',
    ['parse_document', { file_path: 'no.pdf' }],
    'File not found: no.pdf; dir_list shows what exists',
  ),
  calling(
    'a document of another kind',
    ['parse_document', { file_path: 'x.png' }],
    'Unsupported file type: .png; it reads .pdf .docx .docm .dotx .pptx .pptm .ppsx .potx .xlsx .xlsm .xltx .xls .xlt .csv .tsv .html .htm .xhtml .epub .ipynb .md .markdown .txt .doc .dot .rtf .odt .ppt .pps .odp .ods; file_read reads other text',
  ),
  calling(
    'LaTeX without a file',
    ['tex2pdf_convert', { input_path: 'upload' }],
    'there is no .tex file in upload; write one first',
  ),
  calling(
    'LaTeX of what is not there',
    ['tex2pdf_convert', { input_path: 'none' }],
    'Input path not found: none; dir_list shows what exists',
  ),
  calling(
    'a search where none is set up',
    ['google_search', { query: 'otters' }],
    'web search is not available on this server; read pages whose address you know instead',
  ),
  calling(
    'a page that is gone',
    ['crawl_page', { url: `${SITE}/gone` }],
    'site.example answered 404 and no page; check url',
  ),
  calling(
    'a page of this machine',
    ['crawl_page', { url: 'http://localhost/' }],
    'localhost is not the name of a public web site, and is refused; only those can be fetched',
  ),
  calling(
    'a download that is gone',
    ['download_file_from_url', { download_url: `${SITE}/gone`, save_path: 'x' }],
    'site.example answered 404 and no file; check download_url',
  ),
  calling(
    'a repository of GitHub that is no name',
    ['github_get_repository_info', { full_name: 'vscode' }],
    'full_name must be "owner/repo", e.g. "microsoft/vscode", and not "vscode"',
  ),
  calling(
    'work for Claude without a prompt',
    ['code_task_execute', { prompt: '' }],
    'prompt is required; or call_id, to wait for work that runs',
  ),
  calling(
    'work for Claude without a key',
    ['code_task_execute', { prompt: 'x' }],
    'api_key is required: give an Anthropic API key as api_key, or have one kept as your secret ANTHROPIC_API_KEY',
  ),
  calling(
    'writing to a locked file',
    ['file_write', { file_path: 'locked.txt', content: 'x' }],
    'locked.txt is locked by "me" (level 5); wait until it is released, or release it: file_unlock with file_path "locked.txt" and unlocker_name "me", or an unlocker_level above 5',
  ),
  calling(
    'a person who is asked nothing',
    ['human_in_loop', { human_task: '' }],
    'human_task 参数不能为空: say what the person should do, or give human_task_id',
  ),
  calling(
    'a tool that there is not',
    ['read_file', { path: 'x' }],
    'Tool read_file not found; did you mean file_read?',
  ),
  calling(
    'a place that a command does not know',
    ['execute_shell', { command: 'rm -rf *', cwdd: 'tmp' }],
    /^unknown parameter: cwdd \(did you mean workdir\?\)\. Known: command \(required\), workdir, timeout/,
  ),
  { what: 'a task that there is not', ask: (client) => client.request('/api/task/none/status') },
  { what: 'a call that is no JSON', ask: (client) => client.request('/api/tool/execute', '{"task_id": ') },
  { what: 'a call without a tool', ask: (client) => client.request('/api/tool/execute', { task_id: 'x' }) },
]
