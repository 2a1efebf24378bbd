import { type CommandExitError, Sandbox } from 'e2b'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Daemon, startDaemon } from './support/daemon.ts'

let daemon: Daemon
let sandbox: Sandbox
beforeAll(async () => {
  daemon = await startDaemon()
  sandbox = await Sandbox.create(daemon.sdk)
})
afterAll(() => daemon.stop())

const failure = async (command: Promise<unknown>) =>
  (await command.catch((error: unknown) => error)) as CommandExitError

/** A process that prints what it is given. */
async function echoing() {
  const lines: string[] = []
  const onStdout = (text: string) => void lines.push(text)
  const handle = await sandbox.commands.run('cat', { background: true, stdin: true, onStdout })
  return { handle, lines }
}

/** One message of Connect's streams. */
function enveloped(message: object, flags = 0): Buffer<ArrayBuffer> {
  const json = Buffer.from(JSON.stringify(message))
  const head = Buffer.alloc(5)
  head.writeUInt8(flags)
  head.writeUInt32BE(json.length, 1)
  return Buffer.concat([head, json])
}

const inputMessage = (text: string) => enveloped({ data: { input: { stdin: Buffer.from(text).toString('base64') } } })

/** Asks as the SDK does, which has no such call. @returns the answer's messages */
async function streamInput(body: ReadableStream<Uint8Array>): Promise<string> {
  const { envdAccessToken } = sandbox as unknown as { envdAccessToken: string }
  const headers = {
    'E2b-Sandbox-Id': sandbox.sandboxId,
    'X-Access-Token': envdAccessToken,
    'Content-Type': 'application/connect+json',
  }
  const init = { method: 'POST', headers, body, duplex: 'half' } as const
  return (await fetch(`${daemon.url}/process.Process/StreamInput`, init)).text()
}

describe('commands.run', () => {
  it('returns stdout, stderr and exit code 0', async () => {
    const result = await sandbox.commands.run('echo out; echo err >&2')
    expect(result).toMatchObject({ stdout: 'out\n', stderr: 'err\n', exitCode: 0 })
  })

  it('throws with the exit code and what was printed', async () => {
    const error = await failure(sandbox.commands.run('echo partial; exit 7'))
    expect(error).toMatchObject({ exitCode: 7, stdout: 'partial\n', error: 'exit status 7' })
  })

  it('reports a signal as exit code -1', async () => {
    const error = await failure(sandbox.commands.run('kill -SEGV $$'))
    expect(error).toMatchObject({ exitCode: -1, error: 'signal: segmentation fault' })
  })

  it('takes variables and a working directory, relative to home', async () => {
    await sandbox.commands.run('mkdir -p sub/dir')
    const result = await sandbox.commands.run('echo "$WORD $PWD"', { envs: { WORD: 'a b' }, cwd: 'sub/dir' })
    expect(result.stdout).toBe('a b /home/user/sub/dir\n')
  })

  it('has an identity for git, main as its first branch and no editor to wait for, and what the user sets counts more', async () => {
    const script = `git init --quiet repo && cd repo && echo 1 > a && git add a && git commit --quiet -m one &&
git commit --quiet --amend && git config --global user.name Somebody && echo 2 > a && git commit --quiet -am two &&
git log --format='%an <%ae> %s' && git branch --show-current; rm ~/.gitconfig`
    const { stdout, stderr } = await sandbox.commands.run(script)
    expect({ stdout, stderr }).toEqual({
      stdout: 'Somebody <agent@sandbox.invalid> two\nAgent <agent@sandbox.invalid> one\nmain\n',
      stderr: '',
    })
  })

  it('refuses a working directory that is not there', async () => {
    await expect(sandbox.commands.run('true', { cwd: '/nowhere' })).rejects.toThrow(/cwd '\/nowhere' does not exist/)
  })

  it('refuses a user that is not there', async () => {
    await expect(sandbox.commands.run('true', { user: 'mallory' })).rejects.toThrow(/invalid username/)
  })

  it('streams output while the command runs', async () => {
    const lines: string[] = []
    const { promise: first, resolve: release } = Promise.withResolvers<void>()
    const handle = await sandbox.commands.run('echo one; read -r _; echo two', {
      background: true,
      stdin: true,
      onStdout: (text) => {
        lines.push(text)
        release()
      },
    })
    await first
    expect(lines).toEqual(['one\n'])
    await handle.sendStdin('go\n')
    await handle.wait()
    expect(lines).toEqual(['one\n', 'two\n'])
  })

  it('keeps multi-byte characters whole and passes any bytes of a command line', async () => {
    const result = await sandbox.commands.run(`printf '%s' "日本語 ✓ 'quoted'"`)
    expect(result.stdout).toBe("日本語 ✓ 'quoted'")
  })

  it('runs many commands at the same time', async () => {
    const results = await Promise.all(Array.from({ length: 20 }, (_, n) => sandbox.commands.run(`echo ${n}`)))
    expect(results.map(({ stdout }) => stdout.trim())).toEqual(Array.from({ length: 20 }, (_, n) => String(n)))
  })
})

describe('timeouts and kills', () => {
  it('kills the whole group when the time is over', async () => {
    const run = sandbox.commands.run('sleep 1234.5 & sleep 1234.5', { timeoutMs: 300 })
    await expect(run).rejects.toThrow(/timeoutMs/)
    await expect.poll(async () => (await sandbox.commands.run('pgrep -fc "sleep 1234[.]5" || true')).stdout).toBe('0\n')
  })

  it('kills a background command and its children, and answers once they are gone', async () => {
    const handle = await sandbox.commands.run('sleep 1235.5 & echo $!; wait', { background: true })
    expect(await handle.kill()).toBe(true)
    const check = await sandbox.commands.run(
      `kill -0 ${handle.pid} 2>/dev/null || echo gone; pgrep -fc "sleep 1235[.]5" || true`,
    )
    expect(check.stdout).toBe('gone\n0\n')
    expect(await failure(handle.wait())).toMatchObject({ exitCode: -1, error: 'signal: killed' })
  })

  it('says false for a process that is not there', async () => {
    expect(await sandbox.commands.kill(999_999)).toBe(false)
  })

  it('lets a command live when its client leaves', async () => {
    const handle = await sandbox.commands.run('sleep 1236.5', { background: true, timeoutMs: 0 })
    await handle.disconnect()
    const running = await sandbox.commands.list()
    expect(running.map(({ pid }) => pid)).toContain(handle.pid)
    expect(await sandbox.commands.kill(handle.pid)).toBe(true)
  })
})

describe('background commands', () => {
  it('are listed with what was asked for', async () => {
    const handle = await sandbox.commands.run('sleep 100', { background: true, envs: { A: '1' }, cwd: '/tmp' })
    const found = (await sandbox.commands.list()).find(({ pid }) => pid === handle.pid)
    expect(found).toMatchObject({ cmd: '/bin/bash', args: ['-l', '-c', 'sleep 100'], envs: { A: '1' }, cwd: '/tmp' })
    await handle.kill()
    expect((await sandbox.commands.list()).map(({ pid }) => pid)).not.toContain(handle.pid)
  })

  it('can be connected to again, with their input', async () => {
    const first = await sandbox.commands.run('cat', { background: true, stdin: true })
    await first.disconnect()
    const again = await sandbox.commands.connect(first.pid)
    await again.sendStdin('hello\n')
    await again.closeStdin()
    expect(await again.wait()).toMatchObject({ stdout: 'hello\n', exitCode: 0 })
  })

  it('tell all who have joined what they print, each stream apart, and those who come later what comes then', async () => {
    const heard = { first: '', second: '', late: '' }
    const hearing = (who: keyof typeof heard) => ({
      onStdout: (text: string) => {
        heard[who] += `out:${text}`
      },
      onStderr: (text: string) => {
        heard[who] += `err:${text}`
      },
    })
    const script = 'while read -r line; do echo "$line"; read -r line; echo "$line" >&2; done; exit 4'
    const first = await sandbox.commands.run(script, { background: true, stdin: true, ...hearing('first') })
    const second = await sandbox.commands.connect(first.pid, hearing('second'))
    await sandbox.commands.sendStdin(first.pid, 'one\n')
    await expect.poll(() => heard).toEqual({ first: 'out:one\n', second: 'out:one\n', late: '' })
    await first.disconnect()
    const late = await sandbox.commands.connect(first.pid, hearing('late'))
    await sandbox.commands.sendStdin(first.pid, 'two\n')
    await expect.poll(() => [heard.second, heard.late]).toEqual(['out:one\nerr:two\n', 'err:two\n'])
    await sandbox.commands.closeStdin(first.pid)
    for (const handle of [second, late]) expect(await failure(handle.wait())).toMatchObject({ exitCode: 4 })
    expect(heard.first).toBe('out:one\n')
    await expect(sandbox.commands.connect(first.pid)).rejects.toThrow(/not found|no process/)
    await expect(sandbox.commands.sendStdin(first.pid, 'x')).rejects.toThrow(/not found|no process/)
  })

  it('take input by one request that stays open, each message as it comes', async () => {
    const { handle, lines } = await echoing()
    const stream = new TransformStream<Uint8Array, Uint8Array>()
    const messages = stream.writable.getWriter()
    const answer = streamInput(stream.readable)
    await messages.write(enveloped({ start: { process: { pid: handle.pid } } }))
    const two = Buffer.concat([inputMessage('one\n'), inputMessage('two\n')])
    await messages.write(two.subarray(0, 7))
    await messages.write(two.subarray(7))
    await expect.poll(() => lines.join('')).toBe('one\ntwo\n')
    await messages.write(enveloped({ keepalive: {} }))
    await messages.write(inputMessage('three\n'))
    await expect.poll(() => lines.join('')).toBe('one\ntwo\nthree\n')
    await messages.close()
    expect(await answer).toEqual(Buffer.concat([enveloped({}), enveloped({}, 2)]).toString())
    await handle.kill()
  })

  it.each([
    ['for a process that is not there', [{ start: { process: { pid: 999_999 } } }], 'not_found'],
    ['that names no process', [{ data: { input: { stdin: 'eA==' } } }], 'invalid_argument'],
    ['whose message has no input', [{ start: { process: { pid: 0 } } }, { data: {} }], 'invalid_argument'],
  ])('refuse such a request %s', async (_, messages, code) => {
    const { handle } = await echoing()
    const given = JSON.stringify(messages).replace('"pid":0', `"pid":${handle.pid}`)
    const frames = (JSON.parse(given) as object[]).map((message) => enveloped(message))
    expect(await streamInput(new Blob(frames).stream())).toContain(`"code":"${code}"`)
    await handle.kill()
  })

  it('refuse such a request that ends within a message', async () => {
    const cut = new Blob([enveloped({ start: {} }).subarray(0, 8)])
    expect(await streamInput(cut.stream())).toContain('the stream ended within a message')
  })

  it('refuse input when stdin was not asked for', async () => {
    const handle = await sandbox.commands.run('sleep 100', { background: true })
    await expect(handle.sendStdin('x')).rejects.toThrow(/stdin is not open/)
    await handle.kill()
  })

  it('serve each other over the sandbox loopback, and the host through the port header', async () => {
    const server = await sandbox.commands.run(
      'echo served > index.html; python3 -u -m http.server 8123 --bind 127.0.0.1',
      {
        background: true,
      },
    )
    const ask = () =>
      fetch(`${daemon.url}/index.html`, {
        headers: { 'E2b-Sandbox-Id': sandbox.sandboxId, 'E2b-Sandbox-Port': '8123' },
      })
    await expect.poll(async () => (await ask()).status).toBe(200)
    expect(await (await ask()).text()).toBe('served\n')
    expect((await sandbox.commands.run('curl -s http://127.0.0.1:8123/')).stdout).toBe('served\n')
    await server.kill()
  })
})

describe('pty', () => {
  it('is a terminal of the asked size, takes input and resizes', async () => {
    let output = ''
    const terminal = await sandbox.pty.create({
      cols: 91,
      rows: 17,
      onData: (data) => {
        output += new TextDecoder().decode(data)
      },
    })
    const type = (text: string) => sandbox.pty.sendInput(terminal.pid, new TextEncoder().encode(text))
    await type('stty size; tty\n')
    await expect.poll(() => output).toMatch(/17 91\r\n.*\/dev\/pts\//s)
    await sandbox.pty.resize(terminal.pid, { cols: 120, rows: 40 })
    await type('stty size\n')
    await expect.poll(() => output).toContain('40 120')
    await type('exit 3\n')
    expect(await failure(terminal.wait())).toMatchObject({ exitCode: 3 })
  })

  it('lives on when its client leaves, with what runs in it, and is joined again', async () => {
    const heard = { first: '', again: '' }
    const hearing = (who: keyof typeof heard) => (data: Uint8Array) => {
      heard[who] += new TextDecoder().decode(data)
    }
    const first = await sandbox.pty.create({ cols: 80, rows: 24, onData: hearing('first') })
    const type = (text: string) => sandbox.pty.sendInput(first.pid, new TextEncoder().encode(text))
    await type('word=otter; echo $((6*7)); cat\n')
    await expect.poll(() => heard.first).toContain('42\r\n')
    await first.disconnect()
    const again = await sandbox.pty.connect(first.pid, { onData: hearing('again') })
    await type('still here\n')
    await expect.poll(() => heard.again).toBe('still here\r\nstill here\r\n') // the echo, and what cat prints
    await type('\x03')
    await expect.poll(() => heard.again).toMatch(/\^C.*\$ $/s)
    await type('echo "an $word"\n')
    await expect.poll(() => heard.again).toContain('an otter\r\n')
    expect(await again.kill()).toBe(true)
    expect(await failure(again.wait())).toMatchObject({ exitCode: -1 })
  })

  it('can be killed the moment it is there', async () => {
    for (let round = 0; round < 10; round++) {
      const terminal = await sandbox.pty.create({ cols: 80, rows: 24, onData: () => {} })
      expect(await sandbox.pty.kill(terminal.pid)).toBe(true)
      expect(await failure(terminal.wait())).toMatchObject({ exitCode: -1 })
    }
  })
})
