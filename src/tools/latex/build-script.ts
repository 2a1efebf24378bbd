import { MAX_TEX_FILE_MIB, MAX_TEX_LOG_BYTES } from '../../core/limits/documents.ts'
import { absolutePath, baseName, parentPath, type WorkspacePath } from '../../core/workspace-path.ts'
import { bashCall, bashProgram } from '../../guest/bash-program.ts'
import BUILD_DOCUMENT from '../../guest/tools/build_document.sh' with { type: 'text' }
import CONFINE from '../../guest/tools/confine.py' with { type: 'text' }

export const ENGINES = ['pdflatex', 'xelatex', 'lualatex'] as const
export type Engine = (typeof ENGINES)[number]

const MODES: Readonly<Record<Engine, string>> = { pdflatex: '-pdf', xelatex: '-pdfxe', lualatex: '-pdflua' }

/** Beginnings of the script's standard output; the log's warnings follow `MADE`. */
export const SAYS = {
  missing: 'toolyard: missing',
  made: 'toolyard: made',
  failed: 'toolyard: failed',
  timedOut: 'toolyard: timed out',
} as const

/** Separator between the logs of the programs, in the file that is kept. */
export const LOG_PART = '=====toolyard====='

export interface Build {
  readonly main: WorkspacePath
  readonly out: WorkspacePath
  /** Name of the PDF without its extension; empty for that of the main file. */
  readonly pdfName: string
  readonly engine: Engine
  readonly cleanAux: boolean
  readonly seconds: number
  /** Path for the whole log of a failed build. */
  readonly log: WorkspacePath
}

/** Bash script that makes the PDF: `src/guest/tools/build_document.sh`. */
export function buildScript({ main, out, pdfName, engine, cleanAux, seconds, log }: Build): string {
  const places = { main: baseName(main), out: absolutePath(out), log: absolutePath(log) }
  const limits = [MAX_TEX_FILE_MIB * 1024, MAX_TEX_LOG_BYTES]
  const choices = [engine, MODES[engine], String(cleanAux), seconds]
  const rest = [places.log, ...limits, LOG_PART, CONFINE, pdfName]
  const call = bashCall('build_document', places.main, places.out, ...choices, ...rest)
  return `${bashProgram(BUILD_DOCUMENT)}\n${call}`
}

/** Directory to run the build in. */
export const buildDirectory = ({ main }: Pick<Build, 'main'>) => parentPath(main)
