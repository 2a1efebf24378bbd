import * as z from 'zod'
import type { TenantId } from '../../../core/ids.ts'
import { DELETION_STEPS, type Deletion } from '../../../tenant/deletion-api.ts'
import { encodeTime } from '../../tenant-keys/codec.ts'

const time = z.iso.datetime()
const count = z.int().min(0)

/** Progress of a deletion, and its receipt in the end. */
export const TenantDeletion = z
  .object({
    tenant: z.string(),
    status: z.enum(['deleting', 'deleted']),
    step: z.enum(DELETION_STEPS).nullable().meta({ description: 'What is under way; null when nothing is left.' }),
    requested_at: time,
    ended_at: time.nullable(),
    sessions: z.object({ total: count, removed: count }),
    objects: z
      .object({ removed: count, bytes: count })
      .meta({ description: 'Contents of files in the store of objects, and their size together.' }),
    rows: z.object({ keys: count, tools: count, papers: count, packages: count }).nullable().meta({
      description:
        'Keys, registered tools, papers and packages of the marketplace that the tenant had; null until they are counted.',
    }),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why the last try failed; it is made again within a minute. Null after one that did not.' }),
  })
  .meta({ id: 'TenantDeletion' })

export const encodeDeletion = (
  tenant: TenantId,
  { step, requestedAt, endedAt, sessions, objects, rows, problem }: Deletion,
) => ({
  tenant,
  status: step === 'deleted' ? 'deleted' : 'deleting',
  step: step === 'deleted' ? null : step,
  requested_at: encodeTime(requestedAt),
  ended_at: endedAt === null || step !== 'deleted' ? null : encodeTime(endedAt),
  sessions,
  objects,
  rows,
  problem,
})
