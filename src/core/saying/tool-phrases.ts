/**
 * Tools that messages name, by canonical name, each with its phrase for a dialect that has no such tool: a noun, so that the
 * sentence stays one.
 */
export const TOOL_PHRASES = {
  code_task_execute: 'another call of it',
  dir_list: 'a listing of the files',
  download_file_from_url: 'a command that downloads it',
  execute_code: 'a program of your own',
  execute_shell: 'a shell command',
  file_move: 'moving it',
  file_read: 'reading it as a file',
  file_replace_lines: 'replacing lines',
  file_unlock: 'releasing it',
  file_upload: 'an upload',
  file_write: 'writing the file',
  human_in_loop: 'another call of it',
  image_read: 'looking at the picture',
  interpreter_run: 'another call of it',
  ipython_interactive_run: 'an interactive interpreter',
  ipython_session_run: 'an interpreter with sessions',
  job_list: 'a listing of the jobs',
  job_output: 'reading its output',
  job_stop: 'stopping one',
  notebook_execute: 'another call of it',
  parse_document: 'reading it as a document',
  pip_install: 'pip install',
  ppt_create_file: 'making a new file',
  python_actions_list: 'a listing of the actions',
  python_actions_remove: 'removing one',
  rag_get_paper_chunks: 'a listing of its chunks',
  rag_get_paper_content: 'reading the paper',
  rag_search_abstracts: 'a search over abstracts',
  registered_call: 'the call of a registered tool',
  scholar_articles: 'a search for articles',
  scholar_author_id: 'a search for the author',
  shell_command: 'another call of it',
  shell_read: 'reading on',
  shell_write: 'writing to the shell',
  tool_delete: 'deleting one',
  tool_list: 'a listing of the tools',
} as const satisfies Readonly<Record<string, string>>

export type NamedTool = keyof typeof TOOL_PHRASES
