/**
 * Plain synonyms of arguments, by the tool's own name for the argument: what models write that know Claude Code's tools,
 * OpenAI's, or a file system by MCP. They hold in every tool with that argument, unless the tool has an argument of the synonym's
 * own name. A synonym has the same meaning and the same unit: `timeout_ms` is none of `timeout`, and neither is `limit`, a number of lines,
 * of `end_line`: those are conversions. Capitals, `_` and `-` do not count: `filePath` and `file-path` are `file_path` already.
 *
 * Published documents and clients come first: `contents` is an error of `file_write`, since a test of the published API says so.
 */
export const SYNONYMS: Readonly<Record<string, string>> = {
  file_path:
    'path file filename target_file absolute_path full_path document document_path script script_path paths file_paths files filenames',
  dir_path: 'path dir directory folder dirname directory_path folder_path',
  workdir: 'cwd working_dir working_directory dir directory folder chdir current_dir',
  command: 'cmd command_line shell_command bash_command script',
  search_text: 'query pattern text search search_term search_string search_query keyword string q',
  content: 'text data body file_content file_text',
  new_content: 'content text new_text new_lines replacement new_string new_str insert_text',
  start_line: 'line_start first_line from_line begin_line start offset start_line_one_indexed',
  end_line: 'line_end last_line to_line stop_line end end_line_one_indexed_inclusive',
  env: 'environment env_vars environment_variables envs variables',
  stdin: 'input stdin_text input_text standard_input',
  old_text: 'old_string old_str old find search search_text',
  new_text: 'new_string new_str new replace replace_with replacement',
  replace_all: 'all global replace_all_occurrences',
  expected_content: 'expected expected_text old_content old_text old_lines',
  patch: 'diff input text content patch_text',
  pattern: 'glob glob_pattern file_pattern query',
  glob: 'include include_pattern file_pattern glob_pattern file_glob',
  regex: 'is_regex use_regex regexp is_regexp',
  max_matches: 'max_results head_limit limit max_count',
  max_results: 'limit head_limit max_matches num_results',
  include_hidden: 'hidden show_hidden',
  respect_gitignore: 'gitignore use_gitignore',
  after: 'next_after cursor',
  context: 'context_lines lines_around',
  line_numbers: 'show_line_numbers',
  max_chars: 'max_length max_characters max_output_length max_output_chars max_output',
  background: 'run_in_background in_background is_background detach',
  code: 'source source_code python_code python program',
  // Not `task_id`: clients of the Tool Server put the task's own among the parameters.
  job_id: 'id shell_id bash_id process_id pid task job',
  from_byte: 'offset since_byte start_byte',
  encoding: 'charset file_encoding',
  mode: 'write_mode',
  is_base64: 'base64',
  case_sensitive: 'match_case',
  recursive: 'recurse',
  timeout: 'timeout_seconds timeout_secs timeout_sec timeout_s',
  src_path: 'source src from source_path from_path old_path source_file',
  dest_path: 'destination dest dst to target destination_path dst_path to_path new_path target_path destination_file',
  packages: 'package package_name package_names requirements',
  repo_url: 'url repo repository repository_url git_url clone_url',
  branch: 'branch_name',
  token: 'access_token github_token auth_token',
  api_key: 'anthropic_api_key',
  prompt: 'task instruction instructions message',
  workspace_dir: 'workdir cwd working_dir working_directory path dir directory workspace',
  allowed_tools: 'tools',
  system_prompt: 'system',
  input_path: 'path dir directory folder input_dir project_dir source_dir tex_dir',
  output_path: 'output output_dir output_directory out_dir output_file output_pdf pdf_path output_filename',
  tex_filename: 'filename file main_file tex_file main file_path tex_path',
  engine: 'compiler latex_engine',
  query: 'q search search_query search_term keyword keywords text question',
  num_results: 'max_results limit count top_k k n num number_of_results',
  url: 'link address page_url website uri href urls links',
  output_dir: 'dir directory folder output_directory save_dir output_path',
  download_images: 'include_images save_images',
  year_low: 'start_year year_from from_year min_year year_min since_year',
  year_high: 'end_year year_to to_year max_year year_max until_year',
  sort: 'sort_by',
  order: 'sort_order',
  per_page: 'page_size limit count num_results max_results size n',
  page: 'page_number page_num',
  full_name: 'repo repository repo_name repository_name repo_full_name name url repo_url',
  file_id: 'paper_id arxiv_id id document_id',
  doc_ids: 'doc_id chunk_ids chunk_id ids chunks',
  // What a model means by it is how many papers it gets, and `k` counts the candidates before the reranking.
  m: 'top_k top_n limit count n num_results max_results',
  publish_year_filter: 'year publish_year publication_year year_filter',
  download_url: 'url link file_url source_url href uri urls',
  save_path:
    'path file_path filename file dest_path destination dest output_path output target_path save_to local_path',
  locker_name: 'name locker owner agent agent_name',
  level: 'lock_level locker_level',
  unlocker_name: 'name unlocker locker_name owner agent agent_name',
  unlocker_level: 'level lock_level',
  human_task: 'question prompt instruction message task text',
  human_task_id: 'id',
  wait_seconds: 'wait wait_secs wait_sec wait_s',
  files: 'file',
  as_of: 'commit at_commit as_of_commit revision rev version',
  commit: 'as_of commit_id commit_number revision rev version to_commit seq',
  dry_run: 'preview check_only',
  args: 'arguments params parameters',
}

/** Names for a path that may be of a file or of a directory. */
const PLACES = 'file_path dir_path file filename paths files file_paths dir directory folder directory_path folder_path'
/** Names for a moment of the files. */
const MOMENTS = 'commit_id commit_number revision rev version seq sha hash ref snapshot snapshot_name'

/** Synonyms that hold in one tool only. */
export const SYNONYMS_OF_TOOLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dir_create: { dir_path: 'path dir directory folder dirname directory_path folder_path name' },
  file_copy: { src_path: 'source src from source_path from_path old_path source_file path file_path' },
  file_move: { src_path: 'source src from source_path from_path old_path source_file path file_path' },
  file_glob: { dir_path: 'path dir directory folder dirname directory_path folder_path root root_dir base_dir' },
  image_read: {
    file_path: 'path file filename target_file absolute_path full_path image_path image picture image_file',
  },
  // Both take a directory, too.
  file_delete: {
    file_path:
      'path file filename target target_file target_path absolute_path full_path dir_path dir directory folder directory_path folder_path',
    file_paths: 'paths files filenames targets',
  },
  file_info: {
    file_path:
      'path file filename target_file absolute_path full_path dir_path dir directory folder directory_path folder_path',
    file_paths: 'paths files filenames',
  },
  file_upload: { target_path: 'path dir directory folder target_dir dest destination upload_path output_dir' },
  git_clone: {
    target_dir: 'path dir directory folder target target_path dest dest_path destination clone_dir output_dir',
  },
  parse_document: { pages: 'page page_range page_numbers' },
  // A path may be of a file or of a directory there: dir_path takes both, and file_path only a file, as published.
  file_search: {
    file_path: 'file filename target_file absolute_path full_path document document_path',
    dir_path: 'path dir directory folder dirname directory_path folder_path search_path root root_dir base_dir paths',
    glob: 'include include_pattern file_pattern',
    max_matches: 'max_results limit head_limit max_count',
  },
  google_scholar_search: { pages: 'num_pages max_pages' },
  // infiAgent's, made of a shell command.
  grep: {
    pattern: 'regex query search_text text search q',
    search_path: 'path dir directory dir_path file_path',
    file_pattern: 'glob include',
    max_results: 'limit head_limit max_count',
    context_lines: 'context',
  },
  workspace_history: { path: PLACES, commit: MOMENTS, limit: 'max_results max_count count n max_commits num_commits' },
  workspace_diff: {
    path: PLACES,
    from: 'from_commit base since old before old_commit commit_from commit_a start a',
    to: `to_commit commit until new new_commit commit_to commit_b end target b ${MOMENTS}`,
  },
  workspace_restore: { path: PLACES, commit: `as_of to to_commit from target target_commit name at ${MOMENTS}` },
  workspace_snapshot: {
    name: 'label title tag message snapshot snapshot_name',
    as_of: 'commit at_commit moment from commit_id commit_number revision rev version',
    action: 'operation command op',
    replace: 'overwrite force',
  },
  workspace_fork: {
    name: 'session session_name session_id new_session new_name new_session_name fork_name branch branch_name target',
    as_of: `commit at_commit at from from_commit moment ${MOMENTS}`,
  },
  result_query: {
    handle: 'result result_id result_handle result_file call_id call id file file_path path',
    view: 'query filter expression',
  },
  code_task_execute: { max_turns: 'turns max_steps' },
}

/**
 * Parameters that clients of the published servers send to a tool that has no such thing, by tool (`*`: to any), each with what
 * a caller should know; null where there is nothing to be told. Sources: Tool Server of October 2025 and its web frontend;
 * infiAgent 9f99eda, level_0_tools.yaml. Names that explain a call to a reader change nothing in any tool.
 */
export const WITHOUT_EFFECT: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  '*': {
    silent: null, // keeps a call out of the logs
    multimodal_inputs: null,
    task_id: 'task_id is read beside the parameters, not among them',
    description: null, explanation: null, reason: null, reasoning: null, thought: null, purpose: null, comment: null,
  },
  human_in_loop: { check_interval: null },
  pip_install: {
    use_venv: null,
    timeout: 'timeout has no effect here: an installation ends by a deadline of the server',
  },
  execute_code: { use_venv: null },
  job_stop: { signal: 'signal has no effect: SIGINT, SIGTERM and SIGKILL are sent in turn until the job has ended' },
  file_search: { '-n': null }, // lines have their numbers always
} // biome-ignore format: a table

/** Value at which a parameter says what a tool does anyway. */
type Held = boolean | string | number

/** Parameters that say what a tool does anyway, with the values at which they do. */
export const HOLDS_ANYWAY: Readonly<Record<string, Readonly<Record<string, Held | readonly Held[]>>>> = {
  file_read: { command: 'view', should_read_entire_file: true },
  file_edit: { command: 'str_replace', expected_replacements: 1, expected_count: 1 },
  dir_list: { show_hidden: true, include_hidden: true, hidden: true, all: true },
  file_write: {
    command: 'create',
    overwrite: true,
    append: false,
    create_dirs: true,
    create_directories: true,
    create_parents: true,
  },
  file_delete: { recursive: true, force: true },
  file_move: { force: true },
  file_copy: { force: true, recursive: true },
  dir_create: { recursive: true, parents: true, exist_ok: true },
  file_search: {
    ignore_case: true,
    case_insensitive: true,
    '-i': true,
    '-n': true,
    line_numbers: true,
    recursive: true,
    multiline: false,
  },
  execute_shell: { shell: [true, 'bash', 'sh', '/bin/bash'], capture_output: true },
}

/** Tools that only look, although something runs for them: whatever they leave out, nothing is changed. */
export const LOOKING: ReadonlySet<string> = new Set([
  'job_output', 'job_list', 'parse_document', 'google_search', 'google_scholar_search', 'arxiv_search', 'rag_search_abstracts',
  'rag_search_details', 'rag_get_paper_content', 'rag_get_paper_chunks', 'rag_get_specific_content',
]) // biome-ignore format: a list of names

/** Advice for parameters of other agents' tools that are no synonyms. */
export const INSTEAD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  file_read: {
    limit: 'give end_line, the last line',
    tail: 'start_line -20 reads the last 20 lines',
    head: 'give end_line, the last line',
    view_range: 'give start_line and end_line',
    line_range: 'give start_line and end_line',
    lines: 'give start_line and end_line',
    pages: 'parse_document reads pages of a document',
  },
  file_write: {
    append: 'mode "append" adds to the file',
    files: 'one file a call, by file_path and content; file_patch adds several at once',
    overwrite: 'the file is replaced; look first whether it exists',
  },
  file_search: {
    multiline: 'a match is within one line',
    whole_word: 'regex=true and "\\\\bword\\\\b" find whole words',
    offset: 'after goes on behind next_after of the answer before',
  },
  file_edit: {
    insert_line: 'file_replace_lines inserts: of insert_line 2, start_line 3, end_line 2, and new_content',
    start_line: 'file_replace_lines replaces lines by their numbers',
    end_line: 'file_replace_lines replaces lines by their numbers',
    patch: 'file_patch applies a patch',
    diff: 'file_patch applies a diff',
    content: 'file_write replaces the whole file',
    command: 'file_edit replaces a text; file_write makes a file, file_read shows one, file_replace_lines inserts',
  },
  file_delete: {
    recursive: 'a directory is deleted with all that is in it',
  },
  file_lock: { timeout: 'a lock lasts until file_unlock', ttl: 'a lock lasts until file_unlock' },
  job_output: {
    tail: 'from_byte -2000 reads the last 2000 bytes',
    lines: 'from_byte -2000 reads the last 2000 bytes',
    filter: 'all of it comes; grep the log_file of this answer with execute_shell',
    wait_for_exit: 'call again with from_byte until running is false',
    block: 'wait_seconds waits for output',
    timeout: 'wait_seconds waits for output',
  },
  dir_list: {
    pattern: 'file_glob lists files by a pattern',
    ignore: 'file_glob lists files by a pattern',
    exclude: 'file_glob lists files by a pattern',
  },
  parse_document: {
    sheet_name: 'pages chooses sheets by their numbers',
    sheet: 'pages chooses sheets by their numbers',
  },
  human_in_loop: { options: 'put the choices into human_task' },
  google_scholar_search: { max_results: 'pages 1 gives the first results' },
  rag_search_abstracts: { year: 'rag_search_abstracts_filtered takes publish_year_filter' },
  rag_get_paper_chunks: { start: 'all are listed; rag_get_specific_content reads some', end: 'all are listed' },
  rag_get_specific_content: { section: 'doc_ids names chunks; rag_search_details finds passages by a question' },
  job_list: { status: 'all are listed, and running says which run' },
  rag_get_paper_content: {
    title: 'rag_search_abstracts finds the file_id of a title',
    section: 'the whole paper comes; rag_search_details finds passages by a question',
  },
  pip_install: {
    upgrade: 'give the version, as "name>=2", or run "pip install -U" with execute_shell',
    version: 'give it with the name, as "name==2.1"',
  },
  execute_shell: {
    path: 'did you mean workdir?',
    args: 'put them into the command',
  },
  git_clone: {
    depth: 'run "git clone --depth 1" with execute_shell',
    commit: 'check it out afterwards with execute_shell, by git checkout',
  },
  execute_code: {
    packages: 'pip_install installs packages',
  },
}
