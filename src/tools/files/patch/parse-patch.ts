import { fail } from '../../../core/failure.ts'
import { MAX_PATCH_FILES, MAX_PATCH_HUNKS } from '../../../core/limits/edits.ts'
import { readHunk } from './hunk-reader.ts'
import type { FilePatch, Hunk, ParsedPatch } from './parsed-patch.ts'
import { headerPath, quotedPath, withoutPrefixes } from './patch-path.ts'

/** A file's part of a patch while it is read. */
interface Section {
  oldPath: string | null | undefined
  newPath: string | null | undefined
  isRename: boolean
  isCreated: boolean
  isDeleted: boolean
  mode: number | null
  /** True after `diff --git`, whose `---` and `+++` lines may still come. */
  awaitsHeader: boolean
  hunks: Hunk[]
}

/**
 * Reads a unified diff: `---` and `+++` headers with hunks, and git's headers for new, deleted and renamed files and modes. Text around
 * them is passed over. Time is linear in the length.
 * @throws FailureError `invalid_input` for what is no such patch, or cannot be applied: copies and binary files; `limit_exceeded` past
 * MAX_PATCH_FILES or MAX_PATCH_HUNKS
 */
export function parsePatch(patch: string): ParsedPatch {
  const lines = patch.replaceAll('\r\n', '\n').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const sections: Section[] = []
  const notes: string[] = []
  let hunks = 0
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const section = sections.at(-1)
    if (line.startsWith('@@')) {
      if (section?.oldPath === undefined || section.newPath === undefined) noHeader(at + 1)
      if (++hunks > MAX_PATCH_HUNKS) tooMany('hunks', MAX_PATCH_HUNKS, 'MAX_PATCH_HUNKS')
      const { hunk, next, note } = readHunk(lines, at, section.hunks.length + 1)
      section.hunks.push(hunk)
      if (note !== null) notes.push(`Hunk ${hunk.number} of ${nameOf(section.oldPath, section.newPath)} ${note}`)
      at = next
    } else if (isFileHeader(lines, at)) {
      const fresh = section?.awaitsHeader ? section : newSection()
      if (fresh !== section) sections.push(fresh)
      if (!fresh.isRename) {
        fresh.oldPath = headerPath(line.slice(4))
        fresh.newPath = headerPath((lines[at + 1] ?? '').slice(4))
      }
      fresh.awaitsHeader = false
      at += 2
    } else {
      const started = gitSection(line)
      if (started) sections.push(started)
      else readGitHeader(line, section)
      at += 1
    }
    if (sections.length > MAX_PATCH_FILES) tooMany('files', MAX_PATCH_FILES, 'MAX_PATCH_FILES')
  }
  if (sections.length === 0) {
    fail(
      'invalid_input',
      `the patch has no file; a unified diff has the lines "--- a/FILE", "+++ b/FILE", "@@ -1,3 +1,4 @@"`,
    )
  }
  return { files: sections.map(filePatch), notes }
}

const newSection = (): Section => ({
  oldPath: undefined,
  newPath: undefined,
  isRename: false,
  isCreated: false,
  isDeleted: false,
  mode: null,
  awaitsHeader: false,
  hunks: [],
})

/** Whether a file's two header lines stand here. */
const isFileHeader = (lines: readonly string[], at: number) =>
  (lines[at] ?? '').startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ ')

function gitSection(line: string): Section | null {
  if (!line.startsWith('diff --git ')) return null
  const section = newSection()
  const names = line.slice('diff --git '.length)
  // Both names are the same but for their prefixes; of a rename, "rename from" and "rename to" say them.
  const half = (names.length - 1) / 2
  const [one, other] = [headerPath(names.slice(0, half)), headerPath(names.slice(half + 1))]
  if (Number.isInteger(half) && one?.replace(/^a\//, '') === other?.replace(/^b\//, '')) {
    section.oldPath = one
    section.newPath = other
  }
  section.awaitsHeader = true
  return section
}

function readGitHeader(line: string, section: Section | undefined): void {
  if (/^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: )/.test(line)) {
    fail(
      'invalid_input',
      `the patch is not a unified diff; begin each file with "--- a/FILE" and "+++ b/FILE", each hunk with "@@ -1,3 +1,4 @@"`,
    )
  }
  if (line.startsWith('GIT binary patch') || /^Binary files .{0,8000} differ$/.test(line)) {
    fail('invalid_input', 'the patch has a binary file, which cannot be patched; upload the file')
  }
  if (!section?.awaitsHeader) return
  if (/^copy (?:from|to) /.test(line))
    fail('invalid_input', 'the patch copies a file; copy it first, then patch the copy')
  const [, name = '', value = ''] =
    /^(rename from|rename to|new file mode|deleted file mode|new mode) (.+)$/.exec(line) ?? []
  if (name === 'rename from') section.oldPath = quotedPath(value)
  if (name === 'rename to') section.newPath = quotedPath(value)
  section.isRename ||= name.startsWith('rename')
  section.isCreated ||= name === 'new file mode'
  section.isDeleted ||= name === 'deleted file mode'
  if (name === 'new file mode' || name === 'new mode') section.mode = Number.parseInt(value, 8) & 0o777
}

function filePatch({ oldPath, newPath, isRename, isCreated, isDeleted, mode, hunks }: Section): FilePatch {
  if (oldPath === undefined || newPath === undefined || (oldPath === null && newPath === null)) {
    return fail('invalid_input', 'a file of the patch has no name; give "--- a/FILE" and "+++ b/FILE"')
  }
  const paths = { oldPath: isCreated ? null : oldPath, newPath: isDeleted ? null : newPath }
  if (hunks.length === 0 && !isRename && !isCreated && !isDeleted && mode === null) {
    fail('invalid_input', `the patch changes nothing in ${newPath ?? oldPath}: it has no hunk`)
  }
  return { ...paths, isRename, mode, hunks }
}

/** Name of a file in notes. */
function nameOf(oldPath: string | null, newPath: string | null): string {
  const plain = withoutPrefixes(oldPath, newPath)
  return plain.newPath ?? plain.oldPath ?? ''
}

function noHeader(line: number): never {
  fail(
    'invalid_input',
    `line ${line} of the patch begins a hunk, and no file was named; put "--- a/FILE" and "+++ b/FILE" before it`,
  )
}

function tooMany(what: string, most: number, name: string): never {
  fail('limit_exceeded', `the patch has more than ${most} ${what} (${name}); split it`)
}
