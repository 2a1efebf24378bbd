import { describe, expect, it, vi } from 'vitest'
import { guardedHttp } from '../../../../src/adapters/http-guarded.ts'
import { workspacePath } from '../../../../src/core/workspace-path.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { type GitServer, gitServer } from '../../../support/git-server.ts'
import { toolbench } from '../../../support/toolbench.ts'

vi.setConfig({ testTimeout: 30_000 }) // git and its server are real

/** A bench whose server reaches these hosts. */
const reaching = (...servers: readonly GitServer[]) => {
  const policy = { extraPorts: [], dangerouslyAllowHosts: servers.map(({ url }) => new URL(url).host) }
  return toolbench(catalog, {}, { http: guardedHttp({ policy, resolve: null, send: fetch }) })
}

const SECRET = "s3cr%t'$(id)-token"

describe('git_clone', () => {
  it('clones under upload/ and tells what was checked out', async () => {
    const { url, commit } = await gitServer()
    const { data, content } = toolbench(catalog)
    expect(await data('git_clone', { repo_url: `${url}/project.git` })).toEqual({
      clone_path: 'upload/project',
      repo_url: `${url}/project.git`,
      branch: 'main',
      commit,
      commit_message: 'Start it: "quotes", ünicode',
      commit_author: 'Ada Lovelace <ada@example.com>',
      commit_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}$/),
    })
    expect(await content('upload/project/README.md')).toBe('# Project\n')
  })

  it('takes a branch, a tag and a target', async () => {
    const { url, commit } = await gitServer()
    const { data, content } = toolbench(catalog)
    const repo_url = `${url}/project.git/`
    expect(await data('git_clone', { repo_url, branch: 'feature/x', target_dir: 'a b/$HOME' })).toMatchObject({
      clone_path: 'upload/a b/$HOME',
      branch: 'feature/x',
      commit_message: 'On a branch',
    })
    expect(await content('upload/a b/$HOME/src/a.txt')).toBe('1\n')
    expect(await data('git_clone', { repo_url, branch: 'v1', target_dir: 'upload/tagged' })).toMatchObject({
      clone_path: 'upload/tagged',
      branch: 'v1',
      commit,
    })
  })

  it('clones a repository without commits', async () => {
    const { url } = await gitServer()
    const { data } = toolbench(catalog)
    expect(await data('git_clone', { repo_url: `${url}/empty.git` })).toMatchObject({
      clone_path: 'upload/empty',
      commit: null,
    })
  })

  it.each([
    ['as the token', { token: SECRET }, '', `x-access-token:${SECRET}`],
    ['in the URL', {}, `ada:${encodeURIComponent(SECRET)}@`, `ada:${SECRET}`],
    ['as the user name in the URL', {}, `${encodeURIComponent(SECRET)}@`, `${SECRET}:`],
  ])(
    'opens a private repository with a secret given %s, and shows and keeps it nowhere',
    async (_, args, inUrl, auth) => {
      const server = await gitServer({ tls: true, auth })
      const { url, commit, authorizations } = server
      const { call, runner } = reaching(server)
      const repo_url = `${url}/project.git`
      const result = await call('git_clone', { ...args, repo_url: repo_url.replace('://', `://${inUrl}`) })
      expect(result.data).toMatchObject({ commit, repo_url })
      expect(authorizations).toContain(auth)

      const [command] = runner.commands
      const [plain, encoded] = [SECRET, encodeURIComponent(SECRET)]
      for (const seen of [JSON.stringify(result), command?.script, runner.everything()]) {
        expect(seen).not.toContain(plain)
        expect(seen).not.toContain(encoded)
      }
      expect(command?.secrets).toEqual(expect.arrayContaining([plain, encoded]))
    },
  )

  it('does not show a secret that was refused either', async () => {
    const server = await gitServer({ tls: true, auth: 'x-access-token:another' })
    const { failure } = reaching(server)
    const failed = await failure('git_clone', { repo_url: `${server.url}/project.git`, token: SECRET })
    expect(failed.code).toBe('upstream')
    expect(failed.message).toMatch(/^Git clone failed: [\s\S]*Authentication failed/)
    expect(JSON.stringify(failed)).not.toMatch(/s3cr/)
  })

  it('sends the secret to no other host that the first one redirects to', async () => {
    const thief = await gitServer({ tls: true, auth: 'x:y' })
    const server = await gitServer({ tls: true, redirectTo: thief.url })
    const { failure } = reaching(server, thief)
    const failed = await failure('git_clone', { repo_url: `${server.url}/project.git`, token: SECRET })
    expect(failed.code).toBe('upstream')
    expect(failed.message).toContain(`sends on to ${new URL(thief.url).host}, where the token does not go`)
    expect(thief.authorizations).toEqual([])
  })

  it('masks the token in what is kept of the call', () => {
    const call = { tool: 'git_clone', args: { repo_url: 'https://h/r.git', token: SECRET } }
    expect(catalog.keptArgs(call)).toEqual({ repo_url: 'https://h/r.git', token: '***' })
  })

  it('says why git could not, and never waits for a password', async () => {
    const { url } = await gitServer({ auth: 'x:y' })
    const { failure } = toolbench(catalog)
    const locked = await failure('git_clone', { repo_url: `${url}/project.git` })
    expect(locked.message).toMatch(/^Git clone failed: [\s\S]*give token if the repository is private$/)
    const none = await gitServer()
    const missing = await failure('git_clone', { repo_url: `${none.url}/nothing.git` })
    expect(missing.message).toMatch(/^Git clone failed: [\s\S]*not found/)
  })

  it('leaves alone what lies at the target, but takes an empty directory', async () => {
    const { url } = await gitServer()
    const { data, failure, put, content, runner } = toolbench(catalog)
    await put('upload/project/mine.txt', 'mine')
    const taken = await failure('git_clone', { repo_url: `${url}/project.git` })
    expect(taken).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^Git clone failed: destination path 'upload\/project' already exists and is not/),
    })
    expect(runner.commands).toEqual([])
    expect(await content('upload/project/mine.txt')).toBe('mine')
    await data('dir_create', { dir_path: 'upload/free' })
    expect(await data('git_clone', { repo_url: `${url}/project.git`, target_dir: 'free' })).toMatchObject({
      clone_path: 'upload/free',
    })
  })

  it('says that there may be no network where a host cannot be found', async () => {
    const { failure, runner } = toolbench(catalog)
    const stderr = {
      text: "fatal: unable to access 'https://host.example/': Could not resolve host: host.example\n",
      bytes: 0,
    }
    const output = { text: '', bytes: 0 }
    runner.run = async () => ({
      exitCode: 128,
      timedOut: false,
      stdout: output,
      stderr,
      conflicts: [],
      notes: [],
      generation: 1,
    })
    expect((await failure('git_clone', { repo_url: 'https://host.example/a.git' })).message).toMatch(
      /resolve host: host\.example; the sandbox cannot reach that address: it may have no network/,
    )
  })

  it('removes half a clone when the time is over', async () => {
    const { failure, runner, workspace, put } = toolbench(catalog)
    runner.run = async () => {
      await put('upload/huge/.git/HEAD', 'half')
      const output = { text: '', bytes: 0 }
      return { exitCode: -1, timedOut: true, stdout: output, stderr: output, conflicts: [], notes: [], generation: 1 }
    }
    const { code, message } = await failure('git_clone', { repo_url: 'https://host.example/huge.git' })
    expect([code, message]).toEqual([
      'timeout',
      expect.stringMatching(/^Git clone failed: not finished after 600 seconds/),
    ])
    expect(workspace.stat(workspacePath('upload/huge'))).toBeNull()
  })

  it.each([
    [{ repo_url: 'file:///etc' }, /^repo_url must be an https/],
    [{ repo_url: '/etc' }, /^repo_url must be an https/],
    [{ repo_url: 'code_run/shop' }, /for a repository of the task run execute_shell: git clone/],
    [{ repo_url: 'ext::sh -c id' }, /^repo_url must be an https/],
    [{ repo_url: 'github.com/user/repo' }, /^repo_url must be an https/],
    [{ repo_url: '--upload-pack=touch /tmp/x' }, /^repo_url must be an https/],
    [{ repo_url: 'git@github.com:user/repo.git' }, /^ssh URLs cannot be cloned/],
    [{ repo_url: 'ssh://git@github.com/user/repo.git' }, /^ssh URLs cannot be cloned/],
    [{ repo_url: 'https://host/r.git', branch: '--upload-pack=id' }, /^branch begins with "-"/],
    [{ repo_url: 'https://host/r.git', target_dir: '--bare' }, /^target_dir begins with "-"/],
    [{ repo_url: 'https://host/r.git', target_dir: '../../x' }, /leaves the task directory/],
    [{ repo_url: 'https://host/' }, /^repo_url names no repository/],
    [{ repo_url: 'http://host/r.git', token: 't0ken' }, /only sent over https/],
    [{ repo_url: 'http://u:p4ss@host/r.git' }, /only sent over https/],
    [{ repo_url: 'https://host/r.git', token: 'a\nb' }, /line break/],
    [{ repo_url: '' }, /^repo_url is required$/],
    [{}, /^missing required parameter: repo_url$/],
  ])('refuses %j and runs nothing', async (args, message) => {
    const { failure, runner } = toolbench(catalog)
    const refused = await failure('git_clone', args)
    expect(refused.code).toBe('invalid_input')
    expect(refused.message).toMatch(message)
    expect(runner.commands).toEqual([])
  })
})
