import { absolutePath, ROOT } from '../../core/workspace-path.ts'
import { spelled } from '../alike-names.ts'
import { type Conversion, filling } from './conversion.ts'
import { lineConversions } from './line-conversions.ts'
import { patchNames } from './patch-names.ts'

/** A list of one edit, as other agents' tools have it. Several edits are not one call of `file_edit`. */
const onlyEdit: Conversion = (value, args) => {
  const [edit, ...others]: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (others.length > 0 || typeof edit !== 'object' || edit === null) return null
  const named = new Map(Object.entries(edit).map(([name, of]) => [spelled(name), of]))
  const text = (...names: readonly string[]) =>
    names.map((name) => named.get(name)).find((of) => typeof of === 'string')
  const [old_text, new_text] = [
    text('oldtext', 'oldstring', 'oldstr', 'search'),
    text('newtext', 'newstring', 'newstr', 'replace'),
  ]
  return old_text === undefined || new_text === undefined ? null : filling(args, { old_text, new_text })
}

/** A file named beside a patch: the one that the patch names, or the one that a patch without a file's header is for. */
const fileOfPatch: Conversion = (value, args) => {
  const { patch } = args
  if (typeof value !== 'string' || typeof patch !== 'string') return null
  const names = patchNames(patch)
  const path = plainPath(value)
  if (names.length === 0) {
    return patch.trimStart().startsWith('@@')
      ? { ...args, patch: `--- a/${path}\n+++ b/${path}\n${patch.trimStart()}` }
      : args
  }
  if (names.some((name) => plainPath(name) === path || plainPath(name.replace(/^[ab]\//, '')) === path)) return args
  const named = names[0]?.slice(0, MAX_SHOWN_PATH_CHARS).toWellFormed()
  return `the patch names ${named}, not this file; leave it out, or correct the path in the patch`
}

const plainPath = (path: string) =>
  (path.startsWith(TASK_ROOT) ? path.slice(TASK_ROOT.length) : path).replace(/^(?:\.?\/)+/, '')
const TASK_ROOT = `${absolutePath(ROOT)}/`

/** The pattern itself in the place of `regex: true`. */
const patternAsRegex: Conversion = (value, args) => {
  const isPattern = typeof value === 'string' && value !== '' && !BOOLEAN_WORDS.has(value.trim().toLowerCase())
  return isPattern ? filling(args, { search_text: value, regex: true }) : null
}

/** Words that tools take for true and false. */
const BOOLEAN_WORDS: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1', 'false', 'no', 'off', '0'])

const MAX_SHOWN_PATH_CHARS = 200

/** Levels of a listing, which has one or all. */
const depth: Conversion = (value, args) => {
  const levels = Number(value)
  if (!Number.isInteger(levels) || levels === 0) return null
  return levels === 1 ? args : filling(args, { recursive: true })
}

/** Owner of a repository whose name came alone. */
const owner: Conversion = (value, args) => {
  const { full_name } = args
  if (typeof value !== 'string' || typeof full_name !== 'string') return null
  return full_name.includes('/') ? args : { ...args, full_name: `${value}/${full_name}` }
}

/** Conversions by tool and spelling of the parameter. One of an argument's own name converts values that no such argument has. */
export const CONVERSIONS: Readonly<Record<string, Readonly<Record<string, Conversion>>>> = {
  dir_list: { depth, maxdepth: depth, levels: depth },
  github_get_repository_info: { owner, user: owner, org: owner },
  file_read: lineConversions({ counts: true }),
  file_replace_lines: lineConversions({ counts: false }),
  file_edit: { edits: onlyEdit, edit: onlyEdit },
  file_patch: { filepath: fileOfPatch, path: fileOfPatch, file: fileOfPatch, filename: fileOfPatch },
  file_search: { regex: patternAsRegex },
}
