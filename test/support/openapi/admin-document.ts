import { ADMIN_INFO } from '../../../src/http/dialects/admin/document.ts'
import type { AdminParts } from '../../../src/http/dialects/admin/parts.ts'
import { admin } from '../../../src/http/dialects/admin/routes.ts'
import { documentOf } from '../../../src/http/operations/document.ts'
import { routesOf } from '../../../src/http/operations/route.ts'
import { AnswerCheck } from './answer-check.ts'

// Routes are added without a look at what they need.
const { app } = admin({ adminToken: 'token' } as AdminParts)

/** Document about /admin, with closed answers. */
export const ADMIN_CLOSED = documentOf(routesOf(app), ADMIN_INFO, { closed: true })

export const ADMIN_ANSWERS = new AnswerCheck(ADMIN_CLOSED)
