import { fail } from '../../core/failure.ts'
import { say, tool } from '../../core/saying/saying.ts'
import { baseName, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Workspace } from '../../ports/workspace.ts'

/** Markup that is no LaTeX and that models give to be made a PDF, by extension. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['.md', 'Markdown'],
  ['.markdown', 'Markdown'],
  ['.rst', 'reStructuredText'],
  ['.html', 'HTML'],
  ['.htm', 'HTML'],
  ['.docx', 'a Word document'],
])

/** Refuses a file of other markup. @throws FailureError `invalid_input` with what makes LaTeX of it */
export function refuseOther(path: string): void {
  const kind = OTHERS.get(/\.[^./]+$/.exec(path)?.[0].toLowerCase() ?? '')
  if (kind === undefined) return
  const name = baseName(path as WorkspacePath)
  const made = name.replace(/\.[^.]+$/, '.tex')
  fail(
    'invalid_input',
    say`${name} is ${kind}, and this compiles LaTeX only; make LaTeX of it with ${tool('execute_shell')} (pandoc -s ${name} -o ${made}), or write it as LaTeX, and compile that`,
  )
}

/** Refuses a directory whose only sources are of other markup, as {@link refuseOther} does. */
export function refuseOthersIn(workspace: Workspace, directory: WorkspacePath): void {
  for (const { kind, path } of workspace.list(directory, {}).entries) if (kind === 'file') refuseOther(path)
}
