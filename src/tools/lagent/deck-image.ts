import { fail } from '../../core/failure.ts'
import { FETCH_MS, MAX_IMAGE_BYTES } from '../../core/limits/web.ts'
import { field, SESSION, say } from '../../core/saying/saying.ts'
import { baseName, workspacePath } from '../../core/workspace-path.ts'
import { type ImageKind, imageKind } from '../../documents/deck/image.ts'
import type { Http } from '../../ports/http.ts'
import type { Workspace } from '../../ports/workspace.ts'

interface DeckImage {
  readonly image: Uint8Array
  readonly kind: ImageKind
  readonly name: string
}

/**
 * Image for a page.
 * @param given a path in the workspace, or a URL
 * @throws FailureError `not_found`, `limit_exceeded`, `invalid_input`
 */
export async function deckImage(
  given: string,
  { http, workspace }: { readonly http: Http; readonly workspace: Workspace },
  signal: AbortSignal,
): Promise<DeckImage> {
  const isUrl = /^https?:\/\//i.test(given.trim())
  const { image, name } = isUrl ? await fetched(given.trim(), http, signal) : await kept(given, workspace)
  return { image, kind: imageKind(image, given.slice(0, 200)), name }
}

async function fetched(url: string, http: Http, signal: AbortSignal) {
  const answer = await http.fetch({ url, timeoutMs: FETCH_MS, maxBytes: MAX_IMAGE_BYTES }, signal)
  if (answer.status !== 200)
    fail('upstream', say`${new URL(answer.url).host} answered ${answer.status} and no image; check ${field('image')}`)
  const { pathname } = new URL(answer.url)
  return { image: answer.body, name: pathname.slice(pathname.lastIndexOf('/') + 1).slice(0, MAX_IMAGE_NAME_CHARS) }
}

/** Longest name that is tried as a file: the last part of some addresses is longer. */
const MAX_IMAGE_NAME_CHARS = 200

async function kept(given: string, workspace: Workspace) {
  const path = workspacePath(given)
  const opened = await workspace.open(path)
  if (!opened)
    return fail(
      'not_found',
      say`no image at ${given.slice(0, 200)}; give the path of a file of the ${SESSION}, or a URL`,
    )
  const { entry, body } = opened
  if (entry.size > MAX_IMAGE_BYTES) {
    await body.cancel()
    fail(
      'limit_exceeded',
      `${path} has ${entry.size} bytes; an image may have ${MAX_IMAGE_BYTES} (MAX_IMAGE_BYTES), make it smaller`,
    )
  }
  return { image: new Uint8Array(await new Response(body).arrayBuffer()), name: baseName(path) }
}
