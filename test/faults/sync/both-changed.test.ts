import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workspacePath } from '../../../src/core/workspace-path.ts'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import {
  isCommand,
  isPush,
  type SessionBench,
  sandboxTree,
  sessionBench,
  workspaceTree,
} from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd.stop())

/** Who wrote later is told by times of files, which the kernel takes from a clock that ticks every few milliseconds. */
const later = () => wait(20)

async function expectAgreement(bench: SessionBench) {
  const tree = await sandboxTree(bench)
  expect(tree).toEqual(workspaceTree(bench.workspace))
  return tree
}

describe('a file that was changed on both sides', () => {
  it('is the one of the tool when that wrote later; the other is in history', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo first > x')
    await bench.host.inside('echo program > x')
    await later()
    await bench.write('x', 'tool')
    const { stdout, conflicts } = await bench.sh('cat x')
    expect({ stdout, conflicts }).toEqual({ stdout: 'tool', conflicts: ['x'] })
    expect(await bench.text('x')).toBe('tool')
    expect(await bench.versions('x')).toContain('program\n')
    await expectAgreement(bench)
  })

  it('is the one of the program when that wrote later, though the tool wrote first', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo first > x')
    await bench.write('x', 'tool')
    await later()
    await bench.host.inside('echo program > x')
    const { stdout, conflicts } = await bench.sh('cat x')
    expect({ stdout, conflicts }).toEqual({ stdout: 'program\n', conflicts: ['x'] })
    expect(await bench.versions('x')).toContain('tool')
    await expectAgreement(bench)
  })

  it('is not overwritten by what is just being carried into the sandbox', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo first > x')
    await bench.write('x', 'tool')
    let late = false
    bench.host.before = async (request) => {
      if (late || !isPush(request)) return
      late = true
      await later()
      await bench.host.inside('echo program > x')
    }
    const { stdout, conflicts } = await bench.sh('cat x')
    expect({ stdout, conflicts }).toEqual({ stdout: 'program\n', conflicts: ['x'] })
  })

  it('is in history when it was new on both sides', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    await bench.host.inside('echo program > x')
    await later()
    await bench.write('x', 'tool')
    const { conflicts } = await bench.sh('true')
    expect(conflicts).toEqual(['x'])
    expect(await bench.text('x')).toBe('tool')
    expect(await bench.versions('x')).toContain('program\n')
  })

  it('stays when one side removed it and the other changed it', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > a; echo 1 > b')
    await bench.host.inside('rm a; echo 2 > b')
    await bench.write('a', 'kept')
    await bench.remove('b')
    const { stdout, conflicts } = await bench.sh('cat a b')
    expect(stdout).toBe('kept2\n')
    expect(conflicts?.toSorted()).toEqual(['a', 'b'])
    await expectAgreement(bench)
  })

  it('is named to the next command when a file tool found it', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('echo 1 > x; (sleep 30 &) >/dev/null 2>&1')
    await bench.host.inside('echo program > x')
    await bench.write('x', 'tool')
    await bench.host.inside('echo again > x')
    await bench.call('file_read', { file_path: 'x' })
    expect((await bench.sh('true')).conflicts).toEqual(['x'])
  })
})

describe('a directory that was changed on both sides', () => {
  it('keeps the file that a tool put in while a program removed the directory', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('mkdir -p d/sub; echo 1 > d/old; echo 1 > d/sub/old')
    await bench.host.inside('rm -rf d')
    await bench.write('d/sub/new', 'kept')
    expect((await bench.sh('cat d/sub/new')).stdout).toBe('kept')
    expect((await expectAgreement(bench)).map((line) => line.split(' ')[0])).toEqual(['d', 'd/sub', 'd/sub/new'])
  })

  it.each([
    ['the program was first', 'tool'],
    ['the tool was first', 'program'],
  ])('ends the same on both sides when a tool made a file of it and a program wrote into it: %s', async (_, last) => {
    const bench = sessionBench(sandboxd)
    await bench.sh('mkdir d; echo 1 > d/a')
    const program = () => bench.host.inside('echo 2 > d/b')
    const tool = async () => {
      await bench.remove('d')
      await bench.write('d', 'file')
    }
    await (last === 'tool' ? program() : tool())
    await later()
    await (last === 'tool' ? tool() : program())
    const { conflicts } = await bench.sh('true')
    expect(conflicts).toContain('d')
    await expectAgreement(bench)
    expect(await bench.versions('d')).toContain('file')
    expect(await bench.versions('d/b')).toContain('2\n')
  })

  it('that only a tool has gives way to a later file of a program, with its files in history and named', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    await bench.write('d/a', 'tool')
    await later()
    await bench.host.inside('echo program > d')
    const { conflicts, stdout } = await bench.sh('cat d')
    expect(stdout).toBe('program\n')
    expect(conflicts).toEqual(expect.arrayContaining(['d', 'd/a']))
    expect(await bench.versions('d/a')).toEqual(['tool'])
    await expectAgreement(bench)
  })

  it('is not removed with what a program has just put in', async () => {
    const bench = sessionBench(sandboxd)
    await bench.sh('mkdir d; echo 1 > d/a')
    await bench.remove('d')
    await bench.host.inside('echo new > d/new')
    expect((await bench.sh('cat d/new')).stdout).toBe('new\n')
    expect(await bench.text('d/new')).toBe('new\n')
    await expectAgreement(bench)
  })
})

describe('a program that ends while files of a tool are carried in beside it', () => {
  it.each([
    ['a file of its own', 'made', 'echo whole > made', 'whole\n'],
    ['one of those files', 'carried/0', 'echo more >> carried/0', 'carried in, more\n'],
  ])('has %s taken over, though the watcher counted both', async (_, path, change, text) => {
    const bench = sessionBench(sandboxd)
    await bench.sh('true')
    const ended = Promise.withResolvers<void>()
    bench.host.after = async (request, result) => {
      if (isCommand(request) && request.script.includes(change)) ended.resolve()
      // The session learns of the program's end first.
      if (isPush(request)) await Promise.all([ended.promise, wait(50)])
      return result
    }
    const changed = bench.sh(`touch /tmp/begun; until [ -e carried/0 ]; do sleep 0.001; done; ${change}`, {
      timeout: 100,
    })
    await bench.host.inside('until [ -e /tmp/begun ]; do sleep 0.02; done')
    const content = new TextEncoder().encode('carried in, ')
    // So many that the program changes what it does before the last of them is there.
    await bench.workspace.forCall('tool').commit(
      Array.from({ length: 4_000 }, (_, number) => ({
        op: 'write' as const,
        path: workspacePath(`carried/${number}`),
        content,
      })),
    )
    await bench.sh('true')
    await changed
    expect(await bench.text(path)).toBe(text)
  })
})
