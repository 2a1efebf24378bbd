import * as z from 'zod'
import { fail } from '../../core/failure.ts'
import { MAX_DECK_BULLETS, MAX_DECK_PAGE_CHARS } from '../../core/limits/documents.ts'
import { MAX_EDIT_BYTES } from '../../core/limits/workspace.ts'
import type { Result } from '../../core/outcome.ts'
import { field, say, tool } from '../../core/saying/saying.ts'
import { type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import { type DeckPage, readDeck, writeDeck } from '../../documents/deck/deck.ts'
import type { Notes } from '../../ports/notes.ts'
import type { Workspace } from '../../ports/workspace.ts'

/**
 * Note of the presentation under way: where its file is, and the file's state at the last write, so that changes by other
 * programs are not lost. The file itself is the presentation, whole after each page.
 */
const NOTE = 'ppt'
const Begun = z.object({ location: z.string(), hash: z.string() })

interface Ports {
  readonly notes: Notes
  readonly workspace: Workspace
}

/** Begins a presentation without pages, replacing any file there. */
export async function beginDeck({ notes, workspace }: Ports, location: string): Promise<void> {
  const content = writeDeck({ pages: [] }, titleOf(location))
  await keep({ notes, workspace }, location, content)
}

/** Adds a page. @returns Lagent's answer, and the number of pages */
export async function addPage({ notes, workspace }: Ports, page: DeckPage): Promise<Result> {
  const { location, path } = begunDeck({ notes, workspace })
  const { pages } = await readDeck((await workspace.read(path)) ?? new Uint8Array())
  const content = writeDeck({ pages: [...pages, page] }, titleOf(location))
  if (content.length > MAX_EDIT_BYTES) {
    fail(
      'limit_exceeded',
      `with this page the file would have ${content.length} bytes, more than ${MAX_EDIT_BYTES} (MAX_EDIT_BYTES); use smaller images, or begin another file`,
    )
  }
  await keep({ notes, workspace }, location, content)
  return { text: `added page ${pages.length + 1} of ${path}`, data: { status: 'added page' } }
}

/**
 * Presentation under way. @throws FailureError `not_found` when none was begun, `conflict` when something else changed the
 * file since
 */
export function begunDeck({ notes, workspace }: Ports): { readonly location: string; readonly path: WorkspacePath } {
  const begun = Begun.safeParse(notes.read(NOTE))
  if (!begun.success)
    fail('not_found', say`no ppt file was begun in this session; call ${tool('ppt_create_file')} first`)
  const { location, hash } = begun.data
  const path = workspacePath(location)
  const entry = workspace.stat(path)
  if (entry?.kind !== 'file' || entry.hash !== hash) {
    fail(
      'conflict',
      say`${path} was changed or removed since its last page was added; begin anew with ${tool('ppt_create_file')}, elsewhere if you want to keep it`,
    )
  }
  return { location, path }
}

async function keep({ notes, workspace }: Ports, location: string, content: Uint8Array): Promise<void> {
  const path = workspacePath(location)
  await workspace.commit([{ op: 'write', path, content }])
  const entry = workspace.stat(path)
  notes.write(NOTE, { location, hash: entry?.kind === 'file' ? entry.hash : '' })
}

const titleOf = (location: string) => location.slice(location.lastIndexOf('/') + 1).replace(/\.pptx$/i, '')

/** Bullets in one text, with `[SPAN]` between them; models also send lists. */
export const bulletItems = z
  .preprocess(
    (given) => (Array.isArray(given) && given.every((one) => typeof one === 'string') ? given.join('[SPAN]') : given),
    z.string(),
  )
  .describe('The bullets, with [SPAN] between them: "one[SPAN]two"')

/** Title that fits on a page. @throws FailureError `limit_exceeded` for more than a page can show */
export function checkedTitle(text: string, name: string): string {
  if (text.length > MAX_DECK_PAGE_CHARS) tooLong(name, text.length)
  return text.trim()
}

/** Bullets between the `[SPAN]`s. */
export function bulletsOf(given: string): string[] {
  if (given.length > MAX_DECK_PAGE_CHARS) tooLong('bullet_items', given.length)
  const bullets = given
    .split('[SPAN]')
    .map((text) => text.trim())
    .filter((text) => text !== '')
  if (bullets.length > MAX_DECK_BULLETS) {
    fail(
      'limit_exceeded',
      say`${field('bullet_items')} has ${bullets.length} bullets; a page shows at most ${MAX_DECK_BULLETS} (MAX_DECK_BULLETS), add another page`,
    )
  }
  return bullets
}

const tooLong = (name: string, length: number): never =>
  fail(
    'limit_exceeded',
    say`${field(name)} has ${length} characters; a page shows at most ${MAX_DECK_PAGE_CHARS} (MAX_DECK_PAGE_CHARS), add another page`,
  )
