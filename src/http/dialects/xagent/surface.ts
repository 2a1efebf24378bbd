import type { ToolCall } from '../../../core/outcome.ts'
import type { FindableTool } from '../../../retrieval/tool-terms.ts'
import { type ToolJson, toolJson } from './tool-json.ts'
import type { Env, Parameter, XAgentTool } from './tools.ts'

/** Of an env in the list of all tools; the published document's number. */
const MAX_SHOWN_TOOLS = 50
/** Stands behind the last tool that is shown when there are more. */
const CUT_MARK = '...'

export interface EnvJson {
  readonly name: string
  readonly description: string
  readonly total_tools: number
  /** Short names. */
  readonly tools: readonly string[]
}

/** Envs, and tools that are in none, as a client of XAgent sees them. */
export class Surface {
  readonly #envs: readonly Env[]
  readonly #functions: readonly XAgentTool[]
  readonly #tools = new Map<string, XAgentTool>()
  /** Of registered tools, by their ids. */
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

  /** There may be thousands, and all are gone through again when one of them changed. */
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

  /** What each can be found by, hidden ones too; the id is the full name. */
  get findable(): readonly FindableTool[] {
    return this.#findable
  }

  /** The full name of a tool that was registered with that id. */
  nameOf(registered: string): string {
    return this.#names.get(registered) ?? registered
  }

  /** The full name of a tool of the core; null when no client is told of it. */
  nameOfCore(tool: string): string | null {
    for (const [name, known] of this.#tools) if (known.tool === tool && known.registered === undefined) return name
    return null
  }

  hasEnv(name: string): boolean {
    return this.#envs.some((env) => env.name === name)
  }

  /** This and other envs; a name that is there already stays what it is. */
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

  /** @param name the full one: `<env>_<tool>`, or that of a tool in no env */
  find(name: string): XAgentTool | undefined {
    return this.#tools.get(name)
  }

  /** The answer of `/get_available_tools`. */
  available() {
    return {
      available_envs: this.#envs.map((env) => cut(envJson(env))),
      available_tools: this.#shown,
      tools_json: this.schemas(this.#shown).tools_json,
    }
  }

  /** Hidden tools are found too. */
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

  /** A call of the core as the call that a client of XAgent makes for it. */
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

/** The same object as long as the tool is: what has read it need not read it again. */
function findable(id: string, tool: XAgentTool, toolkit: string): FindableTool {
  const known = findables.get(tool)
  if (known?.id === id) return known
  const { name, title, description, parameters } = tool
  const made = { id, name: title ?? name, toolkit, description, parameters: parameters.filter(isShown) }
  findables.set(tool, made)
  return made
}
