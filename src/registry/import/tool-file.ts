import * as z from 'zod'
import { MAX_FILE_PROBLEMS } from '../../core/limits/imports.ts'
import { safeRead } from '../../core/safe-read.ts'
import { ToolDefinition, ToolPolicy } from '../definition.ts'
import { targetProblem } from '../workable.ts'
import { type FileProblem, type Path, problemAt, type ReadFile } from './place.ts'

export interface FileTool {
  readonly definition: ToolDefinition
  readonly policy: ToolPolicy
}

export type ToolFile = { readonly tools: readonly FileTool[] } | { readonly problems: readonly FileProblem[] }

const says = (wrong: string) => (issue: { readonly input?: unknown }) =>
  issue.input === undefined ? 'is missing' : wrong
const text = z.string({ error: says('must be text; put it in quotes') })
const schema = z.record(z.string(), z.unknown(), { error: says('must be a map; write {} for one that takes anything') })

/** Booleans as pydantic reads them: words and numbers too. */
const TRUTHS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...['true', 't', 'yes', 'y', 'on', '1', 1, true].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0', 0, false].map((word) => [word, false] as const),
])
const truth = z.preprocess(
  (value) => TRUTHS.get(typeof value === 'string' ? value.toLowerCase() : value) ?? value,
  z.boolean({ error: 'must be true or false' }),
)

/** Whole number as pydantic reads an int: `"10"` and `2.0` too. */
const wholeNumber = z.preprocess(
  (value) => {
    if (typeof value === 'string' && /^\s*[+-]?\d{1,15}(?:\.0+)?\s*$/.test(value)) return Number(value)
    return typeof value === 'boolean' ? Number(value) : value
  },
  z.int({ error: 'must be a whole number of seconds' }),
)

/** A tool as Toolcore's config.yaml has it. `toolkit`, `hidden` and `checks` are ours; other names mean nothing. */
const ToolcoreTool = z.object({
  id: text,
  name: text,
  description: text,
  input_schema: schema,
  output_schema: schema,
  executor: z.enum(['http', 'python'], { error: 'must be http or python' }).default('http'),
  target: text,
  allowed_agents: z
    .array(z.string({ error: 'must be the name of an agent' }), { error: 'must be a list of agents, or null for all' })
    .nullable()
    .default(null),
  timeout: wholeNumber.optional(),
  enabled: truth.default(true),
  toolkit: z.unknown().optional(),
  hidden: z.unknown().optional(),
  checks: z.unknown().optional(),
})

/**
 * The tools of a file: Toolcore's config.yaml, a map with `tools`; or just their list. A tool whose `executor` is a map is
 * one of our own definitions, with `enabled` and `allowed_agents` beside. Of two with one id the last counts, at the first's
 * place. Source: Toolcore, services/toolcore/registry.py.
 * @param refuses why an id may not be used, null when it may
 */
export function readTools({ value, locate }: ReadFile, refuses: (id: string) => string | null = () => null): ToolFile {
  const problems: FileProblem[] = []
  const tools = new Map<string, FileTool>()
  const listed = readListing(value)
  if ('problem' in listed) return { problems: [problemAt(locate, listed.path, listed.problem)] }
  for (const [at, item] of listed.items.entries()) {
    const path = [...listed.path, at]
    const read = readTool(item)
    if ('issues' in read)
      problems.push(...read.issues.map((one) => problemAt(locate, [...path, ...one.path], one.message)))
    else {
      const { id } = read.tool.definition
      const refused = refuses(id)
      if (refused === null) tools.set(id, read.tool)
      else problems.push(problemAt(locate, [...path, 'id'], refused))
    }
    if (problems.length >= MAX_FILE_PROBLEMS) break
  }
  if (problems.length === 0) return { tools: [...tools.values()] }
  return { problems: problems.slice(0, MAX_FILE_PROBLEMS).sort(byPlace) }
}

const byPlace = (one: FileProblem, other: FileProblem) =>
  (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0)

type Listed =
  | { readonly items: readonly unknown[]; readonly path: Path }
  | { readonly problem: string; readonly path: Path }

function readListing(value: unknown): Listed {
  if (Array.isArray(value)) return { items: value, path: [] }
  if (!isMap(value)) {
    return {
      problem: value === null ? `the file is empty; ${WRITE_TOOLS}` : `the file must be a map; ${WRITE_TOOLS}`,
      path: [],
    }
  }
  if (!Object.hasOwn(value, 'tools')) return { items: [], path: [] }
  if (Array.isArray(value.tools)) return { items: value.tools, path: ['tools'] }
  return { problem: 'must be a list; write [] for none', path: ['tools'] }
}

const WRITE_TOOLS = 'write "tools:" and a list below it'

interface Issue {
  readonly path: Path
  readonly message: string
}
type ReadTool = { readonly tool: FileTool } | { readonly issues: readonly Issue[] }

function readTool(item: unknown): ReadTool {
  if (!isMap(item))
    return { issues: [{ path: [], message: 'a tool must be a map with id, name, description and more' }] }
  if (!isMap(item.executor)) return readToolcore(item)
  const { enabled, allowed_agents } = item
  const read = readOwn(item, { enabled, allowed_agents }, (path) => path)
  const wrong = 'tool' in read ? targetProblem(read.tool.definition.executor) : null
  return wrong === null ? read : { issues: [{ path: ['executor'], message: wrong }] }
}

function readToolcore(item: object): ReadTool {
  const parsed = safeRead(ToolcoreTool, item)
  if (!parsed.success) return { issues: issuesOf(parsed.error) }
  const { executor, target, enabled, allowed_agents, ...rest } = parsed.data
  const given = Object.fromEntries(Object.entries(rest).filter(([, what]) => what !== undefined))
  const definition = { ...given, executor: { kind: executor, target } }
  return readOwn(definition, { enabled, allowed_agents }, (path) => (path[0] === 'executor' ? path.slice(1) : path))
}

/**
 * Reads a tool in our own form.
 * @param named place in the file of a path of the definition
 */
function readOwn(given: object, policy: object, named: (path: Path) => Path): ReadTool {
  const definition = safeRead(ToolDefinition, given)
  const allowed = safeRead(ToolPolicy, policy)
  if (definition.success && allowed.success) return { tool: { definition: definition.data, policy: allowed.data } }
  const issues = [definition, allowed].flatMap((parsed) => (parsed.error ? issuesOf(parsed.error) : []))
  return { issues: issues.map(({ path, message }) => ({ path: named(path), message })) }
}

const issuesOf = ({ issues }: z.ZodError): Issue[] =>
  issues.map(({ path, message }) => ({
    path: path.map((step) => (typeof step === 'number' ? step : String(step))),
    message,
  }))

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
