import { Sandbox } from 'e2b'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalInternet, startLocalInternet } from '../support/local-internet.ts'
import { type Daemon, makeState, removeState, startDaemon } from './support/daemon.ts'

const HOST = 'host.sandbox.internal'
const LIST = { allowOut: [HOST, '*.pypi.example'], denyOut: ['0.0.0.0/0'] }

const state = makeState()
let internet: LocalInternet
let daemon: Daemon
let sandbox: Sandbox
beforeAll(async () => {
  internet = await startLocalInternet(['greeting'])
  daemon = await startDaemon({ args: ['--allow', internet.host], stateDir: state })
  sandbox = await Sandbox.create({ ...daemon.sdk, network: LIST })
})
afterAll(async () => {
  await daemon?.stop()
  await internet?.stop()
  removeState(state)
})

const sh = async (command: string, envs: Record<string, string> = {}) =>
  (await sandbox.commands.run(`{ ${command}\n} 2>&1 || true`, { envs, timeoutMs: 0 })).stdout

it('programs reach a listed host by their own settings: curl, Python, pip and git', async () => {
  const page = `${internet.packageIndex}greeting/`
  expect(await sh(`curl -sS ${page}; curl -sS --proxytunnel ${page}`)).toMatch(/greeting-1\.0.*greeting-1\.0/s)
  expect(await sh(`python3 -c 'import urllib.request as r; print(r.urlopen("${page}").read())'`)).toContain(
    'greeting-1.0',
  )
  const env = { PIP_INDEX_URL: internet.packageIndex, PIP_TRUSTED_HOST: HOST }
  expect(await sh('python3 -m pip install --target /tmp/pip greeting && ls /tmp/pip', env)).toContain(
    'greeting-1.0.dist-info',
  )
  expect(await sh(`git clone --quiet ${internet.repository} /tmp/project && ls /tmp/project`)).toBe('README.md\n')
})

it('another host is refused in words that name those of the list', async () => {
  expect(await sh('curl -sS http://example.org/')).toBe(
    `example.org is not allowed: this session may reach only ${LIST.allowOut.join(', ')}\n`,
  )
  expect(await sh('curl -sS https://example.org/')).toContain('403')
  expect(await sh(`python3 -c 'import urllib.request as r; r.urlopen("https://example.org/")'`)).toContain(
    `403 example.org is not allowed: this session may reach only ${LIST.allowOut.join(', ')}`,
  )
})

it('there is no way around the proxy: no network, no name service, no other port, and its socket has the same rules', async () => {
  const port = new URL(internet.packageIndex).port
  const program = `
import errno, socket, sys
def tcp(host, port):
    try:
        socket.create_connection((host, port), timeout=5)
        return "open"
    except OSError as error: return type(error).__name__ + " " + errno.errorcode.get(error.errno, "")
print(open("/proc/net/dev").read().count(":"), tcp("10.0.2.2", ${port}), tcp("8.8.8.8", 53), tcp("${HOST}", ${port}), sep="|")
s = socket.socket(socket.AF_UNIX)
s.connect("/opt/sandboxd-egress")
s.sendall(b"CONNECT example.org:443 HTTP/1.1\\r\\nHost: example.org\\r\\n\\r\\n")
print(s.recv(100).decode().splitlines()[0])
s = socket.socket(socket.AF_UNIX)
s.connect("/opt/sandboxd-egress")
s.sendall(b"CONNECT ${HOST}:1 HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
print(s.recv(100).decode().splitlines()[0])
`
  await sandbox.files.write('/tmp/around.py', program)
  const [direct, unlisted, closed] = (await sh('python3 -I /tmp/around.py')).split('\n')
  expect(direct).toMatch(/^1\|OSError ENETUNREACH\|OSError ENETUNREACH\|gaierror /)
  expect(unlisted).toContain('HTTP/1.1 403 example.org')
  expect(closed).toContain(`HTTP/1.1 403 ${HOST}:1 is not allowed`)
})

it('the list is told, stays over a boot, and can only be taken away', async () => {
  expect(await sandbox.getInfo()).toMatchObject({ allowInternetAccess: true, network: LIST })
  await expect(sandbox.updateNetwork({})).rejects.toThrow(/501/)
  await expect(sandbox.updateNetwork({ ...LIST, allowOut: ['example.org'] })).rejects.toThrow(/501/)
  await sandbox.updateNetwork(LIST)
  const page = `curl -sS ${internet.packageIndex}greeting/`
  await sandbox.pause({ keepMemory: false })
  await sandbox.connect()
  expect(await sh(page)).toContain('greeting-1.0')
  expect(await sh('curl -sS http://example.org/')).toContain('not allowed')

  await sandbox.updateNetwork({ allowInternetAccess: false })
  expect(await sh(page)).not.toContain('greeting-1.0')
  expect((await sandbox.getInfo()).allowInternetAccess).toBe(false)
  await sandbox.pause({ keepMemory: false })
  await sandbox.connect()
  expect(await sh(page)).not.toContain('greeting-1.0')
})

it('what is no list of host names is refused', async () => {
  const create = (network: object) => Sandbox.create({ ...daemon.sdk, network })
  await expect(create({ ...LIST, allowOut: ['1.1.1.1'] })).rejects.toThrow(/allowOut/)
  await expect(create({ ...LIST, denyOut: ['10.0.0.0/8'] })).rejects.toThrow(/denyOut/)
})

it('a daemon without isolation does not start a sandbox that another one kept from the network', async () => {
  await daemon.stop()
  daemon = await startDaemon({ args: ['--isolation', 'none'], stateDir: state })
  await expect(Sandbox.connect(sandbox.sandboxId, daemon.sdk)).rejects.toThrow('did not start again')
  expect(daemon.log()).toContain('ISOLATION=none keeps no sandbox from the network')
})
