/**
 * Says why an id may not be registered: a tool of the server has it, however it is written. A registered `File_Read` would be
 * taken for `file_read`.
 * @param taken names of the server's tools in lower case
 */
export function refusesTaken(taken: ReadonlySet<string>): (id: string) => string | null {
  return (id) => (taken.has(id.toLowerCase()) ? 'is the name of a tool of this server; choose another id' : null)
}
