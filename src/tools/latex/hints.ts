import type { Engine } from './build-script.ts'
import { debianPackageOf } from './debian-packages.ts'

/**
 * Advice about an error, null when there is none.
 * @param files files of the task, to find a mistyped name
 */
export function hintFor(message: string, engine: Engine, files: readonly string[]): string | null {
  const [, missing] =
    /File [`'"]([^'"]+)['"] not found|^I can't find file [`']([^']+)'/.exec(message)?.filter(Boolean) ?? []
  if (missing !== undefined && !(CJK.test(missing) && engine !== 'xelatex')) return missingFile(missing, files)
  return HINTS.find(({ when, unless }) => when.test(message) && unless !== engine)?.hint ?? null
}

function missingFile(name: string, files: readonly string[]): string {
  const base = (path: string) => path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const similar = files.find((path) => base(path) === base(name) || base(path).replace(/\.\w+$/, '') === base(name))
  if (similar) return `the task has ${similar}; names are case-sensitive, and relative to the main file`
  if (name.startsWith('../') || name.startsWith('/')) return OUTSIDE
  if (!/\.(?:sty|cls|def|ldf|fd|bst|clo|cfg|code\.tex)$/.test(name))
    return 'there is no such file in input_path; upload it, or mend the name'
  const known = debianPackageOf(name)
  return known
    ? `it is in the Debian package ${known}: install that where sandboxes run, or do without it`
    : `the sandbox's TeX Live does not have it: put it beside the main file, or install the Debian package that has it (texlive-latex-extra, texlive-science, texlive-publishers or texlive-fonts-extra have most)`
}

const OUTSIDE =
  'a document reads and writes files of its own directory only: copy what it needs into input_path, or give the directory that holds all as input_path'

/** Packages for Chinese, which need an engine on which they do not work here. */
const CJK = /CJK|luatexja/

const HINTS: readonly { readonly when: RegExp; readonly hint: string; readonly unless?: Engine }[] = [
  {
    when: /ctex|fandol|CJK|luatexja|Unicode character .*\(U\+[2-9A-F][0-9A-F]{3,}\)/i,
    unless: 'xelatex',
    hint: 'for Chinese, Japanese and Korean give engine="xelatex" and use \\documentclass{ctexart}',
  },
  {
    when: /fontspec|XeTeX or LuaTeX|unicode-math/,
    unless: 'xelatex',
    hint: 'this document needs engine="xelatex" or "lualatex"',
  },
  { when: /Unicode character/, unless: 'xelatex', hint: 'give engine="xelatex", or write the character as a command' },
  {
    when: /font .*(?:cannot be found|not (?:found|loadable))|Metric \(TFM\) file/i,
    hint: 'the sandbox has no such font: use another (fc-list by execute_shell shows them), or put the font file beside the main file and load it by its file name',
  },
  { when: /^Undefined control sequence/, hint: 'define it, mend its name, or load the package that has it' },
  { when: /Not (?:reading|writing)|I can't write on file|openin_any|openout_any/, hint: OUTSIDE },
  {
    when: /Unknown graphics extension: \.eps|\.eps'? not found|cannot convert.*eps/i,
    hint: 'convert the EPS figure to PDF first',
  },
  {
    when: /Cannot determine size of graphic|No BoundingBox|libpng|reading image file|pdfTeX error.*\(file /i,
    hint: 'the image is damaged or of a kind that the engine does not read: use PNG, JPEG or PDF',
  },
  { when: /Environment (\S+) undefined/, hint: 'load the package that defines the environment, or mend its name' },
  { when: /Missing \$ inserted/, hint: 'put formulas between $ and $, and write _ and ^ in text as \\_ and \\^{}' },
  { when: /luaotfload/, hint: 'install the Debian package texlive-luatex where sandboxes run' },
  {
    when: /runsystem|shell.?escape|minted/i,
    hint: 'TeX runs no other programs here: use listings in place of minted, and ready-made figures',
  },
]
