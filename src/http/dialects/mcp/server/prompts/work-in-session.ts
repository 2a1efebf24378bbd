/** Text of the prompt `work_in_session`. */
export const sessionText = ({
  task,
  session,
}: Readonly<Record<string, string>>) => `Do this task with the tools of this server:

${task}

${session ? `Work in the session ${JSON.stringify(session)}: where a tool has the argument "session", give that name in each call.` : 'Stay in one session: where a tool has the argument "session", give the same name in each call, or leave it out for the usual one.'}

A session has a workspace of files and a sandbox that runs commands on the same files.
- Look first: \`dir_list\` lists files, \`file_glob\` finds them by name, \`file_search\` by their text, \`file_read\` shows one, whole or some lines.
- Change files with \`file_write\` (a whole file), \`file_edit\` (replaces one text) or \`file_patch\` (a unified diff). Paths are relative to the workspace.
- Run commands with \`execute_shell\`. Each call is a new shell that starts in code_run/; files of the workspace are one level above, so code_run/a.py is a.py there. \`pip_install\` brings Python packages.
- What takes longer than a call goes to the background: \`execute_shell\` with "background": true; \`job_output\` shows what it printed, \`job_stop\` ends it.
- \`parse_document\` reads PDF and Office documents, \`image_read\` pictures.
- A long answer is cut, and says so: read on with the argument that it names, or ask for a part with \`result_query\` and the handle in the answer.
- Nothing is lost by a wrong change: \`workspace_history\` lists the commits, \`workspace_diff\` shows what differs, \`workspace_restore\` goes back.
- An error says what to do next. Check each result before you go on, and say at the end which files you made.`
