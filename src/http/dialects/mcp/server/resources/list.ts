import type { ListResourcesResult, Resource } from '@modelcontextprotocol/server'
import { fail, orNull } from '../../../../../core/failure.ts'
import type { SessionName } from '../../../../../core/ids.ts'
import { MAX_LISTING_DEPTH } from '../../../../../core/limits/files.ts'
import {
  MAX_LISTING_LOOKS,
  MAX_RESOURCE_URI_CHARS,
  RESOURCES_PER_PAGE,
} from '../../../../../core/limits/mcp-resources.ts'
import { workspacePath } from '../../../../../core/workspace-path.ts'
import type { FileFacts } from '../../../../../session/files-api.ts'
import { cursorOf, pathIn } from '../../../../path-cursor.ts'
import type { McpContext } from '../../context.ts'
import { typeByName } from './content.ts'
import { listedSession, sessionSeen } from './sight.ts'
import { fileUri } from './uris.ts'

/**
 * Page of the files of the client's session, sorted by path. A session that was not made yet has none.
 * @throws FailureError `invalid_input` for a cursor that is none
 */
export async function resourcePage(context: McpContext, cursor: string | undefined): Promise<ListResourcesResult> {
  const name = listedSession(context)
  const { files } = sessionSeen(context, name)
  let after: string | null = cursor === undefined ? null : placeIn(cursor)
  for (let looks = 1; ; looks++) {
    const request = { path: '', asOf: null, depth: MAX_LISTING_DEPTH, limit: RESOURCES_PER_PAGE, after }
    const list = await orNull(files.list(request), 'session_not_found')
    const resources = list?.entries.filter(({ kind }) => kind === 'file').map((file) => resourceOf(name, file)) ?? []
    after = (list?.more && list.entries.at(-1)?.path) || null
    if (after === null) return { resources }
    if (resources.length > 0 || looks === MAX_LISTING_LOOKS)
      return { resources, nextCursor: cursorOf(`${OWN}${after}`) }
  }
}

/** Path of a cursor. @throws FailureError `invalid_input` for a text that no page gave */
function placeIn(cursor: string): string {
  const place = cursor.length > MAX_RESOURCE_URI_CHARS ? '' : pathIn(cursor)
  if (!place.startsWith(OWN)) fail('invalid_input', 'the cursor is none of this list; send the nextCursor of a page')
  return workspacePath(place.slice(OWN.length))
}

/** Start of a cursor's text, by which another text is known. */
const OWN = 'file:'

/** A file as a resource of lists and links. */
export const resourceOf = (session: SessionName, { path, size, modifiedAt }: FileFacts): Resource => ({
  uri: fileUri(session, path),
  name: path,
  mimeType: typeByName(path),
  ...(size !== null && { size }),
  annotations: { lastModified: new Date(modifiedAt).toISOString() },
})
