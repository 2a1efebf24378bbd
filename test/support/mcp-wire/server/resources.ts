import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { PNG } from './media.ts'

const RESOURCES = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
  'test://watched-resource': { mimeType: 'text/plain', text: 'This resource may be watched.' },
} as const
const TEMPLATE = { uriTemplate: 'test://template/{id}/data', name: 'data', mimeType: 'application/json' }

/** Adds the suite's resources. */
export function installResources(server: Server, era: 'modern' | 'legacy'): void {
  server.registerCapabilities({ resources: { subscribe: true } })
  server.setRequestHandler('resources/list', () => ({
    resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({ uri, name: uri.slice(7), mimeType })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [TEMPLATE] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
    if (id !== undefined) {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return { contents: [{ uri, mimeType: TEMPLATE.mimeType, text: data }] }
    }
    const found = Object.entries(RESOURCES).find(([name]) => name === uri)
    if (!found) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, ...found[1] }] }
  })
  if (era === 'modern') return
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
}
