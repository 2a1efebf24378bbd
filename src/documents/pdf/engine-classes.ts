/** Classes of pdf.js into whose prototypes bounds are put, with the members used here. */
export interface EngineClasses {
  readonly DecodeStream: DecodeStream
  readonly EvaluatorPreprocessor: EvaluatorPreprocessor
  readonly PartialEvaluator: PartialEvaluator
  readonly CMap: CMap
  readonly XRef: XRef
}

interface DecodeStream {
  readonly buffer: Uint8Array
  readonly dict?: { readonly xref?: object | null } | null
  readonly stream: ByteStream
  ensureBuffer(requested: number): Uint8Array
  asyncGetBytesFromDecompressionStream(format: string): Promise<{ decompressed: null; compressed: Uint8Array }>
}
interface ByteStream {
  readonly isAsync: boolean
  reset(): void
  getBytes(): Uint8Array
  asyncGetBytes(): Promise<Uint8Array | null>
}
interface EvaluatorPreprocessor {
  readonly parser: { readonly xref?: object | null }
  readonly stateManager: { readonly stateStack: readonly unknown[] }
  read(operation: unknown): boolean
}
interface Table {
  fetchIfRef(value: unknown): unknown
}
interface PartialEvaluator {
  readonly xref: Table
  getTextContent(options: { readonly stateManager?: unknown }): Promise<unknown>
  extractWidths(dict: { get(key: string): unknown }, descriptor: unknown, properties: unknown): unknown
}
type MapRange = (this: CMap, low: number, high: number, to: unknown) => unknown
interface CMap {
  mapCidRange: MapRange
  mapBfRange: MapRange
  mapBfRangeToArray: MapRange
}
interface XRef {
  readonly streamState: { readonly entryRanges: readonly number[] }
  readXRefStream(stream: unknown): unknown
}

/** A property that the constructor of each class sets, and that no other class has. */
const MARKS = {
  DecodeStream: '_rawMinBufferLength',
  EvaluatorPreprocessor: '_numInvalidPathOPS',
  PartialEvaluator: '_regionalImageCache',
  CMap: 'numCodespaceRanges',
  XRef: '_xrefStms',
} as const satisfies Record<keyof EngineClasses, string>
/** Method of each class that tells its own prototype from those of its subclasses. */
const METHODS = {
  DecodeStream: 'ensureBuffer',
  EvaluatorPreprocessor: 'read',
  PartialEvaluator: 'extractWidths',
  CMap: 'mapBfRange',
  XRef: 'readXRefStream',
} as const satisfies Record<keyof EngineClasses, string>

const NAMES = ['DecodeStream', 'EvaluatorPreprocessor', 'PartialEvaluator', 'CMap', 'XRef'] as const

/**
 * Finds the classes of pdf.js, which exports none of them. They are seen at work: while a small file is read, Object has a
 * setter for a property of each, which a constructor meets as it assigns it.
 *
 * @param readFile reads one file of {@link FILE_OF_ALL}
 * @throws Error when a class was not seen: another version of pdf.js needs other marks
 */
export async function engineClasses(readFile: (bytes: Uint8Array) => Promise<void>): Promise<EngineClasses> {
  const seen = new Map<string, object>()
  for (const name of NAMES) {
    Object.defineProperty(Object.prototype, MARKS[name], {
      configurable: true,
      enumerable: false,
      set(this: object, value: unknown) {
        Object.defineProperty(this, MARKS[name], { value, configurable: true, enumerable: true, writable: true })
        const prototype = ownerOf(this, METHODS[name])
        if (prototype) seen.set(name, prototype)
      },
    })
  }
  try {
    await readFile(new TextEncoder().encode(FILE_OF_ALL))
  } finally {
    for (const name of NAMES) Reflect.deleteProperty(Object.prototype, MARKS[name])
  }
  const missing = NAMES.filter((name) => !seen.has(name))
  if (missing.length > 0) throw new Error(`pdf.js has no ${missing.join(', ')} as it was: it cannot be bounded`)
  return Object.fromEntries(seen) as unknown as EngineClasses // each was found by the name of its method
}

function ownerOf(instance: object, method: string): object | null {
  for (let at = Object.getPrototypeOf(instance); at; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, method)) return at
  }
  return null
}

/** A page with a packed stream and a font with a character map: what each of the classes is made for. */
const FILE_OF_ALL = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >> endobj
4 0 obj << /Length 41 /Filter /ASCIIHexDecode >>
stream
4254202F4620392054662028612920546A204554>
endstream endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >> endobj
6 0 obj << /Length 41 >>
stream
1 beginbfrange <61> <61> <0061> endbfrange
endstream endobj
trailer << /Root 1 0 R /Size 7 >>
`
