/**
 * The tools of a usual coding agent, with the arguments that their list has: they take all others as well, by the description of
 * `describe_tools`. What each says has to be worth its tokens in every conversation.
 */
export const CORE_TOOLS: ReadonlyMap<string, readonly string[]> = new Map([
  ['execute_shell', ['command', 'workdir', 'timeout', 'background']],
  ['execute_code', ['file_path', 'code', 'timeout']],
  ['file_read', ['file_path', 'start_line', 'end_line']],
  ['file_write', ['file_path', 'content', 'mode']],
  ['file_edit', ['file_path', 'old_text', 'new_text', 'replace_all']],
  ['file_search', ['search_text', 'dir_path', 'regex', 'glob']],
  ['dir_list', ['dir_path', 'recursive']],
  ['image_read', ['file_path']],
  ['job_output', ['job_id', 'from_byte', 'wait_seconds']],
  ['google_search', ['query']],
  ['crawl_page', ['url']],
  ['result_query', ['handle', 'view']],
])
