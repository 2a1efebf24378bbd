import { fail } from '../../core/failure.ts'
import { CONVERT_DOCUMENT_MS } from '../../core/limits/documents.ts'
import { shellQuote } from '../../core/shell-quote.ts'
import { ROOT, type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import { broken } from '../../documents/broken.ts'
import type { Runner } from '../../ports/runner.ts'
import type { Turn } from '../../ports/turn.ts'
import type { Workspace } from '../../ports/workspace.ts'

/** A kind of document that is read after a program in the sandbox made another one of it. */
interface Conversion {
  /** What LibreOffice makes of it. */
  readonly to: '.docx' | '.pptx' | '.xlsx'
  /** Debian's package with the part of LibreOffice that reads it. */
  readonly package: string
  /** The name that pandoc has for it, where pandoc reads it too. */
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

/** @param extension in lower case, with its point */
export const conversionOf = (extension: string): Conversion | null => CONVERSIONS.get(extension) ?? null

export interface Converted {
  readonly bytes: Uint8Array
  /** Of what was made. */
  readonly extension: string
}

/** Printed when there is no program that reads the file. */
const NOBODY = 'toolyard: no program'

/**
 * Has LibreOffice, or pandoc where there is no LibreOffice, make a document of a kind that is read here.
 * @throws FailureError `upstream` naming the package to install, `timeout`, `invalid_input` for what cannot be converted
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
    // An exit code says little: LibreOffice ends with 0 for a file that it could not load too.
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

/** Two of LibreOffice on one profile disturb each other, so each has its own, which goes with it. */
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
