import { FailureError } from '../../core/failure.ts'
import { sha256OfStart } from '../../core/sha256.ts'
import { tarTimeMs } from '../../core/tar.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { StoredContent, WorkspaceEntry } from '../../ports/workspace.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import { type Known, type KnownFiles, NOTHING, ON_ITS_WAY, UNSEEN } from './known.ts'
import { type Listed, signature } from './listing.ts'
import { isRacy, type Race } from './racy.ts'

/** Most entries that are remembered as sent to one path, one after the other, before anybody could look whether they came. */
const MAX_SENT = 4

export const isOnItsWay = (known: Known): boolean => known.signature.startsWith(ON_ITS_WAY)

/** Entries that were sent to a path, by signatures. */
interface OnItsWay {
  /** Entry that was there before; NOTHING where there was none, or that is not there any more. */
  readonly was: string
  readonly sent: readonly string[]
}

/** State of a path from the moment at which an entry is sent there. What was there before may still be what is there. */
export function onItsWay(there: Known | null, entry: WorkspaceEntry): Known {
  const before = there && isOnItsWay(there) ? sentTo(there) : { was: there?.signature ?? NOTHING, sent: [] }
  const sent = [...new Set([...before.sent, signature(entry)])].slice(-MAX_SENT)
  return { stamp: there?.stamp ?? UNSEEN, signature: written({ was: before.was, sent }) }
}

const written = (sent: OnItsWay): string => `${ON_ITS_WAY} ${JSON.stringify(sent)}`

/** Reads what `onItsWay` wrote. Earlier versions noted only what was sent, as an array, or not even that. */
function sentTo({ signature }: Known): OnItsWay {
  const noted = signature.slice(ON_ITS_WAY.length)
  if (noted === '') return { was: NOTHING, sent: [] }
  // The cast: `onItsWay` wrote it.
  const read = JSON.parse(noted) as OnItsWay | readonly string[]
  return 'sent' in read ? read : { was: NOTHING, sent: read }
}

/** Hash of the content in a signature. */
const hashIn = (signature: string): string | undefined =>
  signature.startsWith('f ') ? signature.split(' ')[2] : undefined

/** Whether a file is the one that was there at the last look: tar puts a new one in its place. */
const isSameFile = ({ kind, inode }: Listed, { stamp }: Known): boolean =>
  kind === 'file' && stamp.startsWith('f ') && stamp.split(' ').at(-1) === inode

/** Letter of the kind of entry that is known at a path: the first one of a signature, and of a stamp. */
export const kindAt = (known: Known): string | undefined => (isOnItsWay(known) ? known.stamp : known.signature)[0]

/** Whether an entry is as it was sent, by its size, mode and time; modes of directories are for the next look. */
export function isAsSent(entry: WorkspaceEntry, there: Listed): boolean {
  if (entry.kind !== there.kind) return false
  if (entry.kind === 'link') return entry.target === there.target
  return (
    entry.kind === 'directory' ||
    (entry.size === there.size && entry.mode === there.mode && tarTimeMs(entry.mtimeMs) === there.mtimeMs)
  )
}

/** Content of a file of the sandbox. */
interface Content {
  readonly stored: StoredContent
}

interface Sent {
  readonly workspace: Pick<SyncedWorkspace, 'stat' | 'openContent'>
  readonly known: Pick<KnownFiles, 'get'>
  readonly race: Race
}

/**
 * Whether the workspace's present file was sent to its path, and is there as it was sent. Where something else was sent there too, or
 * its place is still taken by what was there before, only the content tells: both may be as long, and of the same second.
 */
export function cameWhole(listed: Listed, { workspace, known }: Omit<Sent, 'race'>): boolean {
  const there = known.get(listed.path)
  if (!there || !isOnItsWay(there) || isSameFile(listed, there)) return false
  const entry = workspace.stat(listed.path)
  const { sent } = sentTo(there)
  return entry?.kind === 'file' && sent.length === 1 && sent[0] === signature(entry) && isAsSent(entry, listed)
}

/**
 * Parts touched entries: `came` are those that were sent and came, whole or in part, with their new state. The `others` were changed
 * by programs.
 */
export async function withoutSent(
  touched: readonly Listed[],
  contents: ReadonlyMap<WorkspacePath, Content>,
  sent: Sent,
): Promise<{
  readonly came: readonly (readonly [WorkspacePath, Known])[]
  readonly others: readonly Listed[]
}> {
  const came: [WorkspacePath, Known][] = []
  const others: Listed[] = []
  for (const listed of touched) {
    const there = sent.known.get(listed.path)
    const arrival = there && isOnItsWay(there) ? await arrived(listed, there, contents.get(listed.path), sent) : null
    if (arrival) came.push([listed.path, arrival])
    else others.push(listed)
  }
  return { came, others }
}

/**
 * New state of a path to which something was sent, where nothing but that changed it: it came whole or in part.
 * @returns null where a program changed it
 */
async function arrived(listed: Listed, there: Known, content: Content | undefined, sides: Sent): Promise<Known | null> {
  const { was, sent } = sentTo(there)
  const { path, stamp, kind, mode, target } = listed
  if (sent.length === 0) return { ...there, stamp }
  if (kind === 'link') return sent.includes(`l ${target}`) ? { stamp, signature: `l ${target}` } : null
  if (kind === 'directory') return sent.some((each) => each.startsWith('d ')) ? { ...there, stamp } : null
  const racy = isRacy(listed, sides.race)
  const entry = cameWhole(listed, sides) ? sides.workspace.stat(path) : null
  if (entry) return { stamp, signature: signature(entry), isRacy: racy }
  if (!content) return there
  const hashes = sent.flatMap((each) => hashIn(each) ?? [])
  const { hash } = content.stored
  // Nothing came, and its times changed at most: a link to it was made or removed, say.
  if (hash === hashIn(was) && isSameFile(listed, there)) return { ...there, stamp }
  if (hashes.includes(hash)) return { stamp, signature: `f ${mode.toString(8)} ${hash}`, isRacy: racy }
  try {
    for (const whole of hashes)
      if (await isStartOf(content, await sides.workspace.openContent({ path, hash: whole })))
        return { stamp, signature: written({ was: NOTHING, sent }) }
  } catch (thrown) {
    if (!(thrown instanceof FailureError)) throw thrown
    // Nobody can tell without what was sent: the next look tries again.
    return there
  }
  return null
}

const isStartOf = async ({ stored: { hash, size } }: Content, whole: ReadableStream<Uint8Array>): Promise<boolean> =>
  (await sha256OfStart(whole, size)) === hash
