/** Media type of a content by its first bytes; null when they tell none. Names are not trusted. */
export function mediaTypeOf(bytes: Uint8Array): string | null {
  const found = MARKS.find(({ at = 0, mark }) => startsWith(bytes.subarray(at), mark))
  if (!found) return null
  // A text may begin with "BM" or "ID3", too.
  const isSure = found.type === 'application/pdf' || !/^[ -~]+$/.test(found.mark) || bytes.includes(0)
  return isSure ? found.type : null
}

interface Mark {
  readonly type: string
  readonly mark: string
  readonly at?: number
}

/** Marks of files, one character a byte. */
const MARKS: readonly Mark[] = [
  { type: 'image/png', mark: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', mark: '\xff\xd8\xff' },
  { type: 'image/gif', mark: 'GIF8' },
  { type: 'image/webp', mark: 'WEBP', at: 8 },
  { type: 'audio/wav', mark: 'WAVE', at: 8 },
  { type: 'image/bmp', mark: 'BM' },
  { type: 'image/tiff', mark: 'II*\0' },
  { type: 'image/tiff', mark: 'MM\0*' },
  { type: 'application/pdf', mark: '%PDF-' },
  { type: 'application/vnd.oasis.opendocument', mark: 'mimetypeapplication/vnd.oasis.opendocument', at: 30 },
  { type: 'application/epub+zip', mark: 'mimetypeapplication/epub+zip', at: 30 },
  { type: 'application/zip', mark: 'PK\x03\x04' },
  { type: 'application/zip', mark: 'PK\x05\x06' },
  { type: 'application/gzip', mark: '\x1f\x8b' },
  { type: 'application/x-bzip2', mark: 'BZh' },
  { type: 'application/x-xz', mark: '\xfd7zXZ\0' },
  { type: 'application/zstd', mark: '\x28\xb5\x2f\xfd' },
  { type: 'application/x-7z-compressed', mark: '7z\xbc\xaf\x27\x1c' },
  { type: 'application/vnd.rar', mark: 'Rar!\x1a\x07' },
  { type: 'application/x-tar', mark: 'ustar', at: 257 },
  { type: 'application/x-ole-storage', mark: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { type: 'application/vnd.sqlite3', mark: 'SQLite format 3\0' },
  { type: 'application/x-executable', mark: '\x7fELF' },
  { type: 'application/wasm', mark: '\0asm' },
  { type: 'application/x-hdf5', mark: '\x89HDF\r\n\x1a\n' },
  { type: 'application/vnd.apache.parquet', mark: 'PAR1' },
  { type: 'audio/mpeg', mark: 'ID3' },
  { type: 'audio/flac', mark: 'fLaC' },
  { type: 'application/ogg', mark: 'OggS' },
  { type: 'video/mp4', mark: 'ftyp', at: 4 },
  { type: 'video/webm', mark: '\x1a\x45\xdf\xa3' },
]

/** Media type of a text by how it begins. */
export function textMediaType(text: string): string {
  const start = text.slice(0, 1_000).trimStart().toLowerCase()
  if (/^<(?:!doctype html|html)[\s>]/.test(start)) return 'text/html'
  if (start.startsWith('<svg')) return 'image/svg+xml'
  if (start.startsWith('<?xml')) return start.includes('<svg') ? 'image/svg+xml' : 'application/xml'
  if (/^#!.*\bpython/.test(start)) return 'text/x-python'
  if (/^#!.*sh\b/.test(start)) return 'text/x-shellscript'
  return /^[[{]/.test(start) && isJson(text) ? 'application/json' : 'text/plain'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const startsWith = (bytes: Uint8Array, mark: string) =>
  bytes.length >= mark.length && Array.from(mark).every((character, at) => bytes[at] === character.charCodeAt(0))
