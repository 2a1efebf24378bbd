import type { ListResourceTemplatesResult, Server } from '@modelcontextprotocol/server'
import { RESOURCE_LIST_TTL_MS, STATIC_LIST_TTL_MS } from '../../../../../core/limits/mcp-resources.ts'
import type { McpContext } from '../../context.ts'
import { cached } from '../cached.ts'
import { completion } from './complete.ts'
import { withProtocolErrors } from './failures.ts'
import { resourcePage } from './list.ts'
import { readResource } from './read.ts'
import { fileTemplate } from './uris.ts'

/** Adds files of sessions, and whole results of calls, as resources: lists, templates, reading, subscriptions, completion. */
export function installResources(server: Server, context: McpContext): void {
  const { era, subscriptions } = context
  // A modern client subscribes by a listening request of its own: see `listeningTo`.
  const subscribe = era === 'modern' || subscriptions !== undefined
  server.registerCapabilities({ resources: { subscribe, listChanged: false }, completions: {} })
  server.setRequestHandler('resources/list', ({ params }) =>
    withProtocolErrors(null, async () => ({
      ...(await resourcePage(context, params?.cursor)),
      ...cached(context, RESOURCE_LIST_TTL_MS),
    })),
  )
  server.setRequestHandler('resources/templates/list', async () => ({
    ...templates(context),
    ...cached(context, STATIC_LIST_TTL_MS),
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    withProtocolErrors(uri, async () => ({ ...(await readResource(context, uri)), ...cached(context, 0) })),
  )
  server.setRequestHandler('completion/complete', ({ params }) =>
    withProtocolErrors(null, () => completion(context, params)),
  )
  if (era === 'modern' || !subscriptions) return
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) =>
    withProtocolErrors(uri, async () => {
      await subscriptions.watch(uri)
      return {}
    }),
  )
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) =>
    withProtocolErrors(uri, async () => {
      await subscriptions.unwatch(uri)
      return {}
    }),
  )
}

const templates = ({ endpoint }: McpContext): ListResourceTemplatesResult => ({
  resourceTemplates: [
    {
      uriTemplate: fileTemplate(endpoint.session),
      name: 'file',
      title: 'File of a session',
      description:
        'A file of the workspace, as text or base64; a directory is a list of its entries. The path is relative to the workspace, ' +
        'e.g. code_run/report.md.',
    },
  ],
})
