import type { Change } from '../model/change.ts'
import type { Operation } from '../model/operation.ts'
import { ancestorsOf, DIRECTORY, type Tree } from '../model/tree.ts'

/** A number from 0 to 1. */
export type Random = () => number

/** Bytes from which on a file is replaced, and grows no more. */
const LARGE = 64_000
const FEW_LINES = 4
/** Lines of a file of some 1.5 MB: more than fits into one piece of a connection or one row of the workspace. */
const MANY_LINES = 60_000

/** Draws a client's next operation: mostly one that makes sense with this tree, sometimes one that must be refused. */
export function drawOperation(id: number, tree: Tree, random: Random): Operation {
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
  const files = [...tree.entries].filter(([, entry]) => entry !== DIRECTORY).map(([path]) => path)
  const directories = [...tree.entries].filter(([, entry]) => entry === DIRECTORY).map(([path]) => path)
  const anyDirectory = () => pick(['', '', 'd0/', 'd1/', 'd0/d2/', ...directories.map((path) => `${path}/`)]) ?? ''
  const anyFile = () => bounded(`${anyDirectory()}f${Math.floor(random() * 5)}.txt`)
  const someFile = () => (random() < 0.9 ? pick(files) : undefined) ?? anyFile()
  const small = () => pick(files.filter((path) => sizeOf(tree, path) < LARGE)) ?? anyFile()
  const write = (path = anyFile(), count = 1 + Math.floor(random() * FEW_LINES)): Change => ({
    kind: 'write',
    path,
    text: linesOf(id, path, count),
  })
  const append = (): Change => {
    const path = random() < 0.8 ? small() : anyFile()
    return { kind: sizeOf(tree, path) < LARGE ? 'append' : 'write', path, text: linesOf(id, path, 1) }
  }
  const tool = (...steps: readonly Change[]): Operation => ({ id, by: 'tool', steps })
  const sandbox = (...steps: readonly Change[]): Operation => ({ id, by: 'sandbox', steps: withDirectories(steps) })
  const some = () => [...new Set([anyFile(), anyFile(), anyFile()])].map((path) => write(path))

  const kinds: readonly (readonly [number, () => Operation])[] = [
    [14, () => tool(write())],
    [10, () => tool(append())],
    [7, () => tool({ kind: 'edit', path: small(), line: 1 + Math.floor(random() * 3), text: linesOf(id, 'edit', 1) })],
    [6, () => tool({ kind: 'delete', path: random() < 0.8 ? someFile() : (pick(directories) ?? anyFile()) })],
    [6, () => tool({ kind: 'move', from: someFile(), to: pick([anyFile(), ...directories]) ?? 'f0.txt' })],
    [3, () => tool({ kind: 'move', from: pick(directories) ?? 'd0', to: pick(['d0', 'd1', 'd1/d2']) ?? 'd0' })],
    [5, () => tool({ kind: 'copy', from: someFile(), to: anyFile() })],
    [2, () => tool({ kind: 'copy', from: pick(directories) ?? 'd0', to: pick(['d0', 'd1']) ?? 'd0' })],
    [3, () => tool({ kind: 'mkdir', path: pick(['d0', 'd1', 'd0/d2', 'd1/d2']) ?? 'd0' })],
    [5, () => tool(...some())],
    [2, () => tool(write(undefined, MANY_LINES))],
    [3, () => tool({ kind: 'lock', path: someFile() })],
    [tree.locks.size > 0 ? 12 : 1, () => tool({ kind: 'unlock', path: pick([...tree.locks]) ?? 'f0.txt' })],
    [7, () => sandbox(write())],
    [7, () => sandbox(append())],
    [4, () => sandbox({ kind: 'delete', path: someFile() })],
    [3, () => sandbox(...some())],
    [1, () => sandbox(write(undefined, MANY_LINES))],
  ]
  let left = random() * kinds.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, make] of kinds) {
    left -= weight
    if (left < 0) return make()
  }
  return tool(write())
}

/** Lines that are written once in a drill. */
export const linesOf = (id: number, path: string, count: number) =>
  Array.from({ length: count }, (_, at) => `operation ${id} ${path} ${at}\n`).join('')

function sizeOf(tree: Tree, path: string): number {
  const entry = tree.entries.get(path)
  return entry === undefined || entry === DIRECTORY ? 0 : entry.text.length
}

/** A path at most three directories deep, however often directories were moved into each other. */
const bounded = (path: string) => path.split('/').slice(-4).join('/')

/** A command makes the directories first, each by itself. */
const withDirectories = (steps: readonly Change[]): Change[] =>
  steps.flatMap((step) =>
    step.kind === 'write' || step.kind === 'append'
      ? [
          ...ancestorsOf(step.path)
            .reverse()
            .map((path): Change => ({ kind: 'mkdir', path })),
          step,
        ]
      : [step],
  )
