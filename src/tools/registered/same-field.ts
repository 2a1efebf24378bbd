/**
 * Finder of names that a service may take a field for. Go's readers of JSON and ASP.NET ignore capitals; PHP makes `_` of
 * dots and spaces, and reads `a[b]` as a part of `a`, in whose place it comes.
 * @returns for a field the one of `names`; undefined when there is none
 */
export function sameAsOneOf(names: readonly string[]): (field: string) => string | undefined {
  const known = new Map(names.map((name) => [asRead(name), name]))
  const brackets = [...known.keys()].reduce((most, name) => Math.max(most, name.split('[').length), 0)
  return (field) => {
    const read = asRead(field)
    const parts = known.size === 0 ? [] : read.split('[', brackets + 1)
    const beginnings = parts.map((_, at) => parts.slice(0, at + 1).join('['))
    return [read, ...beginnings].map((name) => known.get(name)).find((name) => name !== undefined)
  }
}

const asRead = (name: string) => name.trim().toLowerCase().replace(/[. ]/g, '_')
