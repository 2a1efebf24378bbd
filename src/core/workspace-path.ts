import { fail } from './failure.ts'
import { MAX_NAME_BYTES, MAX_PATH_BYTES } from './limits/workspace.ts'
import { DIRECTORY, FILES_ROOT, say } from './saying/saying.ts'

declare const brand: unique symbol

/**
 * A path inside a workspace: relative, `/`-separated, normalised, never leaving the root. The root itself is `''`.
 * Names are text; a byte that is not UTF-8 is carried as U+F700 + byte (see `pathFromBytes`), so that a file with any
 * name that a program made survives the way there and back.
 */
export type WorkspacePath = string & { readonly [brand]: 'WorkspacePath' }

/** Home of the sandbox user that commands run as. */
export const SANDBOX_HOME = '/home/user'

/** Directory of the workspace inside every sandbox. Absolute paths below it are taken as relative to the root. */
export const SANDBOX_ROOT = `${SANDBOX_HOME}/workspace`

export const ROOT = '' as WorkspacePath

/**
 * Makes a {@link WorkspacePath} of a caller's text; there is no other way to make one.
 * A leading `/` means the root, as does {@link SANDBOX_ROOT}; `.` and empty parts vanish; `..` may go up inside the root.
 * @throws FailureError `invalid_input`, saying what is wrong with the path
 */
export function workspacePath(given: string): WorkspacePath {
  if (given.includes('\0')) fail('invalid_input', 'the path has a NUL character; remove it')
  if (!given.isWellFormed()) fail('invalid_input', 'the path is not valid Unicode; it has half a character')
  const below =
    given === SANDBOX_ROOT || given.startsWith(`${SANDBOX_ROOT}/`) ? given.slice(SANDBOX_ROOT.length) : given
  const parts: string[] = []
  for (const part of below.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (parts.pop() === undefined) {
        fail(
          'invalid_input',
          say`the path ${shown(given)} leaves the ${DIRECTORY}; give one relative to the ${FILES_ROOT}`,
        )
      }
      continue
    }
    if (isLonger(part, MAX_NAME_BYTES)) {
      fail('invalid_input', `a name in the path is longer than ${MAX_NAME_BYTES} bytes; shorten it`)
    }
    parts.push(part)
  }
  const path = parts.join('/')
  if (isLonger(path, MAX_PATH_BYTES)) {
    fail('invalid_input', `the path is longer than ${MAX_PATH_BYTES} bytes; shorten it`)
  }
  return path as WorkspacePath
}

/** Whether a path has more than that many bytes. No UTF-16 unit is more than three bytes, so most paths need not be encoded. */
const isLonger = (path: string, bytes: number) => path.length * 3 > bytes && pathToBytes(path).length > bytes

/** `a/b` + `c/d` → `a/b/c/d`, under the same rules as {@link workspacePath}: `below` may not climb out of the root. */
export const joinPath = (base: WorkspacePath, below: string) => workspacePath(`${base}/${below}`)

/** The path as programs in a sandbox, and the Tool Server's clients, see it. */
export const absolutePath = (path: WorkspacePath) => (path === ROOT ? SANDBOX_ROOT : `${SANDBOX_ROOT}/${path}`)

/** The last name of a path; `''` for the root. */
export const baseName = (path: WorkspacePath) => path.slice(path.lastIndexOf('/') + 1)

/** The directory a path lies in; the root for a top-level name and for the root itself. */
export const parentPath = (path: WorkspacePath) => path.slice(0, Math.max(0, path.lastIndexOf('/'))) as WorkspacePath

/** `a/b/c` → `a`, `a/b`: every directory that must exist for the path to exist. */
export function ancestors(path: WorkspacePath): WorkspacePath[] {
  const found: WorkspacePath[] = []
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    found.push(path.slice(0, at) as WorkspacePath)
  return found
}

/** Whether a path is `dir` itself or below it. The root holds everything. */
export const isWithin = (path: WorkspacePath, dir: WorkspacePath) =>
  dir === ROOT || path === dir || path.startsWith(`${dir}/`)

/** The rest of a path below a directory that it lies in. */
export const pathBelow = (path: WorkspacePath, dir: WorkspacePath) => (dir === ROOT ? path : path.slice(dir.length + 1))

/**
 * A path as a sandbox has it (bytes) in the form in which we keep it (text). Lossless: bytes that are not UTF-8, and the few
 * private-use characters that stand for such bytes, are escaped one by one; {@link pathToBytes} reverses it.
 */
export function pathFromBytes(bytes: Uint8Array): string {
  const text = lossyDecoder.decode(bytes)
  if (!/[\ufffd\uf780-\uf7ff]/.test(text)) return text
  let out = ''
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] ?? 0)
    const char = strictDecode(bytes.subarray(at, at + length))
    if (char !== null && !/[\uf780-\uf7ff]/.test(char)) {
      out += char
      at += length
    } else {
      out += String.fromCharCode(0xf700 + (bytes[at] ?? 0))
      at += 1
    }
  }
  return out
}

/** The bytes that name a path in a sandbox. */
export function pathToBytes(path: string): Uint8Array {
  if (!/[\uf780-\uf7ff]/.test(path)) return encoder.encode(path)
  const bytes: number[] = []
  for (const char of path) {
    const code = char.charCodeAt(0)
    if (code >= 0xf780 && code <= 0xf7ff) bytes.push(code - 0xf700)
    else bytes.push(...encoder.encode(char))
  }
  return Uint8Array.from(bytes)
}

const lossyDecoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const sequenceLength = (lead: number) => (lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1)

function strictDecode(bytes: Uint8Array): string | null {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    return null
  }
}

const shown = (path: string) => JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path)

const encoder = new TextEncoder()
