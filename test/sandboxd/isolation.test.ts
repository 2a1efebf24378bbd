import { readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Sandbox } from 'e2b'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { descendantsOf } from '../support/processes.ts'
import { type Daemon, startDaemon } from './support/daemon.ts'

let daemon: Daemon
let sandbox: Sandbox
let other: Sandbox
beforeAll(async () => {
  daemon = await startDaemon({ env: { SECRET_OF_THE_HOST: 'hush' } })
  ;[sandbox, other] = await Promise.all([Sandbox.create(daemon.sdk), Sandbox.create(daemon.sdk)])
})
afterAll(() => daemon.stop())

/** Directories of the daemon's PATH that are not the system's own. */
const HOST_PATH = (process.env.PATH ?? '')
  .split(':')
  .filter((directory) => !/^\/(usr\/(local\/)?)?s?bin$/.test(directory))

const output = async (command: string) => (await sandbox.commands.run(`( ${command} ) 2>&1 || true`)).stdout.trim()

describe('the file system', () => {
  it('holds nothing of the host but programs', async () => {
    expect((await output('ls -A /')).split('\n').sort()).toEqual(
      expect.arrayContaining(['dev', 'etc', 'home', 'opt', 'proc', 'root', 'run', 'tmp', 'usr', 'var']),
    )
    expect(await output('ls -A /home /root /tmp /run /opt /var/tmp/')).not.toContain(daemon.stateDir)
    expect(await output(`ls ${daemon.stateDir}`)).toContain('No such file')
    expect(await output('cat /etc/shadow')).toContain('No such file')
    expect(await output(`ls ${join(process.cwd(), 'package.json')}`)).toContain('No such file')
    expect(await output('cat /proc/*/environ | tr "\\0" "\\n"')).not.toContain('SECRET_OF_THE_HOST')
    expect(await output('cat /proc/*/cmdline | tr "\\0" " "')).not.toContain(daemon.stateDir)
  })

  it('shows neither the PATH of the host nor where its state is by what is told of processes', async () => {
    const environments = await output('cat /proc/[0-9]*/environ | tr "\\0" "\\n"')
    expect(environments).toContain('PATH=/usr/local/bin:/usr/bin:/bin')
    for (const directory of HOST_PATH) expect(environments.split(/[\n:=]/)).not.toContain(directory)
    expect(await output('tr "\\0" "\\n" < /proc/1/environ')).toBe('')
    const processes = await output('cat /proc/[0-9]*/{cmdline,environ,mounts,mountstats,maps,cgroup} | tr "\\0" " "')
    const links = await output('readlink /proc/[0-9]*/{exe,cwd,root} /proc/[0-9]*/fd/*')
    for (const text of [processes, links]) {
      expect(text).toContain('/')
      for (const secret of [daemon.stateDir, basename(daemon.stateDir), process.cwd()])
        expect(text).not.toContain(secret)
    }
  })

  it('names of the host directories in mountinfo, which the kernel shows everybody, but none of another sandbox', async () => {
    const sources = await output("awk '{ print $4 }' /proc/self/mountinfo")
    expect(sources).toContain(sandbox.sandboxId)
    expect(sources).not.toContain(other.sandboxId)
  })

  it('is read-only outside of home and the temporary directories', async () => {
    for (const file of ['/usr/bin/x', '/etc/x', '/x', '/dev/x', '/opt/sandboxd/x', '/var/x']) {
      expect(await output(`touch ${file}`)).toContain('Read-only file system')
    }
    expect(await output('touch ~/x /tmp/x /dev/shm/x /run/x && echo ok')).toBe('ok')
  })

  it('does not follow a link to the host, by any interface', async () => {
    const secret = join(daemon.stateDir, 'secret')
    writeFileSync(secret, 'hush')
    await sandbox.commands.run(`ln -s ${secret} leak; ln -s ${daemon.stateDir} leak-dir`)
    await expect(sandbox.files.read('leak')).rejects.toThrow(/not found|ENOENT/)
    await expect(sandbox.files.list('leak-dir')).rejects.toThrow(/not found|ENOENT/)
    await expect(sandbox.files.write('leak', 'x')).rejects.toThrow()
    expect(readFileSync(secret, 'utf8')).toBe('hush')
    // From the other side: what the daemon touches of a sandbox is not what the tenant can link elsewhere.
    const home = join(daemon.stateDir, 's', sandbox.sandboxId, 'home')
    symlinkSync('/etc/passwd', join(home, 'planted'))
    expect(await sandbox.files.read('planted')).toContain('user:x:1000')
    expect(await sandbox.files.read('planted')).not.toBe(readFileSync('/etc/passwd', 'utf8'))
    unlinkSync(join(home, 'planted'))
  })

  it("does not show the agent's socket to the sandbox", async () => {
    expect(await output('find / -xdev -type s -not -path "/proc/*" 2>/dev/null | head')).toBe('')
  })
})

describe('processes', () => {
  it('have no capabilities and gain none', async () => {
    const status = await output('cat /proc/self/status')
    expect(status).toMatch(/CapEff:\s+0000000000000000/)
    expect(status).toMatch(/CapPrm:\s+0000000000000000/)
    expect(status).toMatch(/NoNewPrivs:\s+1/)
    expect(status).toMatch(/Seccomp:\s+2/)
    expect(await output('su -c id; sudo id -u')).toMatch(/1000$/)
  })

  it('see neither the host nor another sandbox', async () => {
    const own = await output('ps -e -o comm=')
    expect(own.split('\n').length).toBeLessThan(10)
    await other.commands.run('sleep 4321', { background: true, timeoutMs: 0 })
    await other.files.write('/tmp/of-the-other', 'x')
    expect(await output('pgrep -f "sleep 432[1]" || echo none')).toBe('none')
    expect(await output('ls /tmp/of-the-other')).toContain('No such file')
    expect(await output(`kill -9 ${daemon.pid}`)).toContain('No such process')
  })

  it('get no descriptor of the daemon', async () => {
    const open = await output('ls /proc/self/fd')
    expect(open.split('\n').length).toBeLessThanOrEqual(4)
  })

  it('belong to an unprivileged user of their own on the host, when the daemon is root', () => {
    const uids = new Set(
      descendantsOf(daemon.pid)
        .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('agent.cjs'))
        .map((pid) => Number(/Uid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])),
    )
    const expected = process.getuid?.() === 0 ? 2 : 1
    expect(uids.size).toBe(expected)
    expect([...uids].every((uid) => uid > 0)).toBe(true)
  })
})

describe('system calls', () => {
  const call = async (expression: string) => {
    const program = `import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nlibc.syscall.restype = ctypes.c_long\nr = libc.syscall(${expression})\nprint(r, os.strerror(ctypes.get_errno()))`
    await sandbox.files.write('/tmp/call.py', program)
    return await output('python3 -I /tmp/call.py')
  }

  it.runIf(process.arch === 'x64').each([
    ['ptrace', '101, 0, 0, 0, 0', 'Operation not permitted'],
    ['unshare(CLONE_NEWUSER)', '272, 0x10000000', 'Operation not permitted'],
    ['clone(CLONE_NEWUSER)', '56, 0x10000011, 0, 0, 0, 0', 'Operation not permitted'],
    ['clone3', '435, 0, 0', 'Function not implemented'],
    ['mount', '165, 0, 0, 0, 0, 0', 'Operation not permitted'],
    ['bpf', '321, 0, 0, 0', 'Operation not permitted'],
    ['keyctl', '250, 0, 0, 0', 'Operation not permitted'],
    ['io_uring_setup', '425, 1, 0', 'Operation not permitted'],
    ['setns', '308, 0, 0', 'Operation not permitted'],
    ['pidfd_getfd', '438, 0, 0, 0', 'Operation not permitted'],
    ['perf_event_open', '298, 0, 0, -1, -1, 0', 'Operation not permitted'],
    ['socket(AF_VSOCK)', '41, 40, 1, 0', 'Address family not supported by protocol'],
    ['socket(AF_ALG)', '41, 38, 5, 0', 'Address family not supported by protocol'],
    ['ioctl(TIOCSTI)', '16, 0, 0x5412, 0', 'Operation not permitted'],
    ['an x32 call', '0x40000000 + 39', 'Function not implemented'],
  ])('%s is refused', async (_, expression, error) => {
    expect(await call(expression)).toBe(`-1 ${error}`)
  })

  it('that programs need go on', async () => {
    expect(
      await output('python3 -c "import threading; t = threading.Thread(target=print, args=(1,)); t.start()"'),
    ).toBe('1')
    expect(
      await output(
        "/opt/node/bin/node -e \"new (require('worker_threads').Worker)('console.log(2)', { eval: true })\"",
      ),
    ).toBe('2')
    expect(
      await output(
        'git init -q r && cd r && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git log --oneline | wc -l',
      ),
    ).toBe('1')
  })
})
