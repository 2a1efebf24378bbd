import iconv from 'iconv-lite'

const HEAD_BYTES = 4_096

/** A page's text: its encoding by its mark, its header, its own `<meta>`, else UTF-8 when it is that, else Western. */
export function decodePage(body: Uint8Array, contentType: string): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const marked = markOf(body)
  const named = marked ?? known(/charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1]) ?? known(declaredIn(bytes))
  if (named) return iconv.decode(bytes, named)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body)
  } catch {
    return iconv.decode(bytes, 'windows-1252') // every byte is a character in it
  }
}

function markOf(body: Uint8Array): string | null {
  const [a, b, c] = body
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf8'
  if (a === 0xfe && b === 0xff) return 'utf16be'
  return a === 0xff && b === 0xfe ? 'utf16le' : null
}

/** `<meta charset="gbk">`, `<meta http-equiv=… content="text/html; charset=gbk">` or `<?xml encoding="gbk"?>`. */
function declaredIn(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, HEAD_BYTES).toString('latin1')
  const name =
    /<meta[^>]{0,300}?charset\s*=\s*["']?([\w:.-]+)/i.exec(head)?.[1] ??
    /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1]
  // What could be read as ASCII to find this is not UTF-16, whatever it says.
  return name && /^utf-?16/i.test(name) ? 'utf8' : name
}

/** @returns iconv's name; as browsers do, the larger encodings in the place of those that they hold */
function known(name: string | undefined): string | null {
  const key = name?.toLowerCase().replace(/[^a-z0-9]/g, '') ?? ''
  if (/^(?:gb2312|gbk|xgbk|gb18030)$/.test(key)) return 'gb18030'
  if (/^(?:iso88591|latin1|usascii|ascii)$/.test(key)) return 'windows-1252'
  if (key === '' || key === 'base64' || key === 'hex') return null
  return iconv.encodingExists(key) ? key : null
}
