import { type CallAnswer, type CallArguments, type CallOptions, Calls, type ToolName } from './calls.ts'
import { CallFailedError, ToolyardError } from './errors.ts'
import { Files } from './files.ts'
import type { Operations, Schemas } from './generated/api.ts'
import type { ToolArguments } from './generated/tools.ts'
import type { Moment } from './moment.ts'
import type { Pages } from './pages.ts'
import { pause } from './pause.ts'
import { type CommandResult, commandResult, type PythonResult, pythonResult } from './results.ts'
import { Snapshots } from './snapshots.ts'
import type { RequestOptions, Transport } from './transport.ts'

type ListedCommits = Operations['GET /v1/sessions/{session}/history']
type ListedChanges = Operations['GET /v1/sessions/{session}/history/{commit}']
type Compared = Operations['GET /v1/sessions/{session}/diff']

/** Settings of a command: those of the tool `execute_shell`, and of its call. */
export type RunOptions = Omit<ToolArguments['execute_shell'], 'command' | 'background' | 'on_timeout'> & CallOptions

/** Settings of a cell: those of the tool `notebook_execute`, and of its call. */
export type PythonOptions = Pick<ToolArguments['notebook_execute'], 'cell_index' | 'reset' | 'timeout' | 'env'> &
  CallOptions

/** A session: files, a history of calls, and a sandbox while something runs. Making this object asks nobody. */
export class Session {
  /** Name in the paths of the API. */
  readonly name: string
  readonly files: Files
  readonly calls: Calls
  readonly snapshots: Snapshots
  readonly #transport: Transport
  readonly #path: { readonly session: string }
  readonly #isKept: boolean

  /** @param isKept whether the session stays when `await using` ends */
  constructor(transport: Transport, name: string, isKept = true) {
    this.name = name
    this.files = new Files(transport, name)
    this.calls = new Calls(transport, name)
    this.snapshots = new Snapshots(transport, name)
    this.#transport = transport
    this.#path = { session: name }
    this.#isKept = isKept
  }

  /** The session as it is now. */
  info(options?: RequestOptions): Promise<Schemas['Session']> {
    return this.#transport.json('GET /v1/sessions/{session}', { path: this.#path }, options)
  }

  /** Changes its title, labels, lifetimes or internet; what is left out stays. */
  update(changes: Schemas['ChangedSession'], options?: RequestOptions): Promise<Schemas['Session']> {
    return this.#transport.json('PATCH /v1/sessions/{session}', { path: this.#path, body: changes }, options)
  }

  /** Pauses its sandbox. @param force whether what runs in it is cancelled */
  pause({ force, ...options }: RequestOptions & { force?: boolean } = {}): Promise<Schemas['Session']> {
    return this.#transport.json(
      'POST /v1/sessions/{session}/pause',
      { path: this.#path, query: { force: force ? 'true' : 'false' } },
      options,
    )
  }

  /** Has its sandbox run. */
  resume(options?: RequestOptions): Promise<Schemas['Session']> {
    return this.#transport.json('POST /v1/sessions/{session}/resume', { path: this.#path }, options)
  }

  /** Ends what runs in it, and removes all of it. */
  async delete(options?: RequestOptions): Promise<void> {
    await this.#transport.json('DELETE /v1/sessions/{session}', { path: this.#path }, options)
  }

  /** Deletes a session that was made here, unless it was made to be kept. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isKept) await this.delete()
  }

  /** Calls a tool. @throws CallFailedError where the tool could not do it, besides what requests throw */
  async tool<Name extends ToolName>(name: Name, ...rest: CallArguments<Name, CallOptions>): Promise<CallAnswer> {
    const [args = {}, options] = rest
    return good(await this.calls.make(name, args, options))
  }

  /** Runs a command in bash, follows it, and cancels it when the signal is aborted. @throws CallFailedError, at its timeout too */
  async run(command: string, options: RunOptions = {}): Promise<CommandResult> {
    const [args, own] = dividedOptions(options)
    return commandResult(good(await this.calls.make('execute_shell', { ...args, command }, own)))
  }

  /** Runs Python as a cell of the session's notebook, which keeps its variables. An exception in the code is a result. */
  async python(code: string, options: PythonOptions = {}): Promise<PythonResult> {
    const [args, own] = dividedOptions(options)
    let call = good(await this.calls.make('notebook_execute', { ...args, code }, own))
    // A cell that waited for others for long goes on behind its answer.
    while (call.state === 'pending' && call.next) {
      await pause(call.retry_after_ms ?? 1_000, own.signal)
      const { idempotencyKey: _, ...further } = own
      call = good(await this.calls.make(call.next.tool, call.next.args as object, further))
    }
    return pythonResult(call)
  }

  /** The session's own tools, which were registered in it. */
  tools(options?: RequestOptions): Pages<Schemas['SessionToolPage']> {
    return this.#transport.pages('GET /v1/sessions/{session}/tools', { path: this.#path }, options)
  }

  /** Commits, newest first: who changed what. */
  history(query: ListedCommits['query'] = {}, options?: RequestOptions): Pages<ListedCommits['answer']> {
    return this.#transport.pages('GET /v1/sessions/{session}/history', { path: this.#path, query }, options)
  }

  /** All changes of a commit. */
  changes(
    commit: Moment,
    query: ListedChanges['query'] = {},
    options?: RequestOptions,
  ): Pages<ListedChanges['answer']> {
    const path = { ...this.#path, commit }
    return this.#transport.pages('GET /v1/sessions/{session}/history/{commit}', { path, query }, options)
  }

  /** Differences between two moments, or to another session; of the newest commit unless said. */
  diff(query: Compared['query'] = {}, options?: RequestOptions): Pages<Compared['answer']> {
    return this.#transport.pages('GET /v1/sessions/{session}/diff', { path: this.#path, query }, options)
  }

  /** The same as a unified diff, one page of it. */
  async unifiedDiff(query: Compared['query'] = {}, options?: RequestOptions): Promise<string> {
    const given = { path: this.#path, query, headers: { Accept: 'text/x-diff' } }
    return (await this.#transport.send('GET /v1/sessions/{session}/diff', given, options, 'text')).body
  }

  /** Puts files back as they were at a moment, by a new commit. @param ifCommit only while that commit is the newest */
  restore(
    commit: Moment,
    rest: Omit<Schemas['Restore'], 'commit'> = {},
    { ifCommit, ...options }: RequestOptions & { ifCommit?: number | undefined } = {},
  ): Promise<Schemas['RestoredFiles']> {
    const headers = { 'If-Match': ifCommit === undefined ? ifCommit : `"${ifCommit}"` }
    const given = { path: this.#path, body: { ...rest, commit }, headers }
    return this.#transport.json('POST /v1/sessions/{session}/restore', given, options)
  }

  /**
   * Takes the newest commits back, or the newest that changed a path: one unless said. That is a commit, too: a second undo takes the first
   * one back. Nothing is undone where another commit comes in between.
   */
  async undo(
    commits = 1,
    { path, dry_run, ...options }: RequestOptions & Pick<Schemas['Restore'], 'path' | 'dry_run'> = {},
  ): Promise<Schemas['RestoredFiles']> {
    // Before the commits of the path: one that comes in between is no reason to undo more.
    const [head] = await this.history({}, options).take(1)
    const oldest = (await this.history({ path }, options).take(commits))[commits - 1]
    if (!oldest) throw new ToolyardError(`there are no ${commits} commits to take back; ask for fewer, at least 1`)
    return this.restore(oldest.commit - 1, { path, dry_run }, { ...options, ifCommit: head?.commit })
  }

  /** A new session with the files as they are now, or `as_of` a moment. `await using` deletes it at its end, unless `keep` is set. */
  async fork(
    { keep = false, ...fork }: Schemas['NewFork'] & { keep?: boolean } = {},
    options?: RequestOptions,
  ): Promise<Session> {
    const given = { path: this.#path, body: fork }
    const { name } = await this.#transport.json('POST /v1/sessions/{session}/fork', given, options)
    return new Session(this.#transport, name, keep)
  }
}

/** Answer of a call that did not fail. @throws CallFailedError */
function good(answer: CallAnswer): CallAnswer {
  if (answer.error || !(answer.state === 'done' || answer.state === 'pending')) throw new CallFailedError(answer)
  return answer
}

/** Arguments of a tool, and settings of its call, which are given together. The call is followed: somebody hears of its events. */
function dividedOptions<Args extends object>(given: Args & CallOptions): [args: object, options: CallOptions] {
  const {
    signal,
    timeoutMs,
    maxRetries,
    idempotencyKey,
    onStdout,
    onStderr,
    onEvent = () => {},
    agent,
    ...more
  } = given
  const { context, answer: _, view, max_tokens, ...args } = more
  const heard = { onStdout, onStderr, onEvent }
  return [args, { signal, timeoutMs, maxRetries, idempotencyKey, agent, context, view, max_tokens, ...heard }]
}
