import { shellQuote } from '../../core/shell-quote.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import { INPUT_FILE } from '../../ports/runner.ts'

/** Branch that a clone checks out; null for the repository's own choice. */
type Branch = string | null

/** Environment in which git never prompts, and no redirect or submodule can make it read files or start programs. */
export const GUARDS = { GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'https:http:git' }

/** Script that clones a public repository. Prints for {@link readHead}. */
export const cloneScript = (url: string, target: WorkspacePath, branch: Branch) =>
  `git clone ${of(branch)}-- ${shellQuote(url)} ${shellQuote(target)} >&2 && cd ./${shellQuote(target)} || exit
${PRINT_HEAD}`

/** Script that clones out of a bundle in the sandbox, as if it came from the URL. Prints as {@link cloneScript}. */
export const bundleScript = (url: string, target: WorkspacePath, branch: Branch) =>
  `GIT_ALLOW_PROTOCOL=file git clone ${of(branch)}-- "$${INPUT_FILE}" ${shellQuote(target)} >&2; code=$?; rm -f "$${INPUT_FILE}"
[ $code = 0 ] || exit $code
cd ./${shellQuote(target)} && git remote set-url origin ${shellQuote(url)} || exit
${PRINT_HEAD}`

/** Script that clones a repository without commits. Prints as {@link cloneScript}. */
export const emptyScript = (url: string, target: WorkspacePath) =>
  `git init -q -- ${shellQuote(target)} >&2 && cd ./${shellQuote(target)} && git remote add origin ${shellQuote(url)} || exit
${PRINT_HEAD}`

const of = (branch: Branch) => (branch === null ? '' : `--branch ${shellQuote(branch)} `)

/** Prints the branch on a line of its own, empty when there is none, and then the commit; an empty repository has none. */
const PRINT_HEAD = `git symbolic-ref --short -q HEAD || echo
git log -1 --format='%H%x1f%ci%x1f%an <%ae>%x1f%s' 2>/dev/null || true`

export function readHead(stdout: string) {
  const [branch = '', commitLine = ''] = stdout.split('\n')
  const [commit, commit_date, commit_author, ...subject] = commitLine.split('\x1f')
  if (!commit) return { branch: branch || null, commit: null }
  return { branch: branch || null, commit, commit_message: subject.join('\x1f'), commit_author, commit_date }
}
