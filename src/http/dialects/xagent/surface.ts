import type { ToolCall } from '../../../core/outcome.ts'
import type { FindableTool } from '../../../retrieval/tool-terms.ts'
import { type ToolJson, toolJson } from './tool-json.ts'
import type { Env, Parameter, XAgentTool } from './tools.ts'

/** Tools shown of an env in the list of all tools; the published document's number. */
const MAX_SHOWN_TOOLS = 50
/** Mark behind the last shown tool when there are more. */
const CUT_MARK = '...'

export interface EnvJson {
  readonly name: string
  readonly description: string
  readonly total_tools: number
  /** Short names of its tools. */
  readonly tools: readonly string[]
}

/** Envs, and tools outside of any env, as a client of XAgent sees them. */
export class Surface {
  readonly #envs: readonly Env[]
  readonly #functions: readonly XAgentTool[]
  readonly #tools = new Map<string, XAgentTool>()
  /** Full names of registered tools, by their ids. */
  readonly #names = new Map<string, string>()
  readonly #shown: string[] = []
  readonly #findable: FindableTool[] = []

  constructor(envs: readonly Env[], functions: readonly XAgentTool[]) {
    this.#envs = envs
    this.#functions = functions
    for (const { name, hidden, tools } of envs) {
      for (const tool of tools)
        this.#add(`${name}_${tool.name}`, tool, { toolkit: name, listed: !hidden && !tool.hidden })
    }
    for (const tool of functions) this.#add(tool.name, tool, { toolkit: '', listed: !tool.hidden })
  }

  /** Adds a tool. There may be thousands, and all are added again when one of them changed. */
  #add(
    name: string,
    tool: XAgentTool,
    { toolkit, listed }: { readonly toolkit: string; readonly listed: boolean },
  ): void {
    this.#tools.set(name, tool)
    if (listed) this.#shown.push(name)
    if (tool.registered !== undefined) this.#names.set(tool.registered, name)
    this.#findable.push(findable(name, tool, toolkit))
  }

  /** Search entries of all tools, hidden ones included; the id is the full name. */
  get findable(): readonly FindableTool[] {
    return this.#findable
  }

  /** Full name of the registered tool with that id. */
  nameOf(registered: string): string {
    return this.#names.get(registered) ?? registered
  }

  /** Full name of a tool of the core; null when clients do not see it. */
  nameOfCore(tool: string): string | null {
    for (const [name, known] of this.#tools) if (known.tool === tool && known.registered === undefined) return name
    return null
  }

  hasEnv(name: string): boolean {
    return this.#envs.some((env) => env.name === name)
  }

  /** Surface with further envs and functions; an existing name keeps its tool. */
  with(envs: readonly Env[], functions: readonly XAgentTool[]): Surface {
    const isNew = (name: string) => !this.#tools.has(name)
    return new Surface(
      [
        ...this.#envs,
        ...envs.map((env) => ({ ...env, tools: env.tools.filter((tool) => isNew(`${env.name}_${tool.name}`)) })),
      ],
      [...this.#functions, ...functions.filter(({ name }) => isNew(name))],
    )
  }

  /**
   * Finds a tool.
   * @param name the full one: `<env>_<tool>`, or that of a tool in no env
   */
  find(name: string): XAgentTool | undefined {
    return this.#tools.get(name)
  }

  /** Answer of `/get_available_tools`. */
  available() {
    return {
      available_envs: this.#envs.map((env) => cut(envJson(env))),
      available_tools: this.#shown,
      tools_json: this.schemas(this.#shown).tools_json,
    }
  }

  /** Schemas of the named tools; hidden ones are found too. */
  schemas(names: readonly string[]) {
    const tools_json: ToolJson[] = []
    const missing_tools: string[] = []
    for (const name of names) {
      const tool = this.#tools.get(name)
      if (tool) tools_json.push(toolJson({ ...tool, name, parameters: tool.parameters.filter(isShown) }))
      else missing_tools.push(name)
    }
    return { tools_json, missing_tools }
  }

  envs(names: readonly string[]) {
    const envs_json: EnvJson[] = []
    const missing_envs: string[] = []
    for (const name of names) {
      const env = this.#envs.find((one) => one.name === name)
      if (env) envs_json.push(envJson(env))
      else missing_envs.push(name)
    }
    return { envs_json, missing_envs }
  }

  /** A call of the core as a client of XAgent would make it. */
  callOf({ tool, args }: ToolCall): { readonly next_calling: string; readonly arguments: Record<string, unknown> } {
    const given = isRecord(args) ? args : {}
    for (const [name, { tool: canonical, registered, parameters }] of this.#tools) {
      if (canonical !== tool) continue
      if (registered !== undefined) {
        if (registered === given.tool_id)
          return { next_calling: name, arguments: isRecord(given.args) ? given.args : {} }
        continue
      }
      const named = parameters.flatMap(({ name: own, as }) => (as !== null && as in given ? [[own, given[as]]] : []))
      return { next_calling: name, arguments: Object.fromEntries(named) }
    }
    return { next_calling: tool, arguments: given }
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const envJson = ({ name, description, hidden, tools }: Env): EnvJson => ({
  name,
  description: hidden
    ? `${description}\nNote: the tools of this env are in no list; /retrieving_tools and the schema of the env find them.`
    : description,
  total_tools: tools.length,
  tools: tools.map((tool) => tool.name),
})

const cut = (env: EnvJson): EnvJson =>
  env.tools.length > MAX_SHOWN_TOOLS ? { ...env, tools: [...env.tools.slice(0, MAX_SHOWN_TOOLS), CUT_MARK] } : env

const isShown = ({ hidden }: Parameter) => !hidden

const findables = new WeakMap<XAgentTool, FindableTool>()

/** Search entry of a tool. It is the same object as long as the tool is, so that readers can cache by it. */
function findable(id: string, tool: XAgentTool, toolkit: string): FindableTool {
  const known = findables.get(tool)
  if (known?.id === id) return known
  const { name, title, description, parameters } = tool
  const made = { id, name: title ?? name, toolkit, description, parameters: parameters.filter(isShown) }
  findables.set(tool, made)
  return made
}
