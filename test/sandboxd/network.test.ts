import { createSocket } from 'node:dgram'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Sandbox } from 'e2b'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostAddresses } from '../../src/sandboxd/isolation/network.ts'
import { egressPolicy } from '../../src/sandboxd/isolation/policy.ts'
import { type Daemon, startDaemon } from './support/daemon.ts'

/** Connects from inside: prints what came back, or the error's name. UDP "sent" means that the kernel let it out. */
const PROBE = `
import errno, socket, sys
kind, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
try:
    if kind == "tcp":
        s = socket.create_connection((host, port), timeout=3)
        s.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
        print(s.recv(65536).split(b"\\r\\n\\r\\n")[-1].decode() or "connected")
    else:
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.sendto(b"x", (host, port))
        print("sent")
except OSError as error:
    print(errno.errorcode.get(error.errno, type(error).__name__))
`

async function probe(sandbox: Sandbox, kind: 'tcp' | 'udp', host: string, port: number): Promise<string> {
  await sandbox.files.write('/tmp/probe.py', PROBE)
  return (await sandbox.commands.run(`python3 -I /tmp/probe.py ${kind} ${host} ${port}`)).stdout.trim()
}

async function listen(text: string, host: string): Promise<{ server: Server; port: number }> {
  const server = createServer((_, response) => response.end(text))
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

describe('a sandbox with the internet', () => {
  let daemon: Daemon
  let sandbox: Sandbox
  let allowed: { server: Server; port: number }
  let forbidden: { server: Server; port: number }
  beforeAll(async () => {
    allowed = await listen('allowed', '127.0.0.1')
    forbidden = await listen('forbidden', '0.0.0.0')
    daemon = await startDaemon({
      args: ['--allow', `127.0.0.1:${allowed.port},198.18.7.7:8080,198.18.8.0/24,10.0.0.0/8`],
    })
    sandbox = await Sandbox.create(daemon.sdk)
  })
  afterAll(async () => {
    await daemon.stop()
    allowed.server.close()
    forbidden.server.close()
  })

  it('reaches the opened port of the host loopback by name and address', async () => {
    expect(await probe(sandbox, 'tcp', 'host.sandbox.internal', allowed.port)).toBe('allowed')
    expect(await probe(sandbox, 'tcp', '10.0.2.2', allowed.port)).toBe('allowed')
  })

  it('reaches no other port there, by no protocol', async () => {
    const daemonPort = Number(new URL(daemon.url).port)
    for (const port of [forbidden.port, daemonPort, 22, 53, 1, 65_535]) {
      expect(await probe(sandbox, 'tcp', '10.0.2.2', port)).toBe('EACCES')
    }
    const udp = createSocket('udp4')
    await new Promise<void>((resolve) => udp.bind(allowed.port, '127.0.0.1', resolve))
    expect(await probe(sandbox, 'udp', '10.0.2.2', allowed.port)).toBe('EACCES')
    udp.close()
  })

  it("reaches neither the host's own addresses nor private, metadata or other reserved ones", async () => {
    const reserved = [
      '169.254.169.254',
      '172.16.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '240.0.0.1',
    ]
    for (const address of [...hostAddresses(), ...reserved]) {
      expect([address, await probe(sandbox, 'tcp', address, forbidden.port)]).toEqual([address, 'EACCES'])
      expect([address, await probe(sandbox, 'udp', address, 53)]).toEqual([address, 'EACCES'])
    }
    expect(await probe(sandbox, 'tcp', '10.0.2.3', 80)).toBe('EACCES')
    expect(await probe(sandbox, 'tcp', '10.0.2.100', forbidden.port)).toBe('ECONNREFUSED')
    expect(await probe(sandbox, 'tcp', '127.0.0.1', forbidden.port)).toBe('ECONNREFUSED')
    expect(await probe(sandbox, 'tcp', '0.0.0.0', forbidden.port)).toBe('ECONNREFUSED')
  })

  it('routes the excepted addresses, and with a port only that port', async () => {
    const route = async (arguments_: string) =>
      (await sandbox.commands.run(`ip route get ${arguments_} 2>&1 || true`)).stdout.split('\n', 1)[0]
    expect(await route('198.18.8.5')).toContain('via 10.0.2.2')
    expect(await route('198.18.7.7 ipproto tcp dport 8080')).toContain('via 10.0.2.2')
    expect(await route('198.18.7.7 ipproto tcp dport 8081')).toContain('Permission denied')
    expect(await route('198.18.7.7 ipproto udp dport 8080')).toContain('Permission denied')
    expect(await route('198.18.9.1')).toContain('Permission denied')
    expect(await route('8.8.8.8')).toContain('via 10.0.2.2')
  })

  it('cannot change its own network', async () => {
    for (const change of [
      'ip route add 10.9.9.9/32 via 10.0.2.2',
      'ip rule del pref 20',
      'ip link set tap0 down',
      'ip route del prohibit 10.0.0.0/8',
    ]) {
      expect((await sandbox.commands.run(`${change} 2>&1 || true`)).stdout).toContain('Operation not permitted')
    }
  })

  it('sends no datagram to groups, also not from a bound socket', async () => {
    const program = `
import errno, socket
for group in ("224.0.0.251", "239.255.255.250", "255.255.255.255"):
    for address in ("0.0.0.0", "10.0.2.100"):
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        s.bind((address, 0))
        try: print(group, address, s.sendto(b"x", (group, 9)))
        except OSError as error: print(errno.errorcode[error.errno])`
    await sandbox.files.write('/tmp/groups.py', program)
    const { stdout } = await sandbox.commands.run('python3 -I /tmp/groups.py')
    expect(new Set(stdout.trim().split('\n')).isSubsetOf(new Set(['EACCES', 'EPERM']))).toBe(true)
  })

  it('cannot go around its routes by naming the device', async () => {
    const program = `
import errno, socket, struct, sys
def attempt(kind, host, port):
    s = socket.socket(socket.AF_INET, kind)
    s.settimeout(3)
    try:
        s.setsockopt(socket.SOL_SOCKET, 25, b"tap0") # SO_BINDTODEVICE needs no privilege since Linux 5.7
        s.connect((host, port))
        s.send(b"x")
        return "open"
    except OSError as error: return errno.errorcode.get(error.errno, type(error).__name__)
def unicast_if(host, port):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        s.setsockopt(socket.IPPROTO_IP, 50, struct.pack("!I", socket.if_nametoindex("tap0"))) # IP_UNICAST_IF
        s.sendto(b"x", (host, port))
        return "open"
    except OSError as error: return errno.errorcode.get(error.errno, type(error).__name__)
for target in sys.argv[1:]:
    host, port = target.split(":")
    print(attempt(socket.SOCK_STREAM, host, int(port)), attempt(socket.SOCK_DGRAM, host, int(port)), unicast_if(host, int(port)))`
    await sandbox.files.write('/tmp/device.py', program)
    const targets = ['10.0.2.2', '10.0.2.3', '169.254.169.254', '192.168.1.1', ...hostAddresses()].map(
      (host) => `${host}:${forbidden.port}`,
    )
    const { stdout } = await sandbox.commands.run(`python3 -I /tmp/device.py ${targets.join(' ')}`)
    expect(stdout.trim().split('\n')).toEqual(targets.map(() => 'EPERM EPERM EPERM'))
  })

  it('has no IPv6 way out', async () => {
    expect(await probe(sandbox, 'tcp', '2001:4860:4860::8888', 53)).toMatch(
      /ENETUNREACH|EADDRNOTAVAIL|gaierror|EAFNOSUPPORT/,
    )
  })

  it('reaches no other sandbox', async () => {
    const other = await Sandbox.create(daemon.sdk)
    const server = await other.commands.run('python3 -u -m http.server 8124 --bind 0.0.0.0', {
      background: true,
      timeoutMs: 0,
    })
    await expect.poll(() => probe(other, 'tcp', '127.0.0.1', 8124)).toContain('Directory listing')
    expect(await probe(sandbox, 'tcp', '10.0.2.100', 8124)).toBe('ECONNREFUSED')
    expect(await probe(sandbox, 'tcp', '10.0.2.15', 8124)).toBe('EACCES')
    await server.kill()
    await other.kill()
  })

  it('loses the network when told to', async () => {
    const cut = await Sandbox.create(daemon.sdk)
    expect(await probe(cut, 'tcp', 'host.sandbox.internal', allowed.port)).toBe('allowed')
    await cut.updateNetwork({ allowInternetAccess: false })
    expect(await probe(cut, 'tcp', '10.0.2.2', allowed.port)).not.toBe('allowed')
    expect((await cut.commands.run('echo alive')).stdout).toBe('alive\n')
    await cut.kill()
  })
})

describe('a sandbox without the internet', () => {
  it('has a loopback and nothing else', async () => {
    const { server, port } = await listen('secret', '127.0.0.1')
    const daemon = await startDaemon({ args: ['--allow', `127.0.0.1:${port}`] })
    const sandbox = await Sandbox.create({ ...daemon.sdk, allowInternetAccess: false })
    const denied = await Sandbox.create({ ...daemon.sdk, network: { denyOut: ['0.0.0.0/0'] } })
    for (const offline of [sandbox, denied]) {
      expect(
        (
          await offline.commands.run('ls /sys/class/net 2>/dev/null; cut -d: -f1 /proc/net/dev | tail -n +3')
        ).stdout.trim(),
      ).toBe('lo')
      expect(await probe(offline, 'tcp', '10.0.2.2', port)).toBe('ENETUNREACH')
      expect(await probe(offline, 'tcp', '8.8.8.8', 53)).toBe('ENETUNREACH')
    }
    expect((await sandbox.getInfo()).allowInternetAccess).toBe(false)
    await daemon.stop()
    server.close()
  })
})

describe('the host loopback', () => {
  it('is closed altogether when no port is opened', async () => {
    const { server, port } = await listen('secret', '127.0.0.1')
    const daemon = await startDaemon()
    const sandbox = await Sandbox.create(daemon.sdk)
    expect(await probe(sandbox, 'tcp', '10.0.2.2', port)).toBe('EACCES')
    expect(await probe(sandbox, 'tcp', '10.1.2.3', port)).toBe('EACCES')
    await daemon.stop()
    server.close()
  })
})

describe('egressPolicy()', () => {
  it('forbids every address of the host, and none that is excepted', () => {
    const policy = egressPolicy([{ kind: 'address', cidr: '10.0.0.0/8', port: null }], ['203.0.113.9', '8.8.4.4'])
    expect(policy).toContain('route replace prohibit 8.8.4.4/32')
    expect(policy).toContain('route replace 10.0.0.0/8 via 10.0.2.2')
    expect(policy).not.toContain('prohibit 10.0.0.0/8')
    expect(policy).toContain('rule add pref 20 to 10.0.2.0/24 prohibit')
  })
})
