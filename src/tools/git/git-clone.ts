import * as z from 'zod'
import { FailureError, fail } from '../../core/failure.ts'
import { GIT_CLONE_MS, MAX_REASON_CHARS } from '../../core/limits/sandbox.ts'
import { field, say, tool } from '../../core/saying/saying.ts'
import { ROOT, type WorkspacePath } from '../../core/workspace-path.ts'
import type { Command, CommandResult } from '../../ports/runner.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { optional, requiredText, withDefault } from '../arguments.ts'
import { isUnreachable, NO_NETWORK } from '../command-advice.ts'
import { commandNotices } from '../command-result.ts'
import { defineTool } from '../define.ts'
import { underUpload } from '../under-upload.ts'
import { bundleScript, cloneScript, emptyScript, GUARDS, readHead } from './clone-script.ts'
import { gitRemote } from './remote.ts'
import { UploadPack } from './upload-pack.ts'

/**
 * Clones a repository. Source: Tool Server, tools/git_tools, GitCloneTool; unlike there, a token reaches no URL, argument,
 * file or answer, and no sandbox.
 */
export const gitClone = defineTool({
  name: 'git_clone',
  description:
    `Clone a git repository, whole history, into a directory under upload/, in the sandbox; ${GIT_CLONE_MS / 60_000} ` +
    'minutes at most. Returns clone_path, and the commit and branch that were checked out. For a large repository run "git ' +
    'clone --depth 1" with execute_shell.',
  effect: 'run',
  uses: ['http', 'locks', 'runner', 'workspace'],
  secretArgs: ['token'],
  input: z.object({
    repo_url: requiredText.describe('URL of the repository, e.g. "https://github.com/user/repo.git"'),
    target_dir: withDefault(z.string(), '').describe(
      "Directory under upload/, new or empty. Default: the repository's name",
    ),
    branch: optional(z.string()).describe('Branch or tag to check out. Default: that of the repository'),
    token: optional(z.string()).describe(
      'Access token of a private repository, for https URLs; it is not kept. Default: none',
    ),
  }),

  async run({ repo_url, target_dir, branch = null, token }, { ports: { http, locks, workspace, runner }, signal }) {
    const { url, name, credentials, secrets } = gitRemote(repo_url, token)
    if (branch?.startsWith('-'))
      fail('invalid_input', say`${field('branch')} begins with "-"; give the name of a branch or tag`)
    if (target_dir.startsWith('-'))
      fail('invalid_input', say`${field('target_dir')} begins with "-"; give another name`)
    const target = freeTarget(workspace, target_dir || name)
    locks.requireFree(target)
    const run = (command: Pick<Command, 'script' | 'input'>) =>
      runner.run({ ...command, cwd: ROOT, env: GUARDS, timeoutMs: GIT_CLONE_MS, secrets, label: 'git_clone' })
    const result = credentials
      ? await privateClone({ source: new UploadPack(http, url, credentials), url, target, branch, signal }, run).catch(
          (thrown: unknown) => cloneFailed(thrown, secrets),
        )
      : await run({ script: cloneScript(url, target, branch) })
    if (result.timedOut) {
      if (workspace.stat(target)) await workspace.commit([{ op: 'remove', path: target }])
      fail(
        'timeout',
        say`Git clone failed: not finished after ${GIT_CLONE_MS / 1000} seconds; take less of it with ${tool('execute_shell')}: git clone --depth 1, and a larger timeout`,
      )
    }
    if (result.exitCode !== 0) fail('upstream', failureText(result.stderr.text))
    const head = readHead(result.stdout.text)
    return {
      text: `cloned ${url} to ${target}, at ${head.commit ?? 'no commit yet'} ${head.commit_message ?? ''}`.trim(),
      data: { clone_path: target, repo_url: url, ...head, branch: branch ?? head.branch, ...commandNotices(result) },
    }
  },
})

/** Free path for the clone. @throws FailureError `conflict` when something lies there, `invalid_input` for no name at all */
function freeTarget(workspace: Workspace, given: string): WorkspacePath {
  if (given === '')
    fail('invalid_input', say`${field('repo_url')} names no repository; give it whole, or give ${field('target_dir')}`)
  const target = underUpload(given)
  const standing = workspace.stat(target)
  const isFree =
    !standing || (standing.kind === 'directory' && workspace.list(target, { limit: 1 }).entries.length === 0)
  if (isFree) return target
  fail(
    'conflict',
    say`Git clone failed: destination path '${target}' already exists and is not an empty directory; give another ${field('target_dir')}, or delete it first`,
  )
}

interface PrivateClone {
  readonly source: UploadPack
  readonly url: string
  readonly target: WorkspacePath
  readonly branch: string | null
  readonly signal: AbortSignal
}

/** Clones a private repository: it comes through the server as a bundle, since code of the task could take the credentials. */
async function privateClone(
  { source, url, target, branch, signal }: PrivateClone,
  run: (command: Pick<Command, 'script' | 'input'>) => Promise<CommandResult>,
): Promise<CommandResult> {
  const advertised = await source.advertised(signal)
  const { refs, head } = advertised
  if (refs.size === 0) return run({ script: emptyScript(url, target) })
  if (branch !== null && !refs.has(`refs/heads/${branch}`) && !refs.has(`refs/tags/${branch}`)) {
    fail('upstream', `Remote branch ${branch} not found in upstream origin`)
  }
  return run({ script: bundleScript(url, target, branch ?? head), input: () => source.bundle(advertised, signal) })
}

/** Rethrows the failure of a clone with the secrets masked: the other server may repeat them. @throws the failure */
function cloneFailed(thrown: unknown, secrets: readonly string[]): never {
  if (!(thrown instanceof FailureError)) throw thrown
  const { code, message } = thrown.failure
  return fail(code, failureText(secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message)), {
    cause: thrown,
  })
}

function failureText(stderr: string): string {
  const reason = stderr.trim().slice(-MAX_REASON_CHARS)
  if (isUnreachable(reason)) return `Git clone failed: ${reason}; ${NO_NETWORK}`
  const locked = /could not read Username|Authentication failed|not found/i.test(reason)
  return `Git clone failed: ${reason}${locked ? '; check repo_url, and give token if the repository is private' : ''}`
}
