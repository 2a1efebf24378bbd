import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FileRestore } from '../../../src/session/history-api.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { dataOf, type SessionBench, sandboxTree, sessionBench, workspaceTree } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd.stop())

const restore = async ({ session }: SessionBench, commit: number, more: Partial<FileRestore> = {}) => {
  const request = { commit, path: '', dryRun: false, shown: 100, author: 'restore', ifHead: null, ...more }
  const restored = await session.fileHistory.restore(request)
  if (restored.state === 'condition failed') throw new Error('the files have changed')
  return restored
}

it('a command that breaks files is found by its call, and the next command sees the files as they were before it', async () => {
  const bench = sessionBench(sandboxd)
  await bench.write('app/main.py', 'print("good")\n')
  await bench.write('app/kept.txt', 'kept')
  await bench.sh(
    'mkdir -p app/node_modules/lib; echo lib > app/node_modules/lib/index.js; ln -s main.py app/link; chmod 600 app/kept.txt',
  )
  const good = bench.workspace.headSeq()
  await bench.sh(
    'echo broken > app/main.py; rm app/link; mkdir -p junk/deep; echo x > junk/deep/x; chmod 755 app/kept.txt',
  )
  const { commits } = await bench.session.fileHistory.commits({ path: 'app/main.py', limit: 1, shown: 10 })
  expect(commits).toMatchObject([
    {
      tool: 'execute_shell',
      author: expect.any(String),
      changes: [{ path: 'app/main.py', change: 'modified', size: 7 }],
    },
  ])
  expect((await restore(bench, good)).notes).toEqual([])
  const seen = await bench.sh(
    'cat app/main.py; readlink app/link; stat -c %a app/kept.txt; cat app/node_modules/lib/index.js; ls -d junk 2>&1',
  )
  expect(seen.stdout.split('\n')).toEqual([
    'print("good")',
    'main.py',
    '600',
    'lib',
    expect.stringContaining('No such'),
    '',
  ])
  // To before there was anything: what only the sandbox has stays, and the sandbox still runs.
  const { notes } = await restore(bench, 0)
  expect(notes).toEqual([expect.stringContaining('app/node_modules')])
  expect((await bench.sh('find app -type f; python -c "print(1)"')).stdout).toBe('app/node_modules/lib/index.js\n1\n')
  const inSandbox = (await sandboxTree(bench)).filter((line) => !line.startsWith('app/node_modules/'))
  expect(inSandbox).toEqual(workspaceTree(bench.workspace))
})

it('a restore takes over first what a running command has written, names the command, and reaches the next one', async () => {
  const bench = sessionBench(sandboxd)
  await bench.write('a.txt', 'one')
  const before = bench.workspace.headSeq()
  const begun = dataOf(
    await bench.call('execute_shell', {
      command: 'echo two > a.txt; echo new > b.txt; touch /tmp/written; while [ ! -e /tmp/go ]; do sleep 0.05; done',
      workdir: '.',
      background: true,
    }),
  )
  await bench.host.inside('while [ ! -e /tmp/written ]; do sleep 0.05; done')
  const restored = await restore(bench, before)
  expect(restored.changes.map(({ path, change }) => `${change} ${path}`)).toEqual(
    expect.arrayContaining(['modified a.txt', 'deleted b.txt']),
  )
  expect(restored.notes).toEqual([expect.stringContaining(String(begun.job_id))])
  expect(await bench.versions('b.txt')).toEqual(['new\n'])
  expect((await bench.sh('cat a.txt; ls b.txt 2>&1 | grep -c "No such"; touch /tmp/go')).stdout).toBe('one1\n')
  expect(await bench.text('a.txt')).toBe('one')
})
