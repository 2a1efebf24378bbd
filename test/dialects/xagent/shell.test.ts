import { expect } from 'vitest'
import { MAX_SHELLS } from '../../../src/core/limits/consoles.ts'
import { forgetSession } from '../../support/sandbox-control.ts'
import { aServer, type Client, taskOfLastNode, verifies } from './support.ts'

const server = aServer()
const WRITE = 'ShellEnv_write_stdin'
const READ = 'ShellEnv_read_stdout'
const RUN = 'shell_command_executor'
/** Until the test writes the file. */
const UNTIL_GO = 'until [ -e go ]; do sleep 0.05; done'

interface Retry {
  readonly detail: { readonly type: string; readonly next_calling: string; readonly arguments: object }
}

/** Reads the interactive shell, as the real client does after a 450, until `text` was printed. */
async function readUntil(node: Client, text: string): Promise<string> {
  let read = ''
  while (!read.includes(text)) {
    const { status, body } = await node.execute(READ, { probe: true, wait_ms: 2_000 })
    if (status === 450)
      expect(body).toEqual({ detail: { type: 'retry', next_calling: READ, arguments: { probe: true } } })
    else expect(status).toBe(200)
    if (status === 200) read += body
  }
  return read
}

/** What is printed after a line was written, up to `text`. */
async function say(node: Client, content: string, text: string): Promise<string> {
  const { status, body } = await node.execute(WRITE, { content })
  expect([200, 450]).toContain(status)
  const instant = status === 200 ? String(body).replace(/^Instant shell output: /, '') : ''
  return instant.includes(text) ? instant : instant + (await readUntil(node, text))
}

verifies('xagent:shell:state', async () => {
  const node = await server.node()
  expect(await say(node, 'mkdir -p sub && cd sub && name=otter; pwd', '\n')).toBe('/home/user/workspace/sub\n')
  expect(await say(node, 'echo $name > made; echo "$name in $PWD"', '\n')).toBe('otter in /home/user/workspace/sub\n')
  expect(await node.value('FileSystemEnv_read_from_file', { filepath: 'sub/made' })).toBe('    1: otter\n')
  expect(await say(node, 'cat', '')).toBe('')
  expect(await say(node, 'to a program', '\n')).toBe('to a program\n')
})

verifies('xagent:shell:450', async () => {
  const node = await server.node()
  const { status, body } = await node.execute(WRITE, { content: `${UNTIL_GO}; echo late` })
  expect([status, body]).toEqual([450, { detail: { type: 'retry', next_calling: READ, arguments: { probe: true } } }])
  expect(await node.value(READ)).toBe('')
  await node.write('go', '')
  expect(await readUntil(node, 'late\n')).toBe('late\n')
})

verifies('xagent:shell:stderr', async () => {
  const node = await server.node()
  expect(await say(node, 'echo one; echo two >&2; echo three', 'three\n')).toBe('one\ntwo\nthree\n')
})

verifies('xagent:shell:exit', async () => {
  const node = await server.node()
  const last = await say(node, 'echo bye; exit 3', 'bye\n')
  // Who looks between the two is told of its end by the next call.
  expect(last).toMatch(/^bye\n(\n\[the shell ended with exit code 3\])?$/)
  await expect.poll(async () => (await node.execute(READ, {})).status).toBe(500)
  for (const [name, args] of [
    [WRITE, { content: 'echo x' }],
    [READ, {}],
  ] as const) {
    expect(await node.failure(name, args)).toMatch(/Shell is not running! It ended with exit code 3\. .*restart=true/)
  }
  expect(await node.value(WRITE, { content: 'echo again', restart: true, wait_ms: 5_000 })).toBe(
    'Instant shell output: again\n',
  )
})

verifies('xagent:shell:restart', async () => {
  const node = await server.node()
  await node.execute(WRITE, { content: `x=kept; ${UNTIL_GO}; echo $x` })
  await forgetSession(server.toolyard(), await taskOfLastNode(server.url()))
  await node.write('go', '')
  expect(await readUntil(node, 'kept\n')).toBe('kept\n')
})

verifies('xagent:executor:ends', async () => {
  const node = await server.node()
  const simple = (data: object) => ({ type: 'simple', data })
  expect(await node.value(RUN, { command: 'echo out; echo err >&2' })).toEqual(
    simple({ ReturnCode: 0, display: '\nstdout:\nout\n\nstderr:\nerr\n' }),
  )
  expect(await node.value(RUN, { command: 'true' })).toEqual(simple({ ReturnCode: 0, display: '' }))
  expect(await node.failure(RUN, { command: 'echo no >&2; exit 3' })).toEqual({
    ReturnCode: 3,
    display: '\nstderr:\nno\n',
  })
  expect(await node.failure(RUN)).toMatch(/^ValueError: give a command/)
  expect(await node.value(RUN, { command: 'pwd; cat' })).toMatchObject({
    data: { display: '\nstdout:\n/home/user/workspace\n' },
  })
})

verifies('xagent:executor:timeout', async () => {
  const node = await server.node()
  expect(await node.failure(RUN, { command: 'echo so far; sleep 60', timeout: 3, kill: true })).toBe(
    'Timeout while executing command. Shell has been killed.\nstdout:\nso far\n',
  )
  expect(await node.failure(RUN, { command: 'sleep 60', timeout: 1 })).toMatch(
    /^Timeout while executing command\. It goes on in shell 1;/,
  )
  expect(await node.value(RUN, { shell_id: 1, kill: true })).toMatchObject({
    data: { status: 'shell thread has been killed' },
  })
})

verifies('xagent:executor:async', async () => {
  const node = await server.node()
  const started = await node.value(RUN, { command: `x=5; echo begun; ${UNTIL_GO}; echo done`, run_async: true })
  expect(started).toEqual({
    type: 'simple',
    data: { shell_id: 0, display: '\nstdout:\nbegun\n', status: 'shell still running, no return code' },
  })
  await node.write('go', '')
  // A reading has what there is so far, and the shell looks for the file every 50 ms.
  let display = ''
  while (display === '') {
    const { data } = (await node.value(RUN, { shell_id: 0, run_async: true })) as { data: { display: string } }
    display = data.display
  }
  expect(display).toBe('\nstdout:\ndone\n')
  expect(await node.value(RUN, { shell_id: 0, command: 'echo $x' })).toEqual({
    type: 'simple',
    data: { ReturnCode: 0, display: '\nstdout:\n5\n' },
  })
  const error = { Error: 'Shell not found or has been closed.' }
  expect(await node.failure(RUN, { shell_id: 0, command: 'echo $x' })).toEqual(error)
  expect(await node.failure(RUN, { shell_id: 7, run_async: true })).toEqual(error)
})

verifies('xagent:executor:read', async () => {
  const node = await server.node()
  const running = { shell_id: 0, status: 'shell still running, no return code' }
  await node.value(RUN, { command: `echo begun; ${UNTIL_GO}; echo done; exit 3`, run_async: true })
  expect(await node.value(RUN, { shell_id: 0 })).toEqual({ type: 'simple', data: { ...running, display: '' } })
  // Nothing but the answers above let it go on.
  await node.write('go', '')
  let display = ''
  let data: Record<string, unknown> = running
  while (data.status === running.status) {
    data = ((await node.value(RUN, { shell_id: 0 })) as { data: Record<string, unknown> }).data
    display += data.display
  }
  expect(display).toBe('\nstdout:\ndone\n')
  expect(data).toMatchObject({ shell_id: 0, ReturnCode: 3, status: 'shell exited with return code 3' })
})

verifies('xagent:executor:exited', async () => {
  const node = await server.node()
  expect(await node.value(RUN, { command: 'echo last; exit 4', run_async: true })).toMatchObject({
    data: { shell_id: 0, display: '\nstdout:\nlast\n' },
  })
  const next = await node.execute(RUN, { shell_id: 0, run_async: true })
  const answer = JSON.stringify(next.body)
  if (next.status === 200) expect(answer).toContain('shell exited with return code 4')
  else expect(answer).toContain('Shell has been closed.')
})

verifies('xagent:executor:many', async () => {
  const node = await server.node()
  for (let id = 0; id < MAX_SHELLS; id++) {
    const { data } = (await node.value(RUN, { command: 'sleep 100', run_async: true, wait_ms: 0 })) as {
      data: { shell_id: number }
    }
    expect(data.shell_id).toBe(id)
  }
  expect(await node.failure(RUN, { command: 'true' })).toMatch(/MAX_SHELLS/)
  await node.value(RUN, { shell_id: 3, kill: true })
  const left = `until [ $(pgrep -c sleep) = ${MAX_SHELLS - 1} ]; do :; done; echo all` // the last ones may just begin
  expect(await node.value(RUN, { command: left })).toMatchObject({ data: { display: '\nstdout:\nall\n' } })
})

verifies('xagent:executor:450', async () => {
  const node = await server.node()
  const first = await node.execute(RUN, { command: `${UNTIL_GO}; echo done; echo x > made; exit 2`, wait_ms: 100 })
  expect(first).toEqual({
    status: 450,
    body: { detail: { type: 'retry', next_calling: RUN, arguments: { shell_id: 0, wait_ms: 100 } } },
  })
  await forgetSession(server.toolyard(), await taskOfLastNode(server.url()))
  await node.write('go', '')
  let answer = first
  while (answer.status === 450) {
    const { detail } = answer.body as Retry
    answer = await node.execute(detail.next_calling, detail.arguments)
  }
  expect(answer).toEqual({ status: 500, body: { detail: { ReturnCode: 2, display: '\nstdout:\ndone\n' } } })
  expect(await node.value('FileSystemEnv_read_from_file', { filepath: 'made' })).toBe('    1: x\n')
})

verifies('xagent:executor:huge', async () => {
  const node = await server.node()
  const { data } = (await node.value(RUN, { command: "seq 500000; printf '\\377\\000\\n' >&2" })) as {
    data: { display: string }
  }
  expect(data.display.length).toBeLessThan(70_000)
  expect(data.display).toMatch(
    /^\nstdout:\n1\n.*the whole is in logs\/shell-0-[0-9a-f]+\.txt.*500000\n\nstderr:\n\ufffd\0\n$/s,
  )
  const [file_path = ''] = /logs\/[^ ]+\.txt/.exec(data.display) ?? []
  const whole = new TextDecoder().decode(await node.bytes('/download_file', { file_path }))
  expect(whole.split('\n')).toHaveLength(500_001)
})

verifies('xagent:executor:tenants', async () => {
  const [one, two] = [await server.node(), await server.node()]
  await one.value(RUN, { command: 'sleep 100', run_async: true, wait_ms: 0 })
  expect(await two.failure(RUN, { shell_id: 0, run_async: true })).toEqual({
    Error: 'Shell not found or has been closed.',
  })
  expect(await two.failure(RUN, { command: 'pgrep sleep' })).toMatchObject({ ReturnCode: 1 })
})

verifies('xagent:run-interpreter', async () => {
  const node = await server.node()
  const simple = (data: object) => ({ type: 'simple', data })
  const run = (args: object) => node.value('run_interpreter', args)
  expect(await run({ code: 'print(1)', filename: 'a/b.py' })).toEqual(simple({ ReturnCode: 0, Output: '1\n' }))
  expect(await run({ code: 'import sys\nsys.exit("no")', filename: 'a/b.py' })).toEqual(
    simple({ ReturnCode: 1, Error: 'no\n' }),
  )
  expect(await run({ command: 'head -n 1 a/b.py' })).toEqual(simple({ ReturnCode: 0, Output: 'import sys\n' }))
  expect(await node.failure('run_interpreter', { filename: 'none.py' })).toMatch(/none\.py/)
  expect(await node.failure('run_interpreter', { code: 'x', filename: '../../x.py' })).toMatch(/Error/)
})
