import type { ValueConversion } from './conversion.ts'

/** A web address without its scheme, as browsers take it: `example.com/page`. What looks like a path stays as it is. */
export const withScheme =
  (argument: string): ValueConversion =>
  (value, args, note) => {
    if (typeof value !== 'string' || !isBareAddress(value.trim())) return null
    const url = `https://${value.trim()}`
    note(`${argument} was taken as ${url.slice(0, MAX_SHOWN_CHARS).toWellFormed()}`)
    return { ...args, [argument]: url }
  }

/** Whether a text begins with the name of a host. */
function isBareAddress(text: string): boolean {
  const [host = ''] = text.slice(0, MAX_HOST_CHARS).split(/[/?#:]/, 1)
  const [, last = ''] = /^(?:[a-z0-9-]+\.)+([a-z]{2,24})$/i.exec(host) ?? []
  return (
    last !== '' && !text.includes('://') && (host.startsWith('www.') || !FILE_SUFFIXES.has(`.${last.toLowerCase()}`))
  )
}

/** Suffixes of files that are no top-level domains to a reader: `notes.md` and `main.py` are files. */
const FILE_SUFFIXES: ReadonlySet<string> = new Set(
  (
    '.bz2 .c .cpp .css .csv .doc .docx .epub .gif .go .gz .h .htm .html .ipynb .java .jpeg .jpg .js .json .jsonl .log .md .odp .ods .odt ' +
    '.parquet .pdf .php .pl .png .ppt .pptx .ps .py .rb .rs .rtf .sh .sql .svg .tar .tex .tgz .toml .ts .tsv .txt .webp .xls .xlsx .xml .yaml .yml .zip'
  ).split(' '),
)

/** Length of a host's name by RFC 1035. */
const MAX_HOST_CHARS = 254
const MAX_SHOWN_CHARS = 120
