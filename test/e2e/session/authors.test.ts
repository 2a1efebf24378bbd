import { afterAll, beforeAll, expect, it } from 'vitest'
import { FILE_CHECK_MS } from '../../../src/core/limits/sync.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, type SessionBench, sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

/** Author and tool of the newest commit that changed a path. */
async function writerOf({ session }: SessionBench, path: string) {
  const { commits } = await session.fileHistory.commits({ path, limit: 1, shown: 1 })
  return commits.map(({ author, tool }) => ({ author, tool }))[0]
}

/** Id of the newest call of a tool. */
async function lastCall({ session }: SessionBench, tool: string) {
  const { calls } = await session.calls.page({ limit: 50 })
  return calls.find((call) => call.tool === tool)?.callId
}

/** Bash that writes a file, says so, and goes on until it is told to end. */
const writing = (path: string, mark: string) =>
  `echo x > ${path}; touch /tmp/${mark}; while [ ! -e /tmp/end-${mark} ]; do sleep 0.05; done; echo y > late-${path}`
const until = (bench: SessionBench, mark: string) =>
  bench.host.inside(`while [ ! -e /tmp/${mark} ]; do sleep 0.05; done`)

it('history names the command, or the cell, that changed a file', async () => {
  const bench = sessionBench(sandboxd)
  await bench.sh('echo x > by-command.txt')
  const command = { author: await lastCall(bench, 'execute_shell'), tool: 'execute_shell' }
  dataOf(await bench.call('notebook_execute', { code: 'open("by-cell.txt", "w").write("x")' }))
  const cell = { author: await lastCall(bench, 'notebook_execute'), tool: 'notebook_execute' }
  expect(await writerOf(bench, 'by-command.txt')).toEqual(command)
  expect(await writerOf(bench, 'by-cell.txt')).toEqual(cell)
})

it('history names a running command for what it wrote, whoever looked first', async () => {
  const bench = sessionBench(sandboxd)
  await bench.sh('true')
  const running = await bench.begin('execute_shell', { command: writing('a.txt', 'one'), workdir: '.' })
  await until(bench, 'one')
  const seen = dataOf(await bench.call('file_read', { file_path: 'a.txt' }))
  expect(seen.content).toBe('x\n')
  const author = await lastCall(bench, 'execute_shell')
  expect(await writerOf(bench, 'a.txt')).toEqual({ author, tool: 'execute_shell' })
  await bench.host.inside('touch /tmp/end-one')
  await running.ended
  expect(await writerOf(bench, 'late-a.txt')).toEqual({ author, tool: 'execute_shell' })
})

it('history names a command in the background for what it wrote, also when another command or a file tool came after', async () => {
  const bench = sessionBench(sandboxd)
  const begin = async (path: string, mark: string) => {
    const { job_id } = dataOf(
      await bench.call('execute_shell', { command: writing(path, mark), workdir: '.', background: true }),
    )
    await until(bench, mark)
    return { author: job_id, tool: 'execute_shell' }
  }
  const first = await begin('a.txt', 'one')
  dataOf(await bench.call('file_read', { file_path: 'a.txt' }))
  expect(await writerOf(bench, 'a.txt')).toEqual(first)
  await bench.host.inside('echo z > a.txt')
  await bench.sh('echo own > own.txt')
  expect(await writerOf(bench, 'a.txt')).toEqual(first)
  expect(await writerOf(bench, 'own.txt')).not.toEqual(first)
  await bench.host.inside('touch /tmp/end-one')
  dataOf(await bench.call('job_output', { job_id: first.author, wait_seconds: 20 }))
  await expect.poll(() => writerOf(bench, 'late-a.txt')).toEqual(first)
})

it('history says `background` for what a process wrote that an ended command has left, also when the next command looks', async () => {
  const bench = sessionBench(sandboxd)
  await bench.sh(`(${writing('left.txt', 'one')}) > /dev/null 2>&1 & true`)
  await until(bench, 'one')
  await bench.host.inside('touch /tmp/end-one; while [ ! -e late-left.txt ]; do sleep 0.05; done')
  await bench.sh('true')
  expect(await writerOf(bench, 'late-left.txt')).toEqual({ author: 'background', tool: null })
})

it('history names a running command for what the check in the background found', async () => {
  const bench = sessionBench(sandboxd)
  await bench.sh('echo x > before.txt; echo x > beside.txt')
  await bench.sh('echo y > before.txt; echo y > beside.txt')
  const running = await bench.begin('execute_shell', { command: writing('a.txt', 'one'), workdir: '.' })
  await until(bench, 'one')
  bench.clock.ahead += FILE_CHECK_MS
  await bench.session.fileCheck.keepUp()
  expect(await bench.text('a.txt')).toBe('x\n')
  expect(await writerOf(bench, 'a.txt')).toEqual({
    author: await lastCall(bench, 'execute_shell'),
    tool: 'execute_shell',
  })
  await bench.host.inside('touch /tmp/end-one')
  await running.ended
})
