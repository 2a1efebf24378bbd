import type { ToolInfo, ToolkitInfo } from '../../../tools/registry.ts'
import { toolsOf } from '../../listed-tools.ts'
import { parametersOf } from './registered.ts'
import type { Surface } from './surface.ts'
import type { XAgentTool } from './tools.ts'

const made = new WeakMap<ToolInfo, XAgentTool>()

/** A tool of a toolkit under its own name, in no env. The same object each time. */
export function fromToolkit(info: ToolInfo): XAgentTool {
  const known = made.get(info)
  if (known) return known
  const { name, description, inputSchema } = info
  const parameters = parametersOf(inputSchema)
  const tool: XAgentTool = { name, tool: name, description, parameters, value: ({ text }) => text }
  made.set(info, tool)
  return tool
}

/** The surface with the toolkits that the tenant lists; a tool that it has by another name is not there twice. */
export const withToolkits = (surface: Surface, listed: readonly ToolkitInfo[]): Surface =>
  listed.length === 0
    ? surface
    : surface.with(
        [],
        toolsOf(listed)
          .filter(({ name }) => surface.nameOfCore(name) === null)
          .map(fromToolkit),
      )
