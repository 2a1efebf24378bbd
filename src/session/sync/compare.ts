import { pathFromBytes, SANDBOX_ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import { STATE_DIRECTORY } from '../sandbox/place.ts'
import { toBase64 } from './base64.ts'
import { patienceMs } from './fetch.ts'
import { unpackText } from './gzip.ts'
import { type Listed, listingBytes } from './listing.ts'
import { MAX_INLINE_LIST_BYTES, pathList } from './plan.ts'
import type { Sides } from './push.ts'

/** Total size of files fetched and compared here: one command, where a comparison in the sandbox takes one more. */
const MAX_FETCHED_BYTES = 256 * 1024

const HASH_HEX = 64

/**
 * Compares files that may have changed by their hashes in the sandbox.
 * @returns `changed`: also unreadable files, and those quicker fetched than compared
 * @throws SandboxGone, FailureError as `Sandbox.run`
 */
export async function compareContents(suspect: readonly Listed[], sides: Sides) {
  const bytes = suspect.reduce((total, { size }) => total + size, 0)
  if (bytes <= MAX_FETCHED_BYTES) return { changed: suspect, same: [] }
  const hashes = await hashesOf(suspect, bytes, sides)
  const isSame = ({ path }: Listed) =>
    hashes.has(path) && sides.known.get(path)?.signature.split(' ')[2] === hashes.get(path)
  return { changed: suspect.filter((entry) => !isSame(entry)), same: suspect.filter(isSame) }
}

async function hashesOf(files: readonly Listed[], bytes: number, { sandbox, signal }: Sides) {
  const list = pathList(files.map(({ path }) => path))
  const file = list.length > MAX_INLINE_LIST_BYTES ? `${STATE_DIRECTORY}/compare-${crypto.randomUUID()}` : null
  if (file) await sandbox.write([{ path: file, content: list }], signal)
  const read = file ? `cat ${file}; rm -f ${file}` : `base64 -d <<< '${toBase64(list)}'`
  const script = `cd ${SANDBOX_ROOT} && { ${read}; } | xargs -0r sha256sum -bz -- 2>/dev/null | gzip -1 | base64 -w0`
  const { stdout } = await sandbox.run(script, { timeoutMs: patienceMs(bytes), signal })
  return readHashes(await unpackText(stdout, listingBytes(files.length)))
}

/** Records of `sha256sum -bz`: the hash, a blank, a star, the path as it was given. */
function readHashes(printed: Uint8Array): ReadonlyMap<WorkspacePath, string> {
  const hashes = new Map<WorkspacePath, string>()
  let start = 0
  for (let end = printed.indexOf(0); end !== -1; start = end + 1, end = printed.indexOf(0, start)) {
    const hash = String.fromCharCode(...printed.subarray(start, start + HASH_HEX))
    const name = pathFromBytes(printed.subarray(Math.min(start + HASH_HEX + 2, end), end))
    // The cast is safe: look-ups use valid paths, so a path that a sandbox made up is never found.
    hashes.set(name.replace(/^\.\//, '') as WorkspacePath, hash)
  }
  return hashes
}
