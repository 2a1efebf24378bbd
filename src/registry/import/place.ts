/** Names and numbers that lead from the whole of a file to a value in it. */
export type Path = readonly (string | number)[]

/** Where in a file something stands, from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** What is wrong in a file, and what to do about it. */
export interface FileProblem extends Partial<Place> {
  /** E.g. `tools[2].timeout`; empty for the whole file. */
  readonly path: string
  readonly message: string
}

/** Where the value at a path stands, or the nearest around it; null when that is not known. */
export type Locate = (path: Path) => Place | null

/** A file that was read, not yet looked at. */
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
