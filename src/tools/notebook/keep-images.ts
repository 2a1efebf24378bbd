import { decodeBase64 } from '../../core/base64.ts'
import { FailureError } from '../../core/failure.ts'
import { MAX_IPYTHON_IMAGES } from '../../core/limits/consoles.ts'
import { sha256 } from '../../core/sha256.ts'
import { type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import type { Turn } from '../../ports/turn.ts'
import type { Workspace } from '../../ports/workspace.ts'
import type { Output } from './outputs.ts'

/** Directory of the images, each under a name made of its content. */
const DIRECTORY = 'ipython_images'

/** Keeps the images among the outputs as files, in one commit. @returns their paths, in order, and what was left out */
export async function keepImages(
  outputs: readonly Output[],
  { turn, workspace }: { readonly turn: Turn; readonly workspace: Workspace },
): Promise<{ readonly paths: readonly WorkspacePath[]; readonly notes: readonly string[] }> {
  const given = outputs.flatMap((output) => ('data' in output ? (output.data['image/png'] ?? []) : []))
  const images = given.slice(0, MAX_IPYTHON_IMAGES).flatMap((image) => decoded(image) ?? [])
  const files = images.map((content) => ({
    path: workspacePath(`${DIRECTORY}/${sha256(content).slice(0, 16)}.png`),
    content,
  }))
  if (files.length > 0) {
    await turn(() => workspace.commit(files.map(({ path, content }) => ({ op: 'write', path, content }))))
  }
  const left = given.length - files.length
  const note = `${left} of ${given.length} images were left out: more than ${MAX_IPYTHON_IMAGES} (MAX_IPYTHON_IMAGES), or too large; save them to files`
  return { paths: files.map(({ path }) => path), notes: left > 0 ? [note] : [] }
}

/** Bytes of an image. @returns null for the placeholder of an image that was too large */
function decoded(image: unknown): Uint8Array | null {
  try {
    const bytes = typeof image === 'string' ? decodeBase64(image, 'image') : null
    return bytes !== null && isPng(bytes) ? bytes : null
  } catch (thrown) {
    if (thrown instanceof FailureError) return null
    throw thrown
  }
}

const isPng = (bytes: Uint8Array) => bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47
