import { changed } from './change.ts'
import { describeDifference } from './difference.ts'
import type { Operation } from './operation.ts'
import { EMPTY, type Entry, entriesKey, type Tree, treeKey } from './tree.ts'
import { Violation } from './violation.ts'

/** Operations without an answer that may be made yet, at once. More of them would make too many worlds. */
export const MAX_LATE = 4

/** A state that the server may be in, with the operations that may still be made. */
interface World {
  readonly tree: Tree
  readonly late: readonly Late[]
}

/** An operation whose answer did not come: its steps from `next` on may still be made. */
interface Late {
  readonly operation: Operation
  readonly next: number
}

/**
 * Set of all states that the server may be in, given its answers. Every acknowledged operation is in each of them; an
 * unanswered one is in some, wholly, and may still be made later, but once.
 */
export class Possibilities {
  #worlds: readonly World[] = [{ tree: EMPTY, late: [] }]
  /** Texts that a path has had in any world, by path and SHA-256. */
  readonly #known = new Set<string>()

  /** A tree that is possible, to choose the next operation from. */
  get likely(): Tree {
    return this.#worlds.at(-1)?.tree ?? EMPTY
  }

  /** Operations that may be made yet, the oldest first. */
  get late(): readonly Operation[] {
    const all = this.#worlds.flatMap(({ late }) => late.map(({ operation }) => operation))
    return [...new Set(all)].sort((a, b) => a.id - b.id)
  }

  /** Notes an acknowledged operation. @throws Violation when no possible state allows it */
  acknowledged(operation: Operation): void {
    const before = reachable(this.#worlds)
    const after = before.flatMap(({ tree, late }) => {
      const whole = stepsFrom(tree, operation, 0)
      return whole.isWhole ? [{ tree: whole.tree, late }] : []
    })
    if (after.length === 0) {
      throw new Violation('unasked', `operation ${operation.id} is acknowledged, and could not be done in any state`)
    }
    this.#become(after)
  }

  /** Notes a refused operation. @throws Violation when every possible state allows it */
  refused(operation: Operation): void {
    const after = reachable(this.#worlds).flatMap(({ tree, late }) => {
      const { isWhole, tree: partly } = stepsFrom(tree, operation, 0)
      return isWhole ? [] : [{ tree: operation.by === 'sandbox' ? partly : tree, late }]
    })
    if (after.length === 0) {
      throw new Violation('denied', `operation ${operation.id} is refused, and can be done in every possible state`)
    }
    this.#become(after)
  }

  /** No answer came, or none that says what became of it. */
  unknown(operation: Operation): void {
    const late = { operation, next: 0 }
    this.#become(reachable(this.#worlds.map((world) => ({ ...world, late: [...world.late, late] }))))
  }

  /** Notes the server's state. @throws Violation when it is no possible one */
  observed(entries: ReadonlyMap<string, Entry>): void {
    const worlds = reachable(this.#worlds)
    const key = entriesKey(entries)
    const left = worlds.filter(({ tree }) => entriesKey(tree.entries) === key)
    if (left.length === 0) {
      const trees = worlds.map(({ tree }) => tree.entries)
      throw describeDifference(trees, entries, (path, sha256) => this.#known.has(`${path}=${sha256}`))
    }
    this.#become(left)
  }

  /** Operations that cannot be made any more, though they may have been. */
  over(isOver: (operation: Operation) => boolean): void {
    const left = reachable(this.#worlds).map(({ tree, late }) => ({
      tree,
      late: late.filter(({ operation }) => !isOver(operation)),
    }))
    this.#become(left)
  }

  #become(worlds: readonly World[]): void {
    this.#worlds = distinct(worlds)
    for (const { tree } of this.#worlds) {
      for (const [path, entry] of tree.entries) if (entry !== 'directory') this.#known.add(`${path}=${entry.sha256}`)
    }
  }
}

/** Worlds reachable from these by steps of late operations, in any order. */
function reachable(worlds: readonly World[]): readonly World[] {
  const found = new Map(worlds.map((world) => [worldKey(world), world]))
  for (const { tree, late } of found.values()) {
    for (const one of late) {
      const made = oneMore(tree, one)
      if (made === null) continue
      const others = late.filter((other) => other !== one)
      const world = { tree: made.tree, late: made.left ? [...others, made.left] : others }
      found.set(worldKey(world), world)
    }
  }
  return [...found.values()]
}

/** A tool's operation is made whole; of one in the sandbox one step at a time. */
function oneMore(tree: Tree, { operation, next }: Late) {
  const { steps, by } = operation
  if (by === 'tool') {
    const whole = stepsFrom(tree, operation, 0)
    return whole.isWhole ? { tree: whole.tree, left: null } : null
  }
  const [step] = steps.slice(next)
  const after = step && changed(tree, step, true)
  if (!after) return null
  return { tree: after, left: next + 1 < steps.length ? { operation, next: next + 1 } : null }
}

/** Makes steps. @returns the tree after as many steps as can be made */
function stepsFrom(tree: Tree, { steps, by }: Operation, first: number): { isWhole: boolean; tree: Tree } {
  let now = tree
  for (const step of steps.slice(first)) {
    const after = changed(now, step, by === 'sandbox')
    if (after === null) return { isWhole: false, tree: now }
    now = after
  }
  return { isWhole: true, tree: now }
}

const distinct = (worlds: readonly World[]) => [...new Map(worlds.map((world) => [worldKey(world), world])).values()]

const worldKey = ({ tree, late }: World) =>
  `${treeKey(tree)}\n${late
    .map(({ operation, next }) => `${operation.id}:${next}`)
    .sort()
    .join(',')}`
