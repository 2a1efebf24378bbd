import type { Services } from '../../dialect.ts'

/**
 * Says why an id may not be registered: a tool of the server has it, however it is written. A registered `File_Read` would be
 * taken for `file_read`.
 */
export function refusesId({ tools, toolkits }: Pick<Services, 'tools' | 'toolkits'>): (id: string) => string | null {
  const builtIn = new Set([...tools, ...toolkits.flatMap((kit) => kit.tools)].map(({ name }) => name.toLowerCase()))
  return (id) => (builtIn.has(id.toLowerCase()) ? 'is the name of a tool of this server; choose another id' : null)
}
