/**
 * Writes src/documents/pdf/cmaps.json out of the character maps of pdfjs-dist, of the version that unpdf contains:
 * `npm pack pdfjs-dist@<version>`, unpack it, `node scripts/pack-cmaps.mjs package/cmaps`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Maps from UTF-8 and UTF-32, and to characters of single vendors' machines: PDF files hardly name them. */
const LEFT_OUT = /UTF8|UTF32|UniJISX0213|UniJIS2004|^(?:78|Add|Ext|NWP|Hankaku|Hiragana|Katakana|Roman|WP|HK)/

const [directory] = process.argv.slice(2)
if (!directory) {
  console.error('usage: node scripts/pack-cmaps.mjs DIRECTORY')
  process.exit(1)
}
const names = readdirSync(directory)
  .filter((name) => name.endsWith('.bcmap') && !LEFT_OUT.test(name))
  .sort()
const maps = names.map((name) => [name.replace('.bcmap', ''), readFileSync(join(directory, name)).toString('base64')])
const licence = readFileSync(join(directory, 'LICENSE'), 'utf8')
  .replaceAll('%', '')
  .trim()
  .split('\n')
  .map((line) => line.trim().replace(/^Copyright: ?/, ''))
const about = "Adobe's character maps, in the compact form of pdf.js, as base64; written by scripts/pack-cmaps.mjs"
const content = { about, licence, maps: Object.fromEntries(maps) }
writeFileSync('src/documents/pdf/cmaps.json', `${JSON.stringify(content, null, 2)}\n`)
