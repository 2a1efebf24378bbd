import { FailureError, fail } from '../../../core/failure.ts'
import { MAX_TOOL_FILE_CHARS } from '../../../core/limits/imports.ts'
import type { FileProblem, ReadFile } from '../../../registry/import/place.ts'
import { type FileTool, readTools } from '../../../registry/import/tool-file.ts'
import { readYaml } from '../../../registry/import/yaml-file.ts'
import type { ChangedTool, ToolChange } from '../../../tenant/api.ts'
import type { Services } from '../../dialect.ts'
import { parseInput } from '../../input.ts'
import { parseJson, readBodyText } from '../../json.ts'
import { encodeChanged, ImportQuery } from './registered-codec.ts'
import { refusesId } from './registered-ids.ts'

/**
 * Puts all tools of a file, YAML or JSON, as one change. `?replace=true`: what an earlier import of the same `source` brought,
 * and this one does not, goes. `?dry_run=true`: nothing happens, and the answer says what would.
 */
export async function importTools(request: Request, services: Services, query: Record<string, string>) {
  const { replace, source, dry_run: dryRun } = parseInput(query, ImportQuery)
  const tools = toolsIn(await readBodyText(request), services)
  const puts = tools.map((tool): ToolChange => ({ op: 'put', ...tool, source }))
  const keep = tools.map(({ definition }) => definition.id)
  const { tenant, key } = services
  const changes: ToolChange[] = replace ? [...puts, { op: 'delete_others', source, keep }] : puts
  const answer = await tenant.changeTools(changes, { key, agent: null }, { dryRun })
  if ('failure' in answer) throw new FailureError(answer.failure)
  const count = (outcome: ChangedTool['outcome']) => answer.changed.filter((one) => one.outcome === outcome).length
  return {
    dry_run: dryRun,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    deleted: count('deleted'),
    tools: answer.changed.map(encodeChanged),
  }
}

/** @throws FailureError `invalid_input`, with each problem of the file and where it is */
function toolsIn(text: string, services: Services): readonly FileTool[] {
  const read = readFile(text)
  const found = 'problems' in read ? read : readTools(read, refusesId(services))
  return 'tools' in found ? found.tools : refuse(found.problems)
}

/** JSON is YAML as well; as YAML it is read for places alone, since that takes a hundred times as long. */
function readFile(text: string): ReadFile | { readonly problems: readonly FileProblem[] } {
  if (text.length > MAX_TOOL_FILE_CHARS) {
    fail(
      'limit_exceeded',
      `the file has ${text.length} characters; at most ${MAX_TOOL_FILE_CHARS} are read (MAX_TOOL_FILE_CHARS), send several`,
    )
  }
  if (!/^\s*[[{]/.test(text)) return readYaml(text)
  const parsed = parseJson(text)
  if (!parsed.ok) return readYaml(text)
  let places: ReturnType<typeof readYaml> | undefined
  return {
    value: parsed.value,
    locate: (path) => {
      places ??= readYaml(text)
      return 'locate' in places ? places.locate(path) : null
    },
  }
}

function refuse(problems: readonly FileProblem[]): never {
  const said = problems.slice(0, 3).map(({ line, column, path, message }) => {
    const where = line === undefined ? '' : `line ${line}, column ${column}: `
    return `${where}${path === '' ? '' : `${path}: `}${message}`
  })
  const rest = problems.length - said.length
  fail('invalid_input', `${said.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}. Nothing was changed`, {
    data: { refused: problems.map(({ line, column, path, message }) => ({ line, column, path, detail: message })) },
  })
}
