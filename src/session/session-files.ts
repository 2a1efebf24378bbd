import { fail } from '../core/failure.ts'
import { MAX_LISTING_DEPTH } from '../core/limits/files.ts'
import { MAX_WORKSPACE_ENTRIES } from '../core/limits/workspace.ts'
import type { ServedGroup } from '../core/served.ts'
import { sha256 } from '../core/sha256.ts'
import { VENV_DIR } from '../core/task-layout.ts'
import { untilAborted } from '../core/until-aborted.ts'
import { ancestors, baseName, ROOT, type WorkspacePath, workspacePath } from '../core/workspace-path.ts'
import type { Change } from '../ports/workspace.ts'
import type { Effect } from '../tools/define.ts'
import { requireEnvironmentStays } from '../tools/files/environment-stays.ts'
import { tarGz } from '../workspace/archive/tar-gz.ts'
import { unpack } from '../workspace/archive/unpack.ts'
import type { FilesAt } from '../workspace/files-at.ts'
import type { SyncedWorkspace } from '../workspace/synced.ts'
import { zip, zipOf } from '../workspace/zip.ts'
import { changedAfter, factsAt, holds, partOfSize, requireFound, unmet } from './files/conditions.ts'
import { factsOf } from './files/facts.ts'
import type {
  ArchivePack,
  ArchiveUnpack,
  ArchiveUnpacked,
  ConditionFailed,
  DirectoryPage,
  Download,
  FileAnswer,
  FileChange,
  FileContent,
  FileList,
  FileRead,
  FileRemoved,
  FileWritten,
  SessionFilesApi,
} from './files-api.ts'
import { requestTurn } from './request-turn.ts'
import type { Room } from './room.ts'
import type { Scheduler } from './scheduler.ts'

interface FilesParts {
  readonly scheduler: Scheduler
  readonly workspace: (callId: string) => SyncedWorkspace
  readonly now: () => number
  readonly room: Pick<Room, 'require'>
  /** Aborts at the end of the session: uploads under way end with it. */
  readonly ended: AbortSignal
  /** Has contents sent to the blob store in a while. */
  readonly flushSoon: () => Promise<void>
}

interface Turn {
  /** Author of the commits of the work; an id of its own when left out, as a call has one. */
  readonly author?: string
  /** Whether the sandbox is looked at, as in {@link DirectoryPage}. */
  readonly looks?: boolean | undefined
}

/** A session's files for direct requests, which are queued among the calls. */
export class SessionFiles implements ServedGroup<SessionFilesApi> {
  readonly #parts: FilesParts

  constructor(parts: FilesParts) {
    this.#parts = parts
  }

  async download(given: string): Promise<Download> {
    const path = workspacePath(given)
    return this.#turn('read', async (workspace) => {
      if (workspace.stat(path)?.kind === 'directory') fail('invalid_input', `Cannot download directory: ${path}`)
      const { entry, body } = (await workspace.open(path)) ?? fail('not_found', `File not found: ${path}`)
      return { name: baseName(path), size: entry.size, body }
    })
  }

  async archive(): Promise<Download> {
    return this.#turn('read', async (workspace) => ({ name: 'workspace.zip', size: null, body: zipOf(workspace) }))
  }

  async upload(given: string, content: Uint8Array): Promise<void> {
    await this.#parts.room.require()
    const path = workspacePath(given)
    await this.#turn('write', (workspace) => workspace.commit([{ op: 'write', path, content }]))
    await this.#parts.flushSoon()
  }

  async read(request: FileRead): Promise<FileAnswer> {
    const path = workspacePath(request.path)
    const read = async (workspace: SyncedWorkspace): Promise<FileAnswer> => {
      const files = workspace.filesAt(request.asOf)
      if (files.stat(path)?.kind === 'directory') return { state: 'directory' }
      const found = requireFound(files, path)
      const file = factsAt(found, path)
      const { hash, size } = found.entry
      if (request.match !== null && !holds(request.match, true, hash)) return { state: 'condition failed', file }
      const { unmodifiedSince = null, modifiedSince = null } = request
      if (unmodifiedSince !== null && changedAfter(unmodifiedSince, file)) return { state: 'condition failed', file }
      if (request.noneMatch !== null && holds(request.noneMatch, true, hash)) return { state: 'unchanged', file }
      if (modifiedSince !== null && !changedAfter(modifiedSince, file)) return { state: 'unchanged', file }
      // As a whole a file without bytes is found, and has no part.
      const wantsPart = request.range !== null && size > 0 && (request.ifRange === null || request.ifRange === hash)
      const part = wantsPart && request.range ? partOfSize(request.range, size) : null
      if (wantsPart && part === null) return { state: 'no such range', file }
      const body = request.content ? await found.open(part ?? undefined) : null
      return { state: 'found', file, part, body }
    }
    return this.#turn('read', read, { looks: request.looks })
  }

  async list({ path: given, asOf, depth, limit, after, looks }: DirectoryPage): Promise<FileList> {
    const path = workspacePath(given)
    const read = async (workspace: SyncedWorkspace): Promise<FileList> => {
      const files = workspace.filesAt(asOf)
      const there = files.stat(path)
      if (!there) fail('not_found', `there is no directory ${path}`)
      if (there.kind !== 'directory')
        fail('invalid_input', `${path} is no directory; ask for it without "/" at its end`)
      const behind = after === null ? {} : { after: workspacePath(after) }
      const entries = files.page(path, { depth, limit: limit + 1, ...behind })
      const more = entries.length > limit
      return { entries: entries.slice(0, limit).map(factsOf), more, commit: files.commit }
    }
    return this.#turn('read', read, { looks })
  }

  async mayPut(request: FileChange): Promise<ConditionFailed | null> {
    await this.#parts.room.require()
    const path = workspacePath(request.path)
    const workspace = this.#parts.workspace(request.author)
    const refused = unmet(request, workspace.filesAt(null), path)
    if (!refused) this.#requireWritable(workspace, path)
    return refused
  }

  async put(request: Parameters<SessionFilesApi['put']>[0], content: FileContent): Promise<FileWritten> {
    const path = workspacePath(request.path)
    const workspace = this.#parts.workspace(request.author)
    // What cannot succeed now is refused before a byte is read; all of it is checked again in the turn.
    const refused = await this.mayPut(request)
    if (refused) return discarding(content, refused)
    if (content instanceof Uint8Array) {
      requireDigest(request.sha256, sha256(content))
      return this.#commitFile(request, path, content)
    }
    return workspace.storing(async (store) => {
      const stream = untilAborted(content.stream, this.#parts.ended)
      const stored = await store({ stream, size: content.size })
      requireDigest(request.sha256, stored.hash)
      return this.#commitFile(request, path, stored)
    })
  }

  async #commitFile(
    request: Parameters<SessionFilesApi['put']>[0],
    path: WorkspacePath,
    content: Extract<Change, { op: 'write' }>['content'],
  ): Promise<FileWritten> {
    const written = await this.#turn(
      'write',
      async (workspace): Promise<FileWritten> => {
        const files = workspace.filesAt(null)
        const refused = unmet(request, files, path)
        if (refused) return refused
        const created = files.stat(path) === null
        await workspace.commit([{ op: 'write', path, content }])
        const entry =
          files.stat(path) ?? fail('conflict', `${path} was changed meanwhile; look at it, and put it again`)
        return { state: 'written', created, file: factsOf(entry), commit: files.commit }
      },
      { author: request.author },
    )
    await this.#parts.flushSoon()
    return written
  }

  /** @throws FailureError `conflict` for a directory, a locked path, and a path below a file; `invalid_input` for the root */
  #requireWritable(workspace: SyncedWorkspace, path: WorkspacePath): void {
    if (path === ROOT) fail('invalid_input', 'name a file; this is the directory of all files')
    if (workspace.stat(path)?.kind === 'directory')
      fail('conflict', `${path} is a directory; remove it first or use another name`)
    for (const above of ancestors(path)) {
      const kind = workspace.stat(above)?.kind ?? 'directory'
      if (kind !== 'directory') fail('conflict', `${above} is a ${kind} and not a directory, so nothing can lie in it`)
    }
    workspace.locks.requireFree(path)
  }

  async remove(request: Parameters<SessionFilesApi['remove']>[0]): Promise<FileRemoved> {
    await this.#parts.room.require()
    const path = workspacePath(request.path)
    if (path === ROOT) fail('invalid_input', 'the directory of all files stays; remove what is in it, or the session')
    requireEnvironmentStays(path, 'remove')
    const removed = await this.#turn(
      'write',
      async (workspace): Promise<FileRemoved> => {
        const files = workspace.filesAt(null)
        const refused = unmet(request, files, path)
        if (refused) return refused
        const there = files.stat(path) ?? fail('not_found', `there is no ${path}`)
        if (there.kind === 'directory' && !request.recursive && files.page(path, { depth: 1, limit: 1 }).length > 0)
          fail('conflict', `${path} is a directory with files; add recursive=true to remove it with all that is in it`)
        await workspace.commit([{ op: 'remove', path }])
        return { state: 'removed', commit: files.commit }
      },
      { author: request.author },
    )
    await this.#parts.flushSoon()
    return removed
  }

  async pack({ path: given, asOf, format }: ArchivePack): Promise<Download> {
    const path = workspacePath(given)
    return this.#turn('read', async (workspace) => {
      const files = workspace.filesAt(asOf)
      if (files.stat(path)?.kind !== 'directory') fail('not_found', `there is no directory ${path}`)
      const entries = files.page(path, { depth: MAX_LISTING_DEPTH, limit: MAX_WORKSPACE_ENTRIES })
      const packed = format === 'zip' ? zip : tarGz
      const name = `${baseName(path) || 'workspace'}.${format}`
      return { name, size: null, body: packed(entries, (entry) => files.content(entry), path) }
    })
  }

  async unpack({ path: given, mode, author }: ArchiveUnpack, archive: Uint8Array): Promise<ArchiveUnpacked> {
    await this.#parts.room.require()
    const path = workspacePath(given)
    const unpacked = await this.#parts.workspace(author).storing(async (store) => {
      // Before the turn: other changes of the session do not wait while strangers' bytes are unpacked.
      const { changes, files, bytes } = await unpack(archive, path, store)
      const commit = await this.#turn(
        'write',
        async (workspace) => {
          const present = workspace.filesAt(null)
          const before = mode === 'replace' ? removals(present, path) : []
          const made: Change[] = path === ROOT ? [] : [{ op: 'mkdir', path }]
          await workspace.commit([...before, ...made, ...changes])
          return present.commit
        },
        { author },
      )
      return { files, bytes, commit }
    })
    await this.#parts.flushSoon()
    return unpacked
  }

  #turn<T>(effect: Effect, work: (workspace: SyncedWorkspace) => Promise<T>, { author, looks = true }: Turn = {}) {
    const { scheduler, workspace, now } = this.#parts
    const turn = requestTurn(now, looks)
    return scheduler.run(effect, turn, () => work(workspace(author ?? turn.callId)))
  }
}

/** Removal of all that is in a directory, but for the virtual environment, which is no file of the workspace. */
const removals = (files: FilesAt, path: WorkspacePath): Change[] =>
  files
    .page(path, { depth: 1, limit: MAX_WORKSPACE_ENTRIES })
    .filter((entry) => entry.path !== VENV_DIR)
    .map((entry) => ({ op: 'remove', path: entry.path }))

/** @throws FailureError `invalid_input` for bytes that changed on their way */
function requireDigest(announced: string | null, hash: string): void {
  if (announced !== null && announced !== hash)
    fail('invalid_input', 'the content does not have the SHA-256 that Content-Digest says; send it again')
}

/** An answer before the content is read: a stream that nobody reads would hold its sender. */
async function discarding<T>(content: FileContent, answer: T): Promise<T> {
  if (!(content instanceof Uint8Array)) await content.stream.cancel().catch(() => undefined)
  return answer
}
