import { JSON_BATCH_CHARS } from './limits/workspace.ts'

/** JSON arrays of all values in their order, each short enough to be a parameter of a statement. */
export function* jsonBatches(values: readonly unknown[]): Iterable<string> {
  let [batch, chars]: [string[], number] = [[], 0]
  for (const value of values) {
    const json = JSON.stringify(value)
    if (batch.length > 0 && chars + json.length > JSON_BATCH_CHARS) {
      yield `[${batch.join()}]`
      ;[batch, chars] = [[], 0]
    }
    batch.push(json)
    chars += json.length + 1
  }
  if (batch.length > 0) yield `[${batch.join()}]`
}
