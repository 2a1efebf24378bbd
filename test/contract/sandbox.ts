import { describe, expect, it, onTestFinished } from 'vitest'
import { type Sandbox, SandboxGone, type SandboxHost, SandboxNotThere } from '../../src/ports/sandbox.ts'
import { failureOf } from '../support/failure-of.ts'
import { grownMib } from '../support/grown-memory.ts'
import { expectCost } from '../support/processor-time.ts'

/**
 * What every {@link SandboxHost} does that is there and has room.
 * @param open the host; its sandboxes are ended by the tests
 */
export function sandboxContract(name: string, open: () => SandboxHost): void {
  const { signal } = new AbortController()
  const within = { timeoutMs: 20_000, signal }
  const bytes = (text: string) => new TextEncoder().encode(text)

  /** What came of it: the name and words of an error, or the answer. */
  const outcome = (work: Promise<unknown>) => work.catch((thrown: Error) => thrown)

  async function aSandbox(labels: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
    const sandbox = await open().create({ labels, idleMs: 600_000, internet: false })
    onTestFinished(() => open().kill(sandbox.id))
    return sandbox
  }

  describe(`a host of sandboxes: ${name}`, () => {
    it('runs scripts in bash with what they are given, and says how they ended', async () => {
      const sandbox = await aSandbox()
      const script = 'echo "$A in $PWD"; echo oh >&2; [[ x == x ]] && python3 -c "print(6 * 7)"; exit 3'
      expect(await sandbox.run(script, { ...within, env: { A: 'é文' }, cwd: '/tmp' })).toEqual({
        exitCode: 3,
        stdout: 'é文 in /tmp\n42\n',
        stderr: 'oh\n',
      })
    })

    it('ends a script at its time, and goes on', async () => {
      const sandbox = await aSandbox()
      const late = sandbox.run('sleep 600', { timeoutMs: 500, signal })
      expect(await failureOf(late)).toMatchObject({ code: 'timeout' })
      expect(await sandbox.run('echo on', within)).toMatchObject({ stdout: 'on\n' })
    })

    it('takes and gives files, whole and as streams, and says that one is not there', async () => {
      const sandbox = await aSandbox()
      await sandbox.write(
        [
          { path: '/home/user/made/for it/a', content: bytes('one') },
          { path: '/home/user/empty', content: bytes('') },
        ],
        signal,
      )
      expect(await sandbox.read('/home/user/made/for it/a', signal)).toEqual(bytes('one'))
      expect(await sandbox.read('/home/user/empty', signal)).toEqual(bytes(''))
      const large = Uint8Array.from({ length: 3_000_000 }, (_, at) => at % 251)
      await sandbox.writeStream('/home/user/large', new Blob([large]).stream(), signal)
      const back = await sandbox.readStream('/home/user/large', signal)
      expect(Buffer.from(await new Response(back).arrayBuffer()).equals(large)).toBe(true)
      expect(await sandbox.read('/home/user/none', signal)).toBeNull()
      expect(await sandbox.readStream('/home/user/none', signal)).toBeNull()
    })

    it('lets a process go on, be spoken to, and be watched again', async () => {
      const sandbox = await aSandbox()
      let printed = ''
      const { promise: ended, resolve } = Promise.withResolvers<unknown>()
      const ignored = { signal, printed: () => undefined, ended: () => undefined }
      const begun = await sandbox.begin('while read -r line; do echo "<$line>"; done', ignored)
      begun.leave()
      const again = await sandbox.watch(begun.pid, {
        ...ignored,
        printed: (text) => {
          printed += text
        },
        ended: resolve,
      })
      expect(await again?.write('é\n', signal)).toBe(true)
      await expect.poll(() => printed).toBe('<é>\n')
      await sandbox.run(`kill -9 ${begun.pid}`, within)
      expect(await ended).toBeNull()
      expect(await sandbox.watch(begun.pid, ignored)).toBeNull()
    })

    it('keeps files and processes over a pause', async () => {
      const sandbox = await aSandbox()
      await sandbox.run('echo kept > ~/file; (setsid sleep 600 >/dev/null 2>&1 &)', within)
      expect(await open().isPaused(sandbox.id, signal)).toBe(false)
      expect(await open().pause(sandbox.id, signal)).toBe(true)
      // Who asks that does not wake it.
      for (const _ of [1, 2]) expect(await open().isPaused(sandbox.id, signal)).toBe(true)
      const awake = await open().connect(sandbox.id, 600_000, signal)
      expect(await awake?.run(`cat ~/file; pgrep -c '^sleep$'`, within)).toMatchObject({ stdout: 'kept\n1\n' })
      expect(awake?.id).toBe(sandbox.id)
    })

    it('ends those with a label, and no others', async () => {
      const label = crypto.randomUUID()
      const [labelled, other] = [await aSandbox({ boot: label, more: 'x' }), await aSandbox({ boot: 'another' })]
      await open().killLabelled({ boot: label })
      expect(await open().connect(labelled.id, 1_000, signal)).toBeNull()
      expect(await open().pause(labelled.id, signal)).toBe(false)
      expect(await open().isPaused(labelled.id, signal)).toBe(false)
      expect(await other.run('echo on', within)).toMatchObject({ stdout: 'on\n' })
    })
  })

  describe(`a sandbox: ${name}`, () => {
    it('whose output has no end is given up long before memory is', async () => {
      const sandbox = await aSandbox()
      const flooded = await expectCost(() => outcome(sandbox.run('yes', within)), {
        below: () => 512,
        measure: grownMib,
      })
      expect(flooded).toEqual(new SandboxGone('the sandbox printed without end'))
      await open().kill(sandbox.id)
    })

    it('that is gone says so before it runs or takes anything, and for good', async () => {
      const sandbox: Sandbox = await aSandbox()
      await open().kill(sandbox.id)
      const content = new TextEncoder().encode('x')
      for (const work of [
        () => sandbox.run('true', within),
        () => sandbox.write([{ path: '/home/user/x', content }], signal),
        () => sandbox.read('/home/user/x', signal),
      ]) {
        expect(await outcome(work())).toBeInstanceOf(SandboxNotThere)
      }
      expect(await open().connect(sandbox.id, 1_000, signal)).toBeNull()
      expect(await open().reboot(sandbox.id, signal)).toBeNull()
      await open().kill(sandbox.id) // ending it twice is no error
    })

    it('that a script ended does not run again until its host is asked for that, which still knows it', async () => {
      const sandbox = await aSandbox()
      expect(await outcome(sandbox.run('echo x > ~/file; kill -9 -1; sleep 20', within))).toBeInstanceOf(SandboxGone)
      expect(await outcome(sandbox.run('true', within))).toBeInstanceOf(SandboxNotThere)
      expect(await outcome(sandbox.read('/home/user/file', signal))).toBeInstanceOf(SandboxNotThere)
      const again = await open().reboot(sandbox.id, signal)
      expect(await again?.run('cat ~/file', within)).toMatchObject({ stdout: 'x\n' })
    })

    it('lets a process hear what is written by requests and by its stream, and says when it has ended', async () => {
      const sandbox = await aSandbox()
      const output: string[] = []
      const { promise: ended, resolve } = Promise.withResolvers<unknown>()
      const options = { signal, printed: (text: string) => void output.push(text), ended: resolve }
      const begun = await sandbox.begin(
        'while read -r line; do [ "$line" = end ] && exit 3; echo "$line"; done',
        options,
      )
      expect(await begun.write('request ✓\n', signal)).toBe(true)
      await expect.poll(() => output.join('')).toBe('request ✓\n')
      const input = begun.input() ?? expect.unreachable()
      for (const text of ['ü', '日本\n', `${'x'.repeat(20_000)}\n`]) expect(input.write(text)).toBe(true)
      await expect.poll(() => output.join('')).toBe(`request ✓\nü日本\n${'x'.repeat(20_000)}\n`)
      expect(input.write('end\n')).toBe(true)
      expect(await ended).toBeNull()
      expect(await begun.write('x', signal)).toBe(false)
      expect(await sandbox.watch(begun.pid, options)).toBeNull()
      await open().kill(sandbox.id)
    })

    it('that is ended while one of its processes is heard says so, and its stream takes nothing more', async () => {
      const sandbox = await aSandbox()
      const { promise: ended, resolve } = Promise.withResolvers<unknown>()
      const begun = await sandbox.begin('cat', { signal, printed: () => undefined, ended: resolve })
      const input = begun.input() ?? expect.unreachable()
      expect(input.write('x\n')).toBe(true)
      await open().kill(sandbox.id)
      expect(await ended).toBeInstanceOf(SandboxGone)
      await expect.poll(() => input.write('x\n')).toBe(false)
    })

    it('that is started again has its files and none of its processes', async () => {
      const sandbox = await aSandbox()
      await sandbox.run('echo kept > ~/file; (setsid sleep 600 >/dev/null 2>&1 &)', within)
      const again = await open().reboot(sandbox.id, signal)
      const answer = await again?.run(`cat ~/file; pgrep -c '^sleep$'`, within)
      expect(answer).toMatchObject({ stdout: 'kept\n0\n' })
    })

    it('runs scripts with the programs and the home that they expect, whatever lies in that home', async () => {
      const sandbox = await aSandbox()
      await sandbox.run(
        'mkdir -p ~/.local/bin; printf "#!/bin/sh\\necho mine" > ~/.local/bin/id; chmod +x ~/.local/bin/id; echo "echo profile; exit 9" | tee ~/.profile > ~/.bash_profile',
        within,
      )
      expect(await sandbox.run('echo $HOME; id -un', within)).toEqual({
        exitCode: 0,
        stdout: '/home/user\nuser\n',
        stderr: '',
      })
      expect((await sandbox.run('PATH=$TOOLYARD_COMMAND_PATH; id', within)).stdout).toBe('mine\n')
    })

    it('shows no word of a script to its other processes, and what the script starts does not inherit it', async () => {
      const sandbox = await aSandbox()
      const script = ": somebodys_word; cat /proc/[0-9]*/cmdline | tr '\\0' ' '; env; sleep 0"
      const { stdout } = await sandbox.run(script, within)
      expect(stdout).toContain('HOME=/home/user')
      expect(stdout).not.toContain('somebodys_word')
    })
  })
}
