import type { Node } from './node.ts'

/** Texts of which each match has at least one, in lower case where `folded`. */
export interface Literals {
  readonly texts: readonly string[]
  /** Whether a text may stand in the match in other cases. */
  readonly folded: boolean
}

/** More texts than this are not looked for one by one. */
const MAX_TEXTS = 16
/** Length of a text: the engine looks for one of more than 250 characters in time that grows with both lengths together multiplied. */
const MAX_TEXT_CHARS = 200

/**
 * Texts of which every match of a pattern has one; null when there are no such. They are looked for in ASCII alone where cases are the same:
 * there, a character has no other case than the obvious one.
 */
export function requiredLiterals(node: Node): Literals | null {
  const texts = required(node)
  if (!texts || texts.length === 0 || texts.length > MAX_TEXTS || texts.includes('')) return null
  const folded = isFolded(node)
  return { texts: folded ? texts.map((text) => text.toLowerCase()) : texts, folded }
}

/** Texts of a node, the longest that are sure; null when nothing is sure. */
function required(node: Node): readonly string[] | null {
  if (node.kind === 'set') return literalOf(node) === null ? null : [literalOf(node) ?? '']
  if (node.kind === 'repeat') return node.min > 0 ? required(node.node) : null
  if (node.kind === 'any') return ofAlternatives(node.nodes)
  return node.kind === 'all' ? ofSequence(node.nodes) : null
}

function ofAlternatives(nodes: readonly Node[]): readonly string[] | null {
  if (nodes.length > MAX_TEXTS) return null
  const texts: string[] = []
  for (const node of nodes) {
    const found = required(node)
    if (!found) return null
    texts.push(...found)
  }
  return texts
}

function ofSequence(nodes: readonly Node[]): readonly string[] | null {
  let best: readonly string[] | null = null
  let run = ''
  const consider = (found: readonly string[] | null) => {
    if (found && (best === null || shortest(found) > shortest(best))) best = found
  }
  for (const node of nodes) {
    const literal = literalOf(node)
    run = literal === null || run.length >= MAX_TEXT_CHARS ? '' : run + literal
    if (run !== '') consider([run])
    else if (literal === null) consider(required(node))
  }
  return best
}

function literalOf(node: Node): string | null {
  if (node.kind !== 'set' || node.set.literal === undefined) return null
  const { literal, folded } = node.set
  // Other cases of a character beyond ASCII may lie in ASCII: those of "ſ" are s and S.
  return folded && literal.charCodeAt(0) >= 0x80 ? null : literal
}

function isFolded(node: Node): boolean {
  if (node.kind === 'set') return node.set.folded === true
  if (node.kind === 'repeat') return isFolded(node.node)
  return node.kind !== 'assert' && node.nodes.some(isFolded)
}

const shortest = (texts: readonly string[]) => Math.min(...texts.map((text) => text.length))
