import { gzipSync } from 'node:zlib'
import { tarEnd, tarHeader, tarPadding } from '../../../../src/core/tar.ts'
import { bomb } from '../../../support/bomb.ts'
import { docx, zip } from '../../../support/documents.ts'
import { type Format, type HostileFile, ofTexts, utf8 } from '../hostile-file.ts'

function tar(entries: readonly { readonly name: string; readonly text: string; readonly size?: number }[]): Uint8Array {
  const parts = entries.flatMap(({ name, text, size }) => {
    const content = utf8(text)
    const entry = { name: utf8(name), kind: 'file' as const, mode: 0o644, mtimeMs: 0, size: size ?? content.length }
    return [tarHeader(entry), content, tarPadding(content.length)]
  })
  return new Uint8Array(Buffer.concat([...parts, tarEnd()]))
}

const tex = (body: string) => `\\documentclass{a}\\begin{document}${body}\\end{document}`

const TAR: Readonly<Record<string, () => Uint8Array>> = {
  'very many empty files': () => tar(Array.from({ length: 9_000 }, (_, at) => ({ name: `f${at}.tex`, text: '' }))),
  'a size that is a lie': () => tar([{ name: 'ms.tex', text: 'x', size: 8 ** 11 - 1 }]),
  'names of megabytes': () => tar([{ name: 'x'.repeat(100), text: '' }]),
  'files that put each other in': () =>
    tar([
      { name: 'ms.tex', text: tex('\\input{f0}') },
      ...Array.from({ length: 30 }, (_, at) => ({
        name: `f${at}.tex`,
        text: `\\input{f${at + 1}}\\input{f${at + 1}}`,
      })),
    ]),
  zeros: () => new Uint8Array(5_000_000),
}

const GZIP: Readonly<Record<string, () => Uint8Array>> = {
  'a text of three hundred megabytes': () => bomb(Buffer.alloc(300_000_000, 'a')),
  'an archive of three hundred megabytes': () =>
    bomb(Buffer.concat([tar([{ name: 'a.bin', text: '', size: 300_000_000 }]), Buffer.alloc(300_000_000)])),
  'a thousand packed texts one after another': () =>
    new Uint8Array(Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync('\\section{a}')))),
  'packed again and again': () => {
    let bytes: Uint8Array = utf8(tex('x'))
    for (let times = 0; times < 500; times++) bytes = new Uint8Array(gzipSync(bytes))
    return bytes
  },
}
const TEX: Readonly<Record<string, () => string>> = {
  braces: () => tex('{'.repeat(3_000_000)),
  'ends of braces': () => tex('}'.repeat(3_000_000)),
  dollars: () => tex('$'.repeat(3_000_000)),
  'beginnings of environments': () => tex('\\begin{a}'.repeat(300_000)),
  'commands with spaces before their arguments': () => tex(`\\a${' '.repeat(3_000_000)}x`),
  accents: () => tex("\\'".repeat(1_000_000)),
  commas: () => tex(`\\cite{${' ,'.repeat(1_000_000)}}`),
  'spaces between authors': () => `\\author{${' '.repeat(2_000_000)}x}${tex('x')}`,
  'percent signs': () => tex('%'.repeat(3_000_000)),
  'cells of a table': () =>
    tex(`\\begin{tabular}{c}${'&'.repeat(500_000)}\\\\${'a\\\\'.repeat(200_000)}\\end{tabular}`),
  'commands before braces': () => tex('\\a[x]'.repeat(400_000)),
  'one command that doubles': () => `\\def\\a#1{#1#1}${tex(`${'\\a{'.repeat(45)}x${'}'.repeat(45)}`)}`,
  backslashes: () => tex('\\'.repeat(3_000_000)),
}

const entries = (count: number) =>
  zip({ ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, ''])) })

/** The method of a packed content, which small ones do not have. */
const DEFLATED = 8

/** The directory of a zip names one packed content for each of its files. */
function overlapping(): Uint8Array {
  const bytes = docx('x'.repeat(40_000_000)).slice()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const places: number[] = []
  let largest = { packed: 0, offset: 0 }
  for (let at = 0; at < bytes.length - 46; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue
    places.push(at)
    const packed = view.getUint32(at + 20, true)
    if (packed > largest.packed) largest = { packed, offset: view.getUint32(at + 42, true) }
  }
  for (const at of places) {
    if (String.fromCharCode(...bytes.subarray(at + 46, at + 50)) !== 'word') continue
    view.setUint16(at + 10, DEFLATED, true)
    view.setUint32(at + 20, largest.packed, true)
    view.setUint32(at + 42, largest.offset, true)
  }
  return bytes
}

const ZIP: Readonly<Record<string, () => Uint8Array>> = {
  'files that share one packed content': overlapping,
  'twenty thousand files': () => entries(19_999),
  'an end without a beginning': () => new Uint8Array(Buffer.from(`${'PK\u0005\u0006'.repeat(500_000)}`, 'latin1')),
}

const filesOf = (format: Format, files: Readonly<Record<string, () => Uint8Array>>): HostileFile[] =>
  Object.entries(files).map(([name, bytes]) => ({ name, format, bytes }))

export const archives: readonly HostileFile[] = [
  ...filesOf('tar', TAR),
  ...filesOf('gz', GZIP),
  ...filesOf('docx', ZIP),
  ...filesOf('epub', ZIP),
  ...ofTexts('tex', TEX),
]
