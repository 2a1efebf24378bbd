import type { ListResourceTemplatesResult, Server } from '@modelcontextprotocol/server'
import type { McpContext } from '../../context.ts'
import { answering } from '../failures.ts'
import { completion } from './complete.ts'
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
    answering(context, () => resourcePage(context, params?.cursor)),
  )
  server.setRequestHandler('resources/templates/list', async () => templates(context))
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    answering(context, () => readResource(context, uri), uri),
  )
  server.setRequestHandler('completion/complete', ({ params }) => answering(context, () => completion(context, params)))
  if (era === 'modern' || !subscriptions) return
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }) =>
    answering(context, () => subscriptions.watch(uri).then(() => ({})), uri),
  )
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) =>
    answering(context, () => subscriptions.unwatch(uri).then(() => ({})), uri),
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
