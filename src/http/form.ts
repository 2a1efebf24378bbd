import { Buffer } from 'node:buffer'
import { fail } from '../core/failure.ts'
import { MAX_FORM_PART_HEADER_BYTES, MAX_FORM_PARTS } from '../core/limits/requests.ts'
import { readBody } from './json.ts'

/** Content of a `multipart/form-data` body. */
export interface Form {
  /** Texts by name, in their order. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** The first file called `file`. */
  readonly file: { readonly name: string; readonly bytes: Uint8Array } | null
}

/**
 * Reads a form. Own code, since the runtime's parser takes a second for thirty thousand fields or a name of some million
 * characters, in which nobody else is served.
 * @returns null when it is no such form, or a broken one
 * @throws FailureError `limit_exceeded` past MAX_BODY_BYTES, MAX_FORM_PARTS or MAX_FORM_PART_HEADER_BYTES
 * @see https://www.rfc-editor.org/rfc/rfc7578
 */
export async function readForm(request: Request): Promise<Form | null> {
  const bytes = await readBody(request)
  const boundary = boundaryOf(request.headers.get('Content-Type') ?? '')
  if (boundary === null) return null
  const fields: [string, string][] = []
  let file: Form['file'] = null
  for (const part of partsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), boundary)) {
    if (part === null) return null
    const { name, filename, content } = part
    if (filename === null) fields.push([name, content.toString()])
    else if (name === 'file') file ??= { name: filename, bytes: new Uint8Array(content) }
  }
  return { fields, file }
}

/** Boundary of a form by its media type; null for any other type. */
export function boundaryOf(type: string): string | null {
  const [, quoted, plain] =
    /^multipart\/form-data\b.{0,500}?;\s?boundary=(?:"([^"]{1,200})"|([^";\s]{1,200}))/i.exec(type) ?? []
  return quoted ?? plain ?? null
}

interface Part {
  readonly name: string
  /** File name; null for a text. */
  readonly filename: string | null
  readonly content: Buffer
}

/** Parts of a body. Null stands for a broken part, the last one. */
function* partsOf(body: Buffer, boundary: string): Generator<Part | null> {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first delimiter may stand at the very beginning.
  const opening = delimiter.subarray(2)
  const first = body.subarray(0, opening.length).equals(opening) ? 0 : body.indexOf(delimiter) + 2
  if (first === 1) return yield null
  let at = first + opening.length
  refuseManyParts(body, delimiter, at)
  while (body.toString('latin1', at, at + 2) !== '--') {
    const head = body.subarray(at, at + MAX_FORM_PART_HEADER_BYTES)
    const end = head.indexOf('\r\n\r\n')
    if (end === -1 && head.length === MAX_FORM_PART_HEADER_BYTES) {
      tooMuch(`a part whose header has more than ${MAX_FORM_PART_HEADER_BYTES} bytes (MAX_FORM_PART_HEADER_BYTES)`)
    }
    const begin = at + end + 4
    const next = body.indexOf(delimiter, begin)
    const named = end === -1 || next === -1 ? null : dispositionOf(head.toString('utf8', 0, end))
    if (named === null) return yield null
    yield { ...named, content: body.subarray(begin, next) }
    at = next + delimiter.length
  }
}

/** Counts the delimiters before any part is read: to find them is far cheaper than to read what is between them. */
function refuseManyParts(body: Buffer, delimiter: Buffer, from: number): void {
  let count = 0
  for (let at = body.indexOf(delimiter, from); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (++count > MAX_FORM_PARTS) tooMuch(`more than ${MAX_FORM_PARTS} parts (MAX_FORM_PARTS)`)
  }
}

function dispositionOf(header: string): Omit<Part, 'content'> | null {
  const line = header.split('\r\n').find((each) => /^content-disposition:\s?form-data\b/i.test(each))
  const name = line && parameterOf(line, NAME)
  return name === undefined || name === null ? null : { name, filename: parameterOf(line ?? '', FILENAME) }
}

const NAME = /;\s?name=(?:"((?:[^"\\]|\\.)*)"|([^";\s]+))/i
const FILENAME = /;\s?filename=(?:"((?:[^"\\]|\\.)*)"|([^";\s]+))/i

/** Parameter of a header; browsers write a quote as %22, curl as \". */
function parameterOf(line: string, pattern: RegExp): string | null {
  const [, quoted, plain] = pattern.exec(line) ?? []
  return (
    plain ??
    quoted
      ?.replaceAll(/\\(["\\])/g, '$1')
      .replaceAll('%22', '"')
      .replaceAll(/%0D%0A/gi, '\r\n') ??
    null
  )
}

const tooMuch = (what: string) => fail('limit_exceeded', `the form has ${what}; send one file and few fields`)
