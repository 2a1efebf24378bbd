import { baseName, type WorkspacePath } from '../../core/workspace-path.ts'

/** Directories with content made by programs: of no use to a model, and easily broken by edits. */
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

/** Whether a path lies below such a directory. Source: XAgent ToolServer, node.yml, filesystem.ignored_list. */
export const isKeptOut = (path: WorkspacePath): boolean =>
  path
    .split('/')
    .slice(0, -1)
    .some((name, at, above) => DIRECTORIES.has(name) || (name === 'site-packages' && above[at - 1]?.includes('python')))

/** Whether the path is the notebook of the cells, which may be read and written but is not listed among the files. */
export const isUnlisted = (path: WorkspacePath): boolean => baseName(path) === 'python_notebook.ipynb'
