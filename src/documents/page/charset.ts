import iconv from 'iconv-lite'
import { detectEncoding } from '../encoding.ts'

const HEAD_BYTES = 4_096

/**
 * Decodes a page: by its mark, its header, its own `<meta>`, whichever fits first, else as UTF-8 when it is that, else by
 * the likeliest encoding.
 */
export function decodePage(body: Uint8Array, contentType: string): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const marked = markOf(body)
  if (marked) return iconv.decode(bytes, marked)
  for (const name of [
    known(/charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1]),
    known(declaredIn(bytes)),
    'utf8',
  ]) {
    const text = name && iconv.decode(bytes, name)
    if (text && damageOf(text) < MOST_DAMAGE) return text
  }
  return iconv.decode(bytes, guessed(body))
}

/** Greatest share of broken characters, among those that are not ASCII, in a page of its declared encoding. */
const MOST_DAMAGE = 0.2

function damageOf(text: string): number {
  let broken = 0
  let others = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) broken++
    if (code >= 0x80) others++
  }
  return broken / Math.max(1, others)
}

/** Western is what browsers take for it when nothing else is likelier; every byte is a character in it. */
function guessed(body: Uint8Array): string {
  const codec = detectEncoding(body)?.codec ?? 'latin1'
  return codec === 'latin1' ? 'windows-1252' : codec
}

function markOf(body: Uint8Array): string | null {
  const [a, b, c] = body
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf8'
  if (a === 0xfe && b === 0xff) return 'utf16be'
  if (a === 0xff && b === 0xfe) return 'utf16le'
  // No markup begins with another character than `<` or a space, and none holds NUL.
  if (a === 0 && (b === 0x3c || b === 0x20)) return 'utf16be'
  return (a === 0x3c || a === 0x20) && b === 0 ? 'utf16le' : null
}

/** `<meta charset="gbk">`, `<meta http-equiv=… content="text/html; charset=gbk">` or `<?xml encoding="gbk"?>`. */
function declaredIn(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, HEAD_BYTES).toString('latin1')
  const name =
    /<meta[^>]{0,300}?charset\s*=\s*["']?([\w:.-]+)/i.exec(head)?.[1] ??
    /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1]
  // A declaration that could be read as ASCII is not in UTF-16, whatever it says.
  return name && /^utf-?16/i.test(name) ? 'utf8' : name
}

/** Encoding of a name. @returns iconv's name; as in browsers, the larger encoding in the place of one that it includes */
function known(name: string | undefined): string | null {
  const key = name?.toLowerCase().replace(/[^a-z0-9]/g, '') ?? ''
  if (/^(?:gb2312|gbk|xgbk|gb18030)$/.test(key)) return 'gb18030'
  if (/^(?:iso88591|latin1|usascii|ascii)$/.test(key)) return 'windows-1252'
  if (key === '' || key === 'base64' || key === 'hex') return null
  return iconv.encodingExists(key) ? key : null
}
