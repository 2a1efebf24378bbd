import { MAX_ADVISED_CHARS, MAX_ADVISED_NAMES } from '../core/limits/command-advice.ts'
import { CODE_RUN_DIR } from '../core/task-layout.ts'
import { joinPath, SANDBOX_ROOT, type WorkspacePath, workspacePath } from '../core/workspace-path.ts'
import type { CommandResult } from '../ports/runner.ts'
import type { Workspace } from '../ports/workspace.ts'

type Ended = Pick<CommandResult, 'exitCode' | 'stdout' | 'stderr'>

/** Note on a command that a network would have helped. */
export const NO_NETWORK =
  'the sandbox cannot reach that address: it may have no network, or only some hosts; check the address, or do without it'

/** Output of programs that have no network, or a proxy that refuses the host: curl, git, Python, Node.js, apt and pip. A refused connection is none of these. */
const UNREACHABLE =
  /Could not resolve (?:host|proxy)|Temporary failure (?:in name resolution|resolving)|Network is unreachable|\bEAI_AGAIN\b|\bENETUNREACH\b|CONNECT tunnel failed, response 403|Tunnel connection failed: 403|connect EACCES \d|Failed to establish a new connection: \[Errno (?:13|101)\]/

/** Whether an output says that an address cannot be reached. */
export const isUnreachable = (output: string) => UNREACHABLE.test(output.slice(-MAX_ADVISED_CHARS))

/** Advice on a command's output: an address that cannot be reached. */
export const networkAdvice = ({ exitCode, stdout, stderr }: Ended): string[] =>
  isUnreachable(stderr.text) || (exitCode !== 0 && isUnreachable(stdout.text)) ? [NO_NETWORK] : []

/** Advice on a command that asked for input which it did not have, or for another agent's program. */
export function wordAdvice({ exitCode, stderr }: Ended, hasInput: boolean): string[] {
  if (exitCode === 0) return []
  const end = stderr.text.slice(-MAX_ADVISED_CHARS)
  return [
    ...(!hasInput && /^EOFError: EOF when reading a line$/m.test(end)
      ? ['nobody types here: stdin gives the program its input']
      : []),
    ...(/apply_patch: (?:command )?not found/.test(end)
      ? ['apply_patch is no program here: file_patch takes such a patch']
      : []),
  ]
}

/** Output of programs about a file that is not there. */
const MISSING = /no such file or directory|can't open file|can't cd to|cannot find module|file or directory not found/i

/**
 * Advice on a command that started in code_run/ and missed a file which stands in the root: paths of files begin there, those of
 * commands do not.
 * @param workdir words on how to start in the root, for a tool with such an argument
 */
export function placeAdvice(workspace: Pick<Workspace, 'stat'>, ended: Ended, workdir = ''): string[] {
  const { exitCode, stdout, stderr } = ended
  const outputs = exitCode === 0 ? [stderr.text] : [stderr.text, stdout.text]
  const names = outputs.flatMap((text) => text.slice(-MAX_ADVISED_CHARS).split('\n').filter(isMissing).flatMap(namesIn))
  for (const name of new Set(names.slice(-MAX_ADVISED_NAMES))) {
    const path = inRoot(workspace, name)
    if (path === null) continue
    return [`${path} is in the root of the files, and commands start in ${CODE_RUN_DIR}/: use ../${path}${workdir}`]
  }
  return []
}

const isMissing = (line: string) => MISSING.test(line)

/** Texts of a line that may name the missing file: the quoted ones, and what stands between its colons and at its end. */
function namesIn(line: string): string[] {
  const quoted = [...line.replaceAll("can't", 'cannot').matchAll(/['"‘`]([^'"’`]+)['"’`]/g)].map(
    ([, name = '']) => name,
  )
  const plain = line.split(/: +/).map((part) => part.trim())
  return [...quoted, ...plain, plain.at(-1)?.split(' ').at(-1) ?? ''].filter((name) => name !== '')
}

/** The path in the root that a name means which is missing in code_run/; null when nothing stands there. */
function inRoot(workspace: Pick<Workspace, 'stat'>, name: string): WorkspacePath | null {
  const start = `${SANDBOX_ROOT}/${CODE_RUN_DIR}/`
  const relative = (name.startsWith(start) ? name.slice(start.length) : name).replace(/^(?:\.\/+)+/, '')
  if (!/^[^/\0]/.test(relative) || relative.split('/').includes('..') || relative.length > MAX_NAME_CHARS) return null
  const path = workspacePath(relative)
  const [first = ''] = path.split('/')
  const top = workspacePath(first)
  if (top === '' || !workspace.stat(top) || workspace.stat(joinPath(CODE_RUN_DIR, first))) return null
  return workspace.stat(path) ? path : top
}

/** Names longer than this are no names. */
const MAX_NAME_CHARS = 200
