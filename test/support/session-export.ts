import type { TenantId } from '../../src/core/ids.ts'
import { exportPart } from '../../src/session/export/session-export.ts'
import type { ExportAnswer, ExportPlace } from '../../src/session/export-api.ts'
import type { SessionWorkspace } from '../../src/workspace/workspace.ts'
import type { NodeSql } from './sql-node.ts'

type Parts = Parameters<typeof exportPart>[0]

/** A session's object as far as an export asks it, over a real workspace. */
export function exportedSession(
  name: string,
  { workspace, sql }: { readonly workspace: SessionWorkspace; readonly sql: NodeSql },
) {
  const record = { tenant: 'acme' as TenantId, name, nodeId: `node of ${name}`, title: `Title of ${name}` }
  const parts = {
    sql,
    workspace,
    now: () => 1_000_000,
    record: { ...record, requirements: ['otter>=1'], createdAt: 1_000, state: 'listed' },
    session: {
      calls: { page: () => ({ calls: [] }) },
      inTurn: (_: string, work: () => Promise<unknown>) => work(),
    },
  } as unknown as Parts
  return {
    exportPart: async (prefix: string, from: ExportPlace | null): Promise<ExportAnswer> => ({
      part: await exportPart(parts, prefix, from),
    }),
  }
}
