import { SANDBOX_HOME } from '../../core/workspace-path.ts'

/** Directory of our own files in a sandbox: outside the workspace, so that they are never part of it. */
export const STATE_DIRECTORY = `${SANDBOX_HOME}/.toolyard`

/** Reason for discarding a sandbox whose workspace directory is gone. */
export const DIRECTORY_GONE = 'the directory of all files was itself deleted in the sandbox'
