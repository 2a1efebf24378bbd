// Made by `npm run openapi`. Changes are made in what it is made of.
import type { RawBody } from '../body.ts'

/** Schemas of the API's document, by their names there. */
export interface Schemas {
  AcceptedTool: {
    /** Pin that you looked at: another one is a conflict. */
    pin?: string | undefined
  }
  Api: {
    env: string
    tools: number
  }
  ApiPage: {
    data: Schemas['Api'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  ApiToImport: {
    /** Name of the set of tools. */
    env: string
    openapi?: string | Record<string, unknown> | unknown[] | undefined
    rapidapi?: string | Record<string, unknown> | unknown[] | undefined
    base_url?: string | undefined
    auth?: ({
      type: "bearer"
      secret: string
    } | {
      type: "basic"
      secret: string
    } | {
      type: "header"
      secret: string
      name: string
      prefix?: string | undefined
    } | {
      type: "query" | "cookie" | "body"
      secret: string
      name: string
    })[] | Record<string, string> | undefined
    /** True to get the answer without making anything. */
    dry_run?: boolean | undefined
  }
  /** An entry: `seq`, `at`, `action`, `key`, `agent`, `session`, `subject`, `decision`, `reason`, `count`, `detail`, `prev` and `hash`. Where older entries were dropped, `checkpoint` is the number of the last of them, and `hash` is its hash. `unreadable` stands for sealed entries that the store no longer has as they were sealed: `first`, `last`, and `why`, `missing` or `changed`. */
  AuditEntry: {
    hash: string
    [other: string]: unknown
  }
  AuditEntryPage: {
    data: Schemas['AuditEntry'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  AuditHead: {
    /** Number of the last entry; 0 for an empty log. */
    seq: number
    /** SHA-256 of the last entry, which holds that of the one before. */
    hash: string
  }
  BatchCall: {
    /** A tool of the server, or a registered one: its id, or `id@version`. */
    tool: string
    /** Arguments of the tool. */
    arguments?: Record<string, unknown> | undefined
    /** @deprecated The earlier name of `arguments`. */
    args?: Record<string, unknown> | undefined
    /** Context for a registered tool. */
    context?: Record<string, unknown> | undefined
    /** Name of the calling agent, for tools that not all agents may call. */
    agent?: string | undefined
    /** Form of the result: text for a model, named fields, or both. With a view it is text. */
    answer?: "text" | "data" | "both" | undefined
    /** Part of the result to show as `text`: `head_tail`, `head`, `tail`, `grep:PATTERN`, `lines:FROM-TO` or `jsonpath:PATH`. */
    view?: string | undefined
    /** Estimated tokens of the result to show, 4000 with a view alone. */
    max_tokens?: number | undefined
    /** The caller's own name for the call, which its answer has. */
    id?: string | undefined
  }
  BlockedPackage: {
    publisher: string
    tool: string
    blocked: boolean
  }
  Call: {
    call_id: string
    /** The call that made this one, such as a chain or code; absent for a call of a caller. */
    parent_call_id?: string | undefined
    tool: string
    /** Name of the agent that called, as it gave it; absent where it gave none. */
    agent?: string | undefined
    state: Schemas['CallState']
    /** JSON, secrets masked; a long one is cut. */
    arguments: string
    /** Start of the answer's text, or the reason of a failure. */
    answer: string
    /** What its command ended with, where that is not 0: its state is `done` all the same. Absent otherwise. */
    exit_code?: number | undefined
    started_at: string
    ended_at: string | null
    receipt: Schemas['Receipt'] | null
    /** It runs, or its work goes on. */
    running: boolean
    progress: {
      lines: string[]
      count: number
    }
    /** The whole result, where it is kept. */
    result?: {
      text?: string | undefined
      data?: Record<string, unknown> | undefined
      /** Pictures, in the form that MCP has for them. */
      content?: {
        type: "image"
        mimeType: string
        data: string
      }[] | undefined
    } | undefined
    view?: Schemas['ResultView'] | undefined
    error?: Schemas['CallError'] | undefined
    /** Files that the call changed or made. */
    files?: Schemas['CallFile'][] | undefined
    /** Further ones, which are not named: 100 are. */
    more_files?: number | undefined
    /** Other calls or background processes worked in the sandbox meanwhile: `files` are those that any of them changed. */
    files_shared?: true | undefined
  }
  CallAnswer: {
    /** Null for a read of a log, which is noted nowhere. */
    call_id: string | null
    tool: string
    state: Schemas['CallState']
    text?: string | undefined
    data?: Record<string, unknown> | undefined
    /** Pictures, in the form that MCP has for them. */
    content?: {
      type: "image"
      mimeType: string
      data: string
    }[] | undefined
    view?: Schemas['ResultView'] | undefined
    error?: Schemas['CallError'] | undefined
    /** The call that waits on for the result of pending work. */
    next?: {
      tool: string
      args: unknown
    } | undefined
    retry_after_ms?: number | undefined
    /** Files that the call changed or made. */
    files?: Schemas['CallFile'][] | undefined
    /** Further ones, which are not named: 100 are. */
    more_files?: number | undefined
    /** Other calls or background processes worked in the sandbox meanwhile: `files` are those that any of them changed. */
    files_shared?: true | undefined
    receipt?: Schemas['Receipt'] | undefined
  }
  CallBatch: {
    calls: Schemas['BatchCall'][]
    /** `in_order`: each call begins when the one before has ended; `parallel`: several at once. */
    mode?: "in_order" | "parallel" | undefined
    /** Whether no call begins after one that failed. */
    stop_on_error?: boolean | undefined
  }
  CallBatchAnswer: {
    data: {
      id?: string | undefined
      /** Status that the call alone would have been answered with; 424: not made. */
      status: number
      call?: Schemas['CallAnswer'] | undefined
      problem?: Schemas['Problem'] | undefined
      /** Length of the answer, which was too long for its share and is cut. */
      cut_chars?: number | undefined
    }[]
  }
  /** Why a call failed, for a model to read. */
  CallError: {
    code?: string | undefined
    message: string
    data?: Record<string, unknown> | undefined
  }
  CallFile: {
    path: string
    change: "created" | "modified" | "deleted"
    /** Bytes; null for a deleted file. */
    size: number | null
    /** Where to get it; null for a deleted file. */
    url: string | null
  }
  CallPage: {
    data: Schemas['ListedCall'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  /** `running`; `pending`: it has answered, and its work goes on or waits for a person; `done`; `failed`: it ran and could not; `refused`: it never ran; `lost`: a restart of the server cut it off. */
  CallState: "running" | "pending" | "done" | "failed" | "refused" | "lost"
  CallableTool: {
    /** Name that calls have as `tool`. */
    name: string
    /** Whether it is the server's, or was registered. */
    kind: "server" | "registered"
    /** Name for people, of a registered tool. */
    title: string | null
    toolkit: string | null
    description: string
    /** `read`: changes nothing; `write`: changes files; `run`: runs code; `fetch`: asks other services. Null where nobody knows. */
    effect: "read" | "write" | "run" | "fetch" | null
    /** JSON Schema of the arguments. */
    input_schema: Record<string, unknown>
  }
  CallableToolPage: {
    data: Schemas['CallableTool'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  ChainDryRun: {
    /** True when no mistake was found. */
    ok: boolean
    issues: {
      step: string | null
      message: string
    }[]
    steps: {
      id: string
      tool: string
      /** Null when there is no such tool. */
      kind: "tool" | "chain" | null
      waits_for: string[]
      /** perhaps: its condition needs a result. */
      runs: "yes" | "no" | "perhaps"
      /** Number of calls; null when it is known in a run only. */
      calls: number | null
      input?: unknown | undefined
    }[]
    /** Output, with `<…>` for values known in a run only, as in the inputs. */
    output: unknown
  }
  ChainToTry: {
    /** Definition of the chain: `{"steps": [...], "output": ...}`. */
    chain: unknown
    id?: string | undefined
    input_schema?: Record<string, unknown> | undefined
    input?: Record<string, unknown> | undefined
  }
  ChangedMcpServer: {
    /** Address of the server, on the public internet. Redirects are not followed. */
    url?: string | undefined
    /** Credentials of each request, as names of secrets: bearer, basic or header. */
    auth?: ({
      type: "bearer"
      secret: string
    } | {
      type: "basic"
      secret: string
    } | {
      type: "header"
      secret: string
      name: string
      prefix?: string | undefined
    } | {
      type: "query" | "cookie" | "body"
      secret: string
      name: string
    })[] | undefined
    /** Tools that are taken, by their names at the server; null for all. */
    allow?: string[] | null | undefined
    /** Tools that are not taken. */
    deny?: string[] | undefined
    /** Seconds for one call of a tool. */
    timeout?: number | undefined
  }
  ChangedSession: {
    /** A label that people read. */
    title?: string | undefined
    /** Merged into those there are; null removes one. */
    labels?: Record<string, string | null> | undefined
    /** Seconds from its creation after which the session is deleted with its files; null for no end. */
    lifetime_seconds?: number | null | undefined
    /** Seconds without a call, a change of a file or of the session after which it is deleted with its files; null for no end. */
    idle_lifetime_seconds?: number | null | undefined
    /** False: commands in the sandbox reach no network at all. A list of names, such as ["pypi.org", "*.example.org"]: they reach these hosts alone, by HTTP and HTTPS. Null: as the tenant's default says, and so for a new session that leaves it out. No more than the tenant's ceiling. What tools of the server fetch for a call is not covered. */
    internet?: boolean | string[] | null | undefined
  }
  ChangedTool: {
    id: string
    outcome: "created" | "updated" | "unchanged" | "deleted"
    /** The version that was made or changed; null for a deleted tool. */
    version: number | null
    /** Whether the version may break callers of the one before. */
    breaking?: boolean | undefined
    enabled?: boolean | undefined
    allowed_agents?: string[] | null | undefined
    /** Chains that call the tool and may fail from now on; only some where there are many. */
    used_by?: string[] | undefined
  }
  ChangedWebhook: {
    /** Address that events are sent to by POST, on the public internet. */
    url?: string | undefined
    /** Words for people. */
    description?: string | undefined
    /** Events that it wants. */
    events?: ("call.ended" | "human_task.created" | "human_task.completed" | "budget.reached")[] | undefined
    /** Sessions whose events it wants, by their names; null for all. */
    sessions?: string[] | null | undefined
    /** Tools whose ended calls it wants; null for all. */
    tools?: string[] | null | undefined
    /** How calls ended that it wants; null for all. */
    states?: ("done" | "failed" | "refused" | "lost")[] | null | undefined
    /** Switches it off, or on again. */
    enabled?: boolean | undefined
  }
  ChildKey: {
    /** The ids of its chain, from the key of the tenant down. */
    id: string
    /** The id of the key that minted it. */
    parent: string
    name: string
    scopes: ("read" | "execute" | "admin")[] | null
    sessions: {
      names: string[]
      prefixes: string[]
    } | null
    tools: string[] | null
    calls_per_minute: number | null
    budget: {
      calls: number | null
      cost: number | null
    } | null
    /** Ended calls, and their cost in millionths, with those of all keys below it. */
    used: {
      calls: number
      cost: number
    }
    created_at: string
    expires_at: string
    revoked_at: string | null
  }
  ChildKeyPage: {
    data: Schemas['ChildKey'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  Commit: {
    /** Its number, which as_of, from, to and restore take. */
    commit: number
    /** Id of the call that made it; upload, delete, unpack or restore and a key for another request. */
    author: string
    /** Tool of that call; null for anything else, and for a call of long ago. */
    tool: string | null
    committed_at: string
    /** Number of paths that it changed, at or below the path that was asked for. */
    changed: number
    /** What a restore went back to; null for any other commit. */
    restored: {
      /** Commit whose state it restored; 0: before the first. */
      commit: number
      /** Path that it restored; empty for all files. */
      path: string
    } | null
    /** Some of them, at most 10. */
    changes: Schemas['PathChange'][]
    /** Number of those that are not shown; getCommit lists them all. */
    more_changes: number
  }
  CommitChanges: {
    data: Schemas['PathChange'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
    /** Its number, which as_of, from, to and restore take. */
    commit: number
    /** Id of the call that made it; upload, delete, unpack or restore and a key for another request. */
    author: string
    /** Tool of that call; null for anything else, and for a call of long ago. */
    tool: string | null
    committed_at: string
    /** Number of paths that it changed, at or below the path that was asked for. */
    changed: number
    /** What a restore went back to; null for any other commit. */
    restored: {
      /** Commit whose state it restored; 0: before the first. */
      commit: number
      /** Path that it restored; empty for all files. */
      path: string
    } | null
  }
  CommitPage: {
    data: Schemas['Commit'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  ConsoleSession: {
    id: string
    /** The key that signed in; null for the owner of the server, and where requests need no key. */
    key_id: string | null
    /** Those of the key at the sign-in. What it may not do any more, nor may the session. */
    scopes: ("read" | "execute" | "admin" | "operator")[]
    /** What the browser calls itself, at most 200 characters. */
    browser: string
    /** Whether this request came by it. */
    current: boolean
    created_at: string
    /** To within a minute. */
    last_used_at: string
    /** It ends with its key, if that is earlier. */
    expires_at: string
  }
  ConsoleSessionPage: {
    data: Schemas['ConsoleSession'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  CreatedKey: {
    id: string
    tenant: string
    name: string
    scopes: ("read" | "execute" | "admin")[]
    created_at: string
    expires_at: string | null
    revoked_at: string | null
    /** Time since when it has its present secret; null for the first. */
    rotated_at: string | null
    /** Time until which the secret before the present one is good too; null when none is. */
    old_secret_until: string | null
    /** Last request with it or with a child key of it, some ten minutes behind; null for none yet. */
    last_used_at: string | null
    /** Addresses and networks from which it is good; none for everywhere. */
    allowed_addresses: string[]
    /** The key itself, shown this once. */
    key: string
  }
  CurrentKey: {
    tenant: string
    /** Null on a server that lets requests in without a key. */
    id: string | null
    name: string | null
    scopes: ("read" | "execute" | "admin")[]
    /** The ids of the keys above it, from the key of the tenant down. */
    parents: string[]
    /** What each link of its chain takes away, from the eldest; all of them hold together. */
    restrictions: {
      id: string
      scopes: ("read" | "execute" | "admin")[] | null
      sessions: {
        names: string[]
        prefixes: string[]
      } | null
      tools: string[] | null
      calls_per_minute: number | null
      budget: {
        calls: number | null
        cost: number | null
      } | null
      used: {
        calls: number
        cost: number
      } | null
      expires_at: string
    }[]
    /** The tenant's limits that count its calls, those of the key and of the tenant. */
    limits: Record<string, string | number>[]
    /** Internet policies of the tenant's sessions. */
    internet: Schemas['TenantInternet']
    expires_at: string | null
  }
  Delivery: {
    /** The `webhook-id` of every attempt. */
    id: string
    type: string
    state: "waiting" | "delivered" | "failed" | "dropped"
    attempts: number
    /** Status of the last answer. */
    status: number | null
    /** Why the last attempt failed. */
    error: string | null
    created_at: string
    attempted_at: string | null
    next_attempt_at: string | null
  }
  DeliveryPage: {
    data: Schemas['Delivery'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  DiffHunk: {
    old_start: number
    old_lines: number
    new_start: number
    new_lines: number
    /** Lines behind " ", "-" or "+", as in a unified diff. */
    lines: string[]
  }
  DiffSide: {
    kind: "file" | "directory" | "link"
    /** Permissions in octal, such as 0644. */
    mode: string
    /** Bytes of a file; null for anything else. */
    size: number | null
    /** SHA-256 of a file in quotes; null for anything else. */
    etag: string | null
    /** Target of a link; null for anything else. */
    target: string | null
  }
  Difference: {
    /** Path from the session's directory of files on. */
    path: string
    change: "created" | "modified" | "deleted"
    before: Schemas['DiffSide'] | null
    after: Schemas['DiffSide'] | null
    hunks: Schemas['DiffHunk'][]
    /** Why a changed content has no hunks, or not all of them; null where they are whole. */
    omitted: "not text" | "too large" | null
  }
  Differences: {
    data: Schemas['Difference'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
    /** Commit before the differences. */
    from: number
    /** Commit after them: the newest one where the present files were asked for. */
    to: number
  }
  /** What runs the tool. */
  Executor: {
    kind: "http"
    target: string
    request?: {
      method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
      query: Record<string, string | number | boolean | {
          arg: string
          style?: "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json" | undefined
          explode?: boolean | undefined
        }>
      headers: Record<string, string | number | boolean | {
          arg: string
          style?: "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json" | undefined
          explode?: boolean | undefined
        }>
      cookies: Record<string, string | number | boolean | {
          arg: string
          style?: "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json" | undefined
          explode?: boolean | undefined
        }>
      body: {
        as: "json"
        fields: Record<string, string> | null
        fixed: Record<string, unknown>
        under?: string | undefined
      } | {
        as: "form"
        fields: Record<string, string> | null
        fixed: Record<string, unknown>
      } | {
        as: "argument"
        arg: string
        media_type: string
      } | null
      auth: ({
        type: "bearer"
        secret: string
      } | {
        type: "basic"
        secret: string
      } | {
        type: "header"
        secret: string
        name: string
        prefix: string
      } | {
        type: "query" | "cookie" | "body"
        secret: string
        name: string
      })[]
      retry: {
        attempts: number
        backoff_ms: number
      } | null
      max_answer_bytes: number
    } | undefined
  } | {
    kind: "python"
    target: string
    source?: string | undefined
    files?: Record<string, string> | undefined
    requirements?: string[] | undefined
    secrets?: string[] | undefined
  } | {
    kind: "chain"
    chain: {
      steps: {
        /** Later steps name it: ${{ steps.<id>.result }} */
        id: string
        /** The tool or chain to call, with a range of versions if it has any: "my.tool@^2" */
        tool: string
        /** Its arguments. Texts may hold ${{ expressions }}; a text that is one expression becomes its value */
        input?: unknown | undefined
        /** A condition, e.g. length(steps.search.result.hits) > 0. The step is skipped when it is false */
        if?: string | undefined
        map?: {
          /** A list: the tool is called once for each item */
          over: string
          /** What expressions call the item; "item" if not given. Its place is "index" */
          as?: string | undefined
          /** Items at once; 4 if not given */
          concurrency?: number | undefined
        } | undefined
        /** The steps that it waits for, besides those that it names. Without it, all steps before it. [] to begin at once */
        after?: string[] | undefined
        /** Of each call; 300000 if not given */
        timeout_ms?: number | undefined
        retry?: {
          /** Calls altogether; 3 if not given */
          attempts?: number | undefined
          /** Before the second call, and twice as long before each that follows; 1000 if not given */
          backoff_ms?: number | undefined
          /** Failures that are worth another call; timeout, upstream and rate_limited if not given */
          on?: ("invalid_input" | "unauthenticated" | "forbidden" | "not_found" | "conflict" | "limit_exceeded" | "rate_limited" | "insufficient_storage" | "timeout" | "upstream" | "unavailable" | "internal")[] | undefined
        } | undefined
        /** "fail" ends the chain, "continue" goes on without a result, {"use": value} goes on with the value for its result */
        on_error?: "fail" | "continue" | {
          use: unknown
        } | undefined
      }[]
      /** What the chain gives, with ${{ expressions }}; the last step's result if not given */
      output?: unknown | undefined
    }
  } | {
    kind: "mcp"
    server: string
    target: string
    tool: string
    auth: ({
      type: "bearer"
      secret: string
    } | {
      type: "basic"
      secret: string
    } | {
      type: "header"
      secret: string
      name: string
      prefix: string
    } | {
      type: "query" | "cookie" | "body"
      secret: string
      name: string
    })[]
    pin: string
    quarantined: boolean
  }
  ExportedTools: {
    data: Record<string, unknown>[]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
    format: "openai" | "openai_responses" | "anthropic" | "gemini" | "mcp"
    /** Name of each tool here, by its exported name. */
    names: Record<string, string>
    /** What the definitions lack, since the format does not have it. */
    notes: {
      tool: string
      note: string
    }[]
  }
  FileEntry: {
    /** Path from the session's directory of files on. */
    path: string
    type: "file" | "directory" | "link"
    /** Bytes of a file; null for anything else. */
    size: number | null
    /** Strong entity tag of a file: its SHA-256 in quotes; null for anything else. */
    etag: string | null
    modified_at: string
  }
  FileLink: {
    /** Names the link for its revocation; it opens nothing. */
    id: string
    path: string
    method: "download" | "upload"
    /** Greatest size of an upload; null for a download. */
    max_bytes: number | null
    created_at: string
    expires_at: string
  }
  FileLinkPage: {
    data: Schemas['FileLink'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  FileLinkRequest: {
    path: string
    method: "download" | "upload"
    expires_in_seconds?: number | undefined
    /** Greatest size of an upload. */
    max_bytes?: number | undefined
  }
  FilePage: {
    data: Schemas['FileEntry'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
    /** Commit whose files these are; give it as as_of to see them again. */
    commit: number
  }
  /** The named fields of the answer of the tool. */
  FileToolAnswer: Record<string, unknown>
  ImportedApi: {
    env: string
    /** True where nothing was made. */
    dry_run: boolean
    /** Number of its tools. */
    tools: number
    created: string[]
    updated: string[]
    deleted: string[]
    unchanged: number
    /** Updated tools whose callers may not fit any more. */
    breaking: string[]
    /** Secrets that the tools use, and whether you have stored them. */
    secrets: {
      name: string
      of: string
      kept: boolean
    }[]
    skipped: {
      operation: string
      reason: string
    }[]
    skipped_count: number
  }
  ImportedTool: {
    id: string
    outcome: "created" | "updated" | "unchanged" | "deleted"
    /** The version that was made or changed; null for a deleted tool. */
    version: number | null
    /** Whether the version may break callers of the one before. */
    breaking?: boolean | undefined
    enabled?: boolean | undefined
    allowed_agents?: string[] | null | undefined
    /** Chains that call the tool and may fail from now on; only some where there are many. */
    used_by?: string[] | undefined
    /** Why the tool can never work. */
    problem?: string | undefined
  }
  ImportedTools: {
    dry_run: boolean
    created: number
    updated: number
    unchanged: number
    deleted: number
    tools: Schemas['ImportedTool'][]
  }
  InstalledPackage: {
    id: string
    version: number | null
    installed: {
      publisher: string
      tool: string
      version: number
    }
    /** False while secrets are missing, or wait to be allowed. */
    enabled: boolean
    needs: Schemas['Needs']
    missing_secrets: string[]
    secrets_to_allow: string[]
  }
  Key: {
    id: string
    tenant: string
    name: string
    scopes: ("read" | "execute" | "admin")[]
    created_at: string
    expires_at: string | null
    revoked_at: string | null
    /** Time since when it has its present secret; null for the first. */
    rotated_at: string | null
    /** Time until which the secret before the present one is good too; null when none is. */
    old_secret_until: string | null
    /** Last request with it or with a child key of it, some ten minutes behind; null for none yet. */
    last_used_at: string | null
    /** Addresses and networks from which it is good; none for everywhere. */
    allowed_addresses: string[]
  }
  KeyChange: {
    name?: string | undefined
    /** IP addresses and networks (CIDR) from which the key is good, with its child keys and links; none for everywhere. */
    allowed_addresses?: string[] | undefined
  }
  KeyPage: {
    data: Schemas['Key'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  KeyRotation: {
    /** Time for which the present secret stays good, a day if not given; 0 ends it at once. */
    overlap_seconds?: number | undefined
  }
  /** Of the rules for one scope the first whose name fits holds; of the prices the first whose tool fits. 0: no limit. */
  Limits: {
    rules: {
      scope: "tenant" | "key" | "agent" | "tool"
      name: string
      per_minute: number
      burst: number
      concurrency: number
      per_day: number
      budget_per_day: number
    }[]
    prices: {
      tool: string
      per_call: number
      per_sandbox_second: number
    }[]
  }
  ListedCall: {
    call_id: string
    /** The call that made this one, such as a chain or code; absent for a call of a caller. */
    parent_call_id?: string | undefined
    tool: string
    /** Name of the agent that called, as it gave it; absent where it gave none. */
    agent?: string | undefined
    state: Schemas['CallState']
    /** JSON, secrets masked; a long one is cut. */
    arguments: string
    /** Start of the answer's text, or the reason of a failure. */
    answer: string
    /** What its command ended with, where that is not 0: its state is `done` all the same. Absent otherwise. */
    exit_code?: number | undefined
    started_at: string
    ended_at: string | null
    receipt: Schemas['Receipt'] | null
  }
  ListedMcpServer: {
    /** Name of the server: it begins the ids of its tools, and is their toolkit. */
    name: string
    /** Address of the server, on the public internet. Redirects are not followed. */
    url: string
    /** Credentials of each request, as names of secrets: bearer, basic or header. */
    auth: ({
      type: "bearer"
      secret: string
    } | {
      type: "basic"
      secret: string
    } | {
      type: "header"
      secret: string
      name: string
      prefix: string
    } | {
      type: "query" | "cookie" | "body"
      secret: string
      name: string
    })[]
    /** Tools that are taken, by their names at the server; null for all. */
    allow: string[] | null
    /** Tools that are not taken. */
    deny: string[]
    /** Seconds for one call of a tool. */
    timeout: number
    /** What the server says that it is. */
    server: {
      name: string
      version: string
    } | null
    /** Revision of MCP that it speaks. */
    revision: string | null
    /** Tools that can be called. */
    active: number
    /** Tools that changed or came, and wait to be accepted. */
    quarantined: number
    /** Tools that are not taken. */
    refused: number
    created_at: string
    /** Time of its last list of tools. */
    refreshed_at: string | null
  }
  ListedPaper: {
    file_id: string
    title: string
    /** Year in four digits. */
    publish_year: string | null
    /** Number of chunks of its text. */
    chunk_count: number
    text_available: boolean
  }
  ListedSession: {
    /** The name in paths; a slash in it is sent as %2F. */
    name: string
    title: string
    state: Schemas['SessionState']
    /** When the state was noticed; null when it never changed. */
    state_since: string | null
    labels: Record<string, string>
    /** False when commands in the sandbox reach no network; a list when they reach these hosts alone. The session's own policy or the tenant's default, within the tenant's ceiling. */
    internet: boolean | string[]
    /** Counted from created_at; null for no end. */
    lifetime_seconds: number | null
    /** Counted from last_used_at; null for no end. */
    idle_lifetime_seconds: number | null
    created_at: string
    /** The last call, change of a file or of the session; else created_at. */
    last_used_at: string
    /** When the session is deleted with its files, if it is not used any more; null for never. */
    expires_at: string | null
    /** What happens at expires_at: `delete`, with all files and no way back. Null where it is null. */
    on_expiry: "delete" | null
  }
  ListedTool: {
    id: string
    name: string
    description: string
    input_schema: Record<string, unknown>
    /** Kind of its executor. */
    executor: string
    timeout: number
    toolkit: string | null
    hidden: boolean
    checks: {
      input: boolean
      output: boolean
    }
    version: number
    stable_version: number
    latest_version: number
    enabled: boolean
    allowed_agents: string[] | null
  }
  McpServer: {
    /** Name of the server: it begins the ids of its tools, and is their toolkit. */
    name: string
    /** Address of the server, on the public internet. Redirects are not followed. */
    url: string
    /** Credentials of each request, as names of secrets: bearer, basic or header. */
    auth: ({
      type: "bearer"
      secret: string
    } | {
      type: "basic"
      secret: string
    } | {
      type: "header"
      secret: string
      name: string
      prefix: string
    } | {
      type: "query" | "cookie" | "body"
      secret: string
      name: string
    })[]
    /** Tools that are taken, by their names at the server; null for all. */
    allow: string[] | null
    /** Tools that are not taken. */
    deny: string[]
    /** Seconds for one call of a tool. */
    timeout: number
    /** What the server says that it is. */
    server: {
      name: string
      version: string
    } | null
    /** Revision of MCP that it speaks. */
    revision: string | null
    /** Tools that can be called. */
    active: number
    /** Tools that changed or came, and wait to be accepted. */
    quarantined: number
    /** Tools that are not taken. */
    refused: number
    created_at: string
    /** Time of its last list of tools. */
    refreshed_at: string | null
    tools: Schemas['McpServerTool'][]
  }
  McpServerPage: {
    data: Schemas['ListedMcpServer'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  McpServerTool: {
    /** Name at the server. */
    name: string
    /** Id by which it is called; null for one that is not registered. */
    id: string | null
    state: "active" | "quarantined" | "refused"
    title: string | null
    /** The server's own words, which nobody has checked. */
    description: string | null
    /** The server's own hints, which nothing proves. */
    annotations: Record<string, boolean>
    /** SHA-256 of the tool as the server describes it now. */
    pin: string | null
    /** SHA-256 of the tool as it was accepted. */
    accepted_pin: string | null
    /** Why it is refused. */
    why: string | null
    /** What changed in a quarantined tool since it was accepted; null for one that is new. */
    changes: {
      field: string
      before: string
      after: string
    }[] | null
  }
  MintedKey: {
    /** The ids of its chain, from the key of the tenant down. */
    id: string
    /** The id of the key that minted it. */
    parent: string
    name: string
    scopes: ("read" | "execute" | "admin")[] | null
    sessions: {
      names: string[]
      prefixes: string[]
    } | null
    tools: string[] | null
    calls_per_minute: number | null
    budget: {
      calls: number | null
      cost: number | null
    } | null
    /** Ended calls, and their cost in millionths, with those of all keys below it. */
    used: {
      calls: number
      cost: number
    }
    created_at: string
    expires_at: string
    revoked_at: string | null
    /** The key itself. It is shown this once. */
    key: string
  }
  /** What a tool needs beyond its arguments. */
  Needs: {
    /** Names of your secrets that it sends, or gets. */
    secrets: string[]
    /** Origins of its requests. */
    hosts: string[]
    /** Tools that it calls. */
    tools: string[]
    /** Packages that pip installs for it. */
    packages: string[]
    /** Whether it runs code in the sandbox. */
    code: boolean
  }
  NewCall: {
    /** A tool of the server, or a registered one: its id, or `id@version`. */
    tool: string
    /** Arguments of the tool. */
    arguments?: Record<string, unknown> | undefined
    /** @deprecated The earlier name of `arguments`. */
    args?: Record<string, unknown> | undefined
    /** Context for a registered tool. */
    context?: Record<string, unknown> | undefined
    /** Name of the calling agent, for tools that not all agents may call. */
    agent?: string | undefined
    /** Form of the result: text for a model, named fields, or both. With a view it is text. */
    answer?: "text" | "data" | "both" | undefined
    /** Part of the result to show as `text`: `head_tail`, `head`, `tail`, `grep:PATTERN`, `lines:FROM-TO` or `jsonpath:PATH`. */
    view?: string | undefined
    /** Estimated tokens of the result to show, 4000 with a view alone. */
    max_tokens?: number | undefined
  }
  NewChildKey: {
    /** A name for people. */
    name?: string | undefined
    /** What it may, of the scopes of the key that mints it. By default all of them. */
    scopes?: ("read" | "execute" | "admin")[] | undefined
    /** The sessions that it may use: these names, and all names that begin so. By default all. */
    sessions?: {
      /** Names of sessions, exactly as they were given. */
      names?: string[] | undefined
      /** Beginnings of names: "job-" allows "job-1". A name alone, as "a", allows "ab" too. */
      prefixes?: string[] | undefined
    } | undefined
    /** The tools that it may call, also inside of chains: their own names, ids of registered ones. */
    tools?: string[] | undefined
    /** Calls a minute, with those of all keys below it. */
    calls_per_minute?: number | undefined
    /** What it may use in all, with all keys below it. */
    budget?: {
      /** Calls over its whole life. */
      calls?: number | undefined
      /** Cost over its whole life, in millionths, by the tenant's prices. */
      cost?: number | undefined
    } | undefined
    /** Lifetime, at most that of the key that mints it. By default a day. */
    expires_in_seconds?: number | undefined
  }
  NewFileLink: {
    /** Names the link for its revocation; it opens nothing. */
    id: string
    path: string
    method: "download" | "upload"
    /** Greatest size of an upload; null for a download. */
    max_bytes: number | null
    created_at: string
    expires_at: string
    /** Path from the root of this server. Whoever has it may use it, without a key. */
    url: string
  }
  NewFork: {
    /** The name in paths, which never changes. Left out: an id that begins with ses_. */
    name?: string | undefined
    /** Number of a commit, or name of a snapshot; left out: the files as they are now. */
    as_of?: number | string | undefined
    /** A label that people read; left out: that of the session. */
    title?: string | undefined
    /** Left out: those of the session. */
    labels?: Record<string, string> | undefined
  }
  NewKey: {
    name: string
    scopes?: ("read" | "execute" | "admin")[] | undefined
    expires_at?: string | null | undefined
    expires_in_days?: number | null | undefined
    /** IP addresses and networks (CIDR) from which the key is good, with its child keys and links; none for everywhere. */
    allowed_addresses?: string[] | undefined
  }
  NewLimits: {
    rules: {
      scope: "tenant" | "key" | "agent" | "tool"
      name?: string | undefined
      per_minute?: number | undefined
      burst?: number | undefined
      concurrency?: number | undefined
      per_day?: number | undefined
      budget_per_day?: number | undefined
    }[]
    prices?: {
      tool?: string | undefined
      per_call?: number | undefined
      per_sandbox_second?: number | undefined
    }[] | undefined
  }
  NewMcpServer: {
    /** Name of the server: it begins the ids of its tools, and is their toolkit. */
    name: string
    /** Address of the server, on the public internet. Redirects are not followed. */
    url: string
    /** Credentials of each request, as names of secrets: bearer, basic or header. */
    auth?: ({
      type: "bearer"
      secret: string
    } | {
      type: "basic"
      secret: string
    } | {
      type: "header"
      secret: string
      name: string
      prefix?: string | undefined
    } | {
      type: "query" | "cookie" | "body"
      secret: string
      name: string
    })[] | undefined
    /** Tools that are taken, by their names at the server; null for all. */
    allow?: string[] | null | undefined
    /** Tools that are not taken. */
    deny?: string[] | undefined
    /** Seconds for one call of a tool. */
    timeout?: number | undefined
    /** False: the server is not asked for its tools now, but by the first refresh. */
    connect?: boolean | undefined
  }
  NewPackageReport: {
    reason: string
  }
  /** A paper: its title, and its text whole or in chunks. `file_id` is taken for `id` too. */
  NewPaper: {
    id: string
    aliases?: string[] | undefined
    title?: string | null | undefined
    abstract?: string | null | undefined
    authors?: string[] | undefined
    year?: string | null | undefined
    categories?: string[] | undefined
    text?: string | null | undefined
    chunks?: {
      section?: string | null | undefined
      text: string
    }[] | null | undefined
  }
  /** A file, and what is known of it: words of the form win over those in the file. */
  NewPaperFile: {
    file: string
    id: string
    aliases?: string[] | undefined
    title?: string | null | undefined
    abstract?: string | null | undefined
    authors?: string[] | undefined
    year?: string | null | undefined
    categories?: string[] | undefined
  }
  NewSecret: {
    value: string
  }
  NewSession: {
    /** The name in paths, which never changes. Left out: an id that begins with ses_. */
    name?: string | undefined
    /** A label that people read. */
    title?: string | undefined
    /** Python packages as pip takes them, such as "pandas>=2": installed into each new sandbox. */
    requirements?: string[] | undefined
    directories?: string[] | undefined
    /** Text files to begin with, by paths below the session directory. */
    files?: {
      path: string
      text: string
    }[] | undefined
    /** False: commands in the sandbox reach no network at all. A list of names, such as ["pypi.org", "*.example.org"]: they reach these hosts alone, by HTTP and HTTPS. Null: as the tenant's default says, and so for a new session that leaves it out. No more than the tenant's ceiling. What tools of the server fetch for a call is not covered. */
    internet?: boolean | string[] | null | undefined
    /** Seconds from its creation after which the session is deleted with its files; null for no end. Left out: as the server's owner set it for the tenant, else no end. */
    lifetime_seconds?: number | null | undefined
    /** Seconds without a call, a change of a file or of the session after which it is deleted with its files; null for no end. Left out: as the server's owner set it for the tenant, else no end. */
    idle_lifetime_seconds?: number | null | undefined
    labels?: Record<string, string> | undefined
  }
  NewSnapshot: {
    /** Number of a commit, or name of another snapshot; left out: the files as they are now. */
    commit?: number | string | undefined
    /** true: take the name away from another commit that has it. */
    replace?: boolean | undefined
  }
  NewWebhook: {
    /** Address that events are sent to by POST, on the public internet. */
    url: string
    /** Words for people. */
    description?: string | undefined
    /** Events that it wants: `call.ended` when left out. */
    events?: ("call.ended" | "human_task.created" | "human_task.completed" | "budget.reached")[] | undefined
    /** Sessions whose events it wants, by their names; null for all. */
    sessions?: string[] | null | undefined
    /** Tools whose ended calls it wants; null for all. */
    tools?: string[] | null | undefined
    /** How calls ended that it wants; null for all. */
    states?: ("done" | "failed" | "refused" | "lost")[] | null | undefined
  }
  OpenQuestion: {
    session: string
    id: string
    /** Its first 500 characters; the question itself has all. */
    text: string
    created_at: string
  }
  OpenQuestionPage: {
    data: Schemas['OpenQuestion'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  Package: {
    publisher: string
    tool: string
    version: number
    published_at: string
    /** Whether it is breaking against the version before. */
    breaking: boolean
    changes: Schemas['SchemaChange'][]
    installs: number
    needs: Schemas['Needs']
    /** Markdown. */
    readme: string
    examples: {
      args: Record<string, unknown>
      result?: unknown | undefined
    }[]
    name: string
    description: string
    input_schema: Record<string, unknown>
    output_schema: Record<string, unknown>
    executor: Schemas['Executor']
    timeout: number
    checks: {
      input: boolean
      output: boolean
    }
    versions: {
      version: number
      published_at: string
      breaking: boolean
    }[]
    since?: number | undefined
    breaking_since?: boolean | undefined
    changes_since?: Schemas['SchemaChange'][] | undefined
  }
  PackageBlock: {
    /** Null lets the package be found again. */
    reason: string | null
  }
  PackageHit: {
    publisher: string
    tool: string
    name: string
    description: string
    version: number
    published_at: string
    /** Number of tenants that have it. */
    installs: number
  }
  PackageHitPage: {
    data: Schemas['PackageHit'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  PackageReport: {
    publisher: string
    tool: string
    reason: string
    at: string
    blocked: boolean
  }
  PackageReportPage: {
    data: Schemas['PackageReport'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  PackageToInstall: {
    version?: number | undefined
    id?: string | undefined
    /** Names of your secrets that the tool may use. */
    allow_secrets?: string[] | undefined
  }
  PackageUpgrade: {
    version?: number | undefined
    id?: string | undefined
    dry_run?: boolean | undefined
    accept_breaking?: boolean | undefined
  }
  Paper: {
    file_id: string
    title: string
    /** Year in four digits. */
    publish_year: string | null
    abstract: string
    /** The whole text; the abstract where there is none. */
    content: string
    text_available: boolean
    [other: string]: unknown
  }
  PaperPage: {
    data: Schemas['ListedPaper'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  PathChange: {
    /** Path from the session's directory of files on. */
    path: string
    change: "created" | "modified" | "deleted"
    /** What it is after the change; before it for what was deleted. */
    kind: "file" | "directory" | "link"
    /** Bytes of a file after the change; null for anything else. */
    size: number | null
  }
  /** A problem by RFC 9457. */
  Problem: {
    /** Registered type of the problem; else about:blank. */
    type: string
    title: string
    status: number
    /** What was wrong, and what to do next, for people and models. */
    detail: string
    /** The problem, for programs. */
    code: "invalid_input" | "unauthenticated" | "forbidden" | "not_found" | "session_not_found" | "conflict" | "limit_exceeded" | "rate_limited" | "insufficient_storage" | "timeout" | "unavailable" | "key_reused" | "key_in_use" | "outcome_unknown" | "answer_not_kept" | "upstream" | "internal" | "method_not_allowed" | "precondition_failed" | "range_not_satisfiable" | "gone"
    /** Whether the same request may succeed later. */
    retryable: boolean
    /** Advice on what to do now. */
    hint: string
    /** Name of this request in the log of the server. */
    request_id: string
    /** Refused parts of a request that has several, each with its reason. */
    errors?: unknown | undefined
    /** What is known of an earlier request with the same Idempotency-Key whose answer is not there. */
    outcome?: "unknown" | "done" | undefined
    /** The call of that request. */
    call_id?: string | undefined
    /** The tool of that call. */
    tool?: string | undefined
    /** Method and path of that request. */
    request?: string | undefined
    /** When it began. */
    began_at?: string | undefined
    /** When it ended. */
    ended_at?: string | undefined
    /** Names of the limits that were reached. */
    'violated-policies'?: string[] | undefined
  }
  PublishedPackage: {
    publisher: string
    tool: string
    version: number
    published_at: string
    /** Whether it is breaking against the version before. */
    breaking: boolean
    changes: Schemas['SchemaChange'][]
    installs: number
    needs: Schemas['Needs']
    /** Markdown. */
    readme: string
    examples: {
      args: Record<string, unknown>
      result?: unknown | undefined
    }[]
    name: string
    description: string
    input_schema: Record<string, unknown>
    output_schema: Record<string, unknown>
    executor: Schemas['Executor']
    timeout: number
    checks: {
      input: boolean
      output: boolean
    }
  }
  PutPapers: {
    added: number
    replaced: number
    papers: {
      file_id: string
      title: string
      /** Number of chunks of its text. */
      chunk_count: number
    }[]
  }
  Question: {
    id: string
    /** What the agent asks, or asks to be done. An agent wrote it: show it as text. */
    text: string
    created_at: string
    /** End of the wait of the call that asks; null where it has no end. An answer is taken after it too. */
    waits_until: string | null
    /** null while it is open. */
    answered_at: string | null
    answer: string | null
  }
  QuestionAnswer: {
    /** What the agent gets as the result of its call. */
    text: string
  }
  QuestionPage: {
    data: Schemas['Question'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  /** Where the call ran, what it took, and what it cost. */
  Receipt: {
    executed_on: "edge" | "vm-warm" | "vm-cold"
    queued_ms: number
    boot_ms: number
    sync_ms: number
    exec_ms: number
    /** What the call adds to the usage, in millionths of the currency, by the `prices` at its beginning. Absent where the tenant has none, and while the work goes on. */
    cost?: number | undefined
    /** What the calls cost that it made and that have a `parent_call_id`, as far as they had ended. Absent where there are none. */
    calls_cost?: number | undefined
  }
  RegisteredTool: {
    id: string
    name: string
    description: string
    input_schema: Record<string, unknown>
    output_schema: Record<string, unknown>
    executor: Schemas['Executor']
    timeout: number
    toolkit: string | null
    hidden: boolean
    checks: {
      input: boolean
      output: boolean
    }
    version: number
    stable_version: number
    latest_version: number
    enabled: boolean
    allowed_agents: string[] | null
  }
  RegisteredToolPage: {
    data: Schemas['ListedTool'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
    total: number
  }
  ReportedPackage: {
    publisher: string
    tool: string
    reported: true
  }
  Restore: {
    /** Number of the commit whose files are wanted back, or name of a snapshot; 0: before the first. */
    commit: number | string
    /** A file, or a directory with all below it: what was not there then is removed. Left out: all files. */
    path?: string | undefined
    /** true: change nothing, and say what would change. */
    dry_run?: boolean | undefined
  }
  RestoredFiles: {
    /** Whether there is a new commit: false where nothing differs, and for a dry run. */
    restored: boolean
    /** Newest commit now: the one that restored, where there is one. */
    commit: number
    /** Commit whose files these are. */
    from_commit: number
    path: string
    dry_run: boolean
    /** Number of paths that changed, or would. */
    changed: number
    /** Some of them, at most 100. */
    changes: Schemas['PathChange'][]
    /** Number of those that are not shown. */
    more_changes: number
    notes: string[]
  }
  ResultView: {
    view: string
    /** Estimated tokens of `text`. */
    tokens: number
    /** Estimated tokens of the whole text. */
    whole_tokens: number
    /** Name of the whole result, which `GET …/calls/{handle}` shows by another view; null when all of it is shown. */
    handle: string | null
  }
  Rollback: {
    version: number
  }
  /** A call that goes on: `Location` is where to ask for it. */
  RunningCall: {
    call_id: string
    tool: string
    state: "running"
    notes?: string[] | undefined
  }
  SchemaChange: {
    schema: "input" | "output"
    /** JSON Pointer into the schema; empty for the whole. */
    path: string
    what: string
    /** Whether a value that fitted may no longer fit. */
    breaking: boolean
  }
  SchemaChanges: {
    version: number
    /** The version that it is compared with; null for the first. */
    since: number | null
    breaking: boolean
    changes: Schemas['SchemaChange'][]
  }
  /** A secret by its name. No operation reads its value back. */
  Secret: {
    name: string
    changed_at: string
  }
  SecretPage: {
    data: Schemas['Secret'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  Session: {
    /** The name in paths; a slash in it is sent as %2F. */
    name: string
    title: string
    state: Schemas['SessionState']
    /** When the state was noticed; null when it never changed. */
    state_since: string | null
    labels: Record<string, string>
    /** False when commands in the sandbox reach no network; a list when they reach these hosts alone. The session's own policy or the tenant's default, within the tenant's ceiling. */
    internet: boolean | string[]
    /** Counted from created_at; null for no end. */
    lifetime_seconds: number | null
    /** Counted from last_used_at; null for no end. */
    idle_lifetime_seconds: number | null
    created_at: string
    /** The last call, change of a file or of the session; else created_at. */
    last_used_at: string
    /** When the session is deleted with its files, if it is not used any more; null for never. */
    expires_at: string | null
    /** What happens at expires_at: `delete`, with all files and no way back. Null where it is null. */
    on_expiry: "delete" | null
    /** Session that it is a fork of; null for any other. */
    forked_from: {
      /** Its name then; there may be no such session any more. */
      session: string
      /** Commit of that session whose files the fork got. */
      commit: number
    } | null
    /** Python packages that each new sandbox gets. */
    requirements: string[]
    files: {
      /** Files, directories and links. */
      entries: number
      /** Directories among them; null where there are more than 10000 entries. */
      directories: number | null
      bytes: number
    }
    /** Ids of calls that run for long, and of work that goes on. */
    running_calls: string[]
    /** What commands find in the sandbox; null where it is not known. */
    environment: {
      python?: string | undefined
      packages?: string | undefined
      programs?: string | undefined
      memory_mb?: number | undefined
      network?: string | undefined
      directories: string
    } | null
  }
  SessionPage: {
    data: Schemas['ListedSession'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  /** `ready`: no sandbox; the next call that runs something gets one. `running`: its sandbox runs. `paused`: its sandbox waits, with its processes in memory, and the next call that needs it wakes it. A session that expired or was deleted is not found. */
  SessionState: "ready" | "running" | "paused"
  SessionTool: {
    id: string
    name: string
    description: string
    input_schema: Record<string, unknown>
    output_schema: Record<string, unknown>
    executor: Schemas['Executor'] | {
      kind: "source"
      source: string
    }
    timeout: number
    toolkit: string | null
    hidden: boolean
    checks: {
      input: boolean
      output: boolean
    }
  }
  SessionToolPage: {
    data: Schemas['SessionTool'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  SignUp: {
    /** Token of the invitation, as it was given to you. */
    invitation: string
    /** Name of the tenant, for people. */
    name: string
    /** Id of the tenant, a random one if not given. It never changes. */
    id?: string | undefined
  }
  SignedUp: {
    /** Id of the tenant; with its place, where the invitation has one: `acme.eu`. */
    tenant: string
    name: string
    plan: string | null
    /** First key of the tenant, shown this once. */
    key: string
    key_id: string
    scopes: ("read" | "execute" | "admin")[]
  }
  Snapshot: {
    name: string
    /** Commit whose state it is. */
    commit: number
    /** Id of the call that made it, or `snapshot` and a key. */
    author: string
    created_at: string
  }
  SnapshotPage: {
    data: Schemas['Snapshot'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  TenantInternet: {
    /** Policy of sessions that give none. */
    default: boolean | string[]
    /** The most that any session has. */
    ceiling: boolean | string[]
  }
  ToolDescription: {
    /** Name that calls have as `tool`. */
    name: string
    /** Whether it is the server's, or was registered. */
    kind: "server" | "registered"
    /** Name for people, of a registered tool. */
    title: string | null
    toolkit: string | null
    description: string
    /** `read`: changes nothing; `write`: changes files; `run`: runs code; `fetch`: asks other services. Null where nobody knows. */
    effect: "read" | "write" | "run" | "fetch" | null
    /** JSON Schema of the arguments. */
    input_schema: Record<string, unknown>
    /** JSON Schema of the result, where it is known. */
    output_schema: Record<string, unknown> | null
    /** Name in exports, which calls may have as well. */
    exported_name: string
    /** Other names that are taken for an argument, by argument. */
    synonyms: Record<string, string[]>
    /** How it is called, with an example of the required arguments. */
    call: {
      method: string
      path: string
      body: Record<string, unknown>
      curl: string
    }
  }
  ToolPolicyChange: {
    enabled?: boolean | undefined
    allowed_agents?: string[] | null | undefined
  }
  ToolToPublish: {
    /** Id of your tool: `id`, or `id@version`. */
    id: string
    publisher: string
    /** Name in the marketplace; the tool's id by default. */
    tool?: string | undefined
    /** Markdown; that of the version before by default, as with examples. */
    readme?: string | undefined
    examples?: {
      args: Record<string, unknown>
      result: unknown
    }[] | undefined
  }
  ToolToPut: {
    id?: string | undefined
    name: string
    description: string
    input_schema: Record<string, unknown>
    output_schema?: Record<string, unknown> | undefined
    executor: {
      kind: "http"
      target: string
      request?: {
        method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined
        query?: Record<string, string | number | boolean | {
            arg: string
            style?: "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json" | undefined
            explode?: boolean | undefined
          }> | undefined
        headers?: Record<string, string | number | boolean | {
            arg: string
            style?: "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json" | undefined
            explode?: boolean | undefined
          }> | undefined
        cookies?: Record<string, string | number | boolean | {
            arg: string
            style?: "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json" | undefined
            explode?: boolean | undefined
          }> | undefined
        body?: {
          as: "json"
          fields?: Record<string, string> | null | undefined
          fixed?: Record<string, unknown> | undefined
          under?: string | undefined
        } | {
          as: "form"
          fields?: Record<string, string> | null | undefined
          fixed?: Record<string, unknown> | undefined
        } | {
          as: "argument"
          arg: string
          media_type?: string | undefined
        } | null | undefined
        auth?: ({
          type: "bearer"
          secret: string
        } | {
          type: "basic"
          secret: string
        } | {
          type: "header"
          secret: string
          name: string
          prefix?: string | undefined
        } | {
          type: "query" | "cookie" | "body"
          secret: string
          name: string
        })[] | undefined
        retry?: {
          attempts: number
          backoff_ms?: number | undefined
        } | null | undefined
        max_answer_bytes?: number | undefined
      } | undefined
    } | {
      kind: "python"
      target: string
      source?: string | undefined
      files?: Record<string, string> | undefined
      requirements?: string[] | undefined
      secrets?: string[] | undefined
    } | {
      kind: "chain"
      chain: {
        steps: {
          /** Later steps name it: ${{ steps.<id>.result }} */
          id: string
          /** The tool or chain to call, with a range of versions if it has any: "my.tool@^2" */
          tool: string
          /** Its arguments. Texts may hold ${{ expressions }}; a text that is one expression becomes its value */
          input?: unknown | undefined
          /** A condition, e.g. length(steps.search.result.hits) > 0. The step is skipped when it is false */
          if?: string | undefined
          map?: {
            /** A list: the tool is called once for each item */
            over: string
            /** What expressions call the item; "item" if not given. Its place is "index" */
            as?: string | undefined
            /** Items at once; 4 if not given */
            concurrency?: number | undefined
          } | undefined
          /** The steps that it waits for, besides those that it names. Without it, all steps before it. [] to begin at once */
          after?: string[] | undefined
          /** Of each call; 300000 if not given */
          timeout_ms?: number | undefined
          retry?: {
            /** Calls altogether; 3 if not given */
            attempts?: number | undefined
            /** Before the second call, and twice as long before each that follows; 1000 if not given */
            backoff_ms?: number | undefined
            /** Failures that are worth another call; timeout, upstream and rate_limited if not given */
            on?: ("invalid_input" | "unauthenticated" | "forbidden" | "not_found" | "conflict" | "limit_exceeded" | "rate_limited" | "insufficient_storage" | "timeout" | "upstream" | "unavailable" | "internal")[] | undefined
          } | undefined
          /** "fail" ends the chain, "continue" goes on without a result, {"use": value} goes on with the value for its result */
          on_error?: "fail" | "continue" | {
            use: unknown
          } | undefined
        }[]
        /** What the chain gives, with ${{ expressions }}; the last step's result if not given */
        output?: unknown | undefined
      }
    } | {
      kind: "mcp"
      server: string
      target: string
      tool: string
      auth?: ({
        type: "bearer"
        secret: string
      } | {
        type: "basic"
        secret: string
      } | {
        type: "header"
        secret: string
        name: string
        prefix?: string | undefined
      } | {
        type: "query" | "cookie" | "body"
        secret: string
        name: string
      })[] | undefined
      pin: string
      quarantined?: boolean | undefined
    }
    timeout?: number | undefined
    toolkit?: string | null | undefined
    hidden?: boolean | undefined
    checks?: {
      input?: boolean | undefined
      output?: boolean | undefined
    } | undefined
    enabled?: boolean | undefined
    allowed_agents?: string[] | null | undefined
    /** The newest version that must be there, 0 for none; else the answer is 409. */
    expected_version?: number | undefined
    stable?: boolean | undefined
    version?: unknown | undefined
    stable_version?: unknown | undefined
    latest_version?: unknown | undefined
  }
  ToolVersion: {
    version: number
    stable: boolean
    made_at: string
    made_by: {
      key: string | null
      agent: string | null
    }
    breaking: boolean
    /** Number of changes of its schemas. */
    changes: number
  }
  ToolVersionPage: {
    data: Schemas['ToolVersion'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  /** A named set of tools of the server. */
  Toolkit: {
    name: string
    /** What its tools are for. */
    description: string
    /** Names of its tools, by which any caller may call them. */
    tools: string[]
    /** Whether the tenant's lists of tools show them besides the usual ones. */
    listed: boolean
  }
  ToolkitPage: {
    data: Schemas['Toolkit'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  UnpackedArchive: {
    path: string
    files: number
    bytes: number
    commit: number
  }
  UpgradedPackage: {
    id: string
    /** The version before; null after a rollback, when nobody knows. */
    from: number | null
    to: number
    breaking: boolean
    needs_more: string[]
    changes: Schemas['SchemaChange'][]
    applied: boolean
    /** Version of the installed tool, unless it is a dry run. */
    version?: number | null | undefined
  }
  Usage: {
    data: Schemas['UsedGroup'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
    from: string
    to: string
    /** Sums over all calls, whatever the page. */
    total: Schemas['Used']
    /** Kind of the groups in `data`; null without them. */
    group_by: "tool" | "agent" | "key" | "session" | "day" | "hour" | null
  }
  Used: {
    calls: number
    failed: number
    /** Calls refused before they began; not among `calls`. */
    refused: number
    /** Failed and refused calls by code; besides, as `nonzero_exit`, calls whose command ended with another code than 0, which are not among the failed. */
    reasons: Record<string, number>
    latency_ms: {
      p50: number | null
      p95: number | null
      p99: number | null
    }
    bytes_in: number
    bytes_out: number
    sandbox_seconds: number
    /** Cost in millionths of the currency. */
    cost: number
    /** Time that sandboxes ran, idle or at work; not only in calls. */
    sandbox_running_seconds: number
    /** Time that sandboxes were paused. */
    sandbox_paused_seconds: number
  }
  UsedGroup: {
    calls: number
    failed: number
    /** Calls refused before they began; not among `calls`. */
    refused: number
    /** Failed and refused calls by code; besides, as `nonzero_exit`, calls whose command ended with another code than 0, which are not among the failed. */
    reasons: Record<string, number>
    latency_ms: {
      p50: number | null
      p95: number | null
      p99: number | null
    }
    bytes_in: number
    bytes_out: number
    sandbox_seconds: number
    /** Cost in millionths of the currency. */
    cost: number
    /** Time that sandboxes ran, idle or at work; not only in calls. */
    sandbox_running_seconds: number
    /** Time that sandboxes were paused. */
    sandbox_paused_seconds: number
    tool?: string | null | undefined
    agent?: string | null | undefined
    key?: string | null | undefined
    session?: string | null | undefined
    day?: string | null | undefined
    hour?: string | null | undefined
  }
  Webhook: {
    id: string
    /** Address that events are sent to by POST, on the public internet. */
    url: string
    /** Words for people. */
    description: string
    /** Events that it wants. */
    events: ("call.ended" | "human_task.created" | "human_task.completed" | "budget.reached")[]
    /** Sessions whose events it wants, by their names; null for all. */
    sessions: string[] | null
    /** Tools whose ended calls it wants; null for all. */
    tools: string[] | null
    /** How calls ended that it wants; null for all. */
    states: ("done" | "failed" | "refused" | "lost")[] | null
    enabled: boolean
    disabled_at: string | null
    /** Why nothing is sent: the owner said so, the receiver answered 410, or it failed for days. */
    disabled_by: "owner" | "gone" | "failing" | null
    /** Time of the first failure since the last success. */
    failing_since: string | null
    /** Deliveries that were dropped, since too many waited. */
    dropped: number
    /** Time until which the secret before this one signs too. */
    old_secret_until: string | null
    created_at: string
  }
  WebhookPage: {
    data: Schemas['Webhook'][]
    /** The cursor of the next page; null on the last one. */
    next_cursor: string | null
  }
  WebhookWithSecret: {
    id: string
    /** Address that events are sent to by POST, on the public internet. */
    url: string
    /** Words for people. */
    description: string
    /** Events that it wants. */
    events: ("call.ended" | "human_task.created" | "human_task.completed" | "budget.reached")[]
    /** Sessions whose events it wants, by their names; null for all. */
    sessions: string[] | null
    /** Tools whose ended calls it wants; null for all. */
    tools: string[] | null
    /** How calls ended that it wants; null for all. */
    states: ("done" | "failed" | "refused" | "lost")[] | null
    enabled: boolean
    disabled_at: string | null
    /** Why nothing is sent: the owner said so, the receiver answered 410, or it failed for days. */
    disabled_by: "owner" | "gone" | "failing" | null
    /** Time of the first failure since the last success. */
    failing_since: string | null
    /** Deliveries that were dropped, since too many waited. */
    dropped: number
    /** Time until which the secret before this one signs too. */
    old_secret_until: string | null
    created_at: string
    /** What signs its events. It is shown this once. */
    secret: string
  }
  WrittenFile: {
    /** Path from the session's directory of files on. */
    path: string
    type: "file" | "directory" | "link"
    /** Bytes of a file; null for anything else. */
    size: number | null
    /** Strong entity tag of a file: its SHA-256 in quotes; null for anything else. */
    etag: string | null
    modified_at: string
    created: boolean
    /** Commit that has the file. */
    commit: number
  }
}

/** Operations of the API by method and path: their query, their body, and what they answer as JSON; `never` where that is no JSON. */
export interface Operations {
  /** Get this document. */
  'GET /v1/openapi.json': {
    answer: never
  }
  /** Find tools. */
  'GET /v1/tools': {
    query?: {
      /** Most items of the page, from 1 to 500. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
      /** What the tool should do, in plain words: the best come first, 200 at most. */
      q?: string | undefined
      /** Tools of this toolkit alone. */
      toolkit?: string | undefined
      /** Names with commas between them, 100 at most: these tools, in this order. */
      names?: string | undefined
      /** Name of the agent that would call: tools that it may not call are left out. */
      agent?: string | undefined
      /** Definitions as this provider of models, or MCP, takes them, under names that it takes. */
      format?: "openai" | "openai_responses" | "anthropic" | "gemini" | "mcp" | undefined
      /** OpenAI's strict form, where a tool's schema has one. */
      strict?: boolean | undefined
    }
    answer: Schemas['CallableToolPage'] | Schemas['ExportedTools']
  }
  /** Create a session. */
  'POST /v1/sessions': {
    query?: {
      /** `return` answers 200 with a session of that name as it is; otherwise that is a conflict. */
      if_exists?: "fail" | "return" | undefined
    }
    body: Schemas['NewSession']
    answer: Schemas['Session']
  }
  /** List sessions, newest first. */
  'GET /v1/sessions': {
    query?: {
      /** Most items of the page, from 1 to 200. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
      /** Sessions in this state alone. */
      state?: Schemas['SessionState'] | undefined
      /** Labels that the sessions have, all of them, as key:value with commas between: env:test,team:a. At most 4. */
      labels?: string | undefined
    }
    answer: Schemas['SessionPage']
  }
  /** Get a session. */
  'GET /v1/sessions/{session}': {
    answer: Schemas['Session']
  }
  /** Change a session. */
  'PATCH /v1/sessions/{session}': {
    body: Schemas['ChangedSession']
    answer: Schemas['Session']
  }
  /** Delete a session. */
  'DELETE /v1/sessions/{session}': {
    answer: undefined
  }
  /** Pause the sandbox of a session. */
  'POST /v1/sessions/{session}/pause': {
    query?: {
      /** `true` cancels running calls first. */
      force?: "true" | "false" | undefined
    }
    answer: Schemas['Session']
  }
  /** Have the sandbox of a session run. */
  'POST /v1/sessions/{session}/resume': {
    answer: Schemas['Session']
  }
  /** List the questions that wait for a person, newest first. */
  'GET /v1/questions': {
    query?: {
      /** Most items of the page, from 1 to 200. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['OpenQuestionPage']
  }
  /** List the questions of a session, oldest first. */
  'GET /v1/sessions/{session}/questions': {
    query?: {
      /** Most items of the page, from 1 to 200. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
      /** Left out: both. */
      state?: "open" | "answered" | undefined
    }
    answer: Schemas['QuestionPage']
  }
  /** Get a question. */
  'GET /v1/sessions/{session}/questions/{question}': {
    answer: Schemas['Question']
  }
  /** Answer a question. */
  'POST /v1/sessions/{session}/questions/{question}/answer': {
    body: Schemas['QuestionAnswer']
    answer: Schemas['Question']
  }
  /** List registered tools. */
  'GET /v1/tools/registered': {
    query?: {
      /** Most items of the page, from 1 to 500. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['RegisteredToolPage']
  }
  /** Get a registered tool. */
  'GET /v1/tools/registered/{tool}': {
    query?: {
      /** A version, or a range of them: `2`, `^2`; the stable one if not given. */
      version?: string | undefined
    }
    answer: Schemas['RegisteredTool']
  }
  /** Register a tool, or a new version of one. */
  'PUT /v1/tools/registered/{tool}': {
    body: Schemas['ToolToPut']
    answer: Schemas['ChangedTool']
  }
  /** Enable or disable a tool, or say who may call it. */
  'PATCH /v1/tools/registered/{tool}': {
    body: Schemas['ToolPolicyChange']
    answer: Schemas['ChangedTool']
  }
  /** Delete a tool with all its versions. */
  'DELETE /v1/tools/registered/{tool}': {
    answer: undefined
  }
  /** Make a version the stable one. */
  'POST /v1/tools/registered/{tool}/rollback': {
    body: Schemas['Rollback']
    answer: Schemas['ChangedTool']
  }
  /** List the versions of a tool, newest first. */
  'GET /v1/tools/registered/{tool}/versions': {
    query?: {
      /** Most items of the page, from 1 to 500. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['ToolVersionPage']
  }
  /** Compare the schemas of a version with those of the one before. */
  'GET /v1/tools/registered/{tool}/versions/{version}/changes': {
    answer: Schemas['SchemaChanges']
  }
  /** Register all tools of a file. */
  'POST /v1/tools/import': {
    query?: {
      /** Deletes tools of an earlier import of the same source that the file lacks. */
      replace?: boolean | undefined
      /** Changes nothing: the answer says what would happen. */
      dry_run?: boolean | undefined
      /** Name of the file, for the next import of it. */
      source?: string | undefined
    }
    body: RawBody
    answer: Schemas['ImportedTools']
  }
  /** Get a tool, and how it is called. */
  'GET /v1/tools/{tool}': {
    query?: {
      /** Name of the agent that would call: tools that it may not call are left out. */
      agent?: string | undefined
    }
    answer: Schemas['ToolDescription']
  }
  /** List the toolkits of the server in the order of their names. */
  'GET /v1/toolkits': {
    query?: {
      /** Most items of the page, from 1 to 100. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['ToolkitPage']
  }
  /** Get a toolkit. */
  'GET /v1/toolkits/{toolkit}': {
    answer: Schemas['Toolkit']
  }
  /** Show a toolkit in the tenant's lists of tools. */
  'PUT /v1/toolkits/{toolkit}/listed': {
    answer: Schemas['Toolkit']
  }
  /** Show a toolkit in the tenant's lists no longer. */
  'DELETE /v1/toolkits/{toolkit}/listed': {
    answer: undefined
  }
  /** List calls. */
  'GET /v1/sessions/{session}/calls': {
    query?: {
      /** Most items of the page, from 1 to 200. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
      /** Calls in this state alone; `unsuccessful` for all that did not go well: failed, refused, lost, and those with an `exit_code`; `successful` for the others that are done. */
      state?: "running" | "pending" | "done" | "failed" | "refused" | "lost" | "successful" | "unsuccessful" | undefined
      /** Calls of this tool alone. */
      tool?: string | undefined
    }
    answer: Schemas['CallPage']
  }
  /** Call a tool. */
  'POST /v1/sessions/{session}/calls': {
    query?: {
      /** Seconds to wait for the end; then the answer is 202, and the call goes on. */
      wait?: number | undefined
    }
    body: Schemas['NewCall']
    answer: Schemas['CallAnswer'] | Schemas['RunningCall'] | Schemas['CallAnswer']
  }
  /** Look at a call. */
  'GET /v1/sessions/{session}/calls/{call}': {
    query?: {
      /** Seconds to wait for the end; then the answer is the call as it is. */
      wait?: number | undefined
      /** Part of the result to show as `text`: `head_tail`, `head`, `tail`, `grep:PATTERN`, `lines:FROM-TO` or `jsonpath:PATH`. */
      view?: string | undefined
      /** Estimated tokens of the result to show, 4000 with a view alone. */
      max_tokens?: number | undefined
    }
    answer: Schemas['Call']
  }
  /** Follow a call. */
  'GET /v1/sessions/{session}/calls/{call}/events': {
    answer: never
  }
  /** Cancel a call. */
  'POST /v1/sessions/{session}/calls/{call}/cancel': {
    answer: Schemas['Call']
  }
  /** Plan a chain without calling anything. */
  'POST /v1/chains/dry-run': {
    body: Schemas['ChainToTry']
    answer: Schemas['ChainDryRun']
  }
  /** List the files of a session. */
  'GET /v1/sessions/{session}/files': {
    query?: {
      /** Most items of the page, from 1 to 1000. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
      /** Number of a commit, or name of a snapshot: the files as they were then. Left out: as they are now. */
      as_of?: number | string | undefined
      /** false: as it is known, without a look at what running commands have written so far. For those who look again and again. */
      look?: boolean | undefined
      /** true: also what lies in its directories. */
      recursive?: boolean | undefined
      /** Levels of directories to list; 1, unless recursive is given. */
      depth?: number | undefined
    }
    answer: Schemas['FilePage']
  }
  /** Get a file, a part of it, or the list of a directory. */
  'GET /v1/sessions/{session}/files/{path}': {
    query?: {
      /** Most items of the page, from 1 to 1000. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
      /** Number of a commit, or name of a snapshot: the files as they were then. Left out: as they are now. */
      as_of?: number | string | undefined
      /** false: as it is known, without a look at what running commands have written so far. For those who look again and again. */
      look?: boolean | undefined
      /** true: also what lies in its directories. */
      recursive?: boolean | undefined
      /** Levels of directories to list; 1, unless recursive is given. */
      depth?: number | undefined
    }
    answer: never
  }
  /** Create or replace a file. */
  'PUT /v1/sessions/{session}/files/{path}': {
    body: RawBody
    answer: Schemas['WrittenFile']
  }
  /** Delete a file or a directory. */
  'DELETE /v1/sessions/{session}/files/{path}': {
    query?: {
      /** true: also a directory with files. */
      recursive?: boolean | undefined
    }
    answer: undefined
  }
  /** Move or rename a file or a directory. */
  'POST /v1/sessions/{session}/files:move': {
    body: {
      /** What to move, relative to the task root */
      src_path: string
      /** New path, or a directory to move it into, relative to the task root */
      dest_path: string
      /** False to refuse where something stands there already. Default true */
      overwrite?: boolean | undefined
    }
    answer: Schemas['FileToolAnswer']
  }
  /** Copy a file or a directory. */
  'POST /v1/sessions/{session}/files:copy': {
    body: {
      /** What to copy, relative to the task root */
      src_path: string
      /** Path of the copy, relative to the task root; of a file also a directory to put it into */
      dest_path: string
      /** False to refuse where something stands there already. Default true */
      overwrite?: boolean | undefined
    }
    answer: Schemas['FileToolAnswer']
  }
  /** Search files for a text or a pattern. */
  'POST /v1/sessions/{session}/files:search': {
    body: {
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
    answer: Schemas['FileToolAnswer']
  }
  /** Find files by a pattern of their paths. */
  'POST /v1/sessions/{session}/files:glob': {
    body: {
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
    answer: Schemas['FileToolAnswer']
  }
  /** Replace a text in a file. */
  'POST /v1/sessions/{session}/files:edit': {
    body: {
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
    answer: Schemas['FileToolAnswer']
  }
  /** Apply a unified diff to files, all of it or nothing. */
  'POST /v1/sessions/{session}/files:patch': {
    body: {
      /** The diff: "--- a/FILE", "+++ b/FILE", "@@ -1,3 +1,4 @@", lines that begin with " ", "-" or "+"; FILE is relative to the task root */
      patch: string
      /** Directory that the paths of the patch begin in, relative to the task root. Default: the task root */
      workdir?: string | undefined
      /** ETags by path: the patch is applied if each of these files has its own. */
      if_match?: Record<string, string> | undefined
    }
    answer: Schemas['FileToolAnswer']
  }
  /** Call several tools. */
  'POST /v1/sessions/{session}/calls:batch': {
    body: Schemas['CallBatch']
    answer: Schemas['CallBatchAnswer']
  }
  /** Watch the files of a session. */
  'GET /v1/sessions/{session}/watch': {
    query?: {
      /** File or directory: commits that change it, or something in it, alone. */
      path?: string | undefined
      /** Number of a commit, or name of a snapshot: commits after it come first. Left out: those from now on. */
      from?: number | string | undefined
    }
    answer: never
  }
  /** Download a directory as an archive. */
  'GET /v1/sessions/{session}/archive': {
    query?: {
      /** Form of the archive. */
      format?: "zip" | "tar.gz" | undefined
      /** A directory; left out: that of all files. */
      path?: string | undefined
      /** Number of a commit, or name of a snapshot: the files as they were then. Left out: as they are now. */
      as_of?: number | string | undefined
    }
    answer: never
  }
  /** Unpack an archive into a directory. */
  'PUT /v1/sessions/{session}/archive': {
    query?: {
      /** A directory; left out: that of all files. */
      path?: string | undefined
      /** merge: what else is in the directory stays; replace: it goes. */
      mode?: "merge" | "replace" | undefined
    }
    body: RawBody
    answer: Schemas['UnpackedArchive']
  }
  /** List the history of a session's files, newest commit first. */
  'GET /v1/sessions/{session}/history': {
    query?: {
      /** Most items of the page, from 1 to 200. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
      /** A file, or a directory with all below it; left out: all files. */
      path?: string | undefined
      /** false: as it is known, without a look at what running commands have written so far. For those who look again and again. */
      look?: boolean | undefined
      /** Commits of this author alone, such as a call. */
      author?: string | undefined
    }
    answer: Schemas['CommitPage']
  }
  /** Get one commit with all that it changed. */
  'GET /v1/sessions/{session}/history/{commit}': {
    query?: {
      /** Most items of the page, from 1 to 1000. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
      /** A file, or a directory with all below it; left out: all files. */
      path?: string | undefined
    }
    answer: Schemas['CommitChanges']
  }
  /** Get what differs between two commits, a commit and now, or two sessions. */
  'GET /v1/sessions/{session}/diff': {
    query?: {
      /** Name of another session, such as the one that this is a fork of: what differs between its files and those of this one. `from` is a moment of the other session then; left out: its files as they are now. */
      against?: string | undefined
      /** Commit before the differences, or name of a snapshot. Left out: the commit before `to`. */
      from?: number | string | undefined
      /** Commit after the differences, or name of a snapshot. Left out: the files as they are now. */
      to?: number | string | undefined
      /** Most items of the page, from 1 to 100. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
      /** A file, or a directory with all below it; left out: all files. */
      path?: string | undefined
      /** false: as it is known, without a look at what running commands have written so far. For those who look again and again. */
      look?: boolean | undefined
    }
    answer: Schemas['Differences']
  }
  /** Restore all files, a directory or one file to a commit. */
  'POST /v1/sessions/{session}/restore': {
    body: Schemas['Restore']
    answer: Schemas['RestoredFiles']
  }
  /** Make a link by which somebody without a key may download or upload one file. */
  'POST /v1/sessions/{session}/links': {
    body: Schemas['FileLinkRequest']
    answer: Schemas['NewFileLink']
  }
  /** List the links of a session that are valid, oldest first. */
  'GET /v1/sessions/{session}/links': {
    query?: {
      /** Most items of the page, from 1 to 1000. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['FileLinkPage']
  }
  /** Revoke all links of a session. */
  'DELETE /v1/sessions/{session}/links': {
    answer: undefined
  }
  /** Get a link that is valid. */
  'GET /v1/sessions/{session}/links/{link}': {
    answer: Schemas['FileLink']
  }
  /** Revoke a link. */
  'DELETE /v1/sessions/{session}/links/{link}': {
    answer: undefined
  }
  /** Download the file of a link. */
  'GET /v1/links/{token}': {
    answer: never
  }
  /** Upload the file of a link. */
  'PUT /v1/links/{token}': {
    body: RawBody
    answer: Schemas['WrittenFile']
  }
  /** List the snapshots of a session's files. */
  'GET /v1/sessions/{session}/snapshots': {
    query?: {
      /** Most items of the page, from 1 to 100. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['SnapshotPage']
  }
  /** Get a snapshot. */
  'GET /v1/sessions/{session}/snapshots/{snapshot}': {
    answer: Schemas['Snapshot']
  }
  /** Name a moment of a session's files. */
  'PUT /v1/sessions/{session}/snapshots/{snapshot}': {
    body?: Schemas['NewSnapshot']
    answer: Schemas['Snapshot']
  }
  /** Delete a snapshot. */
  'DELETE /v1/sessions/{session}/snapshots/{snapshot}': {
    answer: undefined
  }
  /** Make a session with the files of another one. */
  'POST /v1/sessions/{session}/fork': {
    body?: Schemas['NewFork']
    answer: Schemas['Session']
  }
  /** List a session's own tools in the order of their ids. */
  'GET /v1/sessions/{session}/tools': {
    query?: {
      /** Most items of the page, from 1 to 100. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['SessionToolPage']
  }
  /** Put papers, or a file of one. */
  'POST /v1/papers': {
    query?: {
      /** own, as without it: yours; public: those of all tenants, with the server's admin token as the key. */
      corpus?: "own" | "public" | undefined
    }
    body: Schemas['NewPaper'] | {
      papers: Schemas['NewPaper'][]
    } | RawBody
    answer: Schemas['PutPapers']
  }
  /** List papers in the order of their ids. */
  'GET /v1/papers': {
    query?: {
      /** own, as without it: yours; public: those of all tenants, with the server's admin token as the key. */
      corpus?: "own" | "public" | undefined
      /** Most items of the page, from 1 to 500. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['PaperPage']
  }
  /** Get a paper with its text. */
  'GET /v1/papers/{paper}': {
    query?: {
      /** own, as without it: yours; public: those of all tenants, with the server's admin token as the key. */
      corpus?: "own" | "public" | undefined
    }
    answer: Schemas['Paper']
  }
  /** Delete a paper. */
  'DELETE /v1/papers/{paper}': {
    query?: {
      /** own, as without it: yours; public: those of all tenants, with the server's admin token as the key. */
      corpus?: "own" | "public" | undefined
    }
    answer: undefined
  }
  /** List secrets in the order of their names. */
  'GET /v1/secrets': {
    query?: {
      /** Most items of the page, from 1 to 100. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['SecretPage']
  }
  /** Store a secret, or replace it. */
  'PUT /v1/secrets/{secret}': {
    body: Schemas['NewSecret']
    answer: Schemas['Secret']
  }
  /** Delete a secret. */
  'DELETE /v1/secrets/{secret}': {
    answer: undefined
  }
  /** Search published tools. */
  'GET /v1/marketplace/tools': {
    query?: {
      /** Most items of the page, from 1 to 100. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
      /** Words to look for; without any the newest packages come first. */
      q?: string | undefined
    }
    answer: Schemas['PackageHitPage']
  }
  /** Publish a version of your tool. */
  'POST /v1/marketplace/tools': {
    body: Schemas['ToolToPublish']
    answer: Schemas['PublishedPackage']
  }
  /** Get a published tool with its versions. */
  'GET /v1/marketplace/tools/{publisher}/{tool}': {
    query?: {
      /** A version; the newest if not given. */
      version?: number | undefined
      /** A version to compare with. */
      since?: number | undefined
    }
    answer: Schemas['Package']
  }
  /** Withdraw a version of your tool, or all. */
  'DELETE /v1/marketplace/tools/{publisher}/{tool}': {
    query?: {
      /** A version; all if not given. */
      version?: number | undefined
    }
    answer: undefined
  }
  /** Report a tool to the server's owner. */
  'POST /v1/marketplace/tools/{publisher}/{tool}/report': {
    body: Schemas['NewPackageReport']
    answer: Schemas['ReportedPackage']
  }
  /** Install a published tool among your own. */
  'POST /v1/marketplace/tools/{publisher}/{tool}/install': {
    body: Schemas['PackageToInstall']
    answer: Schemas['InstalledPackage']
  }
  /** Upgrade an installed tool. */
  'POST /v1/marketplace/tools/{publisher}/{tool}/upgrade': {
    body: Schemas['PackageUpgrade']
    answer: Schemas['UpgradedPackage']
  }
  /** Block a published tool. */
  'PUT /v1/marketplace/tools/{publisher}/{tool}/block': {
    body: Schemas['PackageBlock']
    answer: Schemas['BlockedPackage']
  }
  /** List reports, newest first. */
  'GET /v1/marketplace/reports': {
    query?: {
      /** Most items of the page, from 1 to 100. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['PackageReportPage']
  }
  /** Make the operations of an API tools, or renew them. */
  'POST /v1/apis': {
    body: Schemas['ApiToImport']
    answer: Schemas['ImportedApi']
  }
  /** List imported APIs in the order of their names. */
  'GET /v1/apis': {
    query?: {
      /** Most items of the page, from 1 to 500. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['ApiPage']
  }
  /** Delete an API with its tools. */
  'DELETE /v1/apis/{api}': {
    answer: undefined
  }
  /** Add a remote MCP server, whose tools become registered tools. */
  'POST /v1/mcp-servers': {
    body: Schemas['NewMcpServer']
    answer: Schemas['McpServer']
  }
  /** List remote MCP servers in the order of their names. */
  'GET /v1/mcp-servers': {
    query?: {
      /** Most items of the page, from 1 to 50. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['McpServerPage']
  }
  /** Get a remote MCP server with its tools. */
  'GET /v1/mcp-servers/{server}': {
    answer: Schemas['McpServer']
  }
  /** Change a remote MCP server. */
  'PATCH /v1/mcp-servers/{server}': {
    body: Schemas['ChangedMcpServer']
    answer: Schemas['McpServer']
  }
  /** Delete a remote MCP server with its tools. */
  'DELETE /v1/mcp-servers/{server}': {
    answer: undefined
  }
  /** Ask a remote MCP server for its tools. */
  'POST /v1/mcp-servers/{server}/refresh': {
    answer: Schemas['McpServer']
  }
  /** Accept a tool as its server described it last. */
  'POST /v1/mcp-servers/{server}/tools/{tool}/accept': {
    body: Schemas['AcceptedTool']
    answer: Schemas['McpServer']
  }
  /** Get all limits and prices. */
  'GET /v1/limits': {
    answer: Schemas['Limits']
  }
  /** Replace all limits and prices. */
  'PUT /v1/limits': {
    body: Schemas['NewLimits']
    answer: Schemas['Limits']
  }
  /** List entries of the audit log, oldest first. */
  'GET /v1/audit': {
    query?: {
      /** Most items of the page, from 1 to 1000. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['AuditEntryPage']
  }
  /** Export the audit log, for checking its hashes. */
  'GET /v1/audit/export': {
    query?: {
      /** Number of an entry: those that follow it are answered. */
      after?: number | undefined
      /** Most entries. */
      limit?: number | undefined
    }
    answer: never
  }
  /** Get the number and the hash of the last entry. */
  'GET /v1/audit/head': {
    answer: Schemas['AuditHead']
  }
  /** Get the use of tools. */
  'GET /v1/usage': {
    query?: {
      /** First day in UTC; six days before `to` if not given. */
      from?: string | undefined
      /** Last day in UTC, included; today if not given. */
      to?: string | undefined
      /** Groups of the calls, besides their total. */
      group_by?: "tool" | "agent" | "key" | "session" | "day" | "hour" | undefined
      /** Counts calls of this tool alone. */
      tool?: string | undefined
      /** Counts calls of this agent alone. */
      agent?: string | undefined
      /** Counts calls of this key alone. */
      key?: string | undefined
      /** Counts calls of this session alone. */
      session?: string | undefined
      /** Most items of the page, from 1 to 1000. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['Usage']
  }
  /** Export the use of tools. */
  'GET /v1/usage/export': {
    query?: {
      /** First day in UTC; six days before `to` if not given. */
      from?: string | undefined
      /** Last day in UTC, included; today if not given. */
      to?: string | undefined
      /** Counts calls of this tool alone. */
      tool?: string | undefined
      /** Counts calls of this agent alone. */
      agent?: string | undefined
      /** Counts calls of this key alone. */
      key?: string | undefined
      /** Counts calls of this session alone. */
      session?: string | undefined
      /** Form of the rows; by `Accept` if not given, and JSON lines without one. */
      format?: "csv" | "jsonl" | undefined
    }
    answer: never
  }
  /** Get the key that asks. */
  'GET /v1/keys/current': {
    answer: Schemas['CurrentKey']
  }
  /** Create a child key. */
  'POST /v1/keys/current/children': {
    body: Schemas['NewChildKey']
    answer: Schemas['MintedKey']
  }
  /** List the child keys below this key. */
  'GET /v1/keys/current/children': {
    query?: {
      /** Most items of the page, from 1 to 200. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['ChildKeyPage']
  }
  /** List the child keys below a key. */
  'GET /v1/keys/{key}/children': {
    query?: {
      /** Most items of the page, from 1 to 200. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['ChildKeyPage']
  }
  /** List the keys of the tenant. */
  'GET /v1/keys': {
    query?: {
      /** Most items of the page, from 1 to 200. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['KeyPage']
  }
  /** Create a key of the tenant. */
  'POST /v1/keys': {
    body: Schemas['NewKey']
    answer: Schemas['CreatedKey']
  }
  /** Get a key. */
  'GET /v1/keys/{key}': {
    answer: Schemas['Key'] | Schemas['ChildKey']
  }
  /** Rename a key of the tenant, or change the addresses from which it is good. */
  'PATCH /v1/keys/{key}': {
    body: Schemas['KeyChange']
    answer: Schemas['Key']
  }
  /** Revoke a key. */
  'DELETE /v1/keys/{key}': {
    answer: undefined
  }
  /** Give a key of the tenant a new secret. */
  'POST /v1/keys/{key}/rotate': {
    body?: Schemas['KeyRotation']
    answer: Schemas['CreatedKey']
  }
  /** List who is signed in to the console. */
  'GET /v1/console-sessions': {
    query?: {
      /** Most items of the page, from 1 to 100. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['ConsoleSessionPage']
  }
  /** Sign a browser out of the console. */
  'DELETE /v1/console-sessions/{console_session}': {
    answer: undefined
  }
  /** Make a tenant by an invitation. */
  'POST /v1/sign-up': {
    body: Schemas['SignUp']
    answer: Schemas['SignedUp']
  }
  /** Add a webhook. */
  'POST /v1/webhooks': {
    body: Schemas['NewWebhook']
    answer: Schemas['WebhookWithSecret']
  }
  /** List webhooks, oldest first. */
  'GET /v1/webhooks': {
    query?: {
      /** Most items of the page, from 1 to 16. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['WebhookPage']
  }
  /** Get a webhook. */
  'GET /v1/webhooks/{webhook}': {
    answer: Schemas['Webhook']
  }
  /** Change a webhook. */
  'PATCH /v1/webhooks/{webhook}': {
    body: Schemas['ChangedWebhook']
    answer: Schemas['Webhook']
  }
  /** Delete a webhook. */
  'DELETE /v1/webhooks/{webhook}': {
    answer: undefined
  }
  /** Give a webhook a new secret. */
  'POST /v1/webhooks/{webhook}/rotate': {
    answer: Schemas['WebhookWithSecret']
  }
  /** Send a webhook an event of no meaning. */
  'POST /v1/webhooks/{webhook}/test': {
    answer: Schemas['Delivery']
  }
  /** List deliveries to a webhook, newest first. */
  'GET /v1/webhooks/{webhook}/deliveries': {
    query?: {
      /** Most items of the page, from 1 to 200. */
      limit?: number | undefined
      /** The next_cursor of the page before. */
      cursor?: string | undefined
    }
    answer: Schemas['DeliveryPage']
  }
  /** Send a delivery again, with the same id. */
  'POST /v1/webhooks/{webhook}/deliveries/{delivery}/retry': {
    answer: Schemas['Delivery']
  }
}
