import { CALL_ID } from './ids.ts'
import { type WorkspacePath, workspacePath } from './workspace-path.ts'

/** Directory of files that `file_upload` and `git_clone` bring in. */
export const UPLOAD_DIR = workspacePath('upload')
/** Default working directory of code and shell commands. */
export const CODE_RUN_DIR = workspacePath('code_run')
/** Virtual environment of the task. It lives in the sandbox only; the workspace knows the directory, not its content. */
export const VENV_DIR = workspacePath('code_env')

/** The session's notebook, written by the program in the sandbox that runs its cells. */
export const NOTEBOOK_FILE = workspacePath('python_notebook.ipynb')

/** Directory of what is written about commands: their long outputs, and those of jobs. */
export const LOGS_DIR = workspacePath('logs')

/** Whether a file is the output of a command or job, which has the id of its call in its name. */
export const isCommandLog = (path: WorkspacePath): boolean => COMMAND_LOG.test(path)

const COMMAND_LOG = new RegExp(`^logs/[a-z0-9_]+-${CALL_ID}(?:-\\d+)?(?:\\.(?:stdout|stderr))?\\.txt$`)
