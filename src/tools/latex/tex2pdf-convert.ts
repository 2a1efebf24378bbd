import * as z from 'zod'
import { FailureError, fail } from '../../core/failure.ts'
import { MAX_TEX2PDF_SECONDS, TEX2PDF_SECONDS } from '../../core/limits/documents.ts'
import { MAX_REASON_CHARS, SANDBOX_BOOT_MS } from '../../core/limits/sandbox.ts'
import { field, say, tool } from '../../core/saying/saying.ts'
import { baseName, joinPath, parentPath, ROOT, type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import type { Workspace } from '../../ports/workspace.ts'
import { flag, optional, requiredText, seconds, withDefault } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { commandNotices } from '../command-result.ts'
import { defineTool } from '../define.ts'
import { buildDirectory, buildScript, ENGINES, type Engine, SAYS } from './build-script.ts'
import { hintFor } from './hints.ts'
import { type LogError, logErrors } from './log-errors.ts'
import { buildWarnings } from './log-warnings.ts'
import { findMainFile } from './main-file.ts'
import { refuseOther } from './other-markup.ts'

/**
 * Makes a PDF of LaTeX. Source: Tool Server, tools/tex2pdf_tools, Tex2PdfTool; unlike there, latexmk runs as often as is
 * needed, `engine` is one of three and no other program, and a failure says what and where.
 */
export const tex2pdfConvert = defineTool({
  name: 'tex2pdf_convert',
  description:
    'Compile a directory of LaTeX sources (no Markdown) to PDF in the sandbox: references, bibliography (BibTeX or biber) ' +
    'and index included. Returns the path of the PDF and warnings; when it fails, the errors with file and line. Chinese ' +
    'needs engine "xelatex" and \\documentclass{ctexart}.',
  effect: 'run',
  uses: ['locks', 'runner', 'turn', 'workspace'],
  input: z.object({
    input_path: requiredText.describe('Directory with the .tex files, relative to the task root, e.g. "upload/tex"'),
    output_path: optional(z.string()).describe(
      'Directory for the PDF, made if absent, or its path ("out/paper.pdf"), relative to the task root. Default: input_path',
    ),
    engine: withDefault(z.string(), 'pdflatex').describe('"pdflatex" (default), "xelatex" or "lualatex"'),
    clean_aux: withDefault(flag, true).describe('Leave no .aux, .log, .toc … behind. Default true'),
    tex_filename: optional(z.string()).describe(
      'Main file, relative to input_path. Default: main.tex, else the first with \\documentclass',
    ),
    timeout: withDefault(seconds, TEX2PDF_SECONDS).describe(
      `Seconds until it is stopped. Default ${TEX2PDF_SECONDS}, at most ${MAX_TEX2PDF_SECONDS}`,
    ),
  }),

  async run({ input_path, output_path, engine, clean_aux, tex_filename, timeout }, { ports }) {
    const { locks, workspace, runner, turn } = ports
    const { engine: chosen, notes: ofEngine } = engineNamed(engine)
    const plan = await turn(async () => {
      const directory = inputDirectory(workspace, input_path)
      const place = output_path ? outputPlace(workspace, output_path) : { out: directory, pdfName: '' }
      return { ...place, ...(await findMainFile(workspace, directory, tex_filename)) }
    })
    const name = baseName(plan.path).replace(/\.tex$/i, '')
    locks.requireFree(joinPath(plan.out, `${plan.pdfName || name}.pdf`))
    const build = {
      main: plan.path,
      out: plan.out,
      pdfName: plan.pdfName,
      engine: chosen,
      cleanAux: clean_aux,
      seconds: Math.min(timeout, MAX_TEX2PDF_SECONDS),
      log: workspacePath(`logs/tex2pdf_convert-${name}.log`),
    }
    const result = await runner.run({
      script: buildScript(build),
      cwd: buildDirectory(build),
      // The script ends TeX in time by itself, so that its log can be kept; this limit is for a script that hangs beyond
      // that.
      timeoutMs: build.seconds * 1000 + SANDBOX_BOOT_MS,
      label: 'tex2pdf_convert',
    })
    const [status = '', ...printed] = result.stdout.text.split('\n')
    if (status.startsWith(SAYS.missing)) fail('upstream', missingPrograms(status.slice(SAYS.missing.length).trim()))
    if (!status.startsWith(SAYS.made)) {
      throw await turn(() =>
        failure(workspace, { ...build, name, timedOut: status === SAYS.timedOut || result.timedOut }),
      )
    }

    const made = joinPath(plan.out, status.slice(SAYS.made.length).trim())
    const { pages, warnings } = buildWarnings(printed, chosen)
    const notes = [...ofEngine, ...(plan.note ? [plan.note] : [])]
    return {
      text: [`compiled ${plan.path} to ${made}${pages ? `, ${pages} pages` : ''}`, ...notes, ...warnings].join('\n'),
      data: {
        input_path,
        output_path: output_path || input_path,
        engine: chosen,
        pdf_files: [made],
        clean_aux,
        main_file: plan.path,
        pdf_file: made,
        ...(pages && { pages }),
        ...(warnings.length > 0 && { warnings }),
        ...commandNotices(result, notes),
      },
    }
  },
})

/** Engine by its name. latexmk, which runs each of them, stands for the default one. */
function engineNamed(given: string): { readonly engine: Engine; readonly notes: readonly string[] } {
  const name = given.trim().toLowerCase()
  if (name === 'latexmk') return { engine: 'pdflatex', notes: ['latexmk runs the engine, which is pdflatex here'] }
  const engine = ENGINES.find((one) => one === name || one.replace('latex', 'tex') === name)
  if (engine) return { engine, notes: [] }
  const shown = given.slice(0, 40)
  fail(
    'invalid_input',
    `LaTeX引擎 ${shown} 不可用: the LaTeX engine ${shown} is not available; engine is one of ${ENGINES.join(', ')}`,
  )
}

function inputDirectory(workspace: Workspace, given: string): WorkspacePath {
  const path = callerPath(workspace, given)
  const kind = path === ROOT ? 'directory' : workspace.stat(path)?.kind
  if (!kind) fail('not_found', say`Input path not found: ${given}; ${tool('dir_list')} shows what exists`)
  if (kind === 'directory') return path
  refuseOther(path)
  const directory = parentPath(path)
  return fail(
    'invalid_input',
    say`Input path must be a directory: ${given}; give ${directory ? `"${directory}"` : '"."'} and name the file by ${field('tex_filename')}`,
  )
}

/** Directory for the PDF, and its name where the path is that of a PDF. */
function outputPlace(workspace: Workspace, given: string): { readonly out: WorkspacePath; readonly pdfName: string } {
  const path = callerPath(workspace, given)
  const isPdf = /[^/]\.pdf$/i.test(path) && workspace.stat(path)?.kind !== 'directory'
  const out = isPdf ? parentPath(path) : path
  const kind = workspace.stat(out)?.kind
  if (kind && kind !== 'directory')
    fail('invalid_input', say`${field('output_path')} is not a directory: ${given}; give another`)
  return { out, pdfName: isPdf ? baseName(path).replace(/\.pdf$/i, '') : '' }
}

/** Debian's package of each program that may be missing. */
const PROGRAMS: Readonly<Record<string, string>> = {
  latexmk: 'latexmk',
  pdflatex: 'texlive-latex-base texlive-latex-recommended texlive-fonts-recommended',
  xelatex: 'texlive-xetex texlive-lang-chinese',
  lualatex: 'texlive-luatex',
}

function missingPrograms(names: string): string {
  const packages = names.split(' ').map((name) => PROGRAMS[name] ?? name)
  return `LaTeX to PDF conversion failed: the sandbox has no ${names.replaceAll(' ', ' and no ')}; install it where sandboxes run: apt-get install -y --no-install-recommends ${packages.join(' ')} (on your own machine: node scripts/setup.mjs --with latex)`
}

interface FailedBuild {
  readonly name: string
  readonly pdfName: string
  readonly main: WorkspacePath
  readonly out: WorkspacePath
  readonly engine: Engine
  readonly seconds: number
  readonly log: WorkspacePath
  readonly timedOut: boolean
}

async function failure(workspace: Workspace, build: FailedBuild): Promise<FailureError> {
  const { main, engine, log, timedOut } = build
  const text = workspace.stat(log) && new TextDecoder().decode((await workspace.read(log)) ?? new Uint8Array())
  const files = workspace.list(parentPath(main), { recursive: true, limit: 2_000 }).entries.map(({ path }) => path)
  const source = new TextDecoder().decode((await workspace.read(main)) ?? new Uint8Array())
  const errors = logErrors(text ?? '')
    .map((error) => (error.file === baseName(main) ? { ...error, line: namingLine(error, source) } : error))
    .map((error) => describeError(error, { engine, files, directory: parentPath(main) }))
  const earlier = workspace.stat(joinPath(build.out, `${build.pdfName || build.name}.pdf`))
    ? 'the earlier PDF is left as it was'
    : null
  const reason = timedOut
    ? `not finished after ${build.seconds} seconds, so it was ended: look for an endless loop in ${main}, or give a larger timeout`
    : errors.length === 0 && `${main} was not compiled, and the log does not say why`
  const lines = [
    ...[reason].filter(Boolean),
    ...errors.map(({ text: line }) => line),
    text === null ? null : `the whole log is in ${log}`,
    earlier,
  ].filter((line) => line !== null)
  const message = `LaTeX to PDF conversion failed: ${lines.join('\n')}`
  return new FailureError({
    code: timedOut ? 'timeout' : 'invalid_input',
    message: shorten(message),
    data: {
      main_file: main,
      engine,
      ...(errors.length > 0 && { errors: errors.map(({ text: _, ...error }) => error) }),
      ...(text !== null && { log_file: log }),
    },
  })
}

/**
 * Line that names the missing file or font. LaTeX looks one token ahead, mostly on the next line, before it finds that
 * there is none.
 */
function namingLine({ line = 0, message }: LogError, source: string): number {
  const [, name = ''] = /File [`']([^']+)' not found|font "([^"]+)"/.exec(message)?.filter(Boolean) ?? []
  const bare = name.replace(/\.\w+$/, '')
  if (bare === '') return line
  const lines = source.split('\n').slice(0, line)
  const naming = lines.findLastIndex((text) => text.includes(bare))
  return naming === -1 ? line : naming + 1
}

/** Error as a line that names a file of the task, as file_read takes it, and says what to do. */
function describeError(
  { file, line, message, context }: LogError,
  { engine, files, directory }: { engine: Engine; files: readonly string[]; directory: WorkspacePath },
) {
  const own = file && !file.startsWith('/') ? joinPath(directory, file) : file?.slice(file.lastIndexOf('/') + 1)
  const hint = hintFor(message, engine, files)
  const where = own ? `${own}:${line}: ` : line ? `line ${line}: ` : ''
  const text = `${where}${message}${context ? ` [${context}]` : ''}${hint ? ` → ${hint}` : ''}`
  return {
    text,
    ...(own && { file: own }),
    ...(line && { line }),
    message,
    ...(context && { context }),
    ...(hint && { hint }),
  }
}

const shorten = (text: string) =>
  text.length <= 2 * MAX_REASON_CHARS ? text : `${text.slice(0, MAX_REASON_CHARS)}\n…\n${text.slice(-MAX_REASON_CHARS)}`
