import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { sessionBench } from '../../support/session-bench.ts'

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd.stop())

/** Python that holds something until it is killed. */
const holding = (program: string, secret = '') =>
  `python3 -c '${program}; open("../ready", "w"); import time; time.sleep(60)' ${secret} > /dev/null 2>&1 & disown; until [ -e ../ready ]; do sleep 0.02; done`

it.each([
  ['open', 'f = open("model.bin")', 'has model.bin open, which is replaced, and keeps the old content'],
  [
    'mapped',
    'import mmap, os; d = os.open("model.bin", os.O_RDONLY); m = mmap.mmap(d, 0, prot=mmap.PROT_READ); os.close(d)',
    'has model.bin mapped into memory, which is replaced, and keeps the old content',
  ],
])('a command is told that a process has a file %s which a file tool replaced', async (_, program, note) => {
  const bench = sessionBench(sandboxd)
  await bench.write('model.bin', 'old')
  await bench.sh(holding(program, 'key=s3cr3t'))
  await bench.write('model.bin', 'new')
  const { notes = [] } = await bench.sh('cat model.bin')
  expect(notes.join()).toMatch(/process \d+ \(python3[^)]*\) /)
  expect(notes.join()).toContain(note)
  expect(notes.join()).not.toContain('s3cr3t')
  await bench.write('other', 'x')
  expect((await bench.sh('true')).notes ?? []).toEqual([])
})

it('a command is told that a process works in a directory which was removed, and has files of it open', async () => {
  const bench = sessionBench(sandboxd)
  await bench.write('d/e/f', 'old')
  await bench.sh(holding('import os; os.chdir("d/e"); f = open("f")').replace('"../ready"', '"../../../ready"'))
  await bench.call('file_delete', { file_path: 'd', recursive: true })
  const text = ((await bench.sh('ls')).notes ?? []).join('\n')
  expect(text).toMatch(/works in the directory d\/e, which is removed/)
  expect(text).toMatch(/has d\/e\/f open, which is removed/)
})

it('an answer names a few of the held files, and says how many more there are', async () => {
  const bench = sessionBench(sandboxd)
  for (let n = 0; n < 8; n++) await bench.write(`f${n}`, 'old')
  await bench.sh(holding('fs = [open("f%d" % n) for n in range(8)]'))
  for (let n = 0; n < 8; n++) await bench.write(`f${n}`, 'new')
  const { notes = [] } = await bench.sh('true')
  expect(notes.filter((note) => note.includes('keeps the old content'))).toHaveLength(5)
  expect(notes.join()).toContain('3 more such files are held')
})
