/** Names of one tool and its arguments, as infiAgent calls them. */
export interface Wording {
  /** Canonical name of the tool. */
  readonly tool: string
  /** Canonical argument by the client's name for it. */
  readonly names: Readonly<Record<string, string>>
}

/**
 * Tools and arguments of infiAgent's shipped `level_0_tools.yaml` that have another name here. Source: infiAgent 9f99eda,
 * config/agent_library/Default/level_0_tools.yaml and tool_server_lite/tools.
 */
export const VOCABULARY: ReadonlyMap<string, Wording> = new Map<string, Wording>([
  ['file_read', { tool: 'file_read', names: { path: 'file_path' } }],
  ['file_write', { tool: 'file_write', names: { path: 'file_path' } }],
  ['file_delete', { tool: 'file_delete', names: { path: 'file_path' } }],
  ['file_move', { tool: 'file_move', names: { source: 'src_path', destination: 'dest_path' } }],
  ['dir_list', { tool: 'dir_list', names: { path: 'dir_path' } }],
  ['dir_create', { tool: 'dir_create', names: { path: 'dir_path' } }],
  ['parse_document', { tool: 'parse_document', names: { path: 'file_path' } }],
  ['execute_code', { tool: 'execute_code', names: { cwd: 'working_dir', workdir: 'working_dir' } }],
  ['execute_command', { tool: 'execute_shell', names: { working_dir: 'workdir' } }],
  ['web_search', { tool: 'google_search', names: { max_results: 'num_results' } }],
  ['file_download', { tool: 'download_file_from_url', names: { url: 'download_url' } }],
  ['tex_to_pdf', { tool: 'tex2pdf_convert', names: { project_dir: 'input_path', main_file: 'tex_filename' } }],
  ['human_in_loop', { tool: 'human_in_loop', names: { instruction: 'human_task' } }],
])

/** Advice in place of infiAgent's tools that are not served, by name. */
export const NOT_SERVED: ReadonlyMap<string, string> = new Map([
  ['md_to_pdf', 'write LaTeX with file_write and convert it with tex_to_pdf'],
  ['md_to_docx', 'write the document with a Python package: pip_install python-docx, then execute_code'],
  ['vision_tool', 'this server looks at no images; execute_code reads their sizes and pixels'],
  ['create_image', 'this server draws no images from words; execute_code draws plots and diagrams'],
  ['audio_tool', 'this server listens to no audio'],
  ['paper_analyze_tool', 'parse_document gives the text of a paper, to read it yourself'],
])
