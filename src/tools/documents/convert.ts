import { fail } from '../../core/failure.ts'
import { CONVERT_DOCUMENT_MS } from '../../core/limits/documents.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { ROOT, type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import { broken } from '../../documents/broken.ts'
import type { Runner } from '../../ports/runner.ts'
import type { Turn } from '../../ports/turn.ts'
import type { Workspace } from '../../ports/workspace.ts'

/** Conversion of a kind of document, by a program in the sandbox, into one that can be read here. */
interface Conversion {
  /** Kind that LibreOffice converts the document to. */
  readonly to: '.docx' | '.pptx' | '.xlsx'
  /** Debian's package with the part of LibreOffice that reads the document. */
  readonly package: string
  /** Pandoc's name of the format, where pandoc reads it too. */
  readonly pandoc?: string
}

const writer = { to: '.docx', package: 'libreoffice-writer-nogui' } as const
const impress = { to: '.pptx', package: 'libreoffice-impress-nogui' } as const
const calc = { to: '.xlsx', package: 'libreoffice-calc-nogui' } as const

const CONVERSIONS: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  ['.doc', writer],
  ['.dot', writer],
  ['.rtf', { ...writer, pandoc: 'rtf' }],
  ['.odt', { ...writer, pandoc: 'odt' }],
  ['.ppt', impress],
  ['.pps', impress],
  ['.odp', impress],
  ['.ods', calc],
])

export const CONVERTED_EXTENSIONS: readonly string[] = [...CONVERSIONS.keys()]

/**
 * Conversion of files with this extension; null where none is needed.
 * @param extension in lower case, with its point
 */
export const conversionOf = (extension: string): Conversion | null => CONVERSIONS.get(extension) ?? null

export interface Converted {
  readonly bytes: Uint8Array
  /** Extension of the converted document. */
  readonly extension: string
}

/** Line printed when no program reads the file. */
const NOBODY = 'toolyard: no program'

/**
 * Converts a document by LibreOffice, or by pandoc where there is no LibreOffice, to a kind that is read here.
 * @throws FailureError `upstream` naming the package to install, `timeout`, `invalid_input` for a document that cannot be
 * converted
 */
export async function convertInSandbox(
  path: WorkspacePath,
  conversion: Conversion,
  { runner, turn, workspace }: { readonly runner: Runner; readonly turn: Turn; readonly workspace: Workspace },
): Promise<Converted> {
  const out = workspacePath(`.parse_document-${crypto.randomUUID()}`)
  try {
    const result = await runner.run({
      script: script(path, out, conversion),
      cwd: ROOT,
      timeoutMs: CONVERT_DOCUMENT_MS,
      label: 'parse_document',
    })
    if (result.stdout.text.includes(NOBODY)) fail('upstream', missing(conversion))
    if (result.timedOut) {
      fail(
        'timeout',
        `converting it took more than ${CONVERT_DOCUMENT_MS / 1000} seconds; split it, or save it as ${conversion.to}`,
      )
    }
    // An exit code says little: LibreOffice also ends with 0 for a file that it could not load.
    const made = workspace.stat(out) && workspace.list(out, { limit: 2 }).entries.find(({ kind }) => kind === 'file')
    const bytes = made ? await workspace.read(made.path) : null
    if (!made || !bytes)
      return broken(`it could not be converted: it is damaged or protected; save it as ${conversion.to}`)
    return { bytes, extension: made.path.slice(made.path.lastIndexOf('.')).toLowerCase() }
  } finally {
    await turn(async () => {
      if (workspace.stat(out)) await workspace.commit([{ op: 'remove', path: out }])
    })
  }
}

/**
 * Script of a conversion. Two LibreOffices on one profile disturb each other, so each run has a profile of its own, removed
 * with it.
 */
function script(path: WorkspacePath, out: WorkspacePath, { to, pandoc }: Conversion): string {
  const file = shellQuote(`./${path}`)
  const byPandoc = pandoc
    ? `elif command -v pandoc >/dev/null; then
  pandoc -f ${pandoc} -t gfm --wrap=none -o ${out}/converted.md ${file} >&2
`
    : ''
  return `mkdir -p ${out} || exit
if command -v soffice >/dev/null; then
  profile=$(mktemp -d) && trap 'rm -rf "$profile"' EXIT || exit
  soffice "-env:UserInstallation=file://$profile" --headless --norestore --nolockcheck --nodefault \\
    --nofirststartwizard --convert-to ${to.slice(1)} --outdir ${out} ${file} >&2
${byPandoc}else
  echo '${NOBODY}'
fi`
}

function missing({ package: name, pandoc, to }: Conversion): string {
  const install = `apt-get install -y --no-install-recommends ${name}`
  const or = pandoc ? ' or pandoc' : ''
  return `the sandbox has no LibreOffice${or} to read it; install the Debian package ${name}${or} where sandboxes run (${install}), or save it as ${to}`
}
