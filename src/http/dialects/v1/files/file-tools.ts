import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { FailureError, fail } from '../../../../core/failure.ts'
import { MAX_CONDITION_TAGS } from '../../../../core/limits/files.ts'
import type { UnchangedFile } from '../../../../core/packed-call.ts'
import type { ConditionFailed } from '../../../../session/files-api.ts'
import { fileCopy } from '../../../../tools/files/file-copy.ts'
import { fileEdit } from '../../../../tools/files/file-edit.ts'
import { fileGlob } from '../../../../tools/files/file-glob.ts'
import { fileMove } from '../../../../tools/files/file-move.ts'
import { filePatch } from '../../../../tools/files/file-patch.ts'
import { fileSearch } from '../../../../tools/files/file-search.ts'
import { type AppEnv, callerOf, type Services } from '../../../dialect.ts'
import { parseExactJson } from '../../../json.ts'
import type { Operation } from '../../../operations/operation.ts'
import { route } from '../../../operations/route.ts'
import { callStrictly } from '../../../parameters/checked-call.ts'
import { SESSION, sessionOf } from '../sessions/session-path.ts'
import { matchOf } from './entity-tags.ts'
import { conditionFailed } from './file-answers.ts'

/** Path of a file in the answers of tools, and all else that the tool of that name says. */
const ToolAnswer = z
  .looseObject({})
  .meta({ id: 'FileToolAnswer', description: 'The named fields of the answer of the tool.' })

const Patch = z.strictObject({
  ...filePatch.input.shape,
  if_match: z
    .record(z.string(), z.string())
    .refine((tags) => Object.keys(tags).length <= MAX_CONDITION_TAGS, `has more than ${MAX_CONDITION_TAGS} files`)
    .optional()
    .meta({ description: 'ETags by path: the patch is applied if each of these files has its own.' }),
})

/**
 * Adds what the file tools do beyond raw contents: `POST /v1/sessions/{session}/files:{move|copy|edit|patch|search|glob}`. Each is a call of
 * the tool of that name, so that it stands in the session's history, and counts, like any other.
 */
export function addFileTools(app: Hono<AppEnv>): void {
  tool(app, 'move', z.strictObject(fileMove.input.shape), 'Move or rename a file or a directory', {
    src_path: 'a.txt',
    dest_path: 'b.txt',
  })
  tool(app, 'copy', z.strictObject(fileCopy.input.shape), 'Copy a file or a directory', {
    src_path: 'a.txt',
    dest_path: 'b.txt',
  })
  tool(app, 'search', z.strictObject(fileSearch.input.shape), 'Search files for a text or a pattern', {
    search_text: 'hello',
  })
  tool(app, 'glob', z.strictObject(fileGlob.input.shape), 'Find files by a pattern of their paths', {
    pattern: '**/*.py',
  })
  tool(
    app,
    'edit',
    z.strictObject(fileEdit.input.shape),
    'Replace a text in a file',
    { file_path: 'a.txt', old_text: 'hello', new_text: 'good day' },
    (c, { file_path }) => {
      const tags = c.req.header('If-Match')
      return tags === undefined ? [] : [{ path: file_path, match: matchOf(tags) }]
    },
  )
  tool(
    app,
    'patch',
    Patch,
    'Apply a unified diff to files, all of it or nothing',
    { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-hello\n+good day\n' },
    (_, { if_match }) => Object.entries(if_match ?? {}).map(([path, tags]) => ({ path, match: matchOf(tags) })),
  )
}

function tool<Body extends z.ZodObject>(
  app: Hono<AppEnv>,
  name: 'move' | 'copy' | 'edit' | 'patch' | 'search' | 'glob',
  body: Body,
  summary: string,
  example: object,
  unchanged: (c: Context<AppEnv>, body: z.output<Body>) => readonly UnchangedFile[] = () => [],
): void {
  const hasCondition = name === 'edit' || name === 'patch'
  const operation: Operation<z.ZodType, Body> = {
    id: `${name}Files`,
    tag: 'files',
    summary,
    description: `A call of the tool file_${name}, whose parameters these are and whose fields the answer has; it stands in the history of calls.`,
    scope: 'execute',
    params: SESSION,
    ...(name === 'edit' && { headers: { 'If-Match': 'ETags, one of which the file must have now. Otherwise 412.' } }),
    body,
    parse: parseExactJson,
    answers: { 200: { description: 'It is done.', content: ToolAnswer } },
    problems: [400, 404, 409, ...(hasCondition ? [412] : []), 413],
    example: { params: { session: 'docs' }, body: example, status: 200 },
  }
  route(app, 'post', `/v1/sessions/:session/files:${name}`, operation, async (c, { services, body: given }) => {
    const files = unchanged(c, given)
    const { if_match: _, ...args } = given as Record<string, unknown>
    return answer(c, services, { tool: `file_${name}`, args }, files)
  })
}

async function answer(
  c: Context<AppEnv>,
  services: Services,
  call: { readonly tool: string; readonly args: unknown },
  unchanged: readonly UnchangedFile[],
): Promise<Response> {
  const session = sessionOf(c, services)
  const by = callerOf(services)
  const outcome = await callStrictly(services, call, (checked) =>
    session.call(unchanged.length > 0 ? { ...checked, unchanged } : checked, by),
  )
  if (outcome.kind === 'done') return c.json(outcome.result.data)
  if (outcome.kind === 'pending') return fail('internal', 'a file tool does not go on after its call')
  const changed = outcome.failure.data?.changed
  if (changed) return conditionFailed(changed as ConditionFailed, c.env.requestId, c.req.raw.headers)
  throw new FailureError(outcome.failure)
}
