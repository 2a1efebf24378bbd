/** One behaviour that a client of the published Tool Server can observe. */
export interface Requirement {
  /** A section of the published document ("document, …"), or a file of the published server ("server, …"). */
  readonly source: string
  /** One sentence, which is also the title of its test. */
  readonly behaviour: string
  /** Where we differ on purpose: what the published server does. */
  readonly differs?: string
}

/** Tasks, the envelope, paths, and the tools that are served. Each is verified by a test beside this file; a run of all tests counts. */
export const REQUIREMENTS = {
  'toolserver:root': {
    source: 'server, core/server.py, root',
    behaviour: 'GET / says that the server runs, which tools it has, and version 2.0.0',
  },
  'toolserver:health': {
    source: 'server, core/server.py, health_check',
    behaviour: 'GET /health says healthy, tool_server and 2.0.0',
  },
  'toolserver:tools:list': {
    source: 'server, core/server.py, list_tools',
    behaviour: 'GET /api/tools lists the names of the tools, the published 1 to 12 among them',
  },
  'toolserver:tools:info': {
    source: 'server, core/tool_manager.py, get_tool_info',
    behaviour: 'GET /api/tools/info counts the tools and gives name, description, version and class of each',
  },
  'toolserver:tools:parameters': {
    source: 'ours',
    behaviour: 'the information on the tools has the JSON Schema of what each takes, and how a tool is called',
    differs: 'it does not',
  },
  'toolserver:not-found': {
    source: 'server, FastAPI',
    behaviour: 'an unknown path is 404 {"detail":"Not Found"}',
  },
  'toolserver:method-not-allowed': {
    source: 'server, FastAPI',
    behaviour: 'a known path with another method is 405 {"detail":"Method Not Allowed"}',
  },
  'toolserver:cors': {
    source: 'server, core/server.py, CORSMiddleware',
    behaviour: 'a page of the same machine may call the server and read its answers',
  },

  'toolserver:task:create:answer': {
    source: 'document, 创建任务; server, core/task_manager.py, create_task',
    behaviour: 'creating a task answers with its id, its name, its path and the status "created"',
  },
  'toolserver:task:create:path': {
    source: 'server, core/task_manager.py, create_task',
    behaviour: 'the path of a task is the one that code in the task sees',
    differs: 'it is the directory of the task on the host of the server',
  },
  'toolserver:task:create:directories': {
    source: 'server, core/task_manager.py, create_task',
    behaviour: 'a new task has the directories config, upload, rag_db, code_env, code_run, logs and checkpoint',
  },
  'toolserver:task:create:meta': {
    source: 'server, core/task_manager.py, create_task',
    behaviour: 'a new task describes itself in config/meta.json',
  },
  'toolserver:task:create:requirements': {
    source: 'document, 创建任务, requirements',
    behaviour: 'packages named at creation are there when code first runs',
    differs: 'the text is stored and never installed',
  },
  'toolserver:task:create:exists': {
    source: 'server, core/task_manager.py, create_task',
    behaviour: 'creating a task that exists is 400 {"detail":"Task X already exists"} and changes nothing',
  },
  'toolserver:task:create:missing-query': {
    source: 'server, core/server.py, validation_exception_handler',
    behaviour: 'creating without task_id or task_name is 422 and names the query parameter',
  },
  'toolserver:task:create:json-body': {
    source: 'server, README (a JSON body for create)',
    behaviour: 'creating takes a JSON body where the query is silent',
    differs: 'a body is not read',
  },
  'toolserver:task:create:get': {
    source: 'server, FastAPI (the README shows GET)',
    behaviour: 'GET /api/task/create is 405',
  },
  'toolserver:task:create:fast': {
    source: 'client, agentLevelFour/tool_utils.py (10 s for create, 5 s for status)',
    behaviour: 'creating a task does not wait for a sandbox',
  },
  'toolserver:task:list': {
    source: 'document, 列出所有任务; server, core/task_manager.py, list_tasks',
    behaviour: 'the list of tasks is an array of task_id, task_name, created_at and status "active"',
  },
  'toolserver:task:status:answer': {
    source: 'document, 获取任务状态; server, core/server.py, get_task_status',
    behaviour: 'the status of a task is task_id, task_name, created_at and path, without a word "status"',
  },
  'toolserver:task:status:unknown': {
    source: 'server, core/server.py, get_task_status',
    behaviour: 'the status of an unknown task is 404 {"detail":"Task X not found"}',
  },
  'toolserver:task:id:slashes': {
    source: 'client, core/tool_executor.py of October 2025 (absolute paths as ids)',
    behaviour: 'a task whose id is an absolute path is found by its status URL, plain or percent-encoded',
    differs: 'the route takes one segment, so such a task is never found',
  },
  'toolserver:task:id:unicode': {
    source: 'client, agentLevelFour/tool_utils.py (the id goes into the URL as it is)',
    behaviour: 'a task id may have spaces and characters of any script',
  },
  'toolserver:task:id:outside': {
    source: 'server, core/task_manager.py, create_task',
    behaviour: 'a task id with ".." names a task like any other and reaches nothing of another task',
    differs: 'it makes a directory outside tasks/',
  },
  'toolserver:task:delete:answer': {
    source: 'document, 删除任务; server, core/task_manager.py, delete_task',
    behaviour: 'deleting a task answers with its id and "deleted"',
  },
  'toolserver:task:delete:unknown': {
    source: 'server, core/server.py, delete_task',
    behaviour: 'deleting an unknown task is 400 {"detail":"Task X not found"}',
  },
  'toolserver:task:delete:gone': {
    source: 'server, core/task_manager.py, delete_task',
    behaviour: 'a deleted task is gone from the list, and one created again under its id starts afresh',
  },

  'toolserver:execute:keys': {
    source: 'document, 统一响应格式; server, utils/response.py',
    behaviour: 'an answer has exactly success, data, error, timestamp, execution_time, task_id and tool_name',
  },
  'toolserver:execute:unused-null': {
    source: 'server, utils/response.py',
    behaviour: 'error is null on success and data is null on failure',
  },
  'toolserver:execute:timestamp': {
    source: 'document, 统一响应格式; server, utils/response.py',
    behaviour: 'timestamp has microseconds and no zone',
    differs: 'it is local time there, UTC here',
  },
  'toolserver:execute:execution-time': {
    source: 'document, 统一响应格式',
    behaviour: 'execution_time is seconds with a fraction',
  },
  'toolserver:execute:failure-is-200': {
    source: 'server, core/server.py, execute_tool; client, tool_utils.py (raise_for_status)',
    behaviour: 'a tool that fails answers 200 with success false and says why in error',
  },
  'toolserver:execute:task-unknown': {
    source: 'server, core/server.py, execute_tool',
    behaviour: 'a call in an unknown task fails with "Task X not found", whatever the tool',
  },
  'toolserver:execute:no-creation': {
    source: 'server, core/server.py, execute_tool',
    behaviour: 'a call in an unknown task does not create the task',
  },
  'toolserver:execute:tool-unknown': {
    source: 'server, core/tool_manager.py, execute_tool',
    behaviour: 'an unknown tool in a task fails with "Tool X not found"',
  },
  'toolserver:execute:params-default': {
    source: 'server, utils/response.py, ToolRequest',
    behaviour: 'params may be absent, null or []',
    differs: 'null is refused with 422',
  },
  'toolserver:execute:params-text': {
    source: 'ours: models send the arguments as a string of JSON',
    behaviour: 'params may be a string of JSON that holds an object',
    differs: 'it is refused with 422',
  },
  'toolserver:execute:unknown-keys': {
    source: 'server, utils/response.py, ToolRequest',
    behaviour: 'unknown keys of a request and unknown params of a tool are ignored',
    differs: 'an unknown param never was refused; a param task_id was',
  },
  'toolserver:execute:synonyms': {
    source: 'ours: models write cwd, path, query',
    behaviour: 'a param may have a plain synonym of its name; two that differ are refused',
    differs: 'it is ignored',
  },
  'toolserver:execute:unknown-params': {
    source: 'ours',
    behaviour:
      'notes name an unknown param; a call that changes something is refused when the param is near a known one or says where or whether',
    differs: 'it is ignored without a word',
  },
  'toolserver:execute:takes': {
    source: 'ours',
    behaviour: 'the answer of a call that lacks a param says which ones the tool takes',
    differs: 'it does not',
  },
  'toolserver:execute:nearest': {
    source: 'ours',
    behaviour: 'the error of an unknown tool or task offers the nearest name',
    differs: 'it does not',
  },
  'toolserver:execute:missing-param': {
    source: 'server, core/server.py, execute_tool',
    behaviour: 'a required param that is missing is named in the error',
    differs: 'the error shows Python internals: FileReadTool.execute() missing 1 required positional argument …',
  },
  'toolserver:execute:empty-param': {
    source: 'server, tools/file_tools.py',
    behaviour: 'an empty file_path is "file_path is required"',
  },
  'toolserver:execute:422:missing': {
    source: 'server, core/server.py, validation_exception_handler',
    behaviour: 'a request without task_id or tool_name is 422 with a "missing" detail for each',
  },
  'toolserver:execute:422:type': {
    source: 'server, pydantic v2',
    behaviour: 'a task_id that is no string is 422 string_type, params that are no object are 422 dict_type',
  },
  'toolserver:execute:422:json': {
    source: 'server, core/server.py, validation_exception_handler',
    behaviour: 'a body that is not JSON is 422 json_parse_error and points to file_upload',
  },
  'toolserver:execute:422:shape': {
    source: 'server, core/server.py, validation_exception_handler',
    behaviour: 'a 422 has success false, error 请求格式错误, error_type, details and three suggestions',
  },
  'toolserver:execute:large': {
    source: 'server (6 MB writes were tried)',
    behaviour: 'a request of 6 MB is taken',
  },
  'toolserver:execute:parallel': {
    source: 'server, core/server.py (async)',
    behaviour: 'calls of one task may overlap',
  },

  'toolserver:paths:leading-slash': {
    source: 'client, prompts of July 2025 (/code_run/hello.py)',
    behaviour: 'a path that begins with / is relative to the task root',
    differs: 'it is absolute in the container and misses the task',
  },
  'toolserver:paths:container-path': {
    source: 'server, tools/file_tools.py, container_path',
    behaviour: 'an absolute container_path that an answer gave is accepted as a path',
  },
  'toolserver:paths:outside': {
    source: 'server, tools/file_tools.py',
    behaviour: 'a path that leaves the task is refused',
    differs: 'it succeeds',
  },
  'toolserver:paths:unicode': {
    source: 'server, tools/file_tools.py',
    behaviour: 'file names may have spaces and characters of any script',
  },

  'toolserver:file_upload:answer': {
    source: 'document, 1; server, tools/file_tools.py, FileUploadTool',
    behaviour: 'uploading answers with filename, path, size and created_at of each file, and with upload_dir',
  },
  'toolserver:file_upload:target': {
    source: 'document, 1, target_path (located under upload/)',
    behaviour: 'uploaded files lie under upload/, in target_path when it is given',
    differs: 'the public code puts target_path below the task root',
  },
  'toolserver:file_upload:target-upload': {
    source: 'web frontend (target_path "upload")',
    behaviour: 'a target_path that is upload, or starts with upload/, is not doubled',
  },
  'toolserver:file_upload:base64': {
    source: 'document, 1, is_base64',
    behaviour: 'base64 content is stored as its bytes',
  },
  'toolserver:file_upload:bad-base64': {
    source: 'server, tools/file_tools.py, FileUploadTool',
    behaviour: 'content that is not base64 is an error, and none of the files is stored',
    differs: 'files before the bad one stay',
  },
  'toolserver:file_upload:parents': {
    source: 'document, 1, filename (with a relative path)',
    behaviour: 'a filename may have directories, which are made',
  },
  'toolserver:file_upload:incomplete': {
    source: 'server, tools/file_tools.py, FileUploadTool',
    behaviour:
      'an entry without filename or content, and a call without files, is refused and named; none of its files is stored',
    differs: 'they are skipped, and the answer is a success that stored nothing',
  },
  'toolserver:file_upload:none': {
    source: 'server, tools/file_tools.py, FileUploadTool',
    behaviour: 'an empty list of files is a success',
  },
  'toolserver:file_upload:overwrites': {
    source: 'server, tools/file_tools.py, FileUploadTool',
    behaviour: 'an upload replaces the file that is there',
  },
  'toolserver:file_upload:name': {
    source: 'server, docs (name instead of filename)',
    behaviour: 'an entry may say name for filename',
    differs: 'it is skipped',
  },

  'toolserver:file_read:answer': {
    source: 'document, 2; server, tools/file_tools.py, FileReadTool',
    behaviour:
      'reading answers with plain content, total_lines, line_range, file_path, container_path, detected_encoding and file_size',
  },
  'toolserver:file_read:lines': {
    source: 'document, 2, start_line and end_line',
    behaviour: 'lines are counted from 1, both ends are included, and line breaks are kept',
  },
  'toolserver:file_read:clamped': {
    source: 'server, tools/file_tools.py, FileReadTool',
    behaviour: 'lines out of range are clamped and never an error',
  },
  'toolserver:file_read:number-strings': {
    source: 'ours: models send numbers as strings',
    behaviour: 'line numbers may be strings',
    differs: "unsupported operand type(s) for -: 'str' and 'int'",
  },
  'toolserver:file_read:empty': {
    source: 'server, tools/file_tools.py, FileReadTool',
    behaviour: 'an empty file has content "", 0 lines and the range 1-0',
  },
  'toolserver:file_read:crlf': {
    source: 'server, tools/file_tools.py, FileReadTool (universal newlines)',
    behaviour: 'CRLF is read as LF',
  },
  'toolserver:file_read:encoding': {
    source: 'server, tools/file_tools.py of October 2025',
    behaviour: 'text in GBK is read, and detected_encoding says GB2312',
  },
  'toolserver:file_read:not-found': {
    source: 'server, tools/file_tools.py, FileReadTool',
    behaviour: 'a missing file is "File not found: p"',
  },
  'toolserver:file_read:directory': {
    source: 'server, tools/file_tools.py, FileReadTool',
    behaviour: 'a directory is "Not a file: p"',
  },
  'toolserver:file_read:binary': {
    source: 'server, tools/file_tools.py of October 2025',
    behaviour: 'a binary file is refused by its extension, which the error names',
  },

  'toolserver:file_write:answer': {
    source: 'document, 3; server, tools/file_tools.py, FileWriteTool',
    behaviour: 'writing answers with file_path, mode, size in bytes, container_path, was_base64 and encoding_used',
  },
  'toolserver:file_write:append': {
    source: 'document, 3, mode',
    behaviour: 'mode append adds to the file, and size is that of the whole file',
  },
  'toolserver:file_write:other-mode': {
    source: 'server, tools/file_tools.py, FileWriteTool',
    behaviour: 'any mode but overwrite, and words of other APIs for it, appends',
  },
  'toolserver:file_write:base64': {
    source: 'document, 3, is_base64',
    behaviour: 'base64 content is written as the text it holds',
  },
  'toolserver:file_write:base64-binary': {
    source: 'server, tools/file_tools.py, FileWriteTool',
    behaviour: 'base64 of bytes that are no text is "Base64 decode error: …"',
  },
  'toolserver:file_write:left-out': {
    source:
      'server, tools/file_tools.py, FileWriteTool and FileReplaceLinesTool (content and new_content have the default "")',
    behaviour: 'content or new_content left out or null is refused, and the file stays as it is',
    differs: 'the file is emptied, or its lines are deleted',
  },
  'toolserver:file_write:empty': {
    source: 'server v2.0, tools/file_tools.py, FileWriteTool',
    behaviour: 'empty content writes an empty file',
    differs: 'later versions say "content cannot be empty"',
  },
  'toolserver:file_write:directory': {
    source: 'server, tools/file_tools.py, FileWriteTool',
    behaviour: 'writing to a directory is "[Errno 21] Is a directory"',
  },
  'toolserver:file_write:parents': {
    source: 'server, tools/file_tools.py, FileWriteTool',
    behaviour: 'directories on the way to a written file are made',
  },

  'toolserver:file_replace_lines:answer': {
    source: 'document, 4; server, tools/file_tools.py, FileReplaceLinesTool',
    behaviour: 'replacing answers with replaced_lines, new_line_count and total_lines afterwards',
  },
  'toolserver:file_replace_lines:newline': {
    source: 'server, tools/file_tools.py, FileReplaceLinesTool',
    behaviour: 'new content without a line break at its end gets one',
  },
  'toolserver:file_replace_lines:delete': {
    source: 'server, tools/file_tools.py, FileReplaceLinesTool',
    behaviour: 'empty new content deletes the lines',
  },
  'toolserver:file_replace_lines:insert': {
    source: 'server, tools/file_tools.py, FileReplaceLinesTool',
    behaviour: 'an end line one before the start line inserts',
  },
  'toolserver:file_replace_lines:range': {
    source: 'server, tools/file_tools.py, FileReplaceLinesTool',
    behaviour: 'lines that do not exist are "Invalid start line: n" and "Invalid end line: n"',
  },
  'toolserver:file_replace_lines:required': {
    source: 'server, tools/file_tools.py, FileReplaceLinesTool',
    behaviour: 'line 0 is "file_path, start_line, and end_line are required"',
  },
  'toolserver:file_replace_lines:not-found': {
    source: 'server, tools/file_tools.py, FileReplaceLinesTool',
    behaviour: 'replacing lines of a missing file is "File not found: p"',
  },

  'toolserver:file_delete:answer': {
    source: 'document, 5; server, tools/file_tools.py, FileDeleteTool',
    behaviour: 'deleting answers with deleted and the type, and a directory goes with all that is in it',
  },
  'toolserver:file_delete:not-found': {
    source: 'server, tools/file_tools.py, FileDeleteTool',
    behaviour: 'deleting what is not there is "File not found: p"',
  },
  'toolserver:file_move:answer': {
    source: 'document, 6; server, tools/file_tools.py, FileMoveTool',
    behaviour: 'moving answers with both paths as they were given, and makes directories on the way',
  },
  'toolserver:file_move:into': {
    source: 'server, shutil.move',
    behaviour: 'moving to an existing directory moves inside it',
  },
  'toolserver:file_move:overwrites': {
    source: 'server, shutil.move',
    behaviour: 'moving to an existing file replaces it',
  },
  'toolserver:file_move:not-found': {
    source: 'server, tools/file_tools.py, FileMoveTool',
    behaviour: 'moving what is not there is "Source not found: p"',
  },
  'toolserver:file_move:required': {
    source: 'server, tools/file_tools.py, FileMoveTool',
    behaviour: 'an empty path is "src_path and dest_path are required"',
  },
  'toolserver:dir_create:answer': {
    source: 'document, 7; server, tools/file_tools.py, DirCreateTool',
    behaviour: 'creating a directory makes those on the way too, and one that exists is a success',
  },
  'toolserver:dir_create:file': {
    source: 'server, tools/file_tools.py, DirCreateTool',
    behaviour: 'creating a directory where a file stands is "[Errno 17] File exists"',
  },
  'toolserver:dir_list:root': {
    source: 'document, 8; server, tools/file_tools.py, DirListTool',
    behaviour: 'the listing of the root is named after the task, has path "." and shows the seven directories',
  },
  'toolserver:dir_list:recursive': {
    source: 'document, 8, recursive',
    behaviour: 'a recursive listing has children on every directory, and files have their size',
  },
  'toolserver:dir_list:flat': {
    source: 'document, 8, recursive',
    behaviour: 'a listing that is not recursive shows one level',
  },
  'toolserver:dir_list:sorted': {
    source: 'server, tools/file_tools.py, DirListTool',
    behaviour: 'a listing is sorted by name and shows hidden files',
  },
  'toolserver:dir_list:errors': {
    source: 'server, tools/file_tools.py, DirListTool',
    behaviour: 'listing what is not there is "Directory not found: p", listing a file is "Not a directory: p"',
  },

  'toolserver:execute_code:answer': {
    source: 'document, 9; server, tools/code_tools.py, ExecuteCodeTool',
    behaviour: 'running a script answers with exit_code, stdout, stderr and executed_file',
  },
  'toolserver:execute_code:exit-code': {
    source: 'server, tools/code_tools.py, ExecuteCodeTool',
    behaviour: 'a script that fails is a success with its exit code and its traceback',
  },
  'toolserver:execute_code:cwd': {
    source: 'server, tools/code_tools.py, ExecuteCodeTool',
    behaviour: 'a script runs in code_run, and its own path is absolute',
  },
  'toolserver:execute_code:files': {
    source: 'server, tools/code_tools.py, ExecuteCodeTool',
    behaviour: 'files that a script wrote are there for file_read',
  },
  'toolserver:execute_code:timeout': {
    source: 'document, 9, timeout; server, tools/code_tools.py',
    behaviour: 'a script past its timeout is "Execution timeout after N seconds", with what it printed before',
    differs: 'the output is lost and only the direct child is killed',
  },
  'toolserver:execute_code:not-found': {
    source: 'server, tools/code_tools.py, ExecuteCodeTool',
    behaviour: 'running a missing script is "File not found: p"',
  },
  'toolserver:execute_code:bytes': {
    source: 'server, tools/code_tools.py, ExecuteCodeTool',
    behaviour: 'output that is not UTF-8 is shown with replacement characters',
    differs: 'the whole call fails with the error of the codec',
  },
  'toolserver:execute_shell:answer': {
    source: 'document, 10; server, tools/code_tools.py, ExecuteShellTool',
    behaviour: 'a command answers with exit_code, stdout, stderr and command, whatever its exit code',
  },
  'toolserver:execute_shell:cwd': {
    source: 'document, 10, workdir',
    behaviour: 'a command runs in code_run',
  },
  'toolserver:execute_shell:workdir': {
    source: 'server, tools/code_tools.py, ExecuteShellTool',
    behaviour: 'workdir is relative to the task root and is made when it does not exist',
  },
  'toolserver:execute_shell:required': {
    source: 'server, tools/code_tools.py, ExecuteShellTool',
    behaviour: 'an empty command is "command is required"',
  },
  'toolserver:execute_shell:timeout': {
    source: 'document, 10, timeout; server, tools/code_tools.py',
    behaviour: 'a command past its timeout is answered at once, and its children are dead',
    differs: 'the answer comes when the last child ends',
  },
  'toolserver:execute_shell:background': {
    source: 'users',
    behaviour:
      'a command goes on behind its answer as a job, which is read from a byte on, listed, and stopped with all that it started',
  },
  'toolserver:execute_code:background': {
    source: 'users',
    behaviour: 'a script goes on behind its answer as a job, from a file or as code',
  },
  'toolserver:execute_shell:client-leaves': {
    source: 'users',
    behaviour:
      'a command whose client leaves goes on to its end, and what it printed is in the log of the task and in its history',
    differs: 'it is lost',
  },
  'toolserver:pip_install:answer': {
    source: 'document, 11; server, tools/code_tools.py, PipInstallTool',
    behaviour: 'installing answers with package, success, stdout and stderr of each, and scripts can import them',
  },
  'toolserver:pip_install:text': {
    source: 'server, tools/code_tools.py, PipInstallTool',
    behaviour: 'packages may be one string',
  },
  'toolserver:pip_install:failure': {
    source: 'server, tools/code_tools.py, PipInstallTool',
    behaviour: 'when a package fails, the results of all come with the failure',
    differs: "object of type 'NoneType' has no len()",
  },
  'toolserver:pip_install:required': {
    source: 'server, tools/code_tools.py, PipInstallTool',
    behaviour: 'no packages is "packages is required"',
  },
  'toolserver:git_clone:answer': {
    source: 'document, 12; server, tools/code_tools.py, GitCloneTool',
    behaviour:
      'cloning answers with clone_path under upload/, repo_url, branch, commit, commit_message, commit_author and commit_date',
  },
  'toolserver:git_clone:target': {
    source: 'document, 12, target_dir',
    behaviour: 'a clone is named after the repository unless target_dir says otherwise',
  },
  'toolserver:git_clone:branch': {
    source: 'document, 12, branch',
    behaviour: 'a branch that is asked for is the one that is cloned',
  },
  'toolserver:git_clone:failure': {
    source: 'server, tools/code_tools.py, GitCloneTool',
    behaviour: 'a clone that fails is "Git clone failed: …", and the token is nowhere in the answer',
    differs: 'the token can be read in the error and in .git/config',
  },
  'toolserver:git_clone:exists': {
    source: 'server, git',
    behaviour: 'cloning into a directory that has files fails and changes nothing',
  },
  'toolserver:git_clone:required': {
    source: 'server, tools/code_tools.py, GitCloneTool',
    behaviour: 'an empty repo_url is "repo_url is required"',
  },

  'toolserver:parse_document:pdf': {
    source: 'document, 13; server, tools/document_tools, ParseDocumentTool',
    behaviour: 'a PDF is read with content, metadata, file_path, char_count and word_count',
    differs: 'it is plain text without headings and page marks, and there is no choice of pages',
  },
  'toolserver:parse_document:office': {
    source: 'document, 13; server, tools/document_tools, ParseDocumentTool',
    behaviour: 'Word documents tell their paragraphs, presentations their slides',
    differs: 'it has no headings, and .docx has no tables',
  },
  'toolserver:parse_document:markdown': {
    source: 'document, 13; server, tools/document_tools, ParseDocumentTool',
    behaviour: 'Markdown comes as it stands, with its number of lines',
  },
  'toolserver:parse_document:converted': {
    source: 'server, tools/document_tools, ParseDocumentTool (.doc and .ppt)',
    behaviour:
      'a document of an older program is converted in the sandbox, or the answer names the package that would do it',
    differs: 'such files fail: python-docx and python-pptx do not read them',
  },
  'toolserver:parse_document:real:text': {
    source: 'ours: documents that other programs made',
    behaviour:
      'documents of pandoc and LibreOffice (docx, doc, odt, rtf, epub, html) keep headings, lists, tables, links, images, notes and Chinese',
  },
  'toolserver:parse_document:real:slides': {
    source: 'ours: documents that other programs made',
    behaviour:
      'presentations of pandoc and LibreOffice (pptx, ppt, odp) keep slides, titles, nested points, tables and notes',
  },
  'toolserver:parse_document:real:sheets': {
    source: 'ours: documents that other programs made',
    behaviour:
      'workbooks of LibreOffice (xlsx, xls, ods) keep every sheet, with dates, shares, results of formulas and truth values',
  },
  'toolserver:parse_document:real:pdf': {
    source: 'ours: documents that other programs made',
    behaviour: 'PDFs of LaTeX, pandoc and LibreOffice keep reading order, headings, lists, tables and every letter',
  },
  'toolserver:parse_document:real:bad': {
    source: 'ours: documents that other programs made',
    behaviour: '800 pages are read in time, and protected and damaged files of real programs are told apart',
  },

  'toolserver:tex2pdf_convert:published': {
    source: 'document, 15. tex2pdf_convert',
    behaviour: 'the printed command compiles a Chinese document and answers with input, output, engine and PDF files',
  },
  'toolserver:tex2pdf_convert:bibliography': {
    source: 'server, tools/tex2pdf_tools',
    behaviour: 'bibliography (BibTeX, biber, or a ready .bbl), references, contents, index and parts are in the PDF',
    differs: 'the engine runs two or three times, with BibTeX only',
  },
  'toolserver:tex2pdf_convert:engines': {
    source: 'document, 15. tex2pdf_convert, engine',
    behaviour: 'pdflatex, xelatex and lualatex compile, Lua starts no program, and any other name is refused',
    differs: 'any program of that name is run',
  },
  'toolserver:tex2pdf_convert:main-file': {
    source: 'server, tools/tex2pdf_tools',
    behaviour: 'the main file is tex_filename, else main.tex in any case, else the first with \\documentclass',
  },
  'toolserver:tex2pdf_convert:aux': {
    source: 'document, 15. tex2pdf_convert, clean_aux',
    behaviour: 'auxiliary files stay with clean_aux false, and go with true; other files stay as they are',
  },
  'toolserver:tex2pdf_convert:errors': {
    source: 'server, tools/tex2pdf_tools',
    behaviour: 'a failure names file, line and what to do, keeps the log, and leaves an earlier PDF',
    differs: 'it is "LaTeX to PDF conversion failed" and no more',
  },
  'toolserver:tex2pdf_convert:warnings': {
    source: 'ours: a PDF can be made and lack something',
    behaviour: 'undefined references and citations, missing characters and a broken bibliography are told',
  },
  'toolserver:tex2pdf_convert:safe': {
    source: 'ours: a document is a program',
    behaviour: 'a document starts no program, and TeX reads and writes nothing outside of its directory',
    differs: 'restricted shell commands, latexmkrc-like settings of TeX Live and all files are open to it',
  },
  'toolserver:tex2pdf_convert:endless': {
    source: 'server, tools/tex2pdf_tools (120 seconds for each run)',
    behaviour: 'a document that never ends is ended in time, with nothing left running',
  },
  'toolserver:tex2pdf_convert:paths': {
    source: 'server, tools/tex2pdf_tools',
    behaviour: 'an input path that is empty, missing, a file or outside of the task is refused',
  },
  'toolserver:parse_document:errors': {
    source: 'server, tools/document_tools, ParseDocumentTool',
    behaviour: 'a missing file, an unsupported type and a broken file have the published error texts',
  },
  'toolserver:parse_document:published': {
    source: 'document, 13',
    behaviour: 'the printed command for parse_document reads upload/document.pdf',
  },

  'toolserver:code_task:answer': {
    source: 'document, 14; server, tools/code_tools, CodeTaskExecuteTool',
    behaviour:
      'code_task_execute has Claude Code write and run files, and answers with its result, new files, cost and time',
  },
  'toolserver:code_task:key': {
    source: 'document, 14, api_key; server, CodeTaskExecuteTool',
    behaviour: 'the key is that of the call, else that of the tenant, else that of the server',
    differs: 'a key stays in the environment of the server, and later calls of anybody may omit theirs',
  },
  'toolserver:code_task:required': {
    source: 'server, CodeTaskExecuteTool',
    behaviour: 'a call without a prompt is "prompt is required"; what does not fit together, or is too large, is told',
  },
  'toolserver:code_task:pending': {
    source: 'client, agentLevelFour/tool_utils.py of July 2025 (gives up after 120 s)',
    behaviour: 'work that takes long answers in time with its progress and a call_id to wait on with',
    differs: 'the call blocks until the end, and its client has given up by then',
  },
  'toolserver:code_task:cancel': {
    source: 'users, work that takes long',
    behaviour: 'work can be cancelled, with all that it started; its files stay',
    differs: 'it cannot be stopped',
  },
  'toolserver:code_task:max_turns': {
    source: 'document, 14, max_turns',
    behaviour: 'work that reaches max_turns says so, and what it did is kept and named',
  },
  'toolserver:code_task:errors': {
    source: 'users, Claude Code that cannot work',
    behaviour: 'a key that is refused, and a request that the API refuses, say so, soon',
  },
  'toolserver:code_task:secret': {
    source: 'users, keys',
    behaviour: 'the key is in no answer, log, history, file, argument or environment of what the agent starts',
    differs: 'it is in the environment of the server, and of all that runs there',
  },
  'toolserver:code_task:settings': {
    source: 'users, directories of others',
    behaviour: 'settings, hooks and programs that lie in the task do not get the key',
    differs: 'settings of the directory are obeyed',
  },
  'toolserver:code_task:hostile': {
    source: 'users, texts of others',
    behaviour: 'no argument leaves the task or becomes an option of a program; a prompt may have any text of 100 KB',
    differs: 'workspace_dir may leave the task',
  },
  'toolserver:code_task:two': {
    source: 'users, several agents of one task',
    behaviour: 'two pieces of work of one task run at once',
  },
  'toolserver:code_task:unattended': {
    source: 'users, work that takes long',
    behaviour: 'work that nobody asks for is finished, and its files and its answer are kept',
  },
  'toolserver:code_task:restart': {
    source: 'users, restarts',
    behaviour: 'work goes on when the server is restarted, and gives its result afterwards',
    differs: 'it ends with the server',
  },
  'toolserver:code_task:lost': {
    source: 'users, sandboxes that end',
    behaviour: 'work whose sandbox ends says that it was lost, and its files are kept',
  },
  'toolserver:code_task:deleted': {
    source: 'users, deleted tasks',
    behaviour: 'work ends with its task',
  },
  'toolserver:published:code_task': {
    source: 'document, 14, the printed command',
    behaviour: 'the printed command of code_task_execute gets its answer, from a stand-in for the API of the model',
  },
  'toolserver:google_search:answer': {
    source: 'document, 16; server, tools/google_tools, GoogleSearchTool',
    behaviour:
      'google_search answers with query, results of title, url and description, and total_results; 50 unless told',
  },
  'toolserver:google_search:errors': {
    source: 'server, tools/google_tools, GoogleSearchTool',
    behaviour: 'a search that cannot be done says what to change, and shows no key',
    differs: 'it scrapes google.com, which answers with 429 soon',
  },
  'toolserver:crawl:answer': {
    source: 'document, 17; server, tools/google_tools, CrawlPageTool',
    behaviour: 'crawl_page puts a page as Markdown into upload/<output_dir>/content.md and answers with where it lies',
    differs: 'its answer has no title, byline and date',
  },
  'toolserver:crawl:again': {
    source: 'server, tools/google_tools, CrawlPageTool',
    behaviour: 'a second page in the same directory does not overwrite the first, at the same time neither',
    differs: 'it does: the file is always content.md',
  },
  'toolserver:crawl:charset': {
    source: 'users, pages that are not UTF-8',
    behaviour: 'a page is decoded as its header or its own meta says',
  },
  'toolserver:crawl:images': {
    source: 'server, tools/google_tools, CrawlPageTool, download_images',
    behaviour:
      'images are left out, or kept beside the page in images/ when asked for, and the page shows them from there',
  },
  'toolserver:crawl:pdf': {
    source: 'users, links to PDFs',
    behaviour: 'a PDF is kept as it is, and its text beside it as that of a page, with title and number of pages',
    differs: 'its browser shows nothing of a PDF',
  },
  'toolserver:crawl:pdf:unread': {
    source: 'users, links to PDFs',
    behaviour: 'a PDF that cannot be read, or not as a whole, is kept, and the answer says why and how to read on',
  },
  'toolserver:crawl:documents': {
    source: 'users, links to documents',
    behaviour: 'Office documents, books, notebooks and tables behind a URL are read as PDFs are; data stands as code',
  },
  'toolserver:crawl:refresh': {
    source: 'HTML, http-equiv="refresh"',
    behaviour: 'a page that only sends a browser on is followed, where redirects may be followed',
  },
  'toolserver:crawl:robots': {
    source: 'RFC 9309',
    behaviour: 'what a site does not let programs read is not read, after a redirect neither',
    differs: 'it reads everything',
  },
  'toolserver:crawl:scripts': {
    source: 'server, tools/google_tools, CrawlPageTool (a browser)',
    behaviour: 'a page that scripts write is read by a browser, when one is set up',
    differs: 'every page is read by a browser',
  },
  'toolserver:crawl:errors': {
    source: 'server, tools/google_tools, CrawlPageTool',
    behaviour: 'a page that cannot be read says why and what to do, and leaves no file',
  },

  'toolserver:scholar:answer': {
    source: 'document, 18; server, tools/google_tools, GoogleScholarSearchTool',
    behaviour: 'google_scholar_search puts the pages into a file named after query and years, under upload/',
    differs: 'the results are not in the answer, and the source is always a scraped Google Scholar',
  },
  'toolserver:scholar:errors': {
    source: 'server, tools/google_tools, GoogleScholarSearchTool',
    behaviour: 'no result at all is "未获取到任何 Scholar 搜索结果"; pages that came before a failure are kept',
  },
  'toolserver:github_search:answer': {
    source: 'document, 19; server, tools/github_tools, GitHubSearchTool',
    behaviour:
      'github_search_repositories looks in names, and answers with the page, what was asked, and each repository',
  },
  'toolserver:github:token': {
    source: 'document, 19 and 20, token',
    behaviour: 'the token is that of the call, else that of the tenant, else that of the server, and is kept nowhere',
  },
  'toolserver:github:errors': {
    source: 'server, tools/github_tools',
    behaviour: 'a search that GitHub refuses is a "GitHub search error: …" that says why, and when to try again',
    differs: 'without a token it fails, and a rate limit does not say when it ends',
  },
  'toolserver:github_info:answer': {
    source: 'document, 20; server, tools/github_tools, GitHubRepoInfoTool',
    behaviour: 'github_get_repository_info answers with the repository itself, of a renamed one or of a URL too',
  },
  'toolserver:github_info:errors': {
    source: 'server, tools/github_tools, GitHubRepoInfoTool',
    behaviour: 'a repository that is not there is "Repository not found: x", and a name must be "owner/repo"',
  },

  'toolserver:rag:search': {
    source: 'document, 23',
    behaviour: 'rag_search_abstracts finds k papers by title and abstract and answers with the best m of them',
  },
  'toolserver:rag:filtered': {
    source: 'document, 24',
    behaviour: 'rag_search_abstracts_filtered finds papers of that year only, a string or a number',
  },
  'toolserver:rag:details': {
    source: 'document, 25',
    behaviour: 'rag_search_details finds the chunks of one paper that fit best',
  },
  'toolserver:rag:content': {
    source: 'document, 26 to 28',
    behaviour: 'a paper is read as a whole, its chunks are listed, and chosen ones are read by their ids',
  },
  'toolserver:rag:text': {
    source: 'none: the published service has the text of each of its papers',
    behaviour:
      'each result says by text_available whether the text is stored; an answer for a paper without one says where it is to be had',
  },
  'toolserver:rag:service': {
    source: 'document, 21, 22 and 29 to 31',
    behaviour: 'health, statistics and service information are told, and the cache counts and can be emptied',
  },
  'toolserver:rag:errors': {
    source: 'document, 23 to 28; server, core/server.py',
    behaviour:
      'what is missing is "query is required" or "file_id is required", and what is not there "Paper not found: x"',
  },
  'toolserver:rag:loaded': {
    source: 'document, RAG 使用流程示例',
    behaviour: 'papers put in as JSON, PDF, LaTeX, HTML and text are found, searched and read',
  },
  'toolserver:rag:tenants': {
    source: 'none: the published service has one corpus',
    behaviour: 'a tenant sees public papers and its own, changes its own alone, and only the owner changes public ones',
  },
  'toolserver:rag:remote': {
    source: 'server, core/proxy_tools.py (RAG service at --rag-url)',
    behaviour:
      'with RAG_SERVICE_URL another service answers, by the protocol of tool proxies, and another Toolyard is one',
  },
  'toolserver:rag:remote-errors': {
    source: 'server, core/proxy_tools.py',
    behaviour:
      'a paper service that is down, wrong, huge or lacks a tool is told plainly, without its words and address',
    differs: 'the body and the address of the service are repeated',
  },

  'toolserver:file_search:answer': {
    source: 'server of October 2025, tools/file_tools, FileSearchTool',
    behaviour:
      'file_search gives the lines that have a text, their numbers, the places in them, and the numbers of both',
  },
  'toolserver:file_search:errors': {
    source: 'server of October 2025, tools/file_tools, FileSearchTool',
    behaviour: 'a search in what is missing or no file is "File not found: p" or "Not a file: p"',
  },
  'toolserver:file_copy:answer': {
    source: 'server of October 2025, tools/file_tools, FileCopyTool',
    behaviour: 'file_copy copies a file or a directory, makes the parents, and answers with both paths as given',
  },
  'toolserver:file_copy:errors': {
    source: 'server of October 2025, tools/file_tools, FileCopyTool',
    behaviour: 'a copy of nothing is "Source not found: p", another extension is "File extension mismatch: .a != .b"',
  },
  'toolserver:download_from_url:answer': {
    source: 'server of October 2025, download_file_from_url',
    behaviour: 'download_file_from_url puts a file of any size into the task and says where it lies and its size',
  },
  'toolserver:download_from_url:errors': {
    source: 'server of October 2025, download_file_from_url',
    behaviour: 'a download that fails or leads into a private network says so and leaves no file',
    differs: 'it reaches private networks',
  },

  'toolserver:human_in_loop:answer': {
    source: 'server of October 2025, tools/human_tools, HumanInLoopTool',
    behaviour: 'human_in_loop waits for a person and answers with what the person said; other calls go on meanwhile',
  },
  'toolserver:human_in_loop:pending': {
    source: 'client of July 2025 (gives a call 120 seconds)',
    behaviour:
      'human_in_loop is pending after a while, goes on with human_task_id, and gives the answer at any later time',
    differs: 'the call hangs until the person has answered, and an answer after it ended reaches nobody',
  },
  'toolserver:human_in_loop:restart': {
    source: 'server of October 2025, utils/human_task_manager.py (a file)',
    behaviour: 'what was asked of a person, and the answer, survive restarts of the server',
  },
  'toolserver:human_in_loop:timeout': {
    source: 'server of October 2025, tools/human_tools, HumanInLoopTool',
    behaviour: 'a timeout that passes is "人类任务 … 超时或不存在", and no text is "human_task 参数不能为空"',
  },
  'toolserver:human_in_loop:deleted': {
    source: 'server of October 2025, utils/human_task_manager.py',
    behaviour: 'a call that waits for a person ends when its task is deleted',
    differs: 'it waits on for ever',
  },
  'toolserver:human-tasks:endpoints': {
    source: 'server of October 2025, core/server.py; web frontend',
    behaviour: 'what is asked of people is listed, read, and completed by PUT, with query or a body of JSON',
  },
  'toolserver:human-tasks:twice': {
    source: 'users, two people at one task',
    behaviour: 'a completed human task keeps its result: the same again is well, another is 409',
    differs: 'the later result replaces the one that a call has gone on with',
  },
  'toolserver:human-tasks:errors': {
    source: 'server of October 2025, core/server.py',
    behaviour: 'a human task that is not there is 404, an answer without completed is 422',
  },
  'toolserver:human-tasks:tenants': {
    source: 'users',
    behaviour: 'human tasks are read and completed by their own tenant alone',
    differs: 'a task that does not exist has an empty list, and everybody may do everything',
  },

  'toolserver:locks:answer': {
    source: 'server of October 2025, tools/lock_tools',
    behaviour: 'file_lock, file_unlock, check_lock and list_locks answer with the published fields, of their own task',
    differs: 'the locks of all tasks can be listed, and their paths have the task in front',
  },
  'toolserver:locks:errors': {
    source: 'server of October 2025, utils/lock_manager.py',
    behaviour:
      'a path that is locked, or lies above or below one, is not locked again; a name or a higher level unlocks',
  },
  'toolserver:locks:writes': {
    source: 'server of October 2025, utils/lock_decorator.py',
    behaviour: 'a tool that would change what is locked fails and says who locked it and how to go on; reading is free',
    differs:
      'a defect hides that reason, a locked directory can be deleted with the one above, and reading is refused too',
  },
  'toolserver:locks:concurrent': {
    source: 'users, several agents at one task',
    behaviour: 'no change comes after a lock that was asked for before, and of several lockers one gets it',
  },
  'toolserver:locks:commands': {
    source: 'server of October 2025, tools/code_tools (no locks)',
    behaviour: 'commands are not held back by locks; their answer names what they changed all the same',
    differs: 'nothing is said',
  },
  'toolserver:locks:restart': {
    source: 'server of October 2025, utils/lock_manager.py (locks.json)',
    behaviour: 'locks survive restarts of the server, and so does their end',
  },

  'toolserver:logs:process': {
    source: 'server, utils/logger.py',
    behaviour: 'logs/<id>_process.log has a [SUCCESS] or [ERROR] line for each call',
  },
  'toolserver:logs:detail': {
    source: 'server, utils/logger.py',
    behaviour: 'logs/<id>_detail.log can be read',
  },
  'toolserver:logs:file': {
    source: 'server, utils/logger.py (a log is a file of the task)',
    behaviour: 'the logs can be downloaded, and read as files',
    differs: 'they are stored, so that listings and commands have them, too',
  },
  'toolserver:logs:silent': {
    source: 'server, utils/logger.py; web frontend (silent:true)',
    behaviour: 'calls with silent leave no line',
  },
  'toolserver:download:file': {
    source: 'server of October 2025, core/server.py, download',
    behaviour: 'a file is downloaded as application/octet-stream under its name',
  },
  'toolserver:download:errors': {
    source: 'server of October 2025, core/server.py, download',
    behaviour: 'a missing file is 404, a directory is 400, a path outside the task is 403',
  },
  'toolserver:download:unknown-task': {
    source: 'server of October 2025, core/server.py, download',
    behaviour: 'a download from an unknown task is 404',
    differs: 'it is 500',
  },

  'toolserver:client:july': {
    source: 'client, agentLevelFour/tool_utils.py of July 2025',
    behaviour: 'the client of July 2025 finds that a task is missing, creates it, and calls a tool in it',
  },
  'toolserver:client:october': {
    source: 'client, core/tool_executor.py of October 2025',
    behaviour: 'the client of October 2025 does so with an absolute path as task id',
  },
  'toolserver:client:error-text': {
    source: 'client, agentLevelFour/tool_utils.py',
    behaviour: 'the reason of a failed tool reaches the agent',
  },
  'toolserver:client:frontend': {
    source: 'web frontend',
    behaviour: 'the web frontend lists tasks, polls the logs, uploads into upload and completes what people are asked',
  },
  'toolserver:client:python': {
    source: 'client, agentLevelFour/tool_utils.py of July 2025',
    behaviour: 'a client in Python that knows only the base URL works',
  },
  'toolserver:infiagent:files': {
    source:
      'client, config/agent_library/Default/level_0_tools.yaml of infiAgent 9f99eda; tool_server_lite/tools/file_tools',
    behaviour:
      'the file calls of infiAgent work by its names of arguments: path, source and destination, lists of paths',
  },
  'toolserver:infiagent:code': {
    source: 'client, level_0_tools.yaml; tool_server_lite/tools/code_tools',
    behaviour:
      'execute_command, grep, execute_code and pip_install run with all the arguments that infiAgent shows its model',
    differs: 'execute_command lets a list of commands through, and grep reads Python regular expressions',
  },
  'toolserver:infiagent:saved': {
    source: 'client, level_0_tools.yaml; tool_server_lite/tools/web_tools, document_tools',
    behaviour: 'what is searched, crawled or parsed lies in the file that save_path names',
    differs: 'searches add words of the query to the name of the file',
  },
  'toolserver:infiagent:several': {
    source: 'client, level_0_tools.yaml, file_read and file_move',
    behaviour: 'of several files those that can be read are, and several sources are moved into one directory',
    differs: 'sources that are moved to a path that is not there replace each other',
  },
  'toolserver:infiagent:question': {
    source: 'client, level_0_tools.yaml, human_in_loop; utils/cli_mode.py; tool_server_lite/server.py, /api/hil',
    behaviour:
      'a question with a hil_id is shown and answered by /api/hil, and the same id and words give the same answer',
    differs: 'the call hangs until it is answered, and an answer reaches whichever task used the id last',
  },
  'toolserver:infiagent:confirmation': {
    source: 'client, core/tool_executor.py and utils/cli_mode.py; tool_server_lite/server.py, /api/tool-confirmation',
    behaviour: 'a call is allowed or refused by a person through /api/tool-confirmation, or as any other human task',
    differs: 'all that is asked is kept in memory, and everybody may answer it',
  },
  'toolserver:infiagent:refused': {
    source: 'users',
    behaviour:
      'two names of one argument that differ are refused, and so is what is not served, with what to do instead',
  },
  'toolserver:published:commands': {
    source: 'document, every printed command of tasks and tools 1 to 12',
    behaviour: 'every printed command gets the answer that the document and the published server give',
  },
  'toolserver:published:web': {
    source: 'document, every printed command of tools 16 to 20',
    behaviour: 'every printed command of the web tools gets its answer, from stand-ins for the services',
  },
  'toolserver:published:papers': {
    source: 'document, every printed command of tools 21 to 31',
    behaviour:
      'every printed command of the paper tools and both steps of the example answer, own papers or remote ones',
  },
  'toolserver:published:upload': {
    source: 'document, 1 (its JSON has \\\\" where \\" is meant)',
    behaviour: 'the printed upload works once its quotes are escaped as JSON wants and its base64 is whole',
  },
} as const satisfies Readonly<Record<string, Requirement>>
