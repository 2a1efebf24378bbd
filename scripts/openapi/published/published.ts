import { lagent } from '../../../src/http/dialects/lagent/routes.ts'
import { toolcore } from '../../../src/http/dialects/toolcore/routes.ts'
import { toolserver } from '../../../src/http/dialects/toolserver/routes.ts'
import { xagent } from '../../../src/http/dialects/xagent/routes.ts'
import { LAGENT } from './lagent.ts'
import type { PublishedDocument } from './published-document.ts'
import { TOOLCORE } from './toolcore.ts'
import { TOOLSERVER } from './toolserver.ts'
import { XAGENT } from './xagent.ts'

/** Published dialects that have a document: their apps, by the name of the document's file. */
export const PUBLISHED: readonly (PublishedDocument & {
  readonly name: string
  readonly app: { readonly routes: readonly { readonly method: string; readonly path: string }[] }
})[] = [
  { name: 'toolserver', app: toolserver.app, ...TOOLSERVER },
  { name: 'toolcore', app: toolcore.app, ...TOOLCORE },
  { name: 'xagent', app: xagent.app, ...XAGENT },
  { name: 'lagent', app: lagent.app, ...LAGENT },
]
