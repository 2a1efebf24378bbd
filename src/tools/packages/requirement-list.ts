import { fail } from '../../core/failure.ts'
import { MAX_REQUIREMENTS, MAX_REQUIREMENTS_FILE_BYTES } from '../../core/limits/python.ts'
import { field, say } from '../../core/saying/saying.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { callerPath } from '../caller-path.ts'
import { whatExists } from '../what-exists.ts'
import { notAllowed, type Requirement, requirement } from './requirement.ts'

/** Requirements of a call, and what is to be said of options that were left out. */
interface Requirements {
  readonly wanted: readonly Requirement[]
  readonly notes: readonly string[]
}

/**
 * Requirements that a call lists, where `-r FILE` stands for the lines of a file of the task and `-e DIRECTORY` for a directory of it,
 * as one entry or as two.
 * @throws FailureError `invalid_input`, `not_found`; `limit_exceeded` past MAX_REQUIREMENTS
 */
export async function requirementList(packages: readonly string[], workspace: Workspace): Promise<Requirements> {
  const wanted: Requirement[] = []
  const notes = new Set<string>()
  for (const entry of paired(packages)) {
    const file = fileOf(entry)
    if (HARMLESS.has(entry))
      notes.add(`${entry} has no effect here: packages that are there are used for building where they suffice`)
    else if (file === null) wanted.push(requirement(entry))
    else for (const line of await linesOf(file, entry, workspace)) wanted.push(fromLine(line, file))
    if (wanted.length > MAX_REQUIREMENTS)
      fail(
        'limit_exceeded',
        say`${field('packages')} has more than ${MAX_REQUIREMENTS} packages (MAX_REQUIREMENTS); run pip by a command`,
      )
  }
  if (wanted.length === 0) fail('invalid_input', say`${field('packages')} names no package`)
  return { wanted, notes: [...notes] }
}

/** Entries with an option and its value, which stand in two of them, as one. */
function paired(packages: readonly string[]): string[] {
  const entries: string[] = []
  for (const entry of packages.flatMap((one) => several(one.trim()))) {
    const last = entries.at(-1)
    if (last !== undefined && TAKES_VALUE.test(last)) entries[entries.length - 1] = `${last} ${entry}`
    else entries.push(entry)
  }
  return entries
}

/** Requirements that stand in one entry with spaces between them, as in a command of pip; any other entry alone. */
function several(entry: string): readonly string[] {
  const words = entry.split(/\s+/)
  return words.length > 1 && words.every((word) => WHOLE.test(word)) ? words : [entry]
}

/** A name with or without versions, or a path; a single word of neither belongs to the one before it. */
const WHOLE =
  /^(?:[A-Za-z0-9][\w.-]*(?:\[[\w,.-]*\])?(?:(?:[=~!<>]=?|===)[\w.*+!<>=~,-]+)?|\.{0,2}\/?[\w.-]+(?:\/[\w.@+-]+)+\/?)$/
const TAKES_VALUE = /^(?:-r|--requirement|-e|--editable)$/
/** Options that change nothing of what is installed. */
const HARMLESS: ReadonlySet<string> = new Set([
  '--no-build-isolation',
  '--quiet',
  '-q',
  '--no-input',
  '--disable-pip-version-check',
])

/** File of requirements that an entry names; null for a requirement. */
function fileOf(entry: string): string | null {
  const [, named] = /^(?:-r|--requirement)(?:\s*=\s*|\s+)(\S.*)$/.exec(entry) ?? []
  return named ?? (/^[\w./-]+\.txt$/.test(entry) ? entry : null)
}

/** Lines of a file of requirements, without comments and what is empty. */
async function linesOf(file: string, entry: string, workspace: Workspace): Promise<string[]> {
  // A path that leaves the task is refused as the option is, which never reached pip.
  const path = file.startsWith('/') && !file.startsWith('/home/') ? null : callerPath(workspace, file)
  const stored = path === null ? null : workspace.stat(path)
  if (path === null || stored?.kind !== 'file') {
    const advice = path === null ? [] : await whatExists(workspace, path, ['there is no such file'])
    if (path !== null) fail('not_found', say`${JSON.stringify(entry.slice(0, 120))} cannot be installed: ${advice}`)
    return notAllowed(entry, ['it is outside of the task'])
  }
  if (stored.size > MAX_REQUIREMENTS_FILE_BYTES)
    fail(
      'limit_exceeded',
      say`${file} has more than ${MAX_REQUIREMENTS_FILE_BYTES} bytes (MAX_REQUIREMENTS_FILE_BYTES)`,
    )
  const bytes = (await workspace.read(path)) ?? new Uint8Array()
  const text = new TextDecoder().decode(bytes).replaceAll(/\\\r?\n/g, ' ')
  return text
    .split(/\r?\n/)
    .map((line) => withoutComment(line).trim())
    .filter((line) => line !== '')
}

function withoutComment(line: string): string {
  const at = line.search(/(?:^|\s)#/)
  return at === -1 ? line : line.slice(0, at)
}

/** Requirement of a line. Other options of such a file say where to look, which is not the caller's to say. */
function fromLine(line: string, file: string): Requirement {
  if (/^(?:-r|-c|--(?!editable))/.test(line))
    fail(
      'invalid_input',
      say`${file} has the line ${JSON.stringify(line.slice(0, 120))}, and options are not taken from a file; give the packages of it as entries of ${field('packages')}`,
    )
  return requirement(line.replace(/\s--hash=\S+/g, '').trim())
}
