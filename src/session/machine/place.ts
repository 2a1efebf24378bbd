/** Where our own files lie in a sandbox: outside the workspace, so that they are never part of it. */
export const STATE_DIRECTORY = '/home/user/.toolyard'
