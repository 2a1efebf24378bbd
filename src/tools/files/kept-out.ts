import { baseName, type WorkspacePath } from '../../core/workspace-path.ts'

/** Directories whose content is made by programs: of no use to a model, and an edit in them breaks something. */
const DIRECTORIES: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  'venv',
  '__pycache__',
  '.ipynb_checkpoints',
  '.vscode',
  '.idea',
  '.vs',
])

/** True for what lies below such a directory. Source: XAgent ToolServer, node.yml, filesystem.ignored_list. */
export const isKeptOut = (path: WorkspacePath): boolean =>
  path
    .split('/')
    .slice(0, -1)
    .some((name, at, above) => DIRECTORIES.has(name) || (name === 'site-packages' && above[at - 1]?.includes('python')))

/** The notebook that cells are kept in: it may be read and written, and is not shown among the files. */
export const isUnlisted = (path: WorkspacePath): boolean => baseName(path) === 'python_notebook.ipynb'
