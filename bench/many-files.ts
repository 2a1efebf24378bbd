import type { Caller } from './caller.ts'
import { compare } from './measure.ts'
import type { Row } from './print.ts'
import { progress } from './progress.ts'

/** Files of the large workspaces; the last is measured with `--huge` only: filling it takes a minute. */
const FEW = 10_000
const MANY = 20_000
const HUGE = 100_000
const PER_DIRECTORY = 1_000

/** Measures commands that change none, one and a hundred files of large workspaces, against the same in small ones. */
export async function manyFiles(call: Caller, { quick, huge }: { quick: boolean; huge: boolean }): Promise<Row[]> {
  const shell = (task: string, command: string) =>
    call.tool(task, 'execute_shell', { command, workdir: '.', timeout: 600 })
  const counts = [10, FEW, MANY, ...(huge ? [HUGE] : [])]
  const task = (count: number) => `files-${count}`
  for (const count of counts) {
    await call.create(task(count))
    await shell(task(count), fill(count))
    await shell(task(count), 'true')
  }
  const works = (count: number) => ({
    [`none of ${count}`]: () => shell(task(count), 'true'),
    [`one of ${count}`]: () => shell(task(count), 'echo $RANDOM$RANDOM > many/1/1.txt'),
    [`hundred of ${count}`]: () => shell(task(count), 'for i in {1..100}; do echo $RANDOM > many/1/c$i.txt; done'),
  })
  const times = await compare<string>(
    Object.assign({ bare: () => call.post('/floor/run/warm', { command: 'true' }) }, ...counts.map(works)),
    { rounds: quick ? 3 : 6, perRound: 8, concurrent: 1 },
    progress('many files'),
  )
  const row = (change: string, what: string, count: number, moreMs: number): Row => ({
    what: `${what} among ${count.toLocaleString('en')} files`,
    ms: times[`${change} of ${count}`] ?? Number.NaN,
    floor: `${what} among 10 files`,
    floorMs: times[`${change} of 10`] ?? Number.NaN,
    limit: { moreMs },
  })
  await call.remove('/floor/run/warm')
  for (const count of counts) await call.remove(`/api/task/${task(count)}`)
  return [
    {
      what: 'a warm command among 10 files',
      ms: times['none of 10'] ?? Number.NaN,
      floor: 'commands.run true, warm',
      floorMs: times.bare ?? Number.NaN,
      limit: { ratio: 1.15 },
    },
    row('none', 'a warm command without a change', FEW, 5),
    row('one', 'a warm command that changes one file', FEW, 50),
    row('hundred', 'a warm command that changes 100 files', FEW, 50),
    row('one', 'a warm command that changes one file', MANY, 50),
    ...(huge
      ? [
          row('none', 'a warm command without a change', HUGE, 50),
          row('one', 'a warm command that changes one file', HUGE, 100),
        ]
      : []),
  ]
}

/** Bash that makes the files. Few contents, so that soon none waits for the blob store: sending them takes turns of the processor. */
const fill = (count: number) =>
  `mkdir -p many; cd many; for d in {1..${Math.ceil(count / PER_DIRECTORY)}}; do mkdir $d; for i in {1..${Math.min(count, PER_DIRECTORY)}}; do echo $((i % 100)) > $d/$i.txt; done; done`
