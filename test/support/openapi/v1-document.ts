import { V1_INFO } from '../../../src/http/dialects/v1/document.ts'
import { v1 } from '../../../src/http/dialects/v1/routes.ts'
import { documentOf } from '../../../src/http/operations/document.ts'
import { routesOf } from '../../../src/http/operations/route.ts'
import { marketModeration } from '../../../src/market/moderation.ts'
import { NodeDatabase } from '../database-node.ts'
import { NO_KEYS } from '../no-keys.ts'
import { READER_HERE } from '../reader-here.ts'
import { AnswerCheck } from './answer-check.ts'

const { app } = v1({
  ...NO_KEYS,
  reader: READER_HERE,
  publicPapers: null,
  adminToken: null,
  marketModeration: marketModeration(new NodeDatabase()),
})

/** Document about /v1, with closed answers. */
export const V1_CLOSED = documentOf(routesOf(app), V1_INFO, { closed: true })

export const V1_ANSWERS = new AnswerCheck(V1_CLOSED)
