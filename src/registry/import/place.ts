/** Path of names and numbers from the whole of a file to a value in it. */
export type Path = readonly (string | number)[]

/** Line and column in a file, from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A mistake in a file, and advice. */
export interface FileProblem extends Partial<Place> {
  /** Path as text, e.g. `tools[2].timeout`; empty for the whole file. */
  readonly path: string
  readonly message: string
}

/** Place of the value at a path, or of the nearest around it; null when that is not known. */
export type Locate = (path: Path) => Place | null

/** A parsed file, not yet validated. */
export interface ReadFile {
  readonly value: unknown
  readonly locate: Locate
}

const pathText = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? step : `${text}.${step}`
  }, '')

export const problemAt = (locate: Locate, path: Path, message: string): FileProblem => ({
  ...locate(path),
  path: pathText(path),
  message,
})
