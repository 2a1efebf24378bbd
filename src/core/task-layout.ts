import { workspacePath } from './workspace-path.ts'

/** Where `file_upload` and `git_clone` put what comes from outside. */
export const UPLOAD_DIR = workspacePath('upload')
/** Where code and shell commands run when nothing else is said. */
export const CODE_RUN_DIR = workspacePath('code_run')
/** The virtual environment. It lives in the sandbox only; the workspace knows the directory, not its content. */
export const VENV_DIR = workspacePath('code_env')

/** The session's notebook, which the program in the sandbox that runs its cells writes. */
export const NOTEBOOK_FILE = workspacePath('python_notebook.ipynb')
