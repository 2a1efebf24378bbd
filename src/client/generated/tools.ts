// Made by `npm run openapi`. Changes are made in what it is made of.

/** Arguments of each tool of the server, by its name. */
export interface ToolArguments {
  /** Search arXiv by its API. The query may be plain words, or use fields: ti:attention AND au:vaswani. Returns date, title, authors and abstract of the 3 best papers. Longer lists and whole texts: google_scholar_search, rag_search_abstracts. */
  arxiv_search: {
    /** What to search for; 300 characters are used */
    query: string
  }
  /** Read a web page, or a document behind a URL, from the server. Returns its text without navigation, then its links; where it cannot be read, the error. */
  browser_open_url: {
    /** http or https URL of the page */
    url: string
  }
  /** Search the web (internet) by the server's search service, with one query or several at once. Returns the results by index: url, summ (what it says) and title. Read the best ones with browser_select. A search replaces the results of the one before. */
  browser_search: {
    /** What to search for: a text, or a list of 5 texts at most */
    query: string[]
  }
  /** Read results of the last browser_search by their index, from the web. Returns url, title and content (its first 8192 characters) of each, or the error why it cannot be read. */
  browser_select: {
    /** Indices of results, 4 at most, e.g. [0, 2] */
    select_ids: number[]
  }
  /** Calculate an arithmetic expression in Python's notation, e.g. "(123 + 234) / 23 * 1.5 - 8" or "sqrt(2) ** 3". Runs without a sandbox. Returns result; whole numbers are exact. For more than arithmetic use execute_code. */
  calculate: {
    /** Numbers, + - * / // % **, brackets, pi, e, tau, and functions such as sqrt, log, sin, round, max, factorial; at most 10000 characters */
    expression: string
  }
  /** Tell whether a file or directory is locked, by whom and at which level: by its own lock, or by that of a directory above it. Runs without a sandbox. Returns can_access (whether it may be changed) and lock_info. Reading is always possible. */
  check_lock: {
    /** File or directory, relative to the task root */
    file_path: string
  }
  /** Run code in the sandbox that calls tools, for work of many calls or with large results. These stay in the code; only what it prints comes back. Python: tools.file_read(file_path="a.csv")["content"]. TypeScript: (await tools.file_read({ file_path: "a.csv" })).content. A call gives the fields of the tool; one that fails raises ToolError (code, message). Other names: tools["weather.now"]. Threads and Promise.all call side by side; at most 500 calls. Returns exit_code, stdout, stderr, tool_calls and files_changed; an exit code other than 0 is a result. */
  code_run_tools: {
    /** The program; print what you want to see */
    code: string
    /** Default "python" */
    language?: "python" | "typescript" | undefined
    /** The only tools that the code may call, by name. Default: all that you may */
    tools?: string[] | undefined
    /** Seconds until it is stopped, at most 3600. Default 300 */
    timeout?: number | undefined
    /** Characters of stdout, and of stderr; a longer one is cut. Default 16,000, at most 65,536 */
    max_chars?: number | undefined
  }
  /** Have the coding agent Claude Code do a programming task in a directory of this task: it reads, writes and runs files there by itself, in the sandbox, for 60 minutes at most. Returns what it says in the end and files_created. A call that is not done in time answers with status "pending" and a call_id; call again with that call_id alone to wait on, and with cancel=true to stop it. */
  code_task_execute: {
    /** What is to be done, at most 524288 characters. Required, except with call_id */
    prompt?: string | undefined
    /** Directory to work in, relative to the task root; made if absent. Default claude_workspace/ */
    workspace_dir?: string | undefined
    /** Anthropic API key. Default: your secret ANTHROPIC_API_KEY, else the server's own, if it has one */
    api_key?: string | undefined
    /** Turns of the agent, at most 500. Default 10 */
    max_turns?: number | undefined
    /** What it may use without asking. Default Read,Write,Edit,Bash */
    allowed_tools?: string[] | string | undefined
    /** Instructions that are added to those of Claude Code. Default: none */
    system_prompt?: string | undefined
    /** Of a pending answer: waits on for that work. Default: begins another */
    call_id?: string | undefined
    /** With call_id: stops that work. Files stay. Default false */
    cancel?: boolean | undefined
    /** Seconds that this call waits for the end, at most 100. Default 80 */
    wait_seconds?: number | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Read a web page, from the server: keeps its main content as Markdown (links and tables too) under upload/. Returns markdown_file (the path), title, author and date; read the file with file_read. A PDF or an Office document is read too, and kept beside its Markdown. */
  crawl_page: {
    /** http or https URL of the page */
    url: string
    /** Directory under upload/. Default crawled_content/ */
    output_dir?: string | undefined
    /** Keep its images too, at most 30, in images/ beside the page. Default false */
    download_images?: boolean | undefined
  }
  /** Create a directory, and those on the way to it. One that exists already is left as it is. Runs without a sandbox. Returns created (the path). The tools that write files make directories by themselves. */
  dir_create: {
    /** Path relative to the task root, e.g. "upload/data/raw" */
    dir_path: string
  }
  /** List a directory of the task, hidden files too, as a tree: name, type (file, directory or link), path from the task root, size in bytes, target of a link. At most 5000 entries; what lies in code_env/ is left out when the task root is listed. Runs without a sandbox. Returns tree, with children. Files by a pattern or by time: file_glob; by content: file_search. */
  dir_list: {
    /** Directory relative to the task root. Default: the task root */
    dir_path?: string | undefined
    /** Also list all below its directories; else they are only named. Default false */
    recursive?: boolean | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Download a file from the public web into the task, as it is: data sets, PDFs, images, archives. Fetched by the server, without a sandbox; at most 512 MiB. Returns downloaded_file (the path) and file_size in bytes. For the readable text of a web page use crawl_page. */
  download_file_from_url: {
    /** http or https URL of the file */
    download_url: string
    /** Where to put it, relative to the task root, e.g. "upload/data.csv"; of a directory ("upload/") the file keeps its name. Default: its own name under upload/, beside one that is there */
    save_path?: string | undefined
  }
  /** Run a Python script of the task (file_path), or code, in the sandbox, in the task's virtual environment and with code_run/ as the current directory unless workdir is given. Each call is a new process; files stay. Returns exit_code, stdout, stderr and files_changed; an exit code other than 0 is a result, not an error. Packages: pip_install. Long work: background=true. */
  execute_code: {
    /** The script, relative to the task root, e.g. "code_run/hello.py". Required without code */
    file_path?: string | undefined
    /** Python to run in the place of a file, e.g. "print(6 * 7)". Required without file_path */
    code?: string | undefined
    /** Arguments of the program, as sys.argv[1:] has them. Default: none */
    args?: string[] | undefined
    /** Current directory of the program, relative to the task root; made if absent. Default code_run/ */
    workdir?: string | undefined
    /** Seconds until it is stopped, at most 82800. Default 300, with background 3600 */
    timeout?: number | undefined
    /** Environment variables of this command alone, by name: {"MODE": "test"}. Default: none besides the usual ones */
    env?: Record<string, unknown> | undefined
    /** Text on its standard input, of at most 64 KiB. Default: none, it is at its end at once */
    stdin?: string | undefined
    /** Characters of stdout, and of stderr; a longer one is cut. Default 16,000, at most 65,536 */
    max_chars?: number | undefined
    /** Answer at once with job_id, pid and log_file; read on with job_output, end it with job_stop. Default false */
    background?: boolean | undefined
    /** "background": at the timeout answer with the output so far and a job_id, and let it go on as a job, with stdout and stderr in one log. Default "stop" */
    on_timeout?: "stop" | "background" | undefined
  }
  /** Run bash commands in the sandbox, in code_run/ unless workdir is given. Each call is a new shell: cd and variables are lost after it, files and processes stay. Returns exit_code, stdout, stderr and files_changed (not of node_modules/, .venv/ and __pycache__/, which only commands see); an exit code other than 0 is a result, not an error. Long work: background=true. */
  execute_shell: {
    /** One or more bash commands, e.g. "ls -la && wc -l *.py" */
    command: string
    /** Directory to run in, relative to the task root; made if absent. Default code_run/ */
    workdir?: string | undefined
    /** Seconds until it is stopped, at most 82800. Default 60, with background 3600 */
    timeout?: number | undefined
    /** Environment variables of this command alone, by name: {"MODE": "test"}. Default: none besides the usual ones */
    env?: Record<string, unknown> | undefined
    /** Text on its standard input, of at most 64 KiB. Default: none, it is at its end at once */
    stdin?: string | undefined
    /** Characters of stdout, and of stderr; a longer one is cut. Default 16,000, at most 65,536 */
    max_chars?: number | undefined
    /** Answer at once with job_id, pid and log_file; read on with job_output, end it with job_stop. Default false */
    background?: boolean | undefined
    /** "background": at the timeout answer with the output so far and a job_id, and let it go on as a job, with stdout and stderr in one log. Default "stop" */
    on_timeout?: "stop" | "background" | undefined
  }
  /** Copy a file or a directory with all that is in it; directories on the way are made. A file keeps its extension, but for one more (.bak), replaces one that stands there, and goes into an existing directory, or one named with / at the end; a directory is merged into one that stands there. Runs without a sandbox. Returns copied_from and copied_to. */
  file_copy: {
    /** What to copy, relative to the task root */
    src_path: string
    /** Path of the copy, relative to the task root; of a file also a directory to put it into */
    dest_path: string
    /** False to refuse where something stands there already. Default true */
    overwrite?: boolean | undefined
  }
  /** Delete a file, or a directory with all that is in it; not the task root, nor code_env/. Several by file_paths: all or, if one cannot be deleted, none. Runs without a sandbox. Returns deleted (the path, or the list of them) and type. */
  file_delete: {
    /** File or directory, relative to the task root. Required without file_paths */
    file_path?: string | undefined
    /** Several of them in the place of file_path, at most 500. Default: one */
    file_paths?: string[] | undefined
  }
  /** Replace a piece of a text file of the task: old_text must stand in it exactly once, or replace_all is true. Copy old_text from the file with its white space, without line numbers; \n matches any line break. Line breaks, encoding and the rest of the file stay. Files of at most 20 MiB; runs without a sandbox. Returns changed_lines: those with 3 around, numbered. Several places: edits; several files: file_patch; a new file: file_write. */
  file_edit: {
    /** Path relative to the task root, e.g. "code_run/hello.py" */
    file_path: string
    /** The text to replace, as it stands in the file; several lines may be given. Required without edits */
    old_text?: string | undefined
    /** The text to put there; "" deletes old_text. Required without edits */
    new_text?: string | undefined
    /** Replace old_text wherever it stands. Default false */
    replace_all?: boolean | undefined
    /** Several replacements in the place of old_text and new_text, in order, at most 50: all are made or none. Default: one */
    edits?: {
      /** The text to replace, as it stands in the file behind the edits before it */
      old_text: string
      /** The text to put there; "" deletes old_text */
      new_text: string
      /** Replace old_text wherever it stands. Default false */
      replace_all?: boolean | undefined
    }[] | undefined
    /** Write the whole file in this encoding. Default: the one it has */
    encoding?: string | undefined
  }
  /** Put lines into a text file of the task: at its end, before a line, or over the lines from there on. Makes the file and its directories when they are not there. Runs without a sandbox. Returns the whole file with line numbers, at most 100000 characters of it. */
  file_edit_lines: {
    /** Path relative to the task root */
    file_path: string
    /** The lines */
    content: string
    /** Insert before this line, from 1; 0 is the top, -1 is before the last line. Default: at the end */
    line_number?: number | undefined
    /** Replace as many lines as content has, from line_number on. Default false: insert */
    overwrite?: boolean | undefined
    /** Empty the file first. Default false */
    truncating?: boolean | undefined
  }
  /** Find files of the task by a pattern of their paths, e.g. "**\/*.py": * and ? stay within a name, ** crosses directories, {a,b} and [a-z] work too. A pattern that ends with / finds directories. code_env/, .git/ and node_modules/ are left out unless all_directories. Runs at once, without a sandbox. Returns paths, sizes in bytes and times of change, sorted by path or newest first. Files by content: file_search. */
  file_glob: {
    /** Pattern of the whole path below dir_path, e.g. "**\/*.{ts,tsx}"; "*.py" looks in dir_path alone */
    pattern: string
    /** Directory relative to the task root. Default: the task root */
    dir_path?: string | undefined
    /** True to find names that begin with a point, too; a pattern that names one does anyway. Default false */
    include_hidden?: boolean | undefined
    /** True to sort by time of change, the latest first. Default false: by path */
    newest_first?: boolean | undefined
    /** Files to show at most, up to 2000. Default 200 */
    max_results?: number | undefined
    /** Files to pass over, from 0, to go on after a cut answer: its next_offset. Default 0 */
    offset?: number | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
    /** True to leave out what .gitignore files of the task name. Default false */
    respect_gitignore?: boolean | undefined
    /** True to look into them, too. Default false */
    all_directories?: boolean | undefined
  }
  /** Tell about a file, directory or link of the task without reading it out. Runs at once, without a sandbox. Returns kind, size in bytes, time of change (UTC), mode, media type by content, sha256; of a text its encoding, line endings (lf, crlf, cr, mixed, none) and number of lines; of a link its target; of a directory its number of entries. */
  file_info: {
    /** Path relative to the task root, e.g. "upload/data.csv". Required without file_paths */
    file_path?: string | undefined
    /** Several of them in the place of file_path, at most 20; the answer has files, one for each. Default: one */
    file_paths?: string[] | undefined
  }
  /** Lock a file, or a directory with all below it, until file_unlock: no tool can change, move or delete it, not yours either; reading stays possible. The path need not exist yet. Runs without a sandbox; code run by execute_code or execute_shell is not held back, and its answer says in notes what it changed. Returns level and locker_name. */
  file_lock: {
    /** File or directory, relative to the task root */
    file_path: string
    /** Who locks, by any name; the same name can unlock. Default "task" */
    locker_name?: string | undefined
    /** Level from 1: who unlocks with a higher level needs no name. Default 1 */
    level?: number | undefined
  }
  /** Move or rename a file or directory; directories on the way are made. Where dest_path is an existing directory, or for a file ends with /, it moves inside, unless that has one of the same name; an existing file at dest_path is replaced. Runs without a sandbox. Returns moved_from and moved_to, where it is now. */
  file_move: {
    /** What to move, relative to the task root */
    src_path: string
    /** New path, or a directory to move it into, relative to the task root */
    dest_path: string
    /** False to refuse where something stands there already. Default true */
    overwrite?: boolean | undefined
  }
  /** Apply a unified diff, or a patch that begins with "*** Begin Patch", to text files of the task: all of it, or nothing if a hunk does not fit. Takes several files, a/ and b/ prefixes, new and deleted files (/dev/null), git renames and modes. Lines must match exactly, but may stand elsewhere than the line numbers say if they stand there only; "@@" alone has them looked for. Line breaks and encodings of the files stay. At most 1000000 characters and 100 files; runs without a sandbox. Returns per file what changed, numbered, with 3 lines around. */
  file_patch: {
    /** The diff: "--- a/FILE", "+++ b/FILE", "@@ -1,3 +1,4 @@", lines that begin with " ", "-" or "+"; FILE is relative to the task root */
    patch: string
    /** Directory that the paths of the patch begin in, relative to the task root. Default: the task root */
    workdir?: string | undefined
  }
  /** Read a text file of the task, of at most 20 MiB, whole or a range of lines. Runs without a sandbox. Returns content, total_lines, detected_encoding (UTF-8, GBK, UTF-16 and others), and line_endings where they are not LF. A long text is cut after a line, with next_start_line to read on. For PDF and Office documents use parse_document, for pictures image_read. */
  file_read: {
    /** Path relative to the task root, e.g. "upload/config.json" */
    file_path: string
    /** First line to return, from 1; -20: the last 20 lines. Default: the first */
    start_line?: number | undefined
    /** Last line to return, included, from 1; -1 is the last. Default: the last */
    end_line?: number | undefined
    /** Put its number before each line, " 12: text". Default false */
    line_numbers?: boolean | undefined
    /** Characters of text; a longer one is cut. Default 32,000, at most 1,048,576 */
    max_chars?: number | undefined
    /** Number of a commit, as workspace_history lists them, or name of a snapshot: the file as it was then. Default: now */
    as_of?: number | string | undefined
    /** How to decode the file, e.g. "gbk". Default: detected */
    encoding?: string | undefined
  }
  /** Read a text file of the task with line numbers, from a line on, or its last lines. Runs without a sandbox. Returns the numbered lines, at most 100000 characters of them, and total_lines. */
  file_read_numbered: {
    /** Path relative to the task root */
    file_path: string
    /** First line to return, from 1; -3 returns the last three lines. Default 1 */
    start_line?: number | undefined
  }
  /** Replace lines start_line to end_line of a text file of the task, counted from 1 as by file_read. To insert before line n: start_line n, end_line n - 1; n may be one past the last line. Give expected_content, so that nothing is replaced when the file has changed. The file keeps its encoding and line breaks. Runs without a sandbox. Returns changed_lines: the new lines with 3 around, numbered; the lines behind them have other numbers now. Without line numbers: file_edit. */
  file_replace_lines: {
    /** Path relative to the task root */
    file_path: string
    /** First line to replace, from 1 */
    start_line: number
    /** Last line to replace, included, from 1; start_line - 1 to insert */
    end_line: number
    /** The new lines; a line break is added at the end if there is none. "" deletes the lines */
    new_content: string
    /** What stands in the lines now, as plain text. If it does not, the call is refused and says what does. Default: anything */
    expected_content?: string | undefined
    /** True when new_content is base64 of UTF-8 text. Default false */
    is_base64?: boolean | undefined
    /** Write the whole file in this encoding. Default: the one it has */
    encoding?: string | undefined
  }
  /** Find the lines that have a text, or match a regular expression (regex: true), in a text file such as a log (file_path), or in all text files of a directory (dir_path). Runs at once, without a sandbox. Returns matches: line_number and line_content, with file_path each for a directory. Case does not count unless case_sensitive. In a directory code_env/, .git/, node_modules/ and outputs of commands in logs/ are left out unless all_directories. Files by name: file_glob. */
  file_search: {
    /** File to search, relative to the task root. Default: the directory is searched */
    file_path?: string | undefined
    /** What to find, within one line; at most 1000 characters */
    search_text: string
    /** True to tell "A" from "a". Default false */
    case_sensitive?: boolean | undefined
    /** How to decode the file of file_path, e.g. "gbk". Default: detected */
    encoding?: string | undefined
    /** Directory to search with all below it, or a file, relative to the task root. Default: the task root */
    dir_path?: string | undefined
    /** True when search_text is a regular expression (RE2: no look-around, no back references). Default false */
    regex?: boolean | undefined
    /** Which files of a directory to search, e.g. "*.py", "src/**\/*.{ts,tsx}" or "!*.min.js". Default: all */
    glob?: string | undefined
    /** "count": only how many lines match, in each file; "files_with_matches": only which files. Default "content": the lines */
    output_mode?: "content" | "count" | "files_with_matches" | undefined
    /** Lines to show before and after each match, at most 20. Default 0 */
    context?: number | undefined
    /** Lines to show at most, up to 500; files, where output_mode names files. Default: 100 lines, 500 files */
    max_matches?: number | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
    /** Where to go on after a cut answer: its next_after. Default: from the beginning */
    after?: string | undefined
    /** True to leave out what .gitignore files of the task name. Default false */
    respect_gitignore?: boolean | undefined
    /** True to search them, too. Default false */
    all_directories?: boolean | undefined
  }
  /** Show all directories and files of the task as an indented list, 20 files of each directory at most. What package managers, git and editors keep for themselves is left out. Runs without a sandbox. Returns the list as text. */
  file_tree: {
    /** Begin with the path of the task root. Default false */
    show_root?: boolean | undefined
  }
  /** Take away the lock that file_lock put on a file or directory: with the name that locked it, or with any name and a higher level. Runs without a sandbox. Returns unlocked: true. */
  file_unlock: {
    /** The path that was locked, relative to the task root; list_locks shows it */
    file_path: string
    /** Who unlocks: the name that locked. Default "task" */
    unlocker_name?: string | undefined
    /** Level from 1. Default 1 */
    unlocker_level?: number | undefined
  }
  /** Put files into the task, under upload/: text, or any bytes as base64. Existing files are replaced. All files of one call are stored or, if one is refused, none. Runs without a sandbox. Returns uploaded_files: path and size in bytes of each. */
  file_upload: {
    /** The files, each with filename and content */
    files: {
      /** Path relative to target_path, e.g. "images/logo.png" */
      filename: string
      /** Text, or base64 of any bytes; "" makes an empty file */
      content: string
      /** True when content is base64. Default false */
      is_base64?: boolean | undefined
    }[]
    /** Directory under upload/ to put them in. Default: upload/ itself */
    target_path?: string | undefined
  }
  /** Write text to a file of the task; directories on the way are made. Replaces the file, or adds to its end with mode "append". Runs without a sandbox. Returns size, in bytes of the whole file. To change a part of a file use file_edit; for binary content file_upload. */
  file_write: {
    /** Path relative to the task root, e.g. "code_run/hello.py" */
    file_path: string
    /** What to write; "" makes an empty file */
    content: string
    /** "overwrite" (default) or "append" */
    mode?: string | undefined
    /** True when content is base64 of UTF-8 text. Default false */
    is_base64?: boolean | undefined
    /** Encoding of the file. Default utf-8; when appending, that of the file */
    encoding?: string | undefined
  }
  /** Clone a git repository, whole history, into a directory under upload/, in the sandbox; 10 minutes at most. Returns clone_path, and the commit and branch that were checked out. For a large repository run "git clone --depth 1" with execute_shell. */
  git_clone: {
    /** URL of the repository, e.g. "https://github.com/user/repo.git" */
    repo_url: string
    /** Directory under upload/, new or empty. Default: the repository's name */
    target_dir?: string | undefined
    /** Branch or tag to check out. Default: that of the repository */
    branch?: string | undefined
    /** Access token of a private repository, for https URLs; it is not kept. Default: none */
    token?: string | undefined
  }
  /** Get what GitHub's API says of one repository. Returns description, stars, forks, language, license, topics, default branch, open issues, when it was last pushed to, and where to clone it from. Get its files with git_clone. */
  github_get_repository_info: {
    /** "owner/repo" or its URL, e.g. "microsoft/vscode" */
    full_name: string
    /** GitHub token, for private repositories or a higher rate limit. Default: your secret GITHUB_TOKEN, if there is one */
    token?: string | undefined
  }
  /** Search GitHub repositories by words in their names, by GitHub's API. Returns name, description, stars, language, license and clone URL of each. Read one in detail with github_get_repository_info, get it with git_clone. */
  github_search_repositories: {
    /** Words to look for in repository names, e.g. "machine learning" */
    query: string
    /** "stars" (default), "forks" or "updated" */
    sort?: "stars" | "forks" | "updated" | undefined
    /** "desc" (default) or "asc" */
    order?: "desc" | "asc" | undefined
    /** Results per page, 1 to 100. Default 10 */
    per_page?: number | undefined
    /** Page, from 1. Default 1 */
    page?: number | undefined
    /** GitHub token, for a higher rate limit. Default: your secret GITHUB_TOKEN, if there is one */
    token?: string | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Search scholarly papers by a search service on the web, and keep them as Markdown under upload/. Returns the papers (title, authors, year, abstract, citations, PDF), markdown_file, and source: which service was used. Papers that are in the server's own library: rag_search_abstracts. */
  google_scholar_search: {
    /** What to search for, e.g. "deep learning" */
    query: string
    /** Directory under upload/. Default scholar_results/ */
    output_dir?: string | undefined
    /** Pages of ten results, 1 to 10. Default 1 */
    pages?: number | undefined
    /** First year, e.g. 2020. Default: any */
    year_low?: number | undefined
    /** Last year, e.g. 2024. Default: any */
    year_high?: number | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Search the web (internet) by the server's search service. Returns results: title, URL and a short description of each. Read a result with crawl_page; for scholarly papers use google_scholar_search. */
  google_search: {
    /** What to search for, e.g. "machine learning tutorials" */
    query: string
    /** Number of results, 1 to 100. Default 50 */
    num_results?: number | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Search the web for a short answer, by the server's search service. Returns what the results say, as a Python list of texts without their addresses. For addresses use google_search. */
  google_snippets: {
    /** What to search for */
    query: string
    /** Number of results to look at, 1 to 100. Default 10 */
    k?: number | undefined
  }
  /** Ask a person to do or decide something, and wait for the answer on the server. Returns result: what the person answered. While there is no answer, the status is "pending" with a human_task_id: call again with that id to go on waiting, at any time, also much later. Meanwhile other tools can be used. */
  human_in_loop: {
    /** What the person should do or answer, at most 4000 characters; they see nothing else. Required without human_task_id */
    human_task?: string | undefined
    /** Of a task that was asked for before: wait for its answer. Default: asks anew */
    human_task_id?: string | undefined
    /** Seconds after which the task counts as failed, unless it is answered; at most 31536000. Default: never */
    timeout?: number | undefined
    /** Seconds that this call waits before it answers "pending", at most 100; 0 to ask and not wait. Default 100 */
    wait_seconds?: number | undefined
  }
  /** See a picture of the task: PNG, JPEG, GIF or WebP, of at most 3.5 MiB and 8000 pixels a side. Runs without a sandbox. Returns the image, its type, width and height in pixels, and its size in bytes. Shrink a larger one with execute_code first. */
  image_read: {
    /** Path relative to the task root, e.g. "code_run/plot.png" */
    file_path: string
    /** Characters of data_url, in APIs that have no images; a longer one is cut. Default 64,000, at most 5,000,100 */
    max_chars?: number | undefined
  }
  /** Write code to a file of the task and start it in the sandbox, with Python or a command of your own, in the task root; stopped after 300 seconds. Returns exit_code, stdout and stderr; an exit code other than 0 is a result, not an error. Without a file, and for long work: execute_code. */
  interpreter_run: {
    /** What the file gets, which is replaced. Default: the file stays as it is */
    code?: string | undefined
    /** Bash that runs in the task root. Default: python with the file */
    command?: string | undefined
    /** Path of the file, relative to the task root. Default main.py */
    filename?: string | undefined
  }
  /** Run Python in a kernel in the sandbox that keeps its variables. Returns one thing only: the value of the last expression, or else the last line that was printed. A printed line with Error or Traceback in it is taken for a failure: error has it and what follows. To see all that is printed use ipython_run. */
  ipython_interactive_run: {
    /** Python code */
    command: string
    /** Seconds until it is interrupted, at most 300. Default 30 */
    timeout?: number | undefined
  }
  /** Forget all variables and imports of ipython_run, or of ipython_session_run with that session_id, and end what runs there in the sandbox. Files stay. Returns reset: true. */
  ipython_reset: {
    /** As given to ipython_session_run. Default: the kernel of ipython_run */
    session_id?: string | undefined
  }
  /** Run Python in a kernel in the sandbox that keeps its variables and imports for the next call, and leaves no notebook. Code may stand between ``` lines. input() is disabled. Returns what was printed and the value of the last expression; images, e.g. of matplotlib, as paths of PNG files. An exception in the code is a result: error has the traceback. */
  ipython_run: {
    /** Python code */
    command: string
    /** Seconds until it is interrupted, at most 300. Default 60 */
    timeout?: number | undefined
  }
  /** Run Python in a kernel in the sandbox that keeps its variables, one for each session_id, of which the last 4 are kept. Returns the value of the last expression, or else what was printed; no images. An exception in the code is a result: error has the traceback. */
  ipython_session_run: {
    /** Python code */
    command: string
    /** Seconds until it is interrupted, at most 300. Default 20 */
    timeout?: number | undefined
    /** Which kernel, by any name. Default: that of ipython_run */
    session_id?: string | undefined
  }
  /** List the jobs that this task has in the sandbox: all that run, then the 20 that ended last. Returns jobs, each with job_id, command, running, exit_code, seconds, pid and log_file. Ended ones are kept for 24 hours. */
  job_list: Record<string, never>
  /** Read what a job printed, stdout and stderr together, from a byte on, and whether it still runs in the sandbox. A job is a command that execute_shell or execute_code left running. Waits until there is output or the job ends, wait_seconds at most. Returns output (16000 bytes at most), next_from_byte for the next call, running, and exit_code when it has ended. */
  job_output: {
    /** Id of the job; job_list names all */
    job_id: string
    /** Byte of the log to read from, from 0: next_from_byte of the last answer; negative: so many bytes from its end. Default 0 */
    from_byte?: number | undefined
    /** Seconds to wait where there is no output yet, at most 100; 0 answers at once. Default 10 */
    wait_seconds?: number | undefined
  }
  /** End a job with all processes that it started in the sandbox: SIGINT, 2 seconds later SIGTERM, 2 more SIGKILL. Waits for its end. Returns running, exit_code and log_file. Files that it wrote stay, and its output stays readable by job_output. A job that has ended stays as it is. */
  job_stop: {
    /** Id of the job; job_list names all */
    job_id: string
  }
  /** List which files and directories of the task are locked: path, who locked it, at which level, and when (UTC). Runs without a sandbox. Returns locks. */
  list_locks: Record<string, never>
  /** Find a place by a map service. Returns latitude and longitude in degrees. */
  map_coordinates: {
    /** A place or an address, e.g. "Brandenburg Gate, Berlin" */
    location: string
  }
  /** Get how far it is by car from one place to another, by a map service. Returns distance in kilometres. For the way use map_route. */
  map_distance: {
    /** Where from: a place, an address, or "latitude,longitude" */
    start: string
    /** Where to, likewise */
    end: string
  }
  /** Find places of a kind near a place, by a map service. Returns name and address of 5 at most. */
  map_nearby: {
    /** What to look for, e.g. "coffee" */
    search_term: string
    /** Around which place, by name. Default "unknown": around latitude and longitude */
    places?: string | undefined
    /** Degrees, -90 to 90. Default 0 */
    latitude?: number | undefined
    /** Degrees, -180 to 180. Default 0 */
    longitude?: number | undefined
    /** Metres around it, from 1. Default 5000 */
    radius?: number | undefined
  }
  /** Get the way by car from one place to another, by a map service. Returns route: its steps, turn by turn. */
  map_route: {
    /** Where from: a place, an address, or "latitude,longitude" */
    start: string
    /** Where to, likewise */
    end: string
  }
  /** Run Python code as a cell of the notebook python_notebook.ipynb, in a kernel in the sandbox, with the task root as the current directory. Variables stay for the next cells. Adds a cell, or replaces the one at cell_index. Returns what the cell printed and its results. Cells run one after another. */
  notebook_execute: {
    /** Python; "!" before a line runs it as a command. Required, except with run_id or reset */
    code?: string | undefined
    /** Index of the cell to replace, from 0, or negative from the end. Default: a new cell at the end */
    cell_index?: number | undefined
    /** Start a new kernel first, also when a cell runs; cells stay. Default false */
    reset?: boolean | undefined
    /** Seconds until the cell is interrupted, at most 300. Default 300 */
    timeout?: number | undefined
    /** Environment variables of this cell alone, by name: {"MODE": "test"}. Default: none besides the usual ones */
    env?: Record<string, unknown> | undefined
    /** Milliseconds that this call waits, at most 330000; then the cell goes on, and the answer says how to wait for it. Default 300000 */
    wait_ms?: number | undefined
    /** Of an answer that was not done: waits on for that cell. Default: runs a new one */
    run_id?: string | undefined
  }
  /** Show the notebook python_notebook.ipynb, which notebook_execute fills. Runs without a sandbox. Returns its cells with what they put out; images are only named. */
  notebook_print: Record<string, never>
  /** Call a tool that was registered by own_tool_register, in the sandbox, or made by tool_create. Returns what the function returns. */
  own_tool_call: {
    /** Its name */
    tool_name: string
    /** By name, as the function takes them */
    arguments: Record<string, unknown>
  }
  /** Register a Python function as a tool of this task: it is labelled with @toolwrapper() and described by its docstring, with a line ":param TYPE NAME: text" for each parameter. It runs in the sandbox. Returns the tool as it was read from the docstring. Call it by own_tool_call. */
  own_tool_register: {
    /** Name of the function, or the name that @toolwrapper gives it */
    tool_name: string
    /** Python that defines it, at most 65536 characters */
    code: string
  }
  /** Read a web page, or a document behind a URL, from the server. Returns its text without navigation, at most 100000 characters, then the links of the page. Nothing is kept; crawl_page keeps a page as a file. */
  page_read: {
    /** http or https URL of the page */
    url: string
  }
  /** Read a document of the task as plain text in Markdown: PDF, Word (docx, doc), PowerPoint (pptx, ppt), Excel (xlsx, xls), OpenDocument, RTF, CSV, HTML, EPUB, Jupyter notebook, Markdown or text. Runs on the server; old Office formats are converted in the sandbox first. Returns content, with headings, tables, lists, and marks where pages and slides begin, and metadata (title, author, number of pages …). A long document is cut, with next_pages to read on. */
  parse_document: {
    /** Path relative to the task root, e.g. "upload/document.pdf" */
    file_path: string
    /** Pages, slides, sheets or chapters to read, e.g. "1-3,5" or "10-". Default: all */
    pages?: string | undefined
    /** Characters of content; a longer one is cut. Default 30,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Install Python packages into the task's virtual environment in the sandbox, for execute_code and execute_shell. They are put back when the sandbox is replaced. One call may take 20 minutes. Returns results: for each package success, stdout and stderr. */
  pip_install: {
    /** As pip takes them, e.g. ["requests", "numpy>=2"]; also https and git+https URLs, and, relative to the task root, "./upload/x.whl", "./dir", "-e ./dir", "-r requirements.txt" */
    packages: string[]
  }
  /** Add a title page, the cover of the slides, with a large title and a subtitle, to the presentation that was begun by ppt_create_file. Runs without a sandbox. Returns status. */
  ppt_add_first_page: {
    /** Title of the presentation; may be empty */
    title: string
    /** What stands below it, e.g. author and date; may be empty */
    subtitle: string
  }
  /** Add a page with a title, bullets, and an image right of them to the presentation that was begun by ppt_create_file. The image is a PNG, JPEG or GIF, of the task or from the web. Returns status. */
  ppt_add_text_image_page: {
    /** Title of the page; may be empty */
    title: string
    /** The bullets, with [SPAN] between them: "one[SPAN]two" */
    bullet_items: string
    /** Path of the image, relative to the task root, or its http or https URL */
    image: string
  }
  /** Add a page (slide) with a title and bullets to the presentation that was begun by ppt_create_file. Runs without a sandbox. Returns status. */
  ppt_add_text_page: {
    /** Title of the page; may be empty */
    title: string
    /** The bullets, with [SPAN] between them: "one[SPAN]two" */
    bullet_items: string
  }
  /** Begin a PowerPoint presentation (.pptx). Add its pages, the slides, with ppt_add_first_page, ppt_add_text_page and ppt_add_text_image_page; they go into the presentation that was begun last. What stood there is replaced. Runs without a sandbox. Returns status. */
  ppt_create_file: {
    /** How it looks: "Default" is the only one */
    theme: string
    /** Path of the file, relative to the task root, e.g. "/slides/talk.pptx" */
    abs_location: string
  }
  /** Say that the presentation is done. Runs without a sandbox. Returns status, with its path. More pages can be added afterwards. */
  ppt_submit_file: Record<string, never>
  /** Call a Python action of the task, in the sandbox. Returns Lagent's ActionReturn, also when the action fails. */
  python_action_call: {
    /** Its name; of a toolkit "Toolkit.api" */
    name: string
    /** What its parser reads: an object, or JSON as text; a tuple as text for TupleParser */
    inputs: unknown
    /** How inputs are read. Default: the action's own */
    parser?: "JsonParser" | "TupleParser" | "BaseParser" | undefined
  }
  /** List the Python actions of the task, which python_actions_register brought. Runs without a sandbox. Returns actions as Lagent describes them, each API of a toolkit as "Toolkit.api". */
  python_actions_list: Record<string, never>
  /** Bring actions of Lagent as Python: functions under @tool_api and classes of BaseAction, with Google docstrings. They are described as Lagent does it, run in the sandbox, and stay with the task. Returns their descriptions. Call them by python_action_call. */
  python_actions_register: {
    /** Python; `from lagent.actions import BaseAction, tool_api` works without Lagent */
    source: string
    /** What pip installs for it, e.g. ["requests>=2"]. Default: nothing */
    requirements?: string[] | undefined
  }
  /** Remove a Python action of the task; of a toolkit all its APIs. Runs without a sandbox. Returns name. */
  python_actions_remove: {
    /** Its name, without an API */
    name: string
  }
  /** Run Python that defines a function solution() without parameters in the sandbox, in the task root; stopped after 20 seconds. Returns what the function returns, as text. Nothing is kept between calls but files. An exception in the code is a result: error has it. For variables that stay use ipython_run. */
  python_solution: {
    /** Python that defines solution(); it may stand between ``` lines */
    command: string
  }
  /** Empty the server's cache of paper search results. Returns cleared (answers). Not needed for fresh results: an answer is forgotten when papers change. No paper is removed. */
  rag_cache_clear: Record<string, never>
  /** Get the use of the server's cache of paper search results. Returns size (answers), hits and misses. It tells nothing about papers; rag_get_stats counts those. */
  rag_cache_stats: Record<string, never>
  /** List the chunks of a paper's text on the server, without their content. Returns chunk_count, and for each chunk its doc_id, index (from 1) and char_count (characters). Next: rag_get_specific_content reads chunks by doc_id, some at a time for a long paper. Without a stored text the abstract is the only chunk. */
  rag_get_paper_chunks: {
    /** The paper's file_id from rag_search_abstracts, e.g. "1706.03762v7". An arXiv id without its version is the newest one */
    file_id: string
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Read a whole paper from the server. Returns file_id, title, publish_year, abstract, content (Markdown) and text_available. Without a stored text, content is the abstract. A paper is often 30,000 to 100,000 characters: for a question about it, rag_search_details is cheaper; to read it in pieces, list them with rag_get_paper_chunks and get them with rag_get_specific_content. */
  rag_get_paper_content: {
    /** The paper's file_id from rag_search_abstracts, e.g. "1706.03762v7". An arXiv id without its version is the newest one */
    file_id: string
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Read chosen chunks of one paper from the server. Returns contents (doc_id, content) in the order of doc_ids, and missing: the ids that the paper does not have. For reading around a passage of rag_search_details, or a long paper in pieces: "chunk_001" to "chunk_010", then "chunk_011" to "chunk_020". Each chunk begins with the last sentence or two of the one before. */
  rag_get_specific_content: {
    /** The paper's file_id from rag_search_abstracts, e.g. "1706.03762v7". An arXiv id without its version is the newest one */
    file_id: string
    /** The chunks' doc_ids from rag_search_details or rag_get_paper_chunks, e.g. ["chunk_001", "chunk_002"]. Default: all chunks */
    doc_ids?: string[] | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Count what the server's paper library holds. Returns papers, with_text (papers whose whole text is stored), chunks, own_papers, public_papers, years (papers per year), and terms in the index. */
  rag_get_stats: Record<string, never>
  /** Check whether the server's paper library can be searched now. Returns status (healthy, empty, degraded, unhealthy or unavailable) and, where something lacks, missing. No need to call it before a search: a failing search says why. */
  rag_health_check: Record<string, never>
  /** Find papers on a subject by their titles and abstracts, in the server's paper library. Returns m papers (5), best first: file_id, title, abstract, publish_year, scores, and text_available: whether the whole text is stored. Next, for papers with text: rag_search_details finds passages in one, rag_get_paper_content reads it. Of the others the abstract is all there is. */
  rag_search_abstracts: {
    /** Subject in plain words, English or Chinese, e.g. "transformer attention"; no operators. The first 2000 characters count */
    query: string
    /** Number of candidate papers to rank, 1 to 200. Default 10. No more than k come back */
    k?: number | undefined
    /** Number of papers to return, the best of the k, 1 to 200. Default 5, or k when that is less */
    m?: number | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Find papers of one year by their titles and abstracts, on the server. Returns what rag_search_abstracts returns, and takes the same arguments; without publish_year_filter it is the same search. Papers without a known year are left out. */
  rag_search_abstracts_filtered: {
    /** Subject in plain words, English or Chinese, e.g. "transformer attention"; no operators. The first 2000 characters count */
    query: string
    /** Number of candidate papers to rank, 1 to 200. Default 10. No more than k come back */
    k?: number | undefined
    /** Number of papers to return, the best of the k, 1 to 200. Default 5, or k when that is less */
    m?: number | undefined
    /** Year that the papers are from, four digits, e.g. "2023". Default: any year */
    publish_year_filter?: string | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Find the passages of one paper on the server that are about a query, or explain it. Returns the m best passages (3), chunks of some 1800 characters: doc_id, content, scores. Next: rag_get_specific_content reads the chunks before and after ("chunk_004" and "chunk_006" beside "chunk_005"). A paper with text_available: false has only its abstract to search. */
  rag_search_details: {
    /** Subject in plain words, English or Chinese, e.g. "transformer attention"; no operators. The first 2000 characters count */
    query: string
    /** The paper's file_id from rag_search_abstracts, e.g. "1706.03762v7". An arXiv id without its version is the newest one */
    file_id: string
    /** Number of candidate chunks to rank, 1 to 200. Default 10. No more than k come back */
    k?: number | undefined
    /** Number of chunks to return, the best of the k, 1 to 200. Default 3, or k when that is less */
    m?: number | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Get what the server's paper service is. Returns name, version, languages, ranking and limits (query_chars, the greatest k, …). rag_get_stats counts its papers. */
  rag_service_info: Record<string, never>
  /** Call a tool that was registered with this server: by its id, or by "id@version". It runs where its definition says: by a service, in the sandbox, or as calls of other tools. Returns what the tool returns. */
  registered_call: {
    /** Id of the tool, or id@version */
    tool_id: string
    /** The tool's arguments */
    args: Record<string, unknown>
    /** What the tool is told besides. Default: nothing */
    context?: Record<string, unknown> | undefined
  }
  /** Show another part of an earlier answer that was cut, by its name result_…, without calling its tool again. The whole is kept for 24 hours. Runs without a sandbox. Returns content, tokens and whole_tokens. */
  result_query: {
    /** Name of the whole, e.g. "result_call_0mp3k1x5a1b2c3d4e5f6", or the id of its call */
    handle: string
    /** Part to show: "head_tail", "head", "tail", "grep:PATTERN" (RE2), "lines:FROM-TO", or "jsonpath:PATH", e.g. "jsonpath:$.results[0:3].title". Default "head_tail" */
    view?: string | undefined
    /** Tokens to show, some four characters each; 16 to 250000. Default 4000 */
    max_tokens?: number | undefined
  }
  /** Search Google Scholar with its own filters, by a service. Returns of the 3 best articles titles, citation counts, ids (for scholar_citation), publication and snippets, as lists of the same order. For more results use google_scholar_search. */
  scholar_articles: {
    /** What to search for */
    query: string
    /** Id of an article: only those that cite it. Default: all */
    cites?: string | undefined
    /** First year, e.g. 2020. Default: any */
    as_ylo?: number | undefined
    /** Last year, e.g. 2024. Default: any */
    as_yhi?: number | undefined
    /** Articles of the last year by date: 1 abstracts only, up to 2 everything. Default: by relevance */
    scisbd?: number | undefined
    /** Id of an article: all its versions. Default: any article */
    cluster?: string | undefined
    /** Language of the interface, e.g. en. Default: that of the service */
    hl?: string | undefined
    /** Languages of the results, e.g. "lang_fr|lang_de". Default: all */
    lr?: string | undefined
    /** Results to skip, from 0: 10 is the second page. Default 0 */
    start?: number | undefined
    /** Results of a page, at most 20. Default: as many as the service gives */
    num?: number | undefined
    /** Kind of search, or a filter: 0 without patents, 7 with, 4 case law. Default 0 */
    as_sdt?: string | undefined
    /** Filter of adult content: active or off. Default: that of the service */
    safe?: string | undefined
    /** Similar and omitted results: 1 filtered, 0 shown. Default 1 */
    filter?: string | undefined
    /** Citations: 1 left out, 0 included. Default 0 */
    as_vis?: string | undefined
  }
  /** Look up an author of Google Scholar by id (scholar_author_id finds it), by a service. Returns name, affiliations, website and 3 articles. */
  scholar_author: {
    /** Id of the author, e.g. LSsXyncAAAAJ */
    author_id: string
    /** Language of the interface, e.g. en. Default: that of the service */
    hl?: string | undefined
    /** Part of the page: "view_citation" or "list_colleagues". Default: the articles */
    view_op?: string | undefined
    /** Order of the articles: title or pubdate. Default: by citations */
    sort?: string | undefined
    /** Id of one article, with view_op "view_citation". Default: all articles */
    citation_id?: string | undefined
    /** Articles to skip, from 0. Default 0 */
    start?: number | undefined
    /** Articles of a page, at most 100. Default 20 */
    num?: number | undefined
    /** True: the service asks Google anew, whatever it remembers. Default false */
    no_cache?: boolean | undefined
    /** Taken for compatibility; it changes nothing. Default: none */
    async_req?: boolean | undefined
    /** Taken for compatibility; it changes nothing. Default: none */
    output?: string | undefined
  }
  /** Find an author's id at Google Scholar by name, by a service. Returns author_id, of the first of that name, for scholar_author. */
  scholar_author_id: {
    /** Name of the author, e.g. "Geoffrey Hinton" */
    mauthors: string
    /** Language of the interface. Default en */
    hl?: string | undefined
    /** Token of the next page. Default: the first page */
    after_author?: string | undefined
    /** Token of the page before. Default: none */
    before_author?: string | undefined
    /** True: the service asks Google anew, whatever it remembers. Default false */
    no_cache?: boolean | undefined
    /** Taken for compatibility; it changes nothing. Default: none */
    _async?: boolean | undefined
    /** Taken for compatibility; it changes nothing. Default: none */
    output?: string | undefined
  }
  /** Get how to cite an article of Google Scholar, by a service. Returns citation, in MLA style. */
  scholar_citation: {
    /** Id of the article, from organic_id of scholar_articles */
    q: string
    /** True: the service asks Google anew, whatever it remembers. Default false */
    no_cache?: boolean | undefined
    /** Taken for compatibility; it changes nothing. Default: none */
    async_?: boolean | undefined
    /** Taken for compatibility; it changes nothing. Default: none */
    output?: string | undefined
  }
  /** Search the web (internet) by the server's search service and read the first results. Returns title, URL, short description and page text of each; where a page cannot be read, its text says why. */
  search_and_read: {
    /** What to search for */
    query: string
    /** Number of results to read, 1 to 5. Default 3 */
    num_results?: number | undefined
  }
  /** Run a bash command in a shell of its own in the sandbox, in the task root, and wait for its end; or with run_async=true start it, and read on, write to it or kill it later by its shell_id. Returns exit_code, stdout and stderr, or shell_id while it runs. */
  shell_command: {
    /** Bash. Required without shell_id */
    command?: string | undefined
    /** Do not wait for the end; the shell stays. Default false */
    run_async?: boolean | undefined
    /** Number of a shell that runs, from 0: it gets the command; alone, what it printed so far is read at once. Default: a new shell */
    shell_id?: number | undefined
    /** Wait for the end of the command, and keep the shell with its directory and variables for more, by its shell_id. While a command runs, another one is input for it. Default false */
    keep?: boolean | undefined
    /** Interrupt what the shell of shell_id runs, as Ctrl-C does; with keep the shell stays. Default false */
    interrupt?: boolean | undefined
    /** End the shell with all that it started. Default false */
    kill?: boolean | undefined
    /** Seconds that are waited for the end, at most 300. Default 300 */
    timeout?: number | undefined
    /** Milliseconds that this call waits, at most 300000; then the command goes on, and the answer says how to wait for it. Default 300000, with run_async 5000 */
    wait_ms?: number | undefined
  }
  /** Read what the interactive bash in the sandbox printed since it was last asked; shell_write starts it. Returns stdout and stderr, in the order in which they came. */
  shell_read: {
    /** Where there is no output, answer that it is not there yet. Default false: answer with nothing */
    probe?: boolean | undefined
    /** Milliseconds to wait for output, at most 60000. Default 500 */
    wait_ms?: number | undefined
  }
  /** Write a line to the interactive bash in the sandbox, which begins in the task root and keeps its directory and variables. Returns what it prints at once; what comes later is read by shell_read. */
  shell_write: {
    /** A command, or a line for the program that runs; the line break is added */
    content: string
    /** End the shell with all that it runs, and start a new one. Default false */
    restart?: boolean | undefined
    /** Milliseconds to wait for output, at most 60000. Default 500 */
    wait_ms?: number | undefined
  }
  /** Compile a directory of LaTeX sources (no Markdown) to PDF in the sandbox: references, bibliography (BibTeX or biber) and index included. Returns the path of the PDF and warnings; when it fails, the errors with file and line. Chinese needs engine "xelatex" and \documentclass{ctexart}. */
  tex2pdf_convert: {
    /** Directory with the .tex files, relative to the task root, e.g. "upload/tex" */
    input_path: string
    /** Directory for the PDF, made if absent, or its path ("out/paper.pdf"), relative to the task root. Default: input_path */
    output_path?: string | undefined
    /** "pdflatex" (default), "xelatex" or "lualatex" */
    engine?: string | undefined
    /** Leave no .aux, .log, .toc … behind. Default true */
    clean_aux?: boolean | undefined
    /** Main file, relative to input_path. Default: main.tex, else the first with \documentclass */
    tex_filename?: string | undefined
    /** Seconds until it is stopped. Default 120, at most 1800 */
    timeout?: number | undefined
  }
  /** Make a new tool out of Python in the sandbox, an HTTP request to a service, or a chain of other tools. It is checked, then called once with the arguments of test; only when that works it is there. Returns what the test returned. Call it by registered_call, and name it in steps of chains. */
  tool_create: {
    /** How it is called: letters, digits, "_", "." and "-", e.g. "weather.now" */
    id: string
    /** What it does, when to use it and what it returns, for a model */
    description: string
    /** What people call it. Default: the id */
    name?: string | undefined
    /** JSON Schema of its arguments, with a description for each: {"type": "object", "properties": {…}, "required": […]}. Default: any */
    input_schema?: Record<string, unknown> | undefined
    /** JSON Schema of its result. Default: any result */
    output_schema?: Record<string, unknown> | undefined
    /** How it works. {"kind": "http", "target": "https://…/{city}", "request": {"method": "GET", "query": {"days": {"arg": "days"}}}}: asks a service. {"kind": "chain", "chain": {"steps": [{"id": "a", "tool": "…", "input": {"x": "${{ input.x }}"}}], "output": "${{ steps.a.result }}"}}: calls other tools; a step may have "if": "length(input.x) > 0", "map": {"over": "steps.a.result.hits", "as": "hit", "concurrency": 4}, "retry": {"attempts": 3}, "timeout_ms": 60000, "on_error": "continue". {"kind": "python", "target": "tool:run", "source": "def run(city): …", "requirements": []}: calls a function of a module, whose result is JSON */
    executor: Record<string, unknown>
    /** Seconds for one call, at most 300. Default 30 */
    timeout?: number | undefined
    /** A call that is made for real before the tool is there */
    test: {
      /** The arguments of the call that tries it */
      args: Record<string, unknown>
      /** What it must return; of an object the fields that matter. Default: any result will do */
      expect?: unknown | undefined
    }
    /** "session": for this session, and gone with it. "tenant": for all agents, which the key must be allowed. Default "session" */
    scope?: "session" | "tenant" | undefined
    /** true: calls and makes nothing; shows what a chain would call with test.args. Default false */
    dry_run?: boolean | undefined
  }
  /** Remove a tool that was made in this session by tool_create. Runs without a sandbox. Returns removed: true, and in used_by the tools that call it. */
  tool_delete: {
    /** Its id; tool_list names all */
    tool_id: string
  }
  /** List the tools that were made in this session by tool_create. Runs without a sandbox. Returns tools: tool_id, description, input_schema and kind. */
  tool_list: Record<string, never>
  /** Show what differs in the files of the task between two commits, or between a commit and now, as a unified diff; binary files by size and hash. Without arguments: what the newest commit changed; to: N alone: what commit N changed; from: N alone: all changes since commit N. Runs without a sandbox. Returns diff, from, to and files. Numbers of commits come from workspace_history; workspace_restore with commit: FROM takes the changes back. */
  workspace_diff: {
    /** Number of the commit before the changes, from 0, or name of a snapshot. Default: the commit before to */
    from?: number | string | undefined
    /** Number of the commit after the changes, from 0, or name of a snapshot. Default: the files as they are now */
    to?: number | string | undefined
    /** File, or directory with all below it, relative to the task root. Default: all files */
    path?: string | undefined
    /** Path behind which to go on after a cut answer: its next_after. Default: from the beginning */
    after?: string | undefined
    /** Characters of the diff; a longer one is cut. Default 64,000, at most 524,288 */
    max_chars?: number | undefined
  }
  /** Make a new session with the files of this one, as they are now or were at a moment, to try something else beside. The server makes it without a sandbox, and copies no bytes. It gets the settings and the list of packages, and a sandbox of its own when it first needs one; neither session sees changes of the other. History stays here. Returns the name of the new session and the commit. */
  workspace_fork: {
    /** Name of the new session. Default: an id that begins with ses_ */
    name?: string | undefined
    /** Number of a commit, or name of a snapshot. Default: the files as they are now */
    as_of?: number | string | undefined
    /** A label that people read. Default: that of this session */
    title?: string | undefined
  }
  /** List who changed which files of the task, newest first: each commit with its number, time, call and tool, and what it created, modified or deleted, changes by commands included. Runs without a sandbox. Returns commits. Then workspace_diff with to: N shows what commit N changed, file_read with as_of: N a file as it was after it, and workspace_restore with commit: N-1 brings back the files as they were before it. Kept for a week. */
  workspace_history: {
    /** File, or directory with all below it, relative to the task root. Default: all files */
    path?: string | undefined
    /** Number of one commit, from 1, or name of its snapshot: list its changes, all of them. Default: many commits */
    commit?: number | string | undefined
    /** Number of commits to list, at most 100. Default 20 */
    limit?: number | undefined
    /** Number of the commit, from 1, before which to go on: next_before of the answer before. Default: begin with the newest */
    before?: number | undefined
    /** Path behind which to go on with the changes of commit: its next_after. Default: from the beginning */
    after?: string | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Bring back files of the task as they were after a commit: all of them, a directory, or one file. What was not there then is removed. Makes a new commit, so it can be taken back the same way; where nothing differs it makes none. To undo commit N give commit: N-1; workspace_history lists the commits, and dry_run: true shows what would change. Runs without a sandbox; commands see the files from the next one on. Returns commit, changed and changes. */
  workspace_restore: {
    /** Number of the commit whose files are wanted, from 0: before the first, or name of a snapshot. Required */
    commit: number | string
    /** File, or directory with all below it, relative to the task root. Default: all files of the task */
    path?: string | undefined
    /** True to change nothing, and return what would change. Default false */
    dry_run?: boolean | undefined
    /** Characters of the answer; a longer one is cut. Default 64,000, at most 1,048,576 */
    max_chars?: number | undefined
  }
  /** Give the files as they are now, or as they were after a commit, a name that does not expire: commits go after a week, snapshots stay until they are removed. The name is taken wherever a commit is. Takes no time in a large workspace. action "list" shows the snapshots, "remove" removes one. Runs without a sandbox. Returns name and commit. */
  workspace_snapshot: {
    /** A letter first, then letters, digits, ".", "_" and "-", such as "before-refactoring". Required but for "list" */
    name?: string | undefined
    /** Default "save" */
    action?: "save" | "list" | "remove" | undefined
    /** Number of a commit, or another snapshot, to name. Default: the files as they are now */
    as_of?: number | string | undefined
    /** true: take the name away from another commit that has it. Default false */
    replace?: boolean | undefined
  }
}
