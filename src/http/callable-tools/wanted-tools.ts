import { fail } from '../../core/failure.ts'
import { MAX_RETRIEVED_TOOLS } from '../../core/limits/tool-search.ts'
import { say } from '../../core/saying/saying.ts'
import type { ShownTool } from '../../tenant/tools-api.ts'
import { alikeNames, didYouMean } from '../alike-names.ts'
import type { Services } from '../dialect.ts'
import { unlistedTools } from '../listed-tools.ts'
import { nearestTools } from '../parameters/nearest-tool.ts'
import { idsExportedAs, isChangedName } from './exported-name.ts'
import { findableOf, isOpenTo, registeredEntry, serverEntries, type ToolEntry } from './tool-entries.ts'

/** Tools that a request asks for. */
interface Wanted {
  /** Question in plain words: only tools that fit it, the best first. */
  readonly q?: string | undefined
  readonly toolkit?: string | undefined
  readonly names?: readonly string[] | undefined
  /** Name of the agent that would call them. */
  readonly agent?: string | undefined
  /** How else to find a tool, said where no name is like an unknown one. */
  readonly advice?: string | undefined
}

const FIND_BY_QUESTION = 'GET /v1/tools?q=… finds tools by a question'

/**
 * Tools that the caller, or the agent it names, can call: the server's in the order of its list, then registered ones by id.
 * Hidden ones are found by a question or by name alone, those of unlisted toolkits by name or by their toolkit.
 * @throws FailureError `not_found` for a name that no tool has
 */
export async function wantedTools(
  services: Services,
  { q, toolkit, names, agent, advice = FIND_BY_QUESTION }: Wanted,
): Promise<readonly ToolEntry[]> {
  const servers = serverEntries(services)
  const isWhole = names === undefined && toolkit === undefined
  const [registered, unlisted] = await Promise.all([
    services.registeredTools(),
    isWhole ? unlistedTools(services) : NONE,
  ])
  const open = registered.tools.filter((tool) => !servers.has(tool.id) && isOpenTo(tool, agent ?? null))
  if (names !== undefined) return unique(names.map((name) => named(services, name, open, advice))).filter(isOf(toolkit))
  const shown = q === undefined ? open.filter(({ hidden }) => !hidden) : open
  const all = [...servers.values(), ...shown.map(registeredEntry)]
    .filter(isOf(toolkit))
    .filter(({ name }) => !unlisted.has(name))
  if (q === undefined) return all
  const byName = new Map(all.map((entry) => [entry.name, entry]))
  const findable = all.map(findableOf)
  const found = await registered.find({ findable, question: q, limit: MAX_RETRIEVED_TOOLS, idOf: (id) => id })
  return found.flatMap((id) => byName.get(id) ?? [])
}

/**
 * The tool of a name, or of the name that it is exported by, as the caller can call it.
 * @throws FailureError `not_found`
 */
export async function toolNamed(
  services: Services,
  name: string,
  how: Pick<Wanted, 'agent' | 'advice'>,
): Promise<ToolEntry> {
  const [entry] = await wantedTools(services, { ...how, names: [name] })
  if (!entry) throw new Error('a name that is not found throws')
  return entry
}

const isOf = (toolkit: string | undefined) => (entry: ToolEntry) => toolkit === undefined || entry.toolkit === toolkit

const NONE: ReadonlySet<string> = new Set()

const unique = (entries: readonly ToolEntry[]) => [...new Set(entries)]

function named(services: Services, name: string, open: readonly ShownTool[], advice: string): ToolEntry {
  const server = serverEntries(services).get(name)
  if (server) return server
  const ids =
    isChangedName(name) && !open.some(({ id }) => id === name)
      ? idsExportedAs(
          name,
          open.map(({ id }) => id),
        )
      : [name]
  const tool = ids.length === 1 ? open.find(({ id }) => id === ids[0]) : undefined
  if (tool) return registeredEntry(tool)
  const nearest = nearestTools(name, services)
  const near =
    nearest.length > 0
      ? nearest
      : alikeNames(
          name,
          open.slice(0, MAX_COMPARED_TOOLS).map(({ id }) => id),
          0.4,
        )
  const words = near.length > 0 ? didYouMean(near) : advice
  return fail('not_found', say`there is no tool ${name.slice(0, 200)} that may be called; ${words}`)
}

/** Registered tools that are compared with an unknown name: some milliseconds for a caller's own mistake. */
const MAX_COMPARED_TOOLS = 1_000
