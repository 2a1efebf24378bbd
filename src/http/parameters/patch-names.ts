/** Paths that the headers of a patch name, as they stand there. */
export function patchNames(patch: string): string[] {
  const names: string[] = []
  for (const [, path = ''] of patch.matchAll(HEADER)) {
    const name = path.trimEnd()
    if (name !== '/dev/null' && names.length < MAX_NAMES) names.push(name)
  }
  return names
}

/** Lines that name a file; the time behind the name does not count. */
const HEADER = /^(?:--- |\+\+\+ |rename (?:from|to) |\*\*\* (?:Add|Update|Delete) File: )"?([^\t\r\n"]+)/gm
/** Number of names that are compared. */
const MAX_NAMES = 200
