import { tarFile } from '../../../../core/tar.ts'

const encoder = new TextEncoder()

/** A file of the archive with one JSON value. */
export const jsonFile = (path: string, value: object, at: number): Uint8Array =>
  tarFile(encoder.encode(path), encoder.encode(`${JSON.stringify(value, null, 2)}\n`), at)

/**
 * Files of JSON lines, one for each page that has any: the size of a file stands before it, so that a file for all would have to be
 * held until its end.
 */
export async function* lineFiles(
  directory: string,
  pages: AsyncIterable<readonly string[]>,
  at: number,
): AsyncGenerator<Uint8Array, void> {
  let number = 0
  for await (const lines of pages) {
    if (lines.length === 0) continue
    const path = `${directory}/${String(++number).padStart(6, '0')}.jsonl`
    yield tarFile(encoder.encode(path), encoder.encode(lines.map((line) => `${line}\n`).join('')), at)
  }
}
