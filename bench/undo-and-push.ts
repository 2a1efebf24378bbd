import type { Caller } from './caller.ts'
import { compare } from './measure.ts'
import type { Row } from './print.ts'
import { progress } from './progress.ts'

const FEW = 10
const MANY = 10_000
const QUICK_MANY = 2_000
const PER_DIRECTORY = 1_000

/** Measures an undo with the first command after it, into whose sandbox all files go: of many files, beside ten. */
export async function undoAndPush(call: Caller, quick: boolean): Promise<Row[]> {
  const many = quick ? QUICK_MANY : MANY
  const times = await compare(
    { few: await undoneIn(call, FEW), many: await undoneIn(call, many) },
    { rounds: 3, perRound: 1, concurrent: 1 },
    progress('undo and push'),
  )
  for (const count of [FEW, many]) await call.remove(`/v1/sessions/${nameOf(count)}`)
  return [
    {
      what: `undo of a change of ${many.toLocaleString('en')} files, and a command that gets them`,
      ms: times.many,
      floor: `the same of ${FEW} files`,
      floorMs: times.few,
      limit: { moreMs: many * MS_PER_FILE },
    },
  ]
}

/** Time in which a file is undone, sent and laid: 0.8 ms on a busy machine. */
const MS_PER_FILE = 1

const nameOf = (count: number) => `undone-${count}`

/** Two states of all files of a session, and the going from each to the other one, in turns. */
async function undoneIn(call: Caller, count: number): Promise<() => Promise<unknown>> {
  const session = nameOf(count)
  const at = `/v1/sessions/${session}`
  const shell = (command: string) => call.tool(session, 'execute_shell', { command, workdir: '.', timeout: 600 })
  const newest = async () => {
    const { data } = (await call.get(`${at}/history?limit=1`)) as { readonly data: readonly { commit: number }[] }
    return data[0]?.commit ?? 0
  }
  await call.create(session)
  await shell(fill(count, 'one'))
  const states = [await newest()]
  await shell(fill(count, 'two'))
  states.push(await newest())
  let turn = 0
  return async () => {
    await call.post(`${at}/restore`, { commit: states[turn] })
    await shell(`grep -q ${turn === 0 ? 'one' : 'two'} many/1/1.txt`)
    turn = 1 - turn
  }
}

const fill = (count: number, word: string) =>
  `mkdir -p many; cd many; for d in {1..${Math.ceil(count / PER_DIRECTORY)}}; do mkdir -p $d; for i in {1..${Math.min(count, PER_DIRECTORY)}}; do echo ${word} $d $i > $d/$i.txt; done; done`
