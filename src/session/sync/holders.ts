import { quotedPath } from '../../core/diff/quoted-path.ts'
import { MAX_HOLDER_BYTES, MAX_HOLDER_NOTES, MAX_HOLDERS, MAX_PROGRAM_NAME_CHARS } from '../../core/limits/sync.ts'
import { ancestors, SANDBOX_ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import { HOLDERS, PROCESSES } from '../../guest/bash/programs.ts'
import { bashCall } from '../../guest/bash-program.ts'
import type { KnownFiles } from './known.ts'
import type { PushPlan } from './plan.ts'

/** Paths whose files or directories a push takes away from whoever has them open. */
export interface Replaced {
  /** Removed entries, each with all below it. */
  readonly removed: ReadonlySet<WorkspacePath>
  /** Files that get another content, as files of their own. */
  readonly renewed: ReadonlySet<WorkspacePath>
}

/** Paths that a plan replaces or removes; null for nothing. */
export function replacedBy({ remove, put }: PushPlan, known: KnownFiles): Replaced | null {
  const renewed = put.filter(({ path, kind }) => kind === 'file' && known.get(path) !== undefined)
  if (remove.length === 0 && renewed.length === 0) return null
  return { removed: new Set(remove), renewed: new Set(renewed.map(({ path }) => path)) }
}

/** Bash that says on stderr what the processes of commands hold, for {@link readHolders}: builtins alone where none runs. */
export const HOLDERS_SCRIPT = `${PROCESSES}${HOLDERS}{ find_marked '[0-9]*'; ${bashCall('print_holders', MAX_HOLDERS, MAX_HOLDER_BYTES)} >&3; } 3>&2 2>/dev/null`

/** Notes on the processes that keep what a push replaced or removed, few and short: of their command lines the program's name only. */
export function readHolders(stderr: string, { removed, renewed }: Replaced): string[] {
  const names = new Map<string, string>()
  const notes = new Set<string>()
  for (const line of stderr.split('\n')) {
    const [, program, name] = /^program (\d+) (.*)$/.exec(line) ?? []
    if (program !== undefined) names.set(program, programName(name ?? ''))
    const [, pid = '', how = '', text = ''] = /^(?:holds )?\/proc\/(\d+)\/(fd|cwd|maps)[^ ]* (.*)$/.exec(line) ?? []
    if (!text.startsWith(`${SANDBOX_ROOT}/`)) continue
    // The cast: only paths of the plan are found.
    const path = text.slice(SANDBOX_ROOT.length + 1) as WorkspacePath
    const isGone = removed.has(path) || ancestors(path).some((above) => removed.has(above))
    const who = `process ${pid} (${names.get(pid) ?? 'unknown'})`
    if (how === 'cwd') {
      if (isGone)
        notes.add(`${who} works in the directory ${quotedPath(path)}, which is removed; start it again in another one`)
    } else if (isGone || renewed.has(path)) {
      const has = how === 'fd' ? 'open' : 'mapped into memory'
      const what = isGone && !renewed.has(path) ? 'which is removed' : 'which is replaced'
      notes.add(
        `${who} has ${quotedPath(path)} ${has}, ${what}, and keeps the old content until it opens the file again`,
      )
    }
  }
  const all = [...notes]
  const more = all.length - MAX_HOLDER_NOTES
  return more > 0 ? [...all.slice(0, MAX_HOLDER_NOTES), `${more} more such files are held by processes`] : all
}

/** A program's name as a note says it: a process chooses its own, and what is no plain word must not read as the note's words. */
function programName(name: string): string {
  const short = name.slice(0, MAX_PROGRAM_NAME_CHARS).replace(/[^ -~]/g, '?')
  return /^[\w.+:@-]+$/.test(short) ? short : JSON.stringify(short)
}
