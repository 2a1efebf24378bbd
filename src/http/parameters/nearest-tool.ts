import { alikeNames, isMistyped, spelled } from '../alike-names.ts'
import type { Services } from '../dialect.ts'

/** Tools that other agents call otherwise, by their name there: Claude Code's, OpenAI's, file systems' by MCP, and a shell's commands. */
const NAMES_ELSEWHERE: Readonly<Record<string, string>> = {
  read: 'file_read', cat: 'file_read', view: 'file_read', read_text_file: 'file_read', open_file: 'file_read',
  write: 'file_write', create_file: 'file_write', save_file: 'file_write', touch: 'file_write',
  edit: 'file_edit', str_replace: 'file_edit', str_replace_editor: 'file_edit', multi_edit: 'file_edit',
  str_replace_based_edit_tool: 'file_edit', search_replace: 'file_edit', sed: 'file_edit', replace: 'file_edit',
  apply_patch: 'file_patch', patch: 'file_patch', apply_diff: 'file_patch', git_apply: 'file_patch',
  glob: 'file_glob', find: 'file_glob', find_files: 'file_glob', glob_file_search: 'file_glob', glob_search: 'file_glob',
  grep: 'file_search', rg: 'file_search', ripgrep: 'file_search', grep_search: 'file_search', search_files: 'file_search',
  search_file_content: 'file_search', codebase_search: 'file_search',
  stat: 'file_info', get_file_info: 'file_info', wc: 'file_info', sha256sum: 'file_info',
  view_image: 'image_read', read_image: 'image_read', show_image: 'image_read',
  rm: 'file_delete', remove_file: 'file_delete', mv: 'file_move', rename_file: 'file_move', cp: 'file_copy',
  ls: 'dir_list', list_dir: 'dir_list', list_directory: 'dir_list', list_files: 'dir_list', directory_tree: 'dir_list', tree: 'dir_list',
  mkdir: 'dir_create', create_directory: 'dir_create', make_directory: 'dir_create',
  bash: 'execute_shell', shell: 'execute_shell', sh: 'execute_shell', terminal: 'execute_shell', run_command: 'execute_shell',
  execute_command: 'execute_shell', run_shell_command: 'execute_shell', execute_bash: 'execute_shell',
  python: 'execute_code', run_code: 'execute_code', run_python: 'execute_code', code_interpreter: 'execute_code',
  execute_python: 'execute_code',
  pip: 'pip_install', install_package: 'pip_install', clone: 'git_clone',
  web_search: 'google_search', websearch: 'google_search', search: 'google_search',
  webfetch: 'crawl_page', web_fetch: 'crawl_page', fetch: 'crawl_page', browse: 'crawl_page', fetch_url: 'crawl_page',
  curl: 'download_file_from_url', wget: 'download_file_from_url', download: 'download_file_from_url',
  read_pdf: 'parse_document',
  bash_output: 'job_output', task_output: 'job_output', kill_shell: 'job_stop', kill_bash: 'job_stop', task_stop: 'job_stop', kill: 'job_stop',
  revert: 'workspace_restore', undo: 'workspace_restore', rollback: 'workspace_restore', restore: 'workspace_restore',
  undo_edit: 'workspace_restore', git_restore: 'workspace_restore', git_revert: 'workspace_restore', git_checkout: 'workspace_restore',
  checkout: 'workspace_restore', workspace_revert: 'workspace_restore', workspace_undo: 'workspace_restore',
  workspace_rollback: 'workspace_restore', file_restore: 'workspace_restore', file_revert: 'workspace_restore',
  restore_checkpoint: 'workspace_restore', restore_file: 'workspace_restore', restore_snapshot: 'workspace_restore',
  history: 'workspace_history', git_log: 'workspace_history', log: 'workspace_history', file_history: 'workspace_history',
  workspace_log: 'workspace_history', list_commits: 'workspace_history', list_changes: 'workspace_history',
  diff: 'workspace_diff', git_diff: 'workspace_diff', git_show: 'workspace_diff', file_diff: 'workspace_diff',
  snapshot: 'workspace_snapshot', checkpoint: 'workspace_snapshot', create_checkpoint: 'workspace_snapshot',
  save_checkpoint: 'workspace_snapshot', create_snapshot: 'workspace_snapshot', list_snapshots: 'workspace_snapshot',
  fork: 'workspace_fork', branch: 'workspace_fork', fork_session: 'workspace_fork', clone_session: 'workspace_fork',
  query_result: 'result_query', read_result: 'result_query', get_result: 'result_query',
  jobs: 'job_list', ps: 'job_list', ask_user: 'human_in_loop', ask_human: 'human_in_loop', task: 'code_task_execute',
} // biome-ignore format: a table

const bySpelling = new Map(Object.entries(NAMES_ELSEWHERE).map(([name, tool]) => [spelled(name), tool]))

/** The tool that other agents call by a name; undefined when it is none of theirs. */
export const toolElsewhere = (name: string): string | undefined => bySpelling.get(spelled(name))

/** Names that somebody may have mistyped: what has other signs in it was no slip. */
const A_NAME = /^[\w .:-]{2,100}$/

/** Share of common words from which a tool is offered: one word of two is too little. */
const LEAST_LIKENESS = 0.4

/** Names of tools that an unknown one may stand for, the nearest first; those of toolkits where no listed one is like it. */
export function nearestTools(name: string, { tools, toolkits }: Pick<Services, 'tools' | 'toolkits'>): string[] {
  if (!A_NAME.test(name)) return []
  const listed = tools.map((tool) => tool.name)
  const unlisted = toolkits.flatMap((kit) => kit.tools.map((tool) => tool.name))
  const elsewhere = toolElsewhere(name)
  if (elsewhere !== undefined && (listed.includes(elsewhere) || unlisted.includes(elsewhere))) return [elsewhere]
  const nearest = alikeNames(name, listed, LEAST_LIKENESS)
  if (nearest.length > 0) return nearest
  const slip = Object.entries(NAMES_ELSEWHERE).find(([other, tool]) => isMistyped(name, other) && listed.includes(tool))
  if (slip) return [slip[1]]
  return alikeNames(name, unlisted, LEAST_LIKENESS)
}
