import {
  MAX_PDF_GLYPHS,
  MAX_PDF_OBJECTS,
  MAX_PDF_PAGE_BYTES,
  MAX_PDF_PAGE_FORMS,
  MAX_PDF_PAGE_OPERATORS,
  MAX_PDF_SAVED_STATES,
  MAX_PDF_STREAM_BYTES,
} from '../../core/limits/documents.ts'
import type { EngineClasses } from './engine-classes.ts'

/** Begins the message of each error that a bound causes: pdf.js hands on nothing else of an error. */
export const BEYOND = 'beyond a bound: '

const beyond = (what: string): never => {
  throw new Error(`${BEYOND}${what}`)
}

/** Counter of the work of reading one page, or of opening the file. */
class Spent {
  #bytes = 0
  #operators = 0
  #forms = 0
  /** First bound that was crossed: pdf.js swallows errors of a page's parts, and would continue with the next part. */
  crossed: string | null = null

  addBytes(count: number): void {
    this.#bytes += count
    if (this.#bytes > MAX_PDF_PAGE_BYTES)
      this.#cross(`it unpacks to more than ${MAX_PDF_PAGE_BYTES} bytes (MAX_PDF_PAGE_BYTES)`)
  }

  addOperator(savedStates: number): void {
    this.#operators++
    if (this.#operators > MAX_PDF_PAGE_OPERATORS)
      this.#cross(`it draws with more than ${MAX_PDF_PAGE_OPERATORS} operators (MAX_PDF_PAGE_OPERATORS)`)
    if (savedStates > MAX_PDF_SAVED_STATES)
      this.#cross(`it saves more than ${MAX_PDF_SAVED_STATES} states within each other (MAX_PDF_SAVED_STATES)`)
  }

  addForm(): void {
    this.#forms++
    if (this.#forms > MAX_PDF_PAGE_FORMS)
      this.#cross(`it draws more than ${MAX_PDF_PAGE_FORMS} forms (MAX_PDF_PAGE_FORMS)`)
  }

  #cross(what: string): never {
    this.crossed ??= what
    return beyond(what)
  }
}

/**
 * Puts bounds into the classes of pdf.js, which has none: bytes that come out of a stream, operators of a page and of
 * the forms that it draws, entries of a character map, widths of a font, entries of the table of objects.
 */
export function putBounds({ CMap, DecodeStream, EvaluatorPreprocessor, PartialEvaluator, XRef }: EngineClasses): void {
  /** Counters by the table of objects, which all parts of one file share. */
  const spent = new WeakMap<object, Spent>()
  const spentBy = (file: object): Spent => {
    const known = spent.get(file) ?? new Spent()
    spent.set(file, known)
    return known
  }

  const { ensureBuffer } = DecodeStream
  DecodeStream.ensureBuffer = function (requested) {
    const before = this.buffer.byteLength
    if (requested <= before) return this.buffer
    if (requested > MAX_PDF_STREAM_BYTES)
      beyond(`a stream unpacks to more than ${MAX_PDF_STREAM_BYTES} bytes (MAX_PDF_STREAM_BYTES)`)
    const file = this.dict?.xref
    if (file) spentBy(file).addBytes(Math.max(requested, 2 * before) - before)
    return ensureBuffer.call(this, requested)
  }
  // The platform's own decompression gives all at once; without it, pdf.js unpacks block by block, by ensureBuffer.
  DecodeStream.asyncGetBytesFromDecompressionStream = async function () {
    this.stream.reset()
    const compressed = this.stream.isAsync ? await this.stream.asyncGetBytes() : this.stream.getBytes()
    return { decompressed: null, compressed: compressed ?? this.stream.getBytes() }
  }

  const { read } = EvaluatorPreprocessor
  EvaluatorPreprocessor.read = function (operation) {
    const { xref } = this.parser
    if (xref) spentBy(xref).addOperator(this.stateManager.stateStack.length)
    return read.call(this, operation)
  }

  const { getTextContent, extractWidths } = PartialEvaluator
  PartialEvaluator.getTextContent = async function (options) {
    const isPage = !options.stateManager
    if (isPage) spent.set(this.xref, new Spent())
    else spentBy(this.xref).addForm()
    const text = await getTextContent.call(this, options)
    const { crossed } = spentBy(this.xref)
    if (isPage && crossed !== null) beyond(crossed)
    return text
  }
  PartialEvaluator.extractWidths = function (dict, descriptor, properties) {
    for (const key of ['W', 'W2']) refuseManyWidths(dict.get(key), (value) => this.xref.fetchIfRef(value))
    return extractWidths.call(this, dict, descriptor, properties)
  }

  const mapped = new WeakMap<object, number>()
  for (const name of ['mapCidRange', 'mapBfRange', 'mapBfRangeToArray'] as const) {
    const map = CMap[name]
    CMap[name] = function (low, high, to) {
      const count = (mapped.get(this) ?? 0) + Math.max(0, high - low + 1)
      mapped.set(this, count)
      if (!(count <= MAX_PDF_GLYPHS)) beyond(`a font maps more than ${MAX_PDF_GLYPHS} characters (MAX_PDF_GLYPHS)`)
      return map.call(this, low, high, to)
    }
  }

  const { readXRefStream } = XRef
  XRef.readXRefStream = function (stream) {
    const entries = this.streamState.entryRanges.reduce((sum, count, at) => (at % 2 === 1 ? sum + count : sum), 0)
    if (!(entries <= MAX_PDF_OBJECTS)) beyond(`it claims more than ${MAX_PDF_OBJECTS} objects (MAX_PDF_OBJECTS)`)
    return readXRefStream.call(this, stream)
  }
}

/** Widths as `[first [w w w] first last w …]`: a range may claim any number of glyphs. */
function refuseManyWidths(widths: unknown, resolved: (value: unknown) => unknown): void {
  if (!Array.isArray(widths)) return
  let glyphs = 0
  for (let at = 0; at + 1 < widths.length; at += 2) {
    const last = resolved(widths[at + 1])
    if (Array.isArray(last)) continue
    glyphs += Math.max(0, Number(last) - Number(resolved(widths[at])) + 1)
    if (!(glyphs <= MAX_PDF_GLYPHS)) beyond(`a font has more than ${MAX_PDF_GLYPHS} widths (MAX_PDF_GLYPHS)`)
    at++
  }
}
