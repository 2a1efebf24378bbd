import { SANDBOX_HOME } from '../../core/workspace-path.ts'

/** Where our own files lie in a sandbox: outside the workspace, so that they are never part of it. */
export const STATE_DIRECTORY = `${SANDBOX_HOME}/.toolyard`

/** Why a sandbox is given up that has no workspace to look at any more. */
export const DIRECTORY_GONE = 'the directory of all files was itself deleted in the sandbox'
