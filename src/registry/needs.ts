import type { ToolDefinition } from './definition.ts'
import { neededSecrets } from './needed-secrets.ts'

/** Needs of a tool beyond its arguments, for the decision whether to allow it. Each list is sorted. */
export interface Needs {
  /** Names of its tenant's secrets that it sends, or gets. */
  readonly secrets: readonly string[]
  /** Origins of the tool's requests, e.g. `https://api.example`. Requests that its Python makes by itself are not known. */
  readonly hosts: readonly string[]
  /** Tools that it calls. */
  readonly tools: readonly string[]
  /** Packages that pip installs for it. */
  readonly packages: readonly string[]
  /** Whether the tool runs code in the sandbox, its own or, as a chain, by a tool of the server. */
  readonly code: boolean
}

export function needsOf(definition: Pick<ToolDefinition, 'executor'>): Needs {
  const { executor } = definition
  const { kind } = executor
  return {
    secrets: neededSecrets(definition),
    hosts: kind === 'http' || kind === 'mcp' ? [originOf(executor.target)] : [],
    tools: kind === 'chain' ? sorted(executor.chain.steps.map(({ tool }) => tool)) : [],
    packages: kind === 'python' ? sorted(executor.requirements ?? []) : [],
    code: kind === 'python' || (kind === 'chain' && executor.chain.steps.some(({ tool }) => RUN_CODE.has(tool))),
  }
}

/** Tools of the server that run code from their arguments, or that make or call such tools. */
const RUN_CODE: ReadonlySet<string> = new Set([
  'code_run_tools', 'execute_code', 'execute_shell', 'code_task_execute', 'pip_install', 'shell_command', 'shell_write',
  'interpreter_run', 'python_solution', 'ipython_run', 'ipython_session_run', 'ipython_interactive_run', 'notebook_execute',
  'own_tool_register', 'own_tool_call', 'python_actions_register', 'python_action_call', 'tool_create',
]) // biome-ignore format: a list of names

/** Origin as requests use it: a text like `https:api.example` leads there too. `{name}`s stand in the path alone. */
const originOf = (target: string) => URL.parse(target.replace(/[{}]/g, ''))?.origin ?? target

/** Needs of the second that the first does not have, in words. */
export function needsMore(before: Needs, after: Needs): string[] {
  const more = (what: string, had: readonly string[], has: readonly string[]) =>
    has.filter((one) => !had.includes(one)).map((one) => `${what} ${one}`)
  return [
    ...more('the secret', before.secrets, after.secrets),
    ...more('the host', before.hosts, after.hosts),
    ...more('the tool', before.tools, after.tools),
    ...more('the package', before.packages, after.packages),
    ...(after.code && !before.code ? ['to run code'] : []),
  ]
}

const sorted = (names: readonly string[]) => [...new Set(names)].sort()
