import LOADER from './loader.py' with { type: 'text' }

interface PythonProgram {
  /**
   * Sources by name, which is the path below this folder with dots. A module stands behind its imports; the last one is the
   * program.
   */
  readonly modules: Readonly<Record<string, string>>
  /** Limits and places, which the modules import from `settings`. */
  readonly settings: Readonly<Record<string, unknown>>
}

/**
 * Text of several modules of Python, for a sandbox in which none of them is a file. Sources stay as they are: they and the
 * settings are one JSON document, which `loader.py` reads.
 */
export const pythonProgram = ({ modules, settings }: PythonProgram): string =>
  `${LOADER}\n\nrun_program(${pythonString(JSON.stringify({ settings, modules }))})\n`

/** A string of JSON is one of Python, too. */
const pythonString = (text: string): string => JSON.stringify(text)
