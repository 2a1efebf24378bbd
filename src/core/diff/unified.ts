import type { DiffSide, FileDiff, Hunk } from './file-diff.ts'
import { quotedPath } from './quoted-path.ts'

/**
 * Unified diff in git's form, which `git apply` and `patch -p1` take. What it cannot say stands in lines that begin with `#`, which
 * both skip: contents that are shown by size and hash, directories, and what is inside of a directory `.git`, whose hooks and
 * settings `patch` would write into the repository of whoever applies it.
 */
export const unifiedDiff = (files: readonly FileDiff[]): string => files.map(ofFile).join('')

function ofFile(file: FileDiff): string {
  const { path, before, after, omitted } = file
  if (before?.kind === 'directory' || after?.kind === 'directory') return ofDirectory(file)
  if (isGits(path)) return `# ${quotedPath(path)}: git's own, left out: ${facts(before)} -> ${facts(after)}\n`
  if (omitted !== null) return `# ${quotedPath(path)}: ${omitted}: ${facts(before)} -> ${facts(after)}\n`
  if (before && after && before.kind !== after.kind) {
    // A link has one hunk; an empty file has none.
    const links = before.kind === 'link' ? 1 : file.hunks.length - 1
    const [gone, made] = [file.hunks.slice(0, links), file.hunks.slice(links)]
    return patchOf(path, before, null, gone) + patchOf(path, null, after, made)
  }
  return patchOf(path, before, after, file.hunks)
}

/** Whether a path is git's own on some file system: in any case, and with characters that some leave out. */
const isGits = (path: string) =>
  path.split('/').some((name) => /^(?:\.git|git~\d)[ .]*$/i.test(name.replace(/\p{Cf}/gu, '')))

function patchOf(path: string, before: DiffSide | null, after: DiffSide | null, hunks: readonly Hunk[]): string {
  const header = [`diff --git ${quotedPath(`a/${path}`)} ${quotedPath(`b/${path}`)}`]
  if (!before && after) header.push(`new file mode ${gitMode(after)}`)
  else if (before && !after) header.push(`deleted file mode ${gitMode(before)}`)
  else if (before && after && gitMode(before) !== gitMode(after))
    header.push(`old mode ${gitMode(before)}`, `new mode ${gitMode(after)}`)
  // A mode that git has no word for.
  else if (hunks.length === 0) return `# ${quotedPath(path)}: ${facts(before)} -> ${facts(after)}\n`
  if (hunks.length > 0) {
    header.push(`--- ${before ? name(`a/${path}`) : '/dev/null'}`, `+++ ${after ? name(`b/${path}`) : '/dev/null'}`)
  }
  return `${[...header, ...hunks.map(hunkText)].join('\n')}\n`
}

/** A hunk as lines of a unified diff, without a break at the end. */
export const hunkText = ({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string =>
  [`@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`, ...lines].join('\n')

const range = (start: number, lines: number) => (lines === 1 ? String(start) : `${start},${lines}`)

function ofDirectory({ path, before, after, change }: FileDiff): string {
  const kinds = before && after && before.kind !== after.kind ? `, ${before.kind} -> ${after.kind}` : ''
  return `# ${quotedPath(path)}: directory ${change}${kinds}\n`
}

const facts = (side: DiffSide | null): string => {
  if (!side) return 'nothing'
  const mode = side.mode.toString(8).padStart(4, '0')
  return side.kind === 'file' ? `${side.size} bytes, sha256 ${side.hash}, mode ${mode}` : side.kind
}

const gitMode = ({ kind, mode }: DiffSide) => (kind === 'link' ? '120000' : mode & 0o100 ? '100755' : '100644')

/** Name in a line of its own, where a tab ends a name with spaces. */
const name = (path: string) => {
  const word = quotedPath(path)
  return word === path && path.includes(' ') ? `${path}\t` : word
}
