import type * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import type { FileProblem } from '../../../../registry/import/place.ts'
import type { FileTool } from '../../../../registry/import/tool-file.ts'
import { targetProblem } from '../../../../registry/workable.ts'
import type { ChangedTool, ToolChange } from '../../../../tenant/tools-api.ts'
import type { Services } from '../../../dialect.ts'
import { readBody } from '../../../json.ts'
import { encodeChanged, type ImportQuery } from './registered-codec.ts'
import { takenIds } from './registered-ids.ts'

/**
 * Puts all tools of a file, YAML or JSON, as one change. Toolcore's own form may have a tool that can never work, and
 * Toolcore starts with it: such a tool is put, with its `problem` in the answer. With `?replace=true`, tools of an earlier
 * import of the same `source` go where this file lacks them. With `?dry_run=true` nothing happens, and the answer says what
 * would.
 */
export async function importTools(
  request: Request,
  services: Services,
  { replace, source, dry_run: dryRun }: z.output<typeof ImportQuery>,
) {
  const tools = await toolsIn(request, services)
  const puts = tools.map((tool): ToolChange => ({ op: 'put', ...tool, source }))
  const keep = tools.map(({ definition }) => definition.id)
  const { tenant, key } = services
  const changes: ToolChange[] = replace ? [...puts, { op: 'delete_others', source, keep }] : puts
  const made = await tenant.tools.change(changes, { key, agent: null }, { dryRun })
  const problems = new Map(tools.map(({ definition: { id, executor } }) => [id, targetProblem(executor)]))
  const count = (outcome: ChangedTool['outcome']) => made.filter((one) => one.outcome === outcome).length
  return {
    dry_run: dryRun,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    deleted: count('deleted'),
    tools: made.map((changed) => {
      const problem = changed.op === 'put' ? problems.get(changed.id) : null
      return { ...encodeChanged(changed), ...(problem && { problem }) }
    }),
  }
}

/** Tools of the file. @throws FailureError `invalid_input`, with each problem of the file and its place */
async function toolsIn(request: Request, services: Services): Promise<readonly FileTool[]> {
  const options = { taken: [...takenIds(services)] }
  const reading = { kind: 'tool_file', options, bytes: await readBody(request) } as const
  const found = await services.reader.read(reading, request.signal)
  return 'tools' in found ? found.tools : refuse(found.problems)
}

function refuse(problems: readonly FileProblem[]): never {
  const lines = problems.slice(0, 3).map(({ line, column, path, message }) => {
    const where = line === undefined ? '' : `line ${line}, column ${column}: `
    return `${where}${path === '' ? '' : `${path}: `}${message}`
  })
  const rest = problems.length - lines.length
  fail('invalid_input', `${lines.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}. Nothing was changed`, {
    data: { refused: problems.map(({ line, column, path, message }) => ({ line, column, path, detail: message })) },
  })
}
