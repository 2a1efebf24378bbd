import { fail } from '../../../core/failure.ts'
import { parsePatch } from './parse-patch.ts'
import type { ParsedPatch } from './parsed-patch.ts'

/** Whether a patch is in the form that models of OpenAI write for their `apply_patch`. */
export const isBeginPatch = (patch: string): boolean => /^\s*\*\*\* Begin Patch[ \t]*\r?\n/.test(patch)

/**
 * Reads a patch between `*** Begin Patch` and `*** End Patch`, by way of the unified diff that says the same. Hunks have no line
 * numbers, so that their lines are looked for; what stands behind `@@` is not.
 * @throws FailureError as {@link parsePatch}
 */
export function parseBeginPatch(patch: string): ParsedPatch {
  const { files, notes } = parsePatch(unifiedFrom(patch.replaceAll('\r\n', '\n').split('\n')))
  const isWhole = (file: (typeof files)[number]) => file.newPath === null && file.hunks.length === 0
  return { files: files.map((file) => (isWhole(file) ? { ...file, deletesWhole: true } : file)), notes }
}

function unifiedFrom(lines: readonly string[]): string {
  const diff: string[] = []
  let section: 'add' | 'update' | 'delete' | null = null
  for (const [at, line] of lines.entries()) {
    const [, verb, path = ''] = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line.trimEnd()) ?? []
    const before = lines[at - 1] ?? ''
    if (verb !== undefined) {
      section = verb === 'Add' ? 'add' : verb === 'Delete' ? 'delete' : 'update'
      diff.push(...headers(section, path, lines, at))
    } else if (/^\*\*\* End Patch\s*$/.test(line)) {
      break
    } else if (section === 'update' && line.startsWith('@@')) {
      // Of several places, one in the other, the last stands before the lines.
      if (!lines[at + 1]?.startsWith('@@')) diff.push('@@')
    } else if (section === 'update' && (line === '' || /^[ +-]/.test(line))) {
      // The first hunk may have no "@@".
      if (/^\*\*\* (?:Update File|Move to): /.test(before)) diff.push('@@')
      diff.push(line)
    } else if (section === 'add' && line.startsWith('+')) {
      diff.push(line)
    } else if (line.trim() !== '' && !MARK.test(line.trimEnd())) {
      const begins = section === 'add' ? '"+"' : section === 'update' ? '"@@", " ", "-" or "+"' : '"*** Update File: "'
      fail('invalid_input', `line ${at + 1} of the patch must begin with ${begins}`)
    }
  }
  return diff.join('\n')
}

/** Lines that say nothing to a unified diff; {@link headers} reads where a file moves to. */
const MARK = /^\*\*\* (?:Begin Patch|End of File|Move to: .*)$/

function headers(section: 'add' | 'update' | 'delete', path: string, lines: readonly string[], at: number): string[] {
  const [old, now] = [`a/${path}`, `b/${path}`]
  if (section === 'delete') return [`diff --git ${old} ${now}`, 'deleted file mode 100644']
  if (section === 'add') {
    let added = 0
    while (lines[at + 1 + added]?.startsWith('+')) added++
    const head = [`diff --git ${old} ${now}`, 'new file mode 100644']
    return added === 0 ? head : [...head, '--- /dev/null', `+++ ${now}`, `@@ -0,0 +1,${added} @@`]
  }
  const moved = /^\*\*\* Move to: (.+)$/.exec(lines[at + 1]?.trimEnd() ?? '')?.[1]
  const both = [`--- ${old}`, `+++ ${now}`]
  return moved === undefined
    ? [`diff --git ${old} ${now}`, ...both]
    : [`diff --git ${old} b/${moved}`, `rename from ${path}`, `rename to ${moved}`, ...both]
}
