import type { Differences, TaskName } from './tasks.ts'
import { V1 } from './v1.ts'

/** Difference that `/v1` has too. */
const asV1 = (name: TaskName) => V1[name] ?? {}

const FOUND = 'data/load.py:2:    # TODO: check it\ndata/plan.md:1:TODO: write\n[2 lines in 2 of 2 files]'

/** Differences of MCP: parameters and paths as in `/v1`, tools and sessions in words of its own, and answers that are texts alone. */
export const MCP: Differences = {
  'parameter that changes nothing': { fails: true },
  'mistyped tool': { message: 'there is no tool file_raed that may be called; did you mean file_read?' },
  'tool of another agent': { message: 'there is no tool Bash that may be called; did you mean execute_shell?' },
  'mistyped session': { message: 'there is no session frist-tries; did you mean first-tries?' },
  'required argument left out': asV1('required argument left out'),
  'picture as a text': { message: 'Cannot read binary file: picture.png. …\nimage_read shows a picture' },
  'path of the machine': asV1('path of the machine'),
  'path of Windows': asV1('path of Windows'),
  'path above the workspace': asV1('path above the workspace'),
  'tool to undo': { message: 'there is no tool undo that may be called; did you mean workspace_restore?' },
  'list as JSON text': { message: 'pip: installed' },
  'picture by its tool': { message: 'picture.png: image/png, 2 by 1 pixels, … bytes' },
  'directory as a path': { message: FOUND },
  'regular expression in a directory': { message: FOUND },
  'expression that takes others exponential time': { message: 'aaa.txt does not have "(a+)+$"' },
  'files by pattern': { message: 'data/load.py  53' },
  'size of a file': { message: 'lines: 700000\nsize: 4788895' },
  'long document': { message: '[cut; read on with pages "3"]' },
  'number of candidates': { message: '3. …' },
}
