import { readFileSync } from 'node:fs'
import { isScalar, isSeq, parseDocument } from 'yaml'

/** Checks that are expected to fail, as `scenario:check`, with the reason of each. */
export type Baseline = ReadonlyMap<string, string>

/**
 * Reads a file of the suite's own form (`--expected-failures`). A comment above an entry is its reason, and that of the entries below it up to the next comment.
 * @throws Error for an entry without a reason, one that is there twice, and one for a whole scenario: that would excuse whatever else fails there
 */
export function readBaseline(path: string): Baseline {
  const document = parseDocument(readFileSync(path, 'utf8'))
  const entries = document.get('server')
  if (!isSeq(entries)) throw new Error(`${path}: "server" is no list`)
  const baseline = new Map<string, string>()
  // The parser gives a comment above the first entry to the list.
  let reason = entries.commentBefore ?? ''
  for (const item of entries.items) {
    if (!isScalar(item) || typeof item.value !== 'string' || !/^[\w-]+:[\w$-]+$/.test(item.value)) {
      throw new Error(`${path}: ${item} is not "scenario:check"`)
    }
    reason = item.commentBefore ?? reason
    if (reason.trim() === '') throw new Error(`${path}: ${item.value} has no reason; write a comment above it`)
    if (baseline.has(item.value)) throw new Error(`${path}: ${item.value} is there twice`)
    baseline.set(item.value, reason.replaceAll(/\s+/g, ' ').trim())
  }
  return baseline
}
