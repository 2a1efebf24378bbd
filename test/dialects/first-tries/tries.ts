import { LAGENT } from './lagent.ts'
import { MCP } from './mcp.ts'
import type { NoTry, Try } from './task.ts'
import { type Differences, TASKS, type TaskName } from './tasks.ts'
import { TOOLCORE } from './toolcore.ts'
import { V1 } from './v1.ts'
import { XAGENT } from './xagent.ts'

const NAMES = Object.keys(TASKS) as TaskName[]

type Tries = ReadonlyMap<TaskName, Try | NoTry>

/** First tries of the tasks by dialect; each dialect has all tasks, in their order. */
export const TRIES: Readonly<Record<'toolserver' | 'v1' | 'mcp' | 'lagent' | 'xagent' | 'toolcore', Tries>> = {
  toolserver: triesOf((name) => TASKS[name].tries),
  v1: triesOf((name) => changed(name, V1)),
  mcp: triesOf((name) => changed(name, MCP)),
  lagent: triesOf((name) => changed(name, LAGENT)),
  xagent: triesOf((name) => XAGENT[name]),
  toolcore: triesOf((name) => TOOLCORE[name]),
}

function triesOf(of: (name: TaskName) => Try | NoTry): Tries {
  return new Map(NAMES.map((name) => [name, of(name)]))
}

function changed(name: TaskName, differences: Differences): Try | NoTry {
  const difference = differences[name] ?? {}
  return 'none' in difference ? difference : { ...TASKS[name].tries, ...difference }
}
