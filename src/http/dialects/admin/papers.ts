import type { Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../core/failure.ts'
import type { AppEnv } from '../../dialect.ts'
import type { Guard } from '../../operations/operation.ts'
import { guardedRoute } from '../../operations/route.ts'
import { ownerOnly } from './guard.ts'
import type { AdminParts } from './parts.ts'

const MoveState = z
  .object({
    moved: z.int().meta({ description: 'Papers that this request moved.' }),
    remaining: z.int().meta({ description: 'Papers that are still beside the keys.' }),
    done: z.boolean().meta({ description: 'True when nothing is left there, not even what found the papers.' }),
  })
  .meta({ id: 'PaperMove' })

/** Move of papers out of the database of the keys, for the owner of the server. */
export function addPaperMove(app: Hono<AppEnv>, { adminToken, movePapers }: AdminParts): void {
  const owner: Guard<void> = { credentials: ['owner'], allow: (c) => ownerOnly(c, adminToken) }

  guardedRoute(
    app,
    'post',
    '/admin/papers/move',
    owner,
    {
      id: 'movePapers',
      tag: 'papers',
      summary: 'Move papers to the database of their own',
      description:
        'Papers of a server that kept them beside its keys: some at a time, of all tenants; repeat it until `done` is true. Nobody finds a paper between the binding of the database and its move.',
      answers: { 200: { description: 'What was moved, and what is left.', content: MoveState } },
      problems: [404, 409],
      // On one machine papers have no database of their own.
      example: { status: 409 },
    },
    async (c) => {
      if (!movePapers) {
        fail('conflict', 'papers have no database of their own here; bind one as PAPERS first (docs/operating.md)')
      }
      return c.json(await movePapers())
    },
  )
}
