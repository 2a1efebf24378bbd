import type { TenantApi } from '../tenant/api.ts'
import type { ToolInfo, ToolkitInfo } from '../tools/registry.ts'
import type { Services } from './dialect.ts'

type ToolkitServices = Pick<Services, 'toolkits'> & { readonly tenant: Pick<TenantApi, 'toolkits'> }

/** Toolkits that the tenant's lists show besides the usual tools, in the server's order. Calls ask for none of this. */
export async function listedToolkits({ toolkits, tenant }: ToolkitServices): Promise<readonly ToolkitInfo[]> {
  const names = await tenant.toolkits.listed()
  return names.length === 0 ? [] : toolkits.filter(({ name }) => names.includes(name))
}

/** Tools of the Tool Server's list, as the tenant has it: the published ones, then those of its listed toolkits. */
export async function listedTools(services: ToolkitServices & Pick<Services, 'tools'>): Promise<readonly ToolInfo[]> {
  const { tools } = services
  return [...tools, ...withoutNames(toolsOf(await listedToolkits(services)), new Set(tools.map(({ name }) => name)))]
}

/** Toolkits that no list shows to all, and the tenant's do not either. */
export async function unlistedToolkits(services: ToolkitServices): Promise<readonly ToolkitInfo[]> {
  const listed = await listedToolkits(services)
  return services.toolkits.filter((toolkit) => toolkit.isUnlisted && !listed.includes(toolkit))
}

/** Names of the tools of {@link unlistedToolkits}. */
export const unlistedTools = async (services: ToolkitServices): Promise<ReadonlySet<string>> =>
  new Set(toolsOf(await unlistedToolkits(services)).map(({ name }) => name))

/** Tools of toolkits, each once. */
export const toolsOf = (toolkits: readonly ToolkitInfo[]): readonly ToolInfo[] => [
  ...new Map(toolkits.flatMap(({ tools }) => tools).map((tool) => [tool.name, tool])).values(),
]

/** A tool of any toolkit, listed or not; undefined when there is none of that name. */
export const toolkitTool = ({ toolkits }: Pick<Services, 'toolkits'>, name: string): ToolInfo | undefined => {
  for (const { tools } of toolkits) {
    const found = tools.find((tool) => tool.name === name)
    if (found) return found
  }
  return undefined
}

const withoutNames = (tools: readonly ToolInfo[], names: ReadonlySet<string>) =>
  tools.filter(({ name }) => !names.has(name))
