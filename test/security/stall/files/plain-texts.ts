import { randomOf } from '../../../support/random.ts'
import { type HostileFile, ofTexts, utf8 } from '../hostile-file.ts'

const CSV: Readonly<Record<string, () => string>> = {
  'one wide row after very many short ones': () => `${'a\n'.repeat(490_000)}${','.repeat(2_000)}`,
  'one wide row before very many short ones': () => `${','.repeat(2_000)}\n${'a\n'.repeat(490_000)}`,
  'more cells than a table may have': () => ','.repeat(5_000_000),
  'one row of very many cells': () => ','.repeat(999_000),
  quotes: () => '"'.repeat(5_000_000),
  'quotes that open in each cell': () => '",'.repeat(2_000_000),
  'quotes that end in the middle': () => '"a"b,'.repeat(400_000),
  'breaks of lines within quotes': () => `"${'\n'.repeat(4_000_000)}"`,
  'breaks of lines': () => '\r\n'.repeat(2_000_000),
  bars: () => '|'.repeat(999_000),
}

const MARKDOWN: Readonly<Record<string, () => string>> = {
  spaces: () => ' '.repeat(5_000_000),
  backticks: () => '`'.repeat(5_000_000),
  'headings of signs': () => `${'#'.repeat(100_000)}\n`.repeat(40),
  'headings with spaces at their ends': () => `# a${' \t'.repeat(500_000)}b\n`.repeat(3),
  'headings of spaces and signs': () => `# ${' #'.repeat(1_000_000)}x`,
  'rules of every kind': () => '=-_*~'.repeat(900_000),
  'beginnings of links': () => '[]('.repeat(1_000_000),
  'beginnings of images': () => '!['.repeat(1_500_000),
  'headings in sections': () => Array.from({ length: 200_000 }, (_, at) => `${'#'.repeat(1 + (at % 6))} a`).join('\n'),
  'marks of pages': () => '<!-- page 1 -->\n'.repeat(200_000),
}

const cell = (source: string) => ({
  cell_type: 'code',
  source: [source],
  outputs: [{ output_type: 'stream', text: source }],
})
const NOTEBOOKS: Readonly<Record<string, () => string>> = {
  brackets: () => '['.repeat(5_000_000),
  'objects within each other': () => `{"cells":${'[{"a":'.repeat(800_000)}`,
  'cells within metadata': () => `{"cells":[],"metadata":${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}}`,
  'very many cells': () => JSON.stringify({ cells: Array.from({ length: 40_000 }, () => cell('x')) }),
  backticks: () => JSON.stringify({ cells: [cell('`'.repeat(2_000_000))] }),
  colours: () => JSON.stringify({ cells: [cell('\u001b[0;1m'.repeat(300_000)), cell('\u001b['.repeat(500_000))] }),
  'colours that do not end': () => JSON.stringify({ cells: [cell(`\u001b[${'1;'.repeat(1_000_000)}`)] }),
  'very many lines': () => JSON.stringify({ cells: [{ cell_type: 'code', source: Array(400_000).fill('x\n') }] }),
}

const ROBOTS: Readonly<Record<string, () => string>> = {
  'a rule with three thousand spaces and a sign that ends no line': () =>
    `user-agent: *\ndisallow:${' '.repeat(3_000)}#\u2028x`,
  'a rule of spaces': () => `user-agent: *\ndisallow:${' '.repeat(500_000)}x`,
  'very many programs before very many rules': () =>
    `${Array.from({ length: 15_000 }, (_, at) => `user-agent: a${at}`).join('\n')}\n${'allow: /\n'.repeat(30_000)}`,
  'very many rules of many stars': () =>
    `user-agent: *\n${Array.from({ length: 12_000 }, (_, at) => `allow: /${'*a'.repeat(15)}b${at}`).join('\n')}`,
  colons: () => ':'.repeat(500_000),
  'names without end': () => 'a-'.repeat(250_000),
}

/** Bytes above ASCII that no encoding explains: each that is known may be tried. */
function noise(): Uint8Array {
  const random = randomOf(11)
  return Uint8Array.from({ length: 2_000_000 }, () => 128 + Math.floor(random() * 128))
}

export const plainTexts: readonly HostileFile[] = [
  ...ofTexts('csv', CSV),
  ...ofTexts('md', MARKDOWN),
  ...ofTexts('ipynb', NOTEBOOKS),
  ...ofTexts('robots', ROBOTS),
  { name: 'bytes of no encoding', format: 'md', bytes: noise },
  { name: 'bytes of no encoding', format: 'csv', bytes: noise },
  { name: 'bytes of no encoding', format: 'html', bytes: noise },
  { name: 'bytes of no encoding', format: 'page', bytes: noise },
  { name: 'a mark of UTF-16 before half a character', format: 'md', bytes: () => Uint8Array.of(0xff, 0xfe, 0xd8) },
  { name: 'nothing', format: 'md', bytes: () => utf8('') },
]
