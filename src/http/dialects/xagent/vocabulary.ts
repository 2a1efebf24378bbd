import type { NamedTool } from '../../../core/saying/tool-phrases.ts'
import type { Vocabulary } from '../../../core/saying/worded.ts'
import type { Surface } from './surface.ts'
import type { XAgentTool } from './tools.ts'

/** Tools of XAgent that replace another tool, by the name of that. */
const STAND_INS: Partial<Readonly<Record<NamedTool, string>>> = {
  dir_list: 'FileSystemEnv_print_filesys_struture',
  download_file_from_url: 'shell_command_executor',
  execute_code: 'PythonNotebook_execute_cell',
  execute_shell: 'shell_command_executor',
  file_read: 'FileSystemEnv_read_from_file',
  file_write: 'FileSystemEnv_write_to_file',
}

/**
 * Names that a client of XAgent knows: the table of its tools, read backwards.
 * @param called the called tool, whose fields are known; absent where no tool was called
 */
export const vocabularyOf = (surface: Surface, called?: XAgentTool): Vocabulary => ({
  tool: (name) => STAND_INS[name] ?? surface.nameOfCore(name),
  field: (name) => called?.parameters.find(({ as, hidden }) => as === name && !hidden)?.name ?? null,
  places: { directory: 'workspace', root: 'workspace', session: 'node', 'session id': 'node id' },
})
