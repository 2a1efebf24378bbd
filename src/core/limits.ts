/** Every limit, with its unit in its name and its reason beside it. An error that a limit causes names the limit. */

/** A Durable Object RPC carries 32 MiB; a body becomes arguments of about its own size. */
export const MAX_BODY_BYTES = 28 * 1024 * 1024
/** Deeper JSON than any tool's arguments; a recursive walk over it stays far from the stack's end. */
export const MAX_JSON_DEPTH = 64
/** Lists, objects and what they hold, of one body: millions of empty ones within MAX_BODY_BYTES take several times an isolate's 128 MB. */
export const MAX_JSON_VALUES = 1_000_000

/** A Durable Object's name has 1,024 bytes at most, and the tenant's id stands before it. */
export const MAX_SESSION_NAME_BYTES = 512

/** A label that people read. */
export const MAX_SESSION_TITLE_CHARS = 1_000
/** Packages named when a session is made: they are installed again in every new sandbox of it. */
export const MAX_REQUIREMENTS = 200

/** Linux's NAME_MAX: a longer name could not exist in a sandbox. */
export const MAX_NAME_BYTES = 255
/** Below Linux's PATH_MAX of 4,096, with room for the workspace's own place in a sandbox. */
export const MAX_PATH_BYTES = 3_072

/** Contents up to this size are committed in SQLite first: one local write. Its rows must stay under 2 MB. */
export const MAX_INLINE_BLOB_BYTES = 64 * 1024
/** A file that a tool reads or writes whole passes through the isolate's 128 MB of memory, a few copies at once. */
export const MAX_EDIT_BYTES = 20 * 1024 * 1024
/** One file of a workspace. Larger ones stay in the sandbox and the result says so. */
export const MAX_FILE_BYTES = 512 * 1024 * 1024
/** A listing of this many entries, and the manifest, are held in memory once per call. */
export const MAX_WORKSPACE_ENTRIES = 100_000
/** All files of one workspace together. */
export const MAX_WORKSPACE_BYTES = 5 * 1024 * 1024 * 1024
/** Entries of `dir_list`: more would flood a model, and the answer says that it was cut. */
export const MAX_LISTED_ENTRIES = 5_000

/** Tools that one caller can search among: twice what is promised to take less than 20 ms. */
export const MAX_FINDABLE_TOOLS = 10_000
/** `top_k` of `/retrieving_tools`: more would flood a model, which reads each with its parameters. */
export const MAX_RETRIEVED_TOOLS = 200
/** Words in their names, descriptions and parameters together. An index holds some 40 bytes for each, and a Worker has
 * 128 MB. */
export const MAX_FINDABLE_TERMS = 1_000_000
/** A search by words takes some milliseconds; the one by meaning may add this much and no more. */
export const SEMANTICS_PATIENCE_MS = 1_500
/** Text of one page that is read and not kept, in UTF-16 units: more than most models take in beside their task. */
export const MAX_PAGE_TEXT_CHARS = 100_000
/** Links below such a page: a portal has some hundreds. */
export const MAX_PAGE_LINKS = 500
/** Pages that one `search_and_read` reads: each is a request, and a text of some thousand words. */
export const MAX_READ_RESULTS = 5
/** Node ids whose session an isolate remembers: a few megabytes. */
export const NODE_NAME_CACHE_ENTRIES = 10_000
/** Text that one numbered read or edit returns, in UTF-16 units without the numbers: what XAgent's own server gave. */
export const MAX_NUMBERED_CHARS = 100_000
/** Files of one directory in `file_tree`, as XAgent's own server shows. */
export const MAX_TREE_FILES_PER_DIRECTORY = 20
/** An expression to be calculated: a person's formula has a hundred. */
export const MAX_EXPRESSION_CHARS = 10_000
/** Brackets and signs within each other in an expression: reading it is recursive. */
export const MAX_EXPRESSION_DEPTH = 100
/** A whole number in a calculation: 20,000 digits, multiplied in well under a millisecond. */
export const MAX_INTEGER_BITS = 65_536

/** Of each output stream, in an answer; half is kept from the head and half from the tail. */
export const MAX_OUTPUT_BYTES = 64 * 1024
/** Of each output stream, kept in the file under `logs/`. */
export const MAX_OUTPUT_FILE_BYTES = 256 * 1024 * 1024

/** `execute_code` and `execute_shell`: the longest `timeout` that is granted, in seconds. A sandbox stays awake for 24
 * hours at most, and is looked at after the command. */
export const MAX_COMMAND_SECONDS = 23 * 60 * 60
/** Of one of our own scripts in a sandbox, both streams: a listing of MAX_WORKSPACE_ENTRIES, packed, takes a fraction.
 * It is held in memory, and what runs in a sandbox could write into it. */
export const MAX_SCRIPT_OUTPUT_CHARS = 16 * 1024 * 1024
/** A sandbox's listing of MAX_WORKSPACE_ENTRIES, unpacked: some 600 bytes each. */
export const MAX_LISTING_BYTES = 64 * 1024 * 1024
/** Ending the processes of a sandbox that is given up, and taking its files along. */
export const RESCUE_MS = 60_000
/** From a command's deadline: what killing and collecting may take before the sandbox itself is given up. */
export const KILL_GRACE_MS = 900

/** A sandbox pauses itself after this long without a request. */
export const SANDBOX_IDLE_MS = 10 * 60_000
/** A session without a call for this long gives its sandbox back; its files stay. */
export const SESSION_IDLE_MS = 30 * 60_000
/** Making a sandbox, its environment and what was installed before. */
export const SANDBOX_BOOT_MS = 120_000

/** Calls kept in a session's history; older ones are dropped. */
export const MAX_HISTORY_CALLS = 10_000
/** Of one call's arguments, and of its answer, as kept in history. */
export const MAX_HISTORY_CHARS = 4_096
/** How long a superseded state of a workspace can be gone back to. */
export const COMMIT_RETENTION_MS = 7 * 24 * 60 * 60_000
/** Commits kept even when young: bounds the table under a loop of writes. */
export const MAX_COMMITS = 10_000

/** Sessions of one tenant that exist at once. */
export const MAX_SESSIONS_PER_TENANT = 100_000
/** Secrets of one tenant: one per service that its tools use. */
export const MAX_SECRETS_PER_TENANT = 100
/** One secret, in UTF-16 units: a private key in PEM is 3,000 or so. */
export const MAX_SECRET_CHARS = 8_192
/** Tasks in one answer of `/api/task/list`, which has no paging of its own; it says so when there are more. */
export const MAX_LISTED_TASKS = 10_000

/** A key that is revoked, or a tenant that is disabled, is refused everywhere after this long. */
export const KEY_CACHE_MS = 30_000
/** Keys remembered per isolate. */
export const KEY_CACHE_ENTRIES = 2_000
/** Keys of one tenant that are neither revoked nor expired. */
export const MAX_KEYS_PER_TENANT = 1_000
/** Installing a task's packages into a new sandbox: large ones take minutes. */
export const PACKAGES_INSTALL_MS = 10 * 60_000
/** A content waits this long in SQLite before it goes to the blob store, so that many small ones go together. */
export const FLUSH_AFTER_MS = 10_000

/** Text that one `file_read` returns, in UTF-16 units: more than most models can take in; the rest is read by lines. */
export const MAX_READ_CHARS = 1024 * 1024
/** One `pip_install` call, all its packages together: a large wheel over a slow line takes minutes. */
export const PIP_INSTALL_MS = 20 * 60_000
/** One `git_clone`: whole histories of large projects are beyond it, and a shallow clone is the way then. */
export const GIT_CLONE_MS = 10 * 60_000
/** Of a failed program's own words, in an error's message: enough for the reason, which stands at their end. */
export const MAX_REASON_CHARS = 2_000

/** Changes of single paths kept in a workspace's history, and the contents they lead back to: bounds a loop of moves or of large writes. */
export const MAX_KEPT_CHANGES = 500_000
/** As MAX_WORKSPACE_BYTES: history may cost as much again as the workspace itself. */
export const MAX_KEPT_BYTES = 5 * 1024 * 1024 * 1024
/** Small contents kept beside the manifest after they reached the blob store, so that reading them stays local. SQLite
 * may grow to 10 GB but costs a multiple of R2; source trees are smaller than this. */
export const MAX_LOCAL_CONTENT_BYTES = 256 * 1024 * 1024
/** Contents that go to the blob store in one step: 4 MiB of memory at most. */
export const FLUSH_BATCH_BLOBS = 64
/** Steps of one alarm: 640 contents, each a request to the blob store, of which a Worker may make 1,000 at a time. */
export const FLUSH_BATCHES = 10
/** Blobs released in one step: one call's arguments stay near 64 KiB. */
export const RELEASE_BATCH_BLOBS = 1_000
/** A blob that nobody refers to is kept this long: downloads that began before can end, and what is written again soon
 * need not be sent again. */
export const BLOB_GRACE_MS = 24 * 60 * 60_000
/** Blobs deleted in one step: R2 takes 1,000 keys in a call. */
export const DELETE_BATCH_BLOBS = 1_000
/** Contents above this pass through to R2 without being held in memory, at the price of a second write there. */
export const MAX_BUFFERED_BLOB_BYTES = 8 * 1024 * 1024
/** A session that nobody uses still drops its old commits, about this often, until none is left. */
export const HISTORY_UPKEEP_MS = 24 * 60 * 60_000

/** Longer than any address of a page; browsers and servers give up at lengths like this. */
export const MAX_URL_CHARS = 8_192
/** Redirects of one request: sites need three or four, and more is a loop. */
export const MAX_REDIRECTS = 5
/** Looking a name up before it is asked: a resolver answers within a second or not at all. */
export const DNS_MS = 5_000
/** One request to the interface of a service (search, repositories), body included. */
export const API_MS = 30_000
/** An answer of such an interface: a page of a hundred entries is a tenth of this. */
export const MAX_API_BYTES = 5 * 1024 * 1024
/** One `download_file_from_url`: a data set over a slow line takes minutes. Its largest size is MAX_FILE_BYTES. */
export const DOWNLOAD_MS = 10 * 60_000
/** A download whose server does not tell its size is held in memory, beside all else in an isolate's 128 MB. */
export const MAX_UNSIZED_DOWNLOAD_BYTES = 32 * 1024 * 1024
/** Results of one `google_search`: Google itself gives no more than a hundred. */
export const MAX_SEARCH_RESULTS = 100
/** Pages of one `google_scholar_search`, ten papers each: each is a request that costs. */
export const MAX_SCHOLAR_PAGES = 10

/** Text that one `parse_document` returns, in UTF-16 units; the rest is read by `pages`. As MAX_READ_CHARS. */
export const MAX_DOCUMENT_CHARS = 1024 * 1024
/** One part of a document that has no pages of its own: what `pages` counts there. */
export const DOCUMENT_PART_CHARS = 64 * 1024
/** One `parse_document`: an 800-page PDF takes some ten seconds; what is not read by then is read by `pages`. */
export const PARSE_DOCUMENT_MS = 60_000
/** One file inside a zipped document, unpacked: the text of several thousand pages; more would fill the isolate's memory. */
export const MAX_UNPACKED_PART_BYTES = 48 * 1024 * 1024
/** All that is unpacked of one document. */
export const MAX_UNPACKED_BYTES = 96 * 1024 * 1024
/** Files inside a zipped document: its directory is read whole. */
export const MAX_ZIP_ENTRIES = 20_000
/** Elements inside one another in a document; reading walks them recursively. */
export const MAX_MARKUP_DEPTH = 200
/** Tags that open, and character references, of one HTML text: the parser makes a node of each, of some hundred bytes, in
 * an isolate's 128 MB. The longest specifications on the web have half of it. */
export const MAX_MARKUP_NODES = 500_000
/** Cells of one sheet or table file, empty ones between others included. */
export const MAX_SHEET_CELLS = 1_000_000
/** Converting a document in the sandbox: LibreOffice takes seconds, more when the sandbox has to be made first. */
export const CONVERT_DOCUMENT_MS = 3 * 60_000
/** One page or image: a person would have given up too. */
export const FETCH_MS = 30_000
/** The HTML of one page: as a tree it takes ten times this, beside all else in an isolate's 128 MB. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024
/** Elements of a page: the worst page of this many, at MAX_PAGE_DEPTH, takes some seconds of a Worker's thirty. */
export const MAX_PAGE_ELEMENTS = 75_000
/** A robots.txt: what its standard says must be read at least. */
export const MAX_ROBOTS_BYTES = 500 * 1024
/** A site that takes longer to say it would take longer for its pages. */
export const ROBOTS_MS = 10_000
/** Images of one page: each is a request, and a Worker has a thousand of those for a call. */
export const MAX_PAGE_IMAGES = 30
/** A photograph, as sites show them. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024
/** All images of one page: they are held in memory until they are committed with it. */
export const MAX_PAGE_IMAGE_BYTES = 20 * 1024 * 1024
/** Elements of a page within each other; real pages stay below a hundred. */
export const MAX_PAGE_DEPTH = 256

/** What `file_search` looks for: a long line. */
export const MAX_SEARCH_CHARS = 1_000
/** Lines that one `file_search` shows. */
export const MAX_SEARCH_MATCHES = 500
/** Of one line that it shows, in UTF-16 units. */
export const MAX_SHOWN_LINE_CHARS = 1_000
/** Places of one line that it names. */
export const MAX_MATCHES_PER_LINE = 100
/** One call of `human_in_loop` waits this long: the Tool Server's clients give up after 120 seconds, and can ask again. */
export const HUMAN_WAIT_MS = 100_000
/** The longest `timeout` of `human_in_loop`; without one a person has all the time. */
export const MAX_HUMAN_TIMEOUT_MS = 365 * 24 * 60 * 60_000
/** What a person is asked: some pages. */
export const MAX_HUMAN_TASK_CHARS = 4_000
/** What a person answers, and a model reads. */
export const MAX_HUMAN_RESULT_CHARS = 16_000
/** Human tasks of one session, open and completed: they are listed in one answer, of some megabytes at most. */
export const MAX_HUMAN_TASKS = 200
/** Of a query to the paper service, in UTF-16 units: an abstract fits; what is beyond is not looked at. */
export const MAX_PAPER_QUERY_CHARS = 2_000
/** Different terms of a query that are looked up, the rarest first: an abstract has about a hundred. */
export const MAX_PAPER_QUERY_TERMS = 64
/** `k` of a search over papers: more candidates would be read than a model reads results. */
export const MAX_PAPER_CANDIDATES = 200
/** Papers of one `put`: with what they need in D1, one transaction of some seconds at most. */
export const MAX_PAPERS_PER_PUT = 1_000
/** Text of one `put`, in UTF-16 units: D1 takes a transaction of some 30 MB. */
export const MAX_PUT_CHARS = 8_000_000
/** Title and abstract of a paper together, in UTF-16 units: D1's rows stay under 2 MB, and a hundred are read at a time. */
export const MAX_ABSTRACT_CHARS = 50_000
/** Text of one paper, in UTF-16 units: a thesis of a thousand pages. It is read whole. */
export const MAX_PAPER_CHARS = 4_000_000
/** Of one chunk, in UTF-16 units. */
export const MAX_CHUNK_CHARS = 100_000
/** Chunks of one paper: all are read to search in it. */
export const MAX_CHUNKS_PER_PAPER = 5_000
/** Of a paper's id, and of each of its other names. */
export const MAX_PAPER_ID_CHARS = 200
/** Other names, authors and categories of a paper: the largest collaborations have some thousand authors. */
export const MAX_PAPER_NAMES = 50
export const MAX_PAPER_AUTHORS = 5_000
export const MAX_PAPER_CATEGORIES = 100
/** Authors and categories of a paper, all their characters together: they stand in one row of D1, which has 2 MB. */
export const MAX_PAPER_WORD_CHARS = 200_000
/** Papers that one tenant keeps of its own: with their texts and index some gigabytes, of the ten that D1 holds. */
export const MAX_OWN_PAPERS = 100_000
/** Text of those together, in UTF-16 units: who puts in what is longest must leave room for others in the ten gigabytes. */
export const MAX_OWN_PAPER_CHARS = 2_000_000_000
/** Of an answer that is remembered, as JSON, in UTF-16 units: a longer one is made anew. */
export const MAX_CACHED_ANSWER_CHARS = 200_000
/** Answers remembered for one reader; the oldest go. */
export const MAX_CACHED_ANSWERS = 500
/** An answer is remembered this long, if nothing changes before. */
export const PAPER_CACHE_MS = 24 * 60 * 60_000
/** Locks of one session: every commit looks at them, in memory. */
export const MAX_LOCKS = 1_000
/** What a locker calls itself, in UTF-16 units: it stands in errors. */
export const MAX_LOCKER_NAME_CHARS = 200

/** One call of another paper service: what the published clients wait. */
export const PAPER_SERVICE_MS = 120_000
/** Asking whether that service runs. */
export const PAPER_SERVICE_HEALTH_MS = 10_000
/** An answer of that service: a paper of MAX_PAPER_CHARS in any script, and below what RPC carries. */
export const MAX_PAPER_ANSWER_BYTES = 16 * 1024 * 1024

/** The text of a paper is cut into chunks of at most this many UTF-16 units: some 300 words, which a reranker and a model take in as one thought. */
export const CHUNK_CHARS = 1_800
/** A chunk may end this early, where a paragraph or sentence does. */
export const CHUNK_MIN_CHARS = 1_200
/** What a chunk repeats of the one before it, at most: a sentence or two, so that none is found without its context. */
export const CHUNK_OVERLAP_CHARS = 200
/** An archive of LaTeX, unpacked, figures included; only its text is held in memory. */
export const MAX_SOURCE_BYTES = 128 * 1024 * 1024
/** Files of such an archive. */
export const MAX_SOURCE_FILES = 10_000
/** Its LaTeX, all files together, and again with what is put in by `\input`. A thesis has a quarter of it. */
export const MAX_TEX_CHARS = 4_000_000
/** Files put in by `\input`, each as often as it is. */
export const MAX_TEX_INPUTS = 2_000
/** Commands that a source defines itself; large ones define some hundreds. */
export const MAX_TEX_MACROS = 5_000
/** Times that those are replaced by what they stand for: bounds definitions that grow without end. */
export const MAX_TEX_EXPANSIONS = 200_000
/** Arguments within arguments, which are read recursively; and commands within what commands stand for. */
export const MAX_TEX_DEPTH = 50
/** Jobs of one session that run at once: each coding agent takes some 300 MB of a sandbox's memory. */
export const MAX_RUNNING_JOBS = 3
/** Results of jobs that a session keeps; the oldest go first. */
export const MAX_KEPT_JOBS = 100
/** A job's result waits this long for somebody to ask for it. */
export const JOB_KEPT_MS = 24 * 60 * 60_000
/** A running job is looked at this often when nobody waits for it, in its turn in the session's alarm. */
export const JOB_LOOK_MS = 15_000
/** One look waits this long in the sandbox for something new. */
export const JOB_LOOK_WAIT_MS = 10_000
/** Between the three signals that stop a job, and from the last until its sandbox's processes are killed for it. */
export const JOB_SIGNAL_MS = 2_000
/** From the request to stop until a job that does not is killed from outside of its own supervision. */
export const JOB_STOP_MS = 4 * JOB_SIGNAL_MS
/** One line of what a job prints; longer ones are left out. An answer of a model has a quarter of this at most. */
export const MAX_JOB_LINE_BYTES = 1024 * 1024
/** All that a job prints: an hour of a coding agent is a few MiB. Of what is beyond it the last line is kept. */
export const MAX_JOB_OUTPUT_BYTES = 64 * 1024 * 1024
/** Lines of progress kept of one job, the newest; and of one line. */
export const MAX_PROGRESS_LINES = 100
export const MAX_PROGRESS_CHARS = 200

/** One `code_task_execute`, however long its caller waits: an agent at work for an hour costs real money. */
export const CODE_TASK_MS = 60 * 60_000
/** How long a call of it waits for the end before it says how far the work is: clients of the Tool Server give up after
 * 120 s, and a new sandbox may have to be made first. */
export const CODE_TASK_PATIENCE_SECONDS = 80
export const MAX_CODE_TASK_PATIENCE_SECONDS = 100
/** A task described at greater length belongs into a file. */
export const MAX_PROMPT_CHARS = 512 * 1024
/** It becomes one argument of a program, for which Linux has 128 KiB of UTF-8. */
export const MAX_SYSTEM_PROMPT_CHARS = 32 * 1024
/** Turns of one `code_task_execute`. */
export const MAX_CODE_TASK_TURNS = 500
/** Names in `files_created`; more would flood a model. */
export const MAX_CREATED_FILES = 500
/** One request that waits for news of a call; then it says how it is, and the next one waits on. */
export const MAX_FOLLOW_MS = 20_000
/** One `tex2pdf_convert`, unless it asks for more: the time that the published server gives one run of the engine; a
 * document of 50 pages takes some seconds. */
export const TEX2PDF_SECONDS = 120
/** The longest `timeout` of `tex2pdf_convert`: a book with many drawings takes some minutes. */
export const MAX_TEX2PDF_SECONDS = 30 * 60
/** One file that TeX writes, PDF and log alike, in MiB: ends a document that writes without end. */
export const MAX_TEX_FILE_MIB = 256
/** Of each log of a build that failed, its end is kept; the parts together stay below MAX_EDIT_BYTES. */
export const MAX_TEX_LOG_BYTES = 5 * 1024 * 1024
/** .tex files of a directory that are looked at for the main one. */
export const MAX_TEX_FILES = 500
/** Calls in one page of `/v1/sessions/{name}/calls`: each has up to 8 KiB of arguments and answer. */
export const MAX_LISTED_CALLS = 200
/** One stream of a call's events; then a client connects again, and goes on where it was. */
export const EVENTS_MS = 30 * 60_000
/** Looks of one such stream: a Worker may ask others 1,000 times in one request. */
export const MAX_EVENT_LOOKS = 500

/** What vectors and a model's judgement may add to a search: the answer by words is there in a tenth of that. */
export const SEMANTIC_SEARCH_MS = 1_500
/** Vectors of all the papers of one `put`; those that have none by then are found by words alone. */
export const SEMANTIC_PUT_MS = 60_000
/** Candidates that the judging model reads: one request, of some hundred milliseconds. */
export const JUDGED_TEXTS = 50
/** Of a query that it reads, in UTF-16 units: it has room for 512 tokens, the text's included. */
export const MAX_JUDGED_QUERY_CHARS = 500
/** What a search by vectors brings to the candidates. */
export const NEAREST_PAPERS = 50

/** One cell of the notebook, and one shell command that is waited for: what XAgent's own server gave. */
export const NOTEBOOK_CELL_MS = 300_000
export const SHELL_COMMAND_MS = 300_000
/** From the interrupt of a cell until its kernel is ended: time for `finally` and `except` to do their work. */
export const CELL_INTERRUPT_MS = 5_000
/** A command in a lasting shell that nobody waits for; also how long it alone keeps a sandbox. */
export const MAX_CONSOLE_COMMAND_MS = 60 * 60_000
/** Shells of `shell_command` that are there at once: each is a process with its buffers. */
export const MAX_SHELLS = 8
/** Cells that wait for the one that runs. */
export const MAX_QUEUED_CELLS = 16
/** Cells whose answer can be asked for again; beyond it `notebook_print` has them. */
export const MAX_KEPT_CELL_RUNS = 16
/** Images and other results of one cell: some large figures. They are kept in the notebook, in the sandbox's memory and in the answer. */
export const MAX_CELL_DATA_BYTES = 4 * 1024 * 1024
/** One reply of the process that holds notebook and shells: MAX_CELL_DATA_BYTES and text, as JSON. */
export const MAX_CONSOLE_REPLY_BYTES = 8 * 1024 * 1024
/** Levels of such a reply: more than Python itself nests by default, and few enough for what passes it on. */
export const MAX_CONSOLE_REPLY_DEPTH = 1_000
/** Tools that clients bring to one session. */
export const MAX_OWN_TOOLS = 100
/** Python of one of these: it goes into the sandbox whole. */
export const MAX_OWN_TOOL_CHARS = 64 * 1024
/** Tools that calls of one session make for it alone. */
export const MAX_MADE_TOOLS = 50
/** One of these as JSON, in UTF-16 units: it is read at each of its calls, and a model wrote it in one go. */
export const MAX_MADE_TOOL_CHARS = 64 * 1024
/** One published version as JSON, in UTF-16 units: a large definition, with its Python, and a readme. A row holds 2 MB. */
export const MAX_PUBLISHED_CHARS = 256 * 1024
/** Of its readme: some pages. */
export const MAX_README_CHARS = 32 * 1024
/** Of its examples: a reader looks at three. */
export const MAX_EXAMPLES = 10
/** Versions that a package has ever had, and packages of one publisher. */
export const MAX_PACKAGE_VERSIONS = 500
export const MAX_PACKAGES_PER_TENANT = 100
/** All that one tenant publishes, in UTF-16 units: all tenants share one database of 10 GB. */
export const MAX_MARKET_CHARS_PER_TENANT = 8 * 1024 * 1024
/** Why a package is reported, or blocked, in UTF-16 units. */
export const MAX_REPORT_CHARS = 2_000
/** Of a question to the marketplace: what is beyond is not looked for. */
export const MAX_MARKET_QUERY_TERMS = 32
/** Packages in one answer, and how far an order can be read on. */
export const MAX_LISTED_PACKAGES = 100
export const MAX_MARKET_OFFSET = 10_000
/** What an answer shows of the result of a test call, in UTF-16 units: enough to see whether it is the right one. */
export const MAX_TEST_RESULT_CHARS = 4_000
/** Parameters that its docstring describes. */
export const MAX_OWN_PARAMETERS = 100
/** Code of one cell, and one command: what is longer is a file. */
export const MAX_CONSOLE_INPUT_CHARS = 512 * 1024

/** Of the id of a registered tool, of its name, and of a toolkit's, in UTF-16 units: they stand in URLs and errors. */
export const MAX_TOOL_ID_CHARS = 200
/** What a model reads of one tool; longer ones crowd out the others. */
export const MAX_TOOL_DESCRIPTION_CHARS = 16_000
/** One call of a registered tool, in seconds: without a word, and at most. Toolcore's own. */
export const REGISTERED_TIMEOUT_SECONDS = 30
export const MAX_REGISTERED_TIMEOUT_SECONDS = 300
/** What an agent calls itself, in UTF-16 units. */
export const MAX_AGENT_CHARS = 200
/** Names and patterns that let agents in to one tool: each is compared at each call. */
export const MAX_AGENT_PATTERNS = 200
/** Of a definition as JSON, its Python and schemas included: it is read whole at each call, and a row holds 2 MB. */
export const MAX_DEFINITION_CHARS = 512 * 1024
/** Registered tools of one tenant, all with their versions in its database: an import of a large API has thousands. */
export const MAX_REGISTERED_TOOLS = 10_000
/** Ended calls that a session tells its tenant of at a time. */
export const MAX_SETTLED_CALLS = 200
/** What a service may answer to a registered tool: a model reads a hundredth of it. */
export const MAX_TOOL_ANSWER_BYTES = 5 * 1024 * 1024

/** Characters of JSON that a tool notes for its next call in the session, e.g. what a search found: some pages of text. */
export const MAX_NOTE_CHARS = 128 * 1024
/** An answer of arXiv: three papers, of some thousand authors each. As a tree it takes fifty times this. */
export const MAX_ATOM_BYTES = 512 * 1024
/** Registered tools that are read at a time: with their schemas some megabytes. */
export const MAX_LISTED_TOOLS = 500
/** Parameters, headers or fields that a registered tool's request has at most, each kind of them. */
export const MAX_REQUEST_PARTS = 500
/** Of one of their names, in UTF-16 units. */
export const MAX_PART_NAME_CHARS = 200
/** Of a constant or a template in such a request, in UTF-16 units. */
export const MAX_PART_CHARS = 4_000
/** Secrets in one request: a key, the name of an application, a user. */
export const MAX_TOOL_CREDENTIALS = 4
/** Times that one call of a registered tool asks its service, all within the call's time. */
export const MAX_TOOL_ATTEMPTS = 5
/** Those of a method that may be repeated, when its tool says nothing. */
export const TOOL_ATTEMPTS = 3
/** Before the second attempt; and the longest that a tool may ask for. */
export const RETRY_BACKOFF_MS = 500
export const MAX_RETRY_BACKOFF_MS = 30_000
/** What an error says of the answer of a service, in UTF-16 units: its first page says why. */
export const MAX_ERROR_BODY_CHARS = 4_000
/** Calls of a tool that fail one after another, by its service's fault, before the session asks it no more for a while. */
export const CIRCUIT_FAILURES = 5
/** That while; then one call tries. */
export const CIRCUIT_OPEN_MS = 30_000
/** Tools whose failures a session counts, in its memory; the ones that failed longest ago are forgotten. */
export const MAX_CIRCUITS = 200
/** Pages of a presentation that is made page by page: each addition writes the file anew. A person shows fifty. */
export const MAX_DECK_PAGES = 300
/** Text of one page of it, in UTF-16 units: what is beyond cannot be read on a wall. */
export const MAX_DECK_PAGE_CHARS = 10_000
/** Bullets of one page of it. */
export const MAX_DECK_BULLETS = 60
/** Versions of one tool: who changes it every day has them for three years. */
export const MAX_TOOL_VERSIONS = 1_000
/** All versions of all tools of a tenant as JSON, in UTF-16 units: they share the 10 GB of its database with its list of contents. */
export const MAX_REGISTRY_CHARS = 512 * 1024 * 1024
/** Ids of deleted tools of which it is known which version was their last; the oldest go. */
export const MAX_DELETED_TOOLS = 10_000
/** Definitions in one answer of a tenant's object, in UTF-16 units: several such are made at once, in 128 MB. */
export const MAX_TOOL_PAGE_CHARS = 4 * 1024 * 1024
/** Changes between two versions' schemas that are kept and shown. */
export const MAX_SCHEMA_CHANGES = 100
/** Schemas within schemas, references included, which are followed recursively: deeper than JSON may be nested. */
export const MAX_SCHEMA_DEPTH = 128
/** What references of two schemas lead to while they are compared, in UTF-16 units: some tenths of a second. */
export const MAX_COMPARED_CHARS = 2 * 1024 * 1024
/** Searches that one `browser_search` makes: each is a request that costs. */
export const MAX_BROWSER_QUERIES = 5
/** Pages that one `browser_select` reads, as Lagent's own browser says. */
export const MAX_BROWSER_SELECTED = 4
/** Results of a `browser_search`, kept until the next one: what Lagent's own browser keeps. */
export const MAX_BROWSER_RESULTS = 20
/** A chain's definition, as JSON: a hundred times what a model writes in one go, and far below a row's 2 MB. */
export const MAX_CHAIN_CHARS = 64 * 1024
/** Steps of one chain. What needs more is two chains, one inside the other. */
export const MAX_CHAIN_STEPS = 50
/** Chains within each other, the outermost counted. Each level holds its results while the next one runs. */
export const MAX_CHAIN_DEPTH = 5
/** Different tools that one chain reaches, by the chains in it too: each is looked up when the chain is saved. */
export const MAX_CHAIN_TOOLS = 200
/** Calls of one run, by all chains in it together, repeated ones counted: what a chain that goes wrong can cost. */
export const MAX_CHAIN_CALLS = 500
/** Calls of one chain that wait at once. Those of a sandbox share its processors anyway. */
export const MAX_CHAIN_CONCURRENCY = 8
/** Items of a list that are worked on at once, unless the step says otherwise. */
export const CHAIN_MAP_CONCURRENCY = 4
/** One run of a chain, and so the longest `timeout_ms` of a step: as CODE_TASK_MS, the longest tool. */
export const MAX_CHAIN_MS = 60 * 60_000
/** One call of a step that says no `timeout_ms`: what a notebook's cell has. */
export const CHAIN_STEP_MS = 300_000
/** Calls of one step (or one item of it), the first one counted. */
export const MAX_CHAIN_ATTEMPTS = 10
/** Between two attempts, unless the step says otherwise: doubled each time, and up to half of it left to chance. */
export const CHAIN_BACKOFF_MS = 1_000
/** Between two attempts: who is down for longer is down. */
export const MAX_CHAIN_BACKOFF_MS = 60_000
/** Between two looks at a call that goes on by itself, when it asks for less. */
export const MIN_CHAIN_POLL_MS = 500
/** Of one step's result, as JSON: as one whole read of a file, with room for its wrapping. */
export const MAX_CHAIN_RESULT_CHARS = 4 * 1024 * 1024
/** All results that one run keeps, of all chains in it: characters have two bytes, and an isolate has 128 MB. */
export const MAX_CHAIN_KEPT_CHARS = 16 * 1024 * 1024
/** One expression: a condition that people read has a hundred. */
export const MAX_CHAIN_EXPRESSION_CHARS = 2_000
/** Brackets and signs within each other in an expression: reading it is recursive. */
export const MAX_CHAIN_EXPRESSION_DEPTH = 32
/** A text that an expression makes. */
export const MAX_CHAIN_TEXT_CHARS = 1024 * 1024
/** What an expression looks for in a text: searching costs up to the one length times the other. */
export const MAX_CHAIN_NEEDLE_CHARS = 1_000
/** Values and characters that all expressions of one run look at, together: a second's work when it is made to cost much. */
export const MAX_CHAIN_WORK = 10_000_000
/** Mistakes of a definition that one answer names: a model mends these first. */
export const MAX_CHAIN_ISSUES = 20

/** Calls of registered tools by one tenant, without a word: what one tenant's object does; it stops a loop gone wild. */
export const DEFAULT_CALLS_PER_MINUTE = 60_000
/** Calls of registered tools by one tenant that run at once, without a word; each waits for a service or a sandbox. */
export const DEFAULT_RUNNING_CALLS = 1_000
/** The same at most: the tenant's object remembers each in memory, in some 300 bytes. */
export const MAX_RUNNING_CALLS = 10_000
/** A call's end may take this long to be told, beyond its own timeout: a new sandbox, and a session that was cut off. */
export const RUNNING_GRACE_MS = 3 * 60_000
/** When somebody who has too many calls running may ask again. */
export const CONCURRENCY_RETRY_MS = 1_000
/** Rules of one tenant about rates, quotas and prices: each is compared with each call. */
export const MAX_LIMIT_RULES = 200
/** Keys, agents and tools of one tenant whose rate is kept in memory; further ones share one. Names of agents are free. */
export const MAX_LIMITED_NAMES = 10_000
/** Of a rate, a quota or a sum of money in a rule. */
export const MAX_LIMIT_VALUE = 1_000_000_000_000
/** Of a price, in millionths: a million calls of that price are still summed up without rounding. */
export const MAX_PRICE = 1_000_000_000
/** Rows of one day about what a tenant's calls used; beyond half of them sessions are no longer told apart, beyond three
 * quarters agents: 300 bytes each, of the 10 GB that a tenant's object holds. */
export const MAX_USAGE_ROWS_PER_DAY = 20_000
/** Days that use is kept for: a quarter's bill. */
export const USAGE_RETENTION_DAYS = 92
/** Different refused calls that wait to be written down; further ones are counted as one. */
export const MAX_PENDING_REFUSALS = 1_000
/** Refused calls are written down together, so often. */
export const REFUSALS_WRITTEN_MS = 10_000
/** Different refusals of one minute that the audit log tells apart; further ones are counted as one. */
export const MAX_AUDITED_REFUSALS_PER_MINUTE = 60
/** Denials of one minute that are nothing unusual. Toolcore's own. */
export const SUSPICIOUS_DENIALS = 5
/** Keys and agents whose denials of one minute are counted. */
export const MAX_WATCHED_ACTORS = 100
/** Entries of one tenant's audit log: half a KiB each, a tenth of the 10 GB that its object holds. */
export const MAX_AUDIT_ENTRIES = 2_000_000
/** Days that an entry is kept. */
export const AUDIT_RETENTION_DAYS = 365
/** Entries that are dropped in one step: some ten milliseconds. */
export const AUDIT_PRUNED_AT_ONCE = 10_000
/** Entries that one step of an export reads; and of one export, a request to the tenant's object for each step. */
export const AUDIT_PAGE_ENTRIES = 1_000
export const MAX_EXPORTED_ENTRIES = 500_000

/** Processes of a session that keep a tenant's Python module loaded; the one that was used longest ago makes room. */
export const MAX_PYTHON_MODULES = 8
/** Such a process, and the one that looks after them, ends after this long without a call: it takes memory. */
export const PYTHON_IDLE_MS = 10 * 60_000
/** What one call of such a module returns, as JSON: more belongs into a file. */
export const MAX_PYTHON_RESULT_BYTES = 4 * 1024 * 1024
/** What one call of such a module gets, as JSON, its source apart. */
export const MAX_PYTHON_ARGUMENT_CHARS = 8 * 1024 * 1024
/** Files of such a module, all characters together: it is code, and goes into the sandbox with its first call. */
export const MAX_PYTHON_SOURCE_CHARS = 2 * 1024 * 1024
/** Packages that such a module may require. */
export const MAX_PYTHON_REQUIREMENTS = 50
/** Of one of these, as it is written. */
export const MAX_REQUIREMENT_CHARS = 1_000
/** Actions of Lagent that clients bring to one session as Python. */
export const MAX_PYTHON_ACTIONS = 200
/** Source of such actions, which is kept with the session. */
export const MAX_ACTION_SOURCE_CHARS = 256 * 1024
/** Loading such a source to describe it; what it imports may be large. */
export const PYTHON_DESCRIBE_MS = 60_000
/** From a module's deadline until its process is thought not to be looked after any more. */
export const PYTHON_GRACE_MS = 10_000
/** The connection to a sandbox's Python processes stays open this long for calls that follow at once: it keeps the
 * session's object in memory. */
export const PYTHON_LINK_MS = 1_000
/** `python_solution`: what Lagent's own interpreter waits. */
export const PYTHON_SOLUTION_MS = 20_000
/** `ipython_run` without a timeout: what its description promises. The longest is NOTEBOOK_CELL_MS. */
export const IPYTHON_MS = 60_000
/** `ipython_session_run` and `ipython_interactive_run` without a timeout: what Lagent's own wait. */
export const IPYTHON_SESSION_MS = 20_000
export const IPYTHON_INTERACTIVE_MS = 30_000
/** Kernels that are there at once beside that of `ipython_run`: each is a process with all that its code loaded. */
export const MAX_IPYTHON_KERNELS = 4
/** Of a `session_id`: it stands in notes. */
export const MAX_IPYTHON_SESSION_CHARS = 200
/** What `ipython_interactive_run` shows: what Lagent's own does. */
export const MAX_INTERACTIVE_CHARS = 8_192
/** Images that one `ipython_run` keeps as files: a person looks at a few. */
export const MAX_IPYTHON_IMAGES = 32
/** Rows about use that one answer is made of: it takes a tenant's object about a second, in which its calls wait. */
export const MAX_REPORTED_USAGE_ROWS = 100_000
/** Groups in one answer about use. */
export const MAX_USAGE_GROUPS = 1_000
/** Arguments as text that a Lagent client sends: reading a tuple costs some thirty bytes of memory for each character. */
export const MAX_INPUT_TEXT_CHARS = 1_000_000
/** Of one text in the arguments that Lagent's answers repeat: a file's content need not go back to who sent it. */
export const MAX_ECHOED_CHARS = 10_000
/** A file of tools as JSON, in UTF-16 units: some thousands; on its way into the database it is there several times. */
export const MAX_TOOL_FILE_CHARS = 4 * 1024 * 1024
/** The same as YAML, of which each character takes 70 bytes while it is read: two thousand tools. */
export const MAX_YAML_CHARS = 1024 * 1024
/** Tokens of YAML; a usual file of MAX_YAML_CHARS has half of them. */
export const MAX_YAML_TOKENS = 300_000
/** Lists and maps within each other: as JSON's. */
export const MAX_YAML_DEPTH = 64
/** What YAML comes to when each alias is what it stands for, in UTF-16 units and values. */
export const MAX_YAML_VALUE_CHARS = 2 * 1024 * 1024
/** Problems of one file that are named; who has mended them sees the next. */
export const MAX_FILE_PROBLEMS = 50
/** Of one answer with registered tools as lists and searches show them, in UTF-16 units: RPC carries 32 MiB. */
export const MAX_SHOWN_PAGE_CHARS = 4_000_000
/** Registered tools that one isolate holds for lists and searches, of all tenants that ask it: 5,000 take 27 MB of its 128. */
export const MAX_HELD_TOOLS = 12_000
/** Tenants whose tools it holds, however few they are. */
export const MAX_HELD_TENANTS = 200
/** Registered tools that get their vectors at a time: some requests of a second each. */
export const MEANING_BATCH = 200
/** After the service failed. */
export const MEANING_RETRY_MS = 5 * 60_000
/** A description of an API: the largest public ones in JSON have ten million. In UTF-16 units. */
export const MAX_API_DOCUMENT_CHARS = 12_000_000
/** Tools of one such description: the APIs that XAgent came with are 4,208. */
export const MAX_IMPORTED_TOOLS = 5_000
/** References that follow one another in one. */
export const MAX_REFERENCES = 16
/** What reading one description looks at, each time anew that something is referred to: the largest public ones take some 4 million. */
export const MAX_API_DOCUMENT_WORK = 20_000_000
/** Of all its tools together as JSON: they go to the tenant's object in one message, of 32 MiB. */
export const MAX_IMPORTED_CHARS = 24_000_000
/** Levels of a schema that is put together of its references, and its parts in all: a model reads them. */
export const MAX_IMPORTED_SCHEMA_DEPTH = 8
export const MAX_IMPORTED_SCHEMA_PARTS = 400
/** Of a description in one, in UTF-16 units: what is behind it is left out. */
export const MAX_IMPORTED_DESCRIPTION_CHARS = 4_000
/** Of the name of an env, in UTF-16 units: it stands before each of its tools' names. */
export const MAX_ENV_NAME_CHARS = 60
/** Operations that were left out of an import, as its answer names them. */
export const MAX_SHOWN_SKIPPED = 100
/** States of a pattern in a schema; `[a-z]{64}` has 64. Each character of a text may visit all. */
export const MAX_PATTERN_STATES = 5_000
/** Groups within groups of a pattern, which are read recursively. */
export const MAX_PATTERN_DEPTH = 50
/** Steps of checking a value against a schema: one for each keyword, value and state looked at; some tenths of a second. */
export const MAX_CHECK_STEPS = 2_000_000
/** Values within values while they are checked, references counted too. */
export const MAX_CHECK_DEPTH = 300
/** Misfits that a model is told of at once. */
export const MAX_MISFITS = 5
