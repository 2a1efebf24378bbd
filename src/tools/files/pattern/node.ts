import type { CharacterSet } from './character-set.ts'

/** Place between two characters that an assertion asks for. */
export type Assertion = 'start' | 'end' | 'word_boundary' | 'no_word_boundary'

/** Syntax tree of a pattern. */
export type Node =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'all'; readonly nodes: readonly Node[] }
  | { readonly kind: 'any'; readonly nodes: readonly Node[] }
  | {
      readonly kind: 'repeat'
      readonly node: Node
      readonly min: number
      /** Null for no maximum. */
      readonly max: number | null
      readonly greedy: boolean
    }
  | { readonly kind: 'assert'; readonly assertion: Assertion }

export const EMPTY: Node = { kind: 'all', nodes: [] }

export const all = (nodes: readonly Node[]): Node =>
  nodes.length === 1 && nodes[0] ? nodes[0] : { kind: 'all', nodes }
export const any = (nodes: readonly Node[]): Node =>
  nodes.length === 1 && nodes[0] ? nodes[0] : { kind: 'any', nodes }
export const repeat = (node: Node, min = 0, max: number | null = null, greedy = true): Node => ({
  kind: 'repeat',
  node,
  min,
  max,
  greedy,
})
