import type { RawBody } from './body.ts'
import { resumedEvents } from './events.ts'
import type { Operations, Schemas } from './generated/api.ts'
import type { Moment } from './moment.ts'
import type { Pages } from './pages.ts'
import type { RequestOptions, Transport } from './transport.ts'

type Listed = Operations['GET /v1/sessions/{session}/files']
/** Tools of files that are operations of their own. */
type FileTool = 'edit' | 'patch' | 'search' | 'glob' | 'move' | 'copy'
type Body<Name extends FileTool> = Operations[`POST /v1/sessions/{session}/files:${Name}`]['body']
type Edited = Omit<Body<'edit'>, 'file_path'>

/** Condition on the file that is there, by ETags as `write` and `list` give them. */
export interface FileCondition {
  /** ETag that the file must have now. */
  readonly ifMatch?: string | undefined
  /** `*`: the file must not be there yet. */
  readonly ifNoneMatch?: string | undefined
}

type IfMatch = Pick<FileCondition, 'ifMatch'>

/** A commit as it is made: its changes, or that commits are missing (`reset`). */
export interface WatchedCommit {
  readonly type: 'commit' | 'reset'
  readonly commit: number
  readonly author?: string
  /** Tool of the call that made it; null for anything else. */
  readonly tool?: string | null
  readonly changes: readonly Schemas['PathChange'][]
  /** Number of changed paths that are not named. */
  readonly more_changes: number
}

/** Files of a session. */
export class Files {
  readonly #transport: Transport
  readonly #session: string

  constructor(transport: Transport, session: string) {
    this.#transport = transport
    this.#session = session
  }

  /** A file as text, in UTF-8. @param as_of as it was at that moment */
  async read(path: string, options?: AsOf): Promise<string> {
    return (await this.#file(path, options, 'text')).body
  }

  /** A file as bytes. */
  async bytes(path: string, options?: AsOf): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array((await this.#file(path, options, 'arrayBuffer')).body)
  }

  /** A file as the answer of the server: its body is a stream, its headers have the ETag. */
  async open(path: string, options?: AsOf): Promise<Response> {
    return (await this.#file(path, options)).response
  }

  #file<Reads extends 'text' | 'arrayBuffer' = never>(path: string, { as_of, ...options }: AsOf = {}, reads?: Reads) {
    const given = { path: { session: this.#session, path }, query: { as_of } }
    return this.#transport.send('GET /v1/sessions/{session}/files/{path}', given, options, reads)
  }

  /** Creates or replaces a file; directories on the way are made. A stream is sent once, whatever happens to the connection. */
  write(
    path: string,
    content: RawBody,
    { ifMatch, ifNoneMatch, ...options }: RequestOptions & FileCondition = {},
  ): Promise<Schemas['WrittenFile']> {
    const headers = conditions({ ifMatch, ifNoneMatch })
    const given = { path: { session: this.#session, path }, body: content, headers }
    return this.#transport.json('PUT /v1/sessions/{session}/files/{path}', given, options)
  }

  /** Replaces texts in a file, all of them or none. */
  edit(path: string, edit: Edited, options?: RequestOptions & IfMatch): Promise<Schemas['FileToolAnswer']> {
    return this.#tool('edit', { file_path: path, ...edit }, options)
  }

  /** Applies a unified diff, all of it or nothing. */
  patch(
    patch: string,
    rest?: Omit<Body<'patch'>, 'patch'>,
    options?: RequestOptions,
  ): Promise<Schemas['FileToolAnswer']> {
    return this.#tool('patch', { patch, ...rest }, options)
  }

  /** Finds a text, or with `regex` a pattern, in files. */
  search(
    search_text: string,
    rest?: Omit<Body<'search'>, 'search_text'>,
    options?: RequestOptions,
  ): Promise<Schemas['FileToolAnswer']> {
    return this.#tool('search', { search_text, ...rest }, options)
  }

  /** Finds files by a pattern of their paths. */
  glob(
    pattern: string,
    rest?: Omit<Body<'glob'>, 'pattern'>,
    options?: RequestOptions,
  ): Promise<Schemas['FileToolAnswer']> {
    return this.#tool('glob', { pattern, ...rest }, options)
  }

  /** Entries of a directory, of the session's own without a path. */
  list(directory = '', query: Listed['query'] = {}, options?: RequestOptions): Pages<Listed['answer']> {
    const parts = directory.split('/').filter((part) => part !== '' && part !== '.')
    const path = { session: this.#session, path: `${parts.join('/')}/` }
    const route = `GET /v1/sessions/{session}/files${parts[0] ? '/{path}' : ''}` as 'GET /v1/sessions/{session}/files'
    return this.#transport.pages(route, { path, query }, options)
  }

  /** Deletes a file, or with `recursive` a directory with all below it. */
  async delete(
    path: string,
    { recursive, ifMatch, ...options }: RequestOptions & IfMatch & { recursive?: boolean } = {},
  ): Promise<void> {
    const given = { path: { session: this.#session, path }, query: { recursive }, headers: conditions({ ifMatch }) }
    await this.#transport.json('DELETE /v1/sessions/{session}/files/{path}', given, options)
  }

  move(from: string, to: string, options?: RequestOptions): Promise<Schemas['FileToolAnswer']> {
    return this.#tool('move', { src_path: from, dest_path: to }, options)
  }

  copy(from: string, to: string, options?: RequestOptions): Promise<Schemas['FileToolAnswer']> {
    return this.#tool('copy', { src_path: from, dest_path: to }, options)
  }

  #tool<Name extends FileTool>(
    name: Name,
    body: Body<Name>,
    { ifMatch, ...options }: RequestOptions & IfMatch = {},
  ): Promise<Schemas['FileToolAnswer']> {
    const given = { path: { session: this.#session }, body, headers: conditions({ ifMatch }) }
    return this.#transport.json(`POST /v1/sessions/{session}/files:${name as 'edit'}`, given as never, options)
  }

  /** A directory as an archive, made while it is read. */
  archive(
    query: Operations['GET /v1/sessions/{session}/archive']['query'] = {},
    options?: RequestOptions,
  ): Promise<Response> {
    const given = { path: { session: this.#session }, query }
    return this.#transport.raw('GET /v1/sessions/{session}/archive', given, options)
  }

  /** Unpacks a zip or a tar.gz, all of it or nothing. */
  unpack(
    archive: RawBody,
    query: Operations['PUT /v1/sessions/{session}/archive']['query'] = {},
    options?: RequestOptions,
  ): Promise<Schemas['UnpackedArchive']> {
    const given = { path: { session: this.#session }, query, body: archive }
    return this.#transport.json('PUT /v1/sessions/{session}/archive', given, options)
  }

  /**
   * Commits as they are made, up to the end of the session, whatever cuts the connection. `reset` says that commits are missing.
   * @param path a file or directory: only what changes there
   * @param from commits behind this one come first
   */
  async *watch({ path, from, ...options }: Watched = {}): AsyncGenerator<WatchedCommit, void> {
    const given = { path: { session: this.#session }, query: { path, from } }
    const events = resumedEvents({
      connect: (lastId, signal) => {
        const headers = { 'Last-Event-ID': lastId ?? undefined }
        return this.#transport.raw('GET /v1/sessions/{session}/watch', { ...given, headers }, { ...options, signal })
      },
      isLast: ({ type }) => type === 'end',
      maxRetries: this.#transport.maxRetries(options),
      signal: options.signal,
    })
    for await (const { type, data } of events) {
      if (type === 'commit' || type === 'reset')
        yield { changes: [], more_changes: 0, ...(data as { commit: number }), type }
    }
  }
}

/** Settings of a read, of the files as they were at a moment. */
interface AsOf extends RequestOptions {
  readonly as_of?: Moment | undefined
}

interface Watched extends RequestOptions {
  readonly path?: string | undefined
  readonly from?: Moment | undefined
}

const conditions = ({ ifMatch, ifNoneMatch }: FileCondition) => ({ 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch })
