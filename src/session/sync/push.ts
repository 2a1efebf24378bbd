import { pathToBytes, SANDBOX_ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import { type Sandbox, SandboxGone } from '../../ports/sandbox.ts'
import type { WorkspaceEntry } from '../../ports/workspace.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import { STATE_DIRECTORY } from '../machine/place.ts'
import { collect, gzip, streamOf, unpackText } from './gzip.ts'
import type { Known, KnownFiles } from './known.ts'
import { FIND_FORMAT, parseListing, signature } from './listing.ts'
import { concat, tarEnd, tarHeader, tarPadding } from './tar.ts'

/** The two sides of a sync, and what one is known to have of the other. */
export interface Sides {
  readonly workspace: SyncedWorkspace
  readonly known: KnownFiles
  readonly sandbox: Sandbox
  readonly signal: AbortSignal
}

/** What the sandbox lacks. Directories stand before what is in them. */
export interface PushPlan {
  readonly remove: readonly WorkspacePath[]
  readonly put: readonly WorkspaceEntry[]
}

/**
 * Compares the workspace with what the sandbox is known to have.
 * @param paths those that may differ; null for all
 */
export function planPush(
  workspace: SyncedWorkspace,
  known: KnownFiles,
  paths: readonly WorkspacePath[] | null,
): PushPlan {
  const remove: WorkspacePath[] = []
  const put: WorkspaceEntry[] = []
  const compare = (path: WorkspacePath, entry: WorkspaceEntry | null) => {
    const there = known.get(path)
    if (!entry) {
      if (there) remove.push(path)
      return
    }
    const wanted = signature(entry)
    if (there?.signature === wanted) return
    // A directory cannot be put where a file is, nor a file where a directory is.
    if (there && there.signature[0] !== wanted[0]) remove.push(path)
    put.push(entry)
  }
  if (paths) {
    for (const path of new Set(paths)) compare(path, workspace.stat(path))
  } else {
    for (const entry of workspace.entries()) compare(entry.path, entry)
    for (const path of known.all().keys()) if (!workspace.stat(path)) remove.push(path)
  }
  put.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { remove, put }
}

/** Data up to this size travels inside the command, in base64: Linux takes 128 KiB per argument. */
const MAX_INLINE_BYTES = 24 * 1024
/** Contents up to this size together are archived in memory, to see whether they fit into the command. */
const MAX_BUFFERED_BYTES = 512 * 1024
/** For 5 GB of files over a slow link. */
const PUSH_TIMEOUT_MS = 15 * 60_000

/**
 * Carries the plan out, and notes what the sandbox has now with the stamps that its next listing will show.
 * One request when little is to be carried. Directories that a command has closed to itself are opened when they are in
 * the way: the workspace keeps no permissions of directories.
 * @throws SandboxGone when the sandbox could not take it
 */
export async function push(plan: PushPlan, sides: Sides): Promise<void> {
  if (plan.remove.length === 0 && plan.put.length === 0) return
  const { known, sandbox, signal } = sides
  const removals = await offer(streamOf(pathList(plan.remove)), sides)
  const names = await offer(streamOf(pathList(plan.put.map(({ path }) => path))), sides)
  const archive = await offer(gzip(archiveOf(plan.put, sides.workspace)), sides, contentBytes(plan.put))
  const script = `mkdir -p ${SANDBOX_ROOT} && cd ${SANDBOX_ROOT} || exit 90
P() { ${removals.read} | xargs -0r rm -rf -- && ${archive.read} | tar -xzpf - --no-same-owner; }
P 2>/dev/null || { find . -type d ! -perm -700 -exec chmod u+rwx {} \\;; P; } || exit 92
${names.read} | xargs -0r sh -c 'exec find "$@" -maxdepth 0 -printf "${FIND_FORMAT}"' sh | gzip -1 | base64 -w0
rm -f ${[removals, names, archive].map(({ file }) => file ?? '').join(' ')} /dev/null/x 2>/dev/null; :`
  const { exitCode, stdout } = await sandbox.run(script, { timeoutMs: PUSH_TIMEOUT_MS, signal })
  if (exitCode !== 0) throw new SandboxGone('the files could not be carried into the sandbox; its disk may be full')
  const stamps = new Map(parseListing(await unpackText(stdout)).map(({ path, stamp }) => [path, stamp]))
  const changes: [WorkspacePath, Known | null][] = plan.remove.map((path) => [path, null])
  for (const entry of plan.put) {
    changes.push([entry.path, { stamp: stamps.get(entry.path) ?? 'unseen', signature: signature(entry) }])
  }
  known.set(changes)
}

/** Bytes that a script in the sandbox can read: inside the command when they are few, in a file otherwise. */
async function offer(
  content: ReadableStream<Uint8Array>,
  { sandbox, signal }: Sides,
  atMost = MAX_BUFFERED_BYTES,
): Promise<{ readonly read: string; readonly file?: string }> {
  let body = content
  if (atMost <= MAX_BUFFERED_BYTES) {
    const whole = await collect(content)
    if (whole.length <= MAX_INLINE_BYTES) return { read: `base64 -d <<< '${whole.toBase64()}'` }
    body = streamOf(whole)
  }
  const file = `${STATE_DIRECTORY}/push-${crypto.randomUUID()}`
  await sandbox.writeStream(file, body, signal)
  return { read: `cat ${file}`, file }
}

const contentBytes = (entries: readonly WorkspaceEntry[]) =>
  entries.reduce((total, entry) => total + (entry.kind === 'file' ? entry.size : 0), 0)

/** `./a NUL ./b NUL`, as bytes. The `./` keeps a name that begins with `-` from being an option. */
export const pathList = (paths: readonly WorkspacePath[]): Uint8Array =>
  concat(paths.flatMap((path) => [DOT_SLASH, pathToBytes(path), NUL]))

const DOT_SLASH = new TextEncoder().encode('./')
const NUL = Uint8Array.of(0)

function archiveOf(entries: readonly WorkspaceEntry[], workspace: SyncedWorkspace): ReadableStream<Uint8Array> {
  const chunks = archiveChunks(entries, workspace)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

async function* archiveChunks(entries: readonly WorkspaceEntry[], workspace: SyncedWorkspace) {
  for (const entry of entries) {
    const name = concat([DOT_SLASH, pathToBytes(entry.path)])
    const { kind, mode, mtimeMs } = entry
    if (kind === 'link') {
      yield tarHeader({ name, kind, mode: 0o777, mtimeMs, size: 0, target: pathToBytes(entry.target) })
    } else if (kind === 'directory') {
      yield tarHeader({ name, kind, mode, mtimeMs, size: 0 })
    } else {
      yield tarHeader({ name, kind, mode, mtimeMs, size: entry.size })
      yield* await workspace.openContent(entry)
      yield tarPadding(entry.size)
    }
  }
  yield tarEnd()
}
