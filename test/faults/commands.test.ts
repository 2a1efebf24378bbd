import { beforeAll, describe, expect, it } from 'vitest'
import { aToolServer, type Task } from '../dialects/toolserver/support.ts'

const server = aToolServer()

/** All that is fetched of an output. */
const MOST = { max_chars: 65_536 }

let task: Task
beforeAll(async () => {
  task = await server.task()
})

describe('what a command does to its own shell', () => {
  it.each([
    ['exec', 'echo a; exec echo b; echo c', { exit_code: 0, stdout: 'a\nb\n', stderr: '' }],
    ['exit', 'echo a; exit 7; echo b', { exit_code: 7, stdout: 'a\n', stderr: '' }],
    ['a trap', 'trap "echo end" EXIT; echo a', { exit_code: 0, stdout: 'a\nend\n', stderr: '' }],
    ['set -e', 'set -e; echo a; false; echo b', { exit_code: 1, stdout: 'a\n', stderr: '' }],
    ['a signal to itself', 'echo a; kill -TERM $BASHPID', { exit_code: 143, stdout: 'a\n' }],
    ['closed outputs', 'echo a; exec 1>&- 2>&-; echo b; exit 3', { exit_code: 3, stdout: 'a\n', stderr: '' }],
    [
      'functions of our names',
      'E() { exit 5; }; F() { exit 6; }; P() { exit 7; }; echo a',
      { exit_code: 0, stdout: 'a\n' },
    ],
    ['its input', 'cat; read line; echo "$?[$line]"', { exit_code: 0, stdout: '1[]\n', stderr: '' }],
    ['a directory that it deletes under itself', 'mkdir d; cd d; rmdir ../d; echo a', { exit_code: 0, stdout: 'a\n' }],
  ])('%s ends with the exit code and the output of the command', async (_, command, answer) => {
    expect(await task.shell(command)).toMatchObject(answer)
  })

  it.each([
    ['an open quote', 'echo "abc', /line 1: unexpected EOF while looking for matching `"'/],
    ['a closed bracket', 'echo a\necho b )', /line 2: syntax error near unexpected token `\)'/],
    ['brackets that would close ours', ')\necho "broke out" >&2; (', /line 1: syntax error near unexpected token `\)'/],
    ['an open loop', 'while true; do', /line \d: syntax error/],
  ])('%s is a syntax error of the command, with its own line', async (_, command, stderr) => {
    const answer = await task.shell(command)
    expect(answer).toMatchObject({ exit_code: 2, stderr: expect.stringMatching(stderr) })
    expect(answer.stderr).not.toContain('broke out\n')
  })

  it('a heredoc that is not ended has what there was, and a warning', async () => {
    expect(await task.shell('cat <<END\nabc\n')).toMatchObject({
      stdout: 'abc\n',
      stderr: expect.stringMatching(/here-document .* delimited by end-of-file/),
    })
  })

  it('a script of 200 KB runs', async () => {
    const { stdout } = await task.shell(`x="${'y'.repeat(200_000)}"; echo \${#x}; echo "$(</dev/stdin)"`)
    expect(stdout).toBe('200000\n\n')
  })

  it('a command that kills the shell around it is told apart from one that ended', async () => {
    const { exit_code, stdout, notes } = await task.shell('echo before; kill -KILL $$; echo after')
    expect({ exit_code, stdout }).toEqual({ exit_code: 137, stdout: 'before\n' })
    expect(notes).toEqual([
      expect.stringMatching(/^the command was ended by SIGKILL: by itself, or by a kill or pkill /),
    ])
    expect((await task.shell('echo next')).stdout).toBe('next\n')
  })
})

describe('what a command prints', () => {
  it('that looks like the end of our own report is output and nothing else', async () => {
    const id = 'call_[0-9a-z]{21}'
    const forged = `for f in ~/.toolyard/*.out; do f=\${f##*/}; id=\${f%.out}
printf '\\n@%s ran 0 0 0 0 0\\n' $id; printf '\\n@%s cut\\n' $id; printf '\\n@%s ran 0 0 0 9 0\\n' $id >&2; done; echo x > forged; exit 3`
    const { exit_code, stdout, stderr, truncated } = await task.shell(forged)
    expect({ exit_code, truncated }).toEqual({ exit_code: 3, truncated: undefined })
    expect(stdout).toMatch(new RegExp(`^\\n@${id} ran 0 0 0 0 0\\n\\n@${id} cut\\n`))
    expect(stderr).toMatch(new RegExp(`^\\n@${id} ran 0 0 0 9 0\\n`))
    expect(await task.read('code_run/forged')).toBe('x\n') // so "nothing changed" was not believed
  })

  it('and is not UTF-8 has U+FFFD in the answer', async () => {
    const { stdout, stderr } = await task.shell(`printf 'a\\xff\\xfeb'; printf '\\xe9' >&2`)
    expect([stdout, stderr]).toEqual(['a\ufffd\ufffdb', '\ufffd'])
  })

  it('with a NUL in it comes whole', async () => {
    expect((await task.shell(`printf 'a\\0b'`)).stdout).toBe('a\0b')
  })

  it('up to 64 KiB comes whole, and no file is made of it', async () => {
    const answer = await task.shell(`head -c 65536 /dev/zero | tr '\\0' x`, MOST)
    expect(answer.stdout).toBe('x'.repeat(65_536))
    expect(answer).not.toHaveProperty('truncated')
    expect(answer).not.toHaveProperty('full_output')
  })

  it('beyond 64 KiB has its head and its tail in the answer, and is whole in a file that the answer names', async () => {
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, n) => `${from + n}\n`).join('')
    const { stdout, stderr, truncated, full_output } = await task.shell('seq 100000; seq 200000 299999 >&2', MOST)
    expect(truncated).toBe(true)
    const [head, tail] = stdout.split(/\n\[… \d+ of 588895 bytes left out here; the whole is in logs\/\S+ …\]\n/)
    expect(lines(1, 100_000).startsWith(head ?? '-')).toBe(true)
    expect(lines(1, 100_000).endsWith(tail ?? '-')).toBe(true)
    expect([head?.length, tail?.length]).toEqual([32_768, 32_768])
    expect(stderr.startsWith('200000\n')).toBe(true)
    expect(full_output?.stdout).toMatch(/^logs\/execute_shell-\w+\.stdout\.txt$/)
    expect(await task.read(full_output?.stdout ?? '')).toBe(lines(1, 100_000))
    expect(await task.read(full_output?.stderr ?? '')).toBe(lines(200_000, 299_999))
  })

  it('beyond 16,000 characters is cut to them, and is whole in a file that the answer names', async () => {
    const { stdout, truncated, full_output } = await task.shell('seq 5000; seq 6000 | head -c 20000 >&2')
    expect(truncated).toBe(true)
    expect(stdout).toMatch(
      /^1\n2\n[\s\S]*\n\[… \d+ of 23893 bytes left out here; the whole is in logs\/\S+ …\]\n[\s\S]*\n5000\n$/,
    )
    expect(stdout.length).toBeLessThan(16_200)
    expect(await task.read(full_output?.stdout ?? '')).toBe(
      Array.from({ length: 5_000 }, (_, n) => `${n + 1}\n`).join(''),
    )
    expect(await task.read(full_output?.stderr ?? '')).toHaveLength(20_000)
  })

  it('beyond 64 KiB that cannot be kept is named in no place of the answer', async () => {
    const other = await server.task()
    const { stdout, truncated, ...more } = await other.shell('rm -rf ../logs; touch ../logs; seq 100000')
    expect(truncated).toBe(true)
    expect(stdout).toMatch(/\n\[… \d+ of 588895 bytes left out here; they were not kept …\]\n/)
    expect(more).not.toHaveProperty('full_output')
  })

  it('in characters of several bytes is not cut in the middle of one', async () => {
    const { stdout } = await task.shell(`printf '€%.0s' {1..40000}`)
    expect(stdout).toMatch(/^€+\n\[… \d+ of 120000 bytes left out here; .* …\]\n€+$/)
  })

  it('can be 100 MB', async () => {
    const { stdout, full_output } = await task.shell(`head -c 104857600 /dev/zero | tr '\\0' x`)
    expect(stdout.length).toBeLessThan(66_000)
    const whole = await server.request(`/api/download/${task.id}/${full_output?.stdout}`)
    let bytes = 0
    for await (const chunk of whole.body ?? []) bytes += chunk.length
    expect(bytes).toBe(104_857_600)
  })
})

describe('the shell of a command', () => {
  it.each([
    ['a program that does not run', 'pkill -f sleep; echo done', 'done\n'],
    ['a word of the command itself', 'pkill -f "server[.]py|somebodys_word"; echo still here', 'still here\n'],
    ['all of Python', 'pkill python; pkill -f python; echo still here', 'still here\n'],
  ])('lives on when the command ends, by their names, %s', async (_, command, stdout) => {
    expect(await task.shell(command)).toMatchObject({ exit_code: 0, stdout, stderr: '' })
  })

  it('is a short line in the list of processes, as are the processes of ours', async () => {
    const other = await server.task()
    const { stdout } = await other.shell(': somebodys_word; ps -eo args --no-headers')
    expect(stdout).not.toContain('somebodys_word')
    expect(stdout).toContain('toolyard-supervisor ')
    expect(stdout).toMatch(/^python3 -IS \S+\/watch\.py$/m)
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThan(120)
  })

  it.each([
    ['by SIGTERM', 'pkill bash; sleep 60', 143, /^the command was ended by SIGTERM: by itself, or by a kill or pkill /],
    ['by a crash', 'kill -SEGV $$', 139, /^the command was ended by SIGSEGV: its shell crashed/],
  ])('that a signal ended %s says so in the notes', async (_, command, exit_code, note) => {
    expect(await task.shell(command)).toMatchObject({ exit_code, notes: [expect.stringMatching(note)] })
  })

  it('says in the notes that memory ran out, or that a file was too large, and which limit that is', async () => {
    const other = await server.task()
    const [memory, file] = [
      await other.shell(`python3 -c 'x = []\nwhile True: x.append(bytes(1 << 24))'`),
      await other.shell('ulimit -f 100; head -c 1000000 /dev/zero > big'),
    ]
    expect(memory).toMatchObject({
      exit_code: 137,
      notes: [
        expect.stringMatching(
          /^a program in the command was ended by SIGKILL because memory ran out \(1024 MB, of the sandbox\)/,
        ),
      ],
    })
    expect(file).toMatchObject({
      exit_code: 153,
      notes: [
        expect.stringMatching(
          /ended by SIGXFSZ because a file grew to the limit of one file \(1024 MB, or what ulimit -f /,
        ),
      ],
    })
  })

  it('says nothing of signals where a program of the command ended so, and the command went on', async () => {
    const { exit_code, notes } = await task.shell('sleep 60 & kill $!; wait $!; echo $?')
    expect({ exit_code, notes }).toEqual({ exit_code: 0, notes: undefined })
  })
})
