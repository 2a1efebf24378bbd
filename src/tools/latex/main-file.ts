import { fail } from '../../core/failure.ts'
import { MAX_TEX_FILES } from '../../core/limits/documents.ts'
import { field, type Part, say } from '../../core/saying/saying.ts'
import { baseName, isWithin, joinPath, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { refuseOther, refuseOthersIn } from './other-markup.ts'

export interface MainFile {
  readonly path: WorkspacePath
  /** Note set when other files could have been meant as well. */
  readonly note?: string
}

/**
 * Main file to compile: `given`, else main.tex in any case, else the first with \documentclass, else the only one; nearest
 * to the top first.
 * @throws FailureError `not_found` or `invalid_input`, naming what is there
 */
export async function findMainFile(
  workspace: Workspace,
  directory: WorkspacePath,
  given: string | undefined,
): Promise<MainFile> {
  const files = texFiles(workspace, directory)
  if (given) return { path: namedFile(workspace, { directory, given, files }) }
  if (files.length === 0) refuseOthersIn(workspace, directory)
  if (files.length === 0) fail('not_found', say`there is no .tex file in ${placeOf(directory)}; write one first`)
  const levels = Map.groupBy(files, depth)
  for (const level of [...levels.keys()].sort((a, b) => a - b)) {
    const found = await chosenFrom(workspace, levels.get(level) ?? [])
    if (found) return found
  }
  const [only] = files
  if (only && files.length === 1) return { path: only }
  return fail(
    'invalid_input',
    say`no .tex file has \\documentclass; name the main one by ${field('tex_filename')}: ${listed(files)}`,
  )
}

async function chosenFrom(workspace: Workspace, files: readonly WorkspacePath[]): Promise<MainFile | null> {
  const main = files.find((path) => baseName(path).toLowerCase() === 'main.tex')
  if (main) return { path: main }
  const documents: { readonly path: WorkspacePath; readonly isPart: boolean }[] = []
  for (const path of files) {
    const source = new TextDecoder().decode((await workspace.read(path)) ?? new Uint8Array())
    const documentClass = documentClassOf(source)
    if (documentClass !== null) documents.push({ path, isPart: PARTS.has(documentClass.trim()) })
  }
  const [first, ...others] = documents.sort((a, b) => Number(a.isPart) - Number(b.isPart))
  if (!first) return null
  const also = others.filter(({ isPart }) => isPart === first.isPart).map(({ path }) => path)
  return {
    path: first.path,
    ...(also.length > 0 && {
      note: `compiled ${first.path}; ${listed(also)} could be meant too: name it by tex_filename`,
    }),
  }
}

/** Mentions of a document class that are looked at in one file, and the length of text behind each that may hold its name. */
const MAX_MENTIONS = 100
const MENTION_CHARS = 4_000

/** Class in `\documentclass[…]{name}` outside of comments; null when no line has one. */
function documentClassOf(source: string): string | null {
  let mentions = 0
  for (const { 0: command, index } of source.matchAll(/\\document(?:class|style)/g)) {
    if (++mentions > MAX_MENTIONS) break
    const line = source.slice(source.lastIndexOf('\n', index) + 1, index)
    const after = source.slice(index + command.length, index + command.length + MENTION_CHARS)
    const [, name] = /^\s*(?:\[[^\]]*\]\s*)?\{([^}]*)\}/.exec(after) ?? []
    if (name !== undefined && !line.includes('%')) return name
  }
  return null
}

/** Classes of files that belong to another document, though they compile alone. */
const PARTS = new Set(['subfiles', 'standalone'])

function texFiles(workspace: Workspace, directory: WorkspacePath): WorkspacePath[] {
  const { entries } = workspace.list(directory, { recursive: true })
  return entries
    .filter(({ kind, path }) => kind === 'file' && /\.tex$/i.test(path))
    .map(({ path }) => path)
    .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
    .slice(0, MAX_TEX_FILES)
}

function namedFile(
  workspace: Workspace,
  {
    directory,
    given,
    files,
  }: { readonly directory: WorkspacePath; readonly given: string; readonly files: readonly WorkspacePath[] },
): WorkspacePath {
  refuseOther(given)
  const names = /\.tex$/i.test(given) ? [given] : [given, `${given}.tex`]
  for (const path of names.map((name) => joinPath(directory, name))) {
    if (!isWithin(path, directory))
      fail('invalid_input', say`${field('tex_filename')} leaves ${field('input_path')}; give a file inside of it`)
    if (workspace.stat(path)?.kind === 'file') return path
  }
  const there = files.length > 0 ? `; there are ${listed(files)}` : ''
  return fail('not_found', say`${field('tex_filename')} not found in ${placeOf(directory)}: ${given}${there}`)
}

const placeOf = (directory: string): Part => directory || { place: 'session' }

const depth = (path: WorkspacePath) => path.split('/').length

function listed(paths: readonly string[]): string {
  const more = paths.length - 10
  return paths.slice(0, 10).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
