import { describe, expect, it } from 'vitest'
import { aToolServer, type Task } from '../dialects/toolserver/support.ts'
import { sandboxOf } from '../support/sandbox-control.ts'

const server = aToolServer()

/** Files go both ways, commands run, and all of them say the truth. */
async function everythingWorks(task: Task) {
  await task.write('code_run/in.txt', 'in')
  expect(await task.shell('cat in.txt; printf out > out.txt; rm -f gone.txt')).toMatchObject({
    exit_code: 0,
    stdout: 'in',
  })
  expect(await task.read('code_run/out.txt')).toBe('out')
  const large = 'line\n'.repeat(100_000)
  await task.write('code_run/large.txt', large)
  expect((await task.shell('cp large.txt copy.txt; wc -l < copy.txt')).stdout).toBe('100000\n')
  expect(await task.read('code_run/copy.txt')).toBe(large)
  expect((await task.shell(`: ${'x'.repeat(50_000)}; echo long`)).stdout).toBe('long\n')
}

describe('what a script leaves in its home does not change what we do there', () => {
  const programs = 'find tar gzip base64 stat cat head tail mkdir rm xargs python3 sh bash chmod'
  it.each([
    [
      'a .bash_profile that ends the shell',
      'for f in .bashrc .bash_profile .bash_login .profile; do echo "echo mine; exit 9" > ~/$f; done',
    ],
    [
      'broken programs in ~/.local/bin',
      `mkdir -p ~/.local/bin; for p in ${programs}; do printf '#!/nowhere' > ~/.local/bin/$p; done; /bin/chmod +x ~/.local/bin/*; rm() { /bin/rm "$@"; }`,
    ],
    ['no ~/.toolyard', 'rm -rf ~/.toolyard'],
    ['a file in place of ~/.toolyard', 'rm -rf ~/.toolyard; echo x > ~/.toolyard'],
    ['a ~/.toolyard that cannot be entered', 'chmod 000 ~/.toolyard'],
    ['no watcher', `pkill -KILL -f '[w]atch.py'`],
    ['a .gitconfig that is none', 'echo broken > ~/.gitconfig'],
  ])('%s', async (_, command) => {
    const task = await server.task()
    expect((await task.shell(`${command}; exit 0`)).exit_code).toBe(0)
    if (command.includes('.local/bin')) {
      // What a command finds first is its own matter; ours are not found that way.
      await task.write('code_run/a.txt', 'a')
      expect((await task.shell('/bin/cat a.txt; printf b > b.txt')).stdout).toBe('a')
      expect(await task.read('code_run/b.txt')).toBe('b')
    } else await everythingWorks(task)
  })

  it('a file in place of ~/.toolyard, met by a command that needs it', async () => {
    const task = await server.task()
    await task.shell('printf kept > kept; rm -rf ~/.toolyard; echo x > ~/.toolyard')
    const long = { command: `cat kept; : ${'x'.repeat(50_000)}` }
    expect(await task.failure('execute_shell', long)).toMatch(/^the sandbox takes no files; .* is kept\. Call again/)
    expect(await task.done('execute_shell', long)).toMatchObject({ stdout: 'kept', generation: 2 })
  })

  it('broken programs in the environment', async () => {
    const task = await server.task()
    await task.shell(
      `cd ../code_env/bin; for p in ${programs.replace('python3 ', '')}; do printf '#!/nowhere' > $p; done; /bin/chmod +x *; true`,
    )
    await task.write('code_run/a.txt', 'a')
    expect((await task.shell('/bin/cat a.txt; printf b > b.txt')).stdout).toBe('a')
    expect(await task.read('code_run/b.txt')).toBe('b')
  })

  it('a Python of its own in code_env is what runs, and when it is deleted the one of the machine', async () => {
    const task = await server.task()
    await task.write('code_run/a.py', 'print("python")')
    const run = async () => (await task.done('execute_code', { file_path: 'code_run/a.py' })).stdout
    await task.shell('cd ../code_env/bin; rm python; printf "#!/bin/sh\\necho mine" > python; chmod +x python')
    expect(await run()).toBe('mine\n')
    await task.shell('rm -rf ../code_env')
    expect(await run()).toBe('python\n')
  })
})

describe('a command that deletes', () => {
  it('the task directory itself loses no file, and the answer says what happened', async () => {
    const task = await server.task()
    await task.write('upload/kept.txt', 'kept')
    await task.shell('true')
    expect(await task.failure('execute_shell', { command: 'rm -rf ~/workspace' })).toBe(
      'the directory of all files was itself deleted in the sandbox; files are kept as of the last call. Call again: a new sandbox is made, with the files and packages put back',
    )
    expect(await task.read('upload/kept.txt')).toBe('kept')
    expect(await task.shell('cat ../upload/kept.txt')).toMatchObject({ stdout: 'kept', generation: 2 })
  })

  it('everything in the task directory has deleted it, and the task goes on', async () => {
    const task = await server.task()
    await task.write('upload/a.txt', 'a')
    await task.shell('rm -rf ../* ../.[!.]*')
    expect(await task.failure('file_read', { file_path: 'upload/a.txt' })).toMatch(/^File not found/)
    await everythingWorks(task)
  })
})

describe('a command that kills', () => {
  it('all its processes ends its sandbox; what it wrote before is kept and said to be', async () => {
    const task = await server.task()
    await task.write('upload/kept.txt', 'kept')
    expect(await task.failure('execute_shell', { command: 'printf new > new.txt; kill -9 -1; sleep 60' })).toMatch(
      /^the sandbox ended while this ran.*; what it wrote is kept\. Call again: a new sandbox is made/,
    )
    expect([await task.read('upload/kept.txt'), await task.read('code_run/new.txt')]).toEqual(['kept', 'new'])
    expect(await task.shell('cat new.txt')).toMatchObject({ stdout: 'new', generation: 2, restored: { packages: [] } })
  })

  it('its sandbox before it is known to have begun is not run again', async () => {
    const task = await server.task()
    await task.shell('true')
    for (let n = 0; n < 3; n++) {
      const error = await task.failure('execute_shell', { command: 'kill -9 -1; echo again >> count; sleep 60' })
      expect(error).toMatch(/^the sandbox ended while this ran.*; what it wrote is kept/)
      const after = await task.shell('cat count 2>/dev/null | wc -l')
      expect(after.generation).toBe(n + 2)
      expect(Number(after.stdout)).toBeLessThanOrEqual(n + 1)
    }
  })

  it('its sandbox after it has answered costs the next call nothing: it runs in a new one, once, with all files', async () => {
    const task = await server.task()
    await task.shell(
      `printf kept > kept; (setsid bash -c 'until [ -e /tmp/now ]; do sleep 0.1; done; kill -9 -1' >/dev/null 2>&1 &)`,
    )
    const sandbox = await sandboxOf(server.toolyard(), task.id)
    // The sandbox may end before it has answered that the file is there.
    await sandbox?.write('/tmp/now', '').catch(() => undefined)
    await expect.poll(() => sandbox?.state()).toBe('paused')
    expect(await task.shell('cat kept; printf once >> kept')).toMatchObject({ stdout: 'kept', generation: 2 })
    expect(await task.shell('cat kept')).toMatchObject({ stdout: 'keptonce' })
  })

  it('what runs beside it lets both calls know', async () => {
    const task = await server.task()
    await task.shell('true')
    const beside = task.call('execute_shell', { command: 'printf b > b.txt; touch ready; sleep 60' })
    await task.call('execute_shell', { command: 'until [ -e ready ]; do sleep 0.05; done; kill -9 -1; sleep 60' })
    expect(await beside).toMatchObject({ success: false, error: expect.stringMatching(/^the sandbox ended .*is kept/) })
    expect(await task.read('code_run/b.txt')).toBe('b')
    expect((await task.shell('cat b.txt')).stdout).toBe('b')
  })
})

describe('permissions', () => {
  it('that a command took away do not keep file tools from changing the files, nor the next command from seeing it', async () => {
    const task = await server.task()
    for (const path of ['closed/a', 'fixed/b', 'fixed/c', 'only_read']) await task.write(path, 'old')
    await task.shell('cd ..; chmod 000 closed; chmod 555 fixed; chmod 444 only_read')
    for (const path of ['closed/a', 'fixed/b', 'only_read']) await task.write(path, 'new')
    await task.done('file_delete', { file_path: 'fixed/c' })
    expect((await task.shell('cd ..; cat closed/a fixed/b only_read; ls fixed')).stdout).toBe('newnewnewb\n')
  })

  it('that forbid reading are told of, and nothing that was there before is lost', async () => {
    const task = await server.task()
    await task.write('closed/a', 'old')
    const { notes } = await task.shell('cd ..; echo b > closed/b; chmod 000 closed; echo s > secret; chmod 000 secret')
    const advice = 'it stays in the sandbox and is lost with it; make it readable to keep it (chmod u+rX)'
    expect(notes).toEqual([
      `secret (Permission denied) cannot be read: ${advice}`,
      `what is in closed cannot be read: ${advice}`,
    ])
    expect(await task.read('closed/a')).toBe('old')
    expect(await task.shell('cd ..; chmod u+rwX closed secret')).not.toHaveProperty('notes')
    expect([await task.read('closed/b'), await task.read('secret')]).toEqual(['b\n', 's\n'])
  })

  it('of a file survive: a program stays one', async () => {
    const task = await server.task()
    await task.shell('printf "#!/bin/sh\\necho ran" > p; chmod 755 p')
    await task.done('file_move', { src_path: 'code_run/p', dest_path: 'code_run/q' })
    expect((await task.shell('./q')).stdout).toBe('ran\n')
  })
})

it('a process that writes into the output of our own scripts costs at most its sandbox: it is ended, and commands run with all files', async () => {
  const task = await server.task()
  const flood = `touch ~/began; while :; do for p in /proc/[0-9]*; do
[[ $p -ef /proc/self || $p == /proc/$$ ]] || [[ $(readlink $p/exe 2>/dev/null) != */bash ]] || (yes > $p/fd/1) & done 2>/dev/null; wait; done`
  await task.write('flood.sh', flood)
  await task.write('code_run/kept.txt', 'kept')
  const ask = async (command: string) => (await task.call('execute_shell', { command })).data?.stdout
  await ask('(setsid bash ../flood.sh </dev/null >/dev/null 2>&1 &); until [ -e ~/began ]; do sleep 0.01; done')
  // It has begun. Some of these meet it: they fail, or their output is not theirs alone; and it may be ended by the first.
  const left = () => ask("sleep 0.5; ps -eo args | grep -c '^bash ../flood[.]sh'")
  await expect.poll(left, { timeout: 90_000, interval: 0 }).toBe('0\n')
  expect(await ask('cat kept.txt')).toBe('kept')
})
