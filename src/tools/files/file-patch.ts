import * as z from 'zod'
import {
  CHANGE_CONTEXT_LINES,
  MAX_PATCH_CHARS,
  MAX_PATCH_FILES,
  MAX_SHOWN_CHANGE_CHARS,
} from '../../core/limits/edits.ts'
import { requiredTextUpTo, withDefault } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { isBeginPatch, parseBeginPatch } from './patch/begin-patch.ts'
import { parsePatch } from './patch/parse-patch.ts'
import { patchedFiles } from './patch/patched-files.ts'

/** Applies a unified diff. Ours. */
export const filePatch = defineTool({
  name: 'file_patch',
  description:
    'Apply a unified diff, or a patch that begins with "*** Begin Patch", to text files of the task: all of it, or nothing if a hunk does not fit. Takes several files, a/ ' +
    'and b/ prefixes, new and deleted files (/dev/null), git renames and modes. Lines must match exactly, but may stand ' +
    'elsewhere than the line numbers say if they stand there only; "@@" alone has them looked for. Line breaks and ' +
    `encodings of the files stay. At most ${MAX_PATCH_CHARS} characters and ${MAX_PATCH_FILES} files; runs without a ` +
    `sandbox. Returns per file what changed, numbered, with ${CHANGE_CONTEXT_LINES} lines around.`,
  effect: 'write',
  uses: ['workspace'],
  input: z.object({
    patch: requiredTextUpTo(
      MAX_PATCH_CHARS,
      `has more than ${MAX_PATCH_CHARS} characters (MAX_PATCH_CHARS); split it`,
    ).describe(
      'The diff: "--- a/FILE", "+++ b/FILE", "@@ -1,3 +1,4 @@", lines that begin with " ", "-" or "+"; FILE is relative to the task root',
    ),
    workdir: withDefault(z.string(), '').describe(
      'Directory that the paths of the patch begin in, relative to the task root. Default: the task root',
    ),
  }),

  async run({ patch, workdir }, { ports: { workspace } }) {
    const parsed = isBeginPatch(patch) ? parseBeginPatch(patch) : parsePatch(patch)
    const { changes, reports, notes } = await patchedFiles(workspace, parsed.files, callerPath(workspace, workdir))
    await workspace.commit(changes)
    const allNotes = [...parsed.notes, ...notes]
    let shown = 0
    const files = reports.map(({ changed_lines, ...report }) => {
      shown += changed_lines.length
      return { ...report, ...(changed_lines !== '' && shown <= MAX_SHOWN_CHANGE_CHARS && { changed_lines }) }
    })
    const described = files.map(({ path, status, added, removed, changed_lines }) =>
      [`${status} ${path}, +${added} -${removed}`, ...(changed_lines ? [changed_lines] : [])].join('\n'),
    )
    return {
      text: [...described, ...allNotes].join('\n'),
      data: { files, ...(allNotes.length > 0 && { notes: allNotes }) },
    }
  },
})
