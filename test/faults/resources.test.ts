import { describe, expect, it } from 'vitest'
import { aToolServer } from '../dialects/toolserver/support.ts'
import { Pace } from '../support/pace.ts'

const server = aToolServer(async () => ({
  sandboxdEnv: { SANDBOXD_MEMORY_MB: '256', SANDBOXD_PIDS: '64', SANDBOXD_TMP_MB: '32', SANDBOXD_DISK_MB: '24' },
}))

describe('a command that takes all there is', () => {
  it('of processes, by forking, is answered at its deadline, and what it wrote is kept', async () => {
    const [task, beside] = [await server.task(), await server.task()]
    await Promise.all([task.shell('true'), beside.shell('true')])
    const pace = new Pace(() => beside.shell('true'))
    const command = 'echo kept > file; echo begun; b() { b | b & }; b; sleep 600'
    const answer = await pace.answeredAtDeadline(3, () => task.call('execute_shell', { command, timeout: 3 }))
    expect(answer).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Command timeout after 3 seconds/),
    })
    // What it printed comes along where it can be read within the second; else the answer says that the end is still to come.
    const { stdout, notes = [] } = answer.data as { stdout: string; notes?: string[] }
    expect([stdout, ...notes].join('')).toMatch(/^begun\n|the next call waits for that/)
    expect(await task.read('code_run/file')).toBe('kept\n')
    expect((await task.shell('cat file')).stdout).toBe('kept\n')
  })

  it('of processes, and leaves them there, is told so; the next command runs in a new sandbox with its files', async () => {
    const task = await server.task()
    const script = `import os, subprocess
open("file", "w").write("kept")
filled, full = os.pipe()
if os.fork(): os.read(filled, 1); os._exit(0)
os.setsid(); os.dup2(os.open(os.devnull, os.O_RDWR), 1); os.dup2(1, 2)
while True:
    try: subprocess.Popen(["sleep", "600"])
    except OSError: os.write(full, b"x")`
    await task.write('code_run/fill.py', script)
    const { success, error } = await task.call('execute_code', { file_path: 'code_run/fill.py' })
    expect({ success, error }).toEqual({
      success: false,
      error: expect.stringMatching(
        /^the .*(process|listed).*; what it wrote is kept\. Call again: a new sandbox is made/,
      ),
    })
    expect(await task.read('code_run/file')).toBe('kept')
    expect(await task.shell('cat file')).toMatchObject({ stdout: 'kept', generation: 2, restored: { packages: [] } })
  })

  it('of memory is killed alone', async () => {
    const task = await server.task()
    const command = 'echo kept > file; python3 -c "x = bytearray(1 << 30); print(len(x))"; echo $?'
    expect(await task.shell(command)).toMatchObject({ exit_code: 0, stdout: expect.stringMatching(/^(137|1)\n$/) })
    expect(await task.read('code_run/file')).toBe('kept\n')
    expect((await task.shell('cat file')).stdout).toBe('kept\n')
  })

  it('of the temporary directories hears that they are full, and what comes after it still works', async () => {
    const task = await server.task()
    const { exit_code, stderr } = await task.shell('head -c 1G /dev/zero > /dev/shm/a; head -c 1G /dev/zero > /tmp/a')
    expect(exit_code).toBe(1)
    expect(stderr).toMatch(/No space left on device\n.*No space left on device/s)
    await task.write('code_run/large.txt', 'line\n'.repeat(200_000))
    expect((await task.shell(`: ${'x'.repeat(100_000)}; wc -l < large.txt | tee copy`)).stdout).toBe('200000\n')
    expect(await task.read('code_run/copy')).toBe('200000\n')
  })

  it('of the disk loses its sandbox, is told the reason, and keeps what it wrote', async () => {
    const task = await server.task()
    await task.write('upload/kept.txt', 'kept')
    const error = await task.failure('execute_shell', { command: 'head -c 32M /dev/zero > large; sleep 60' })
    expect(error).toMatch(/^the sandbox ended while this ran: .*its disk is full; what it wrote is kept\. Call again/)
    expect(await task.done('dir_list', { dir_path: 'code_run' })).toMatchObject({
      // It may be ended while it writes, from its 24 MB on.
      tree: { children: [{ name: 'large', size: expect.toSatisfy((bytes: number) => bytes > 23 * 1024 * 1024) }] },
    })
    await task.done('file_delete', { file_path: 'code_run/large' })
    expect(await task.shell('cat ../upload/kept.txt; ls')).toMatchObject({ stdout: 'kept', generation: 2 })
  })
})
