import { percentDecoded } from '../../core/percent-decoded.ts'

/** Longest name of a file: of three bytes each at most, so many characters stay below the 255 bytes of a file system. */
const MAX_NAME_CHARS = 80

/** Name for a file, from its server's header, else from its URL. One part of a path, safe on every system. */
export function fileNameOf(headers: Headers, url: string): string {
  return safeName(nameInHeader(headers.get('content-disposition') ?? '')) || nameInUrl(url) || 'download'
}

/** Last part of a URL's path; empty when there is none. */
function nameInUrl(url: string): string {
  return safeName(percentDecoded(new URL(url).pathname.split('/').at(-1) ?? ''))
}

/** Name in a header, by RFC 6266: `filename*=UTF-8''na%C3%AFve.txt` wins over `filename="naive.txt"`. */
function nameInHeader(disposition: string): string {
  const extended = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  if (extended !== undefined) return percentDecoded(extended)
  const [, quoted, plain] = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? []
  return (quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '').trim()
}

/**
 * Characters to remove: control characters, and those that turn the direction of reading, which let a name end otherwise
 * than it seems to.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069<>:"|?*]/g

function safeName(name: string): string {
  const last = (name.split(/[/\\]/).at(-1) ?? '').slice(-1_000)
  const clean = last.replace(UNSAFE, '_').replace(/^[.\s-]+|[.\s]+$/g, '')
  return clean.length <= MAX_NAME_CHARS ? clean : shorten(clean)
}

/** Shortens a name in the middle: its end tells what kind of file it is. */
function shorten(name: string): string {
  const end = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  return `${name.slice(0, MAX_NAME_CHARS - end.length)}${end}`.toWellFormed()
}
