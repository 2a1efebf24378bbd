import type { Hono } from 'hono'
import * as z from 'zod'
import { USAGE_RETENTION_DAYS } from '../../../../core/limits/usage.ts'
import { streamOfPieces } from '../../../../core/stream-of-pieces.ts'
import { NO_USE, type UsageKey, type UsageRowsPage, type WrittenUsage } from '../../../../tenant/usage-api.ts'
import { csvRow } from '../../../csv.ts'
import type { AppEnv } from '../../../dialect.ts'
import { route } from '../../../operations/route.ts'
import { encodeUsageRow, usageLine } from '../../../usage-line.ts'
import { hoursOf, namesIn, only, PERIOD } from './usage-period.ts'

const ExportInput = z.strictObject({
  ...PERIOD,
  ...{ tool: only('tool'), agent: only('agent'), key: only('key'), session: only('session') },
  format: z
    .enum(['csv', 'jsonl'])
    .optional()
    .meta({ description: 'Form of the rows; by `Accept` if not given, and JSON lines without one.' }),
})

const CSV = 'text/csv'
const JSON_LINES = 'application/x-ndjson'

/** Use of tools as it is counted: a row for each hour, tool, key, agent and session. */
export function addUsageExport(app: Hono<AppEnv>): void {
  route(
    app,
    'get',
    '/v1/usage/export',
    {
      id: 'exportUsage',
      tag: 'usage',
      summary: 'Export the use of tools',
      description: `A row for each hour, tool, key, agent and session, oldest first: CSV with a heading, or a line of JSON for each. An absent name is empty in CSV and null in JSON; \`*\` stands for several that were counted together. In CSV an apostrophe stands before a name that a spreadsheet would take for a formula. Use is kept for ${USAGE_RETENTION_DAYS} days.`,
      scope: 'read',
      query: ExportInput,
      headers: { Accept: '`text/csv` for CSV.' },
      answers: { 200: { description: 'The rows.', content: [{ raw: JSON_LINES }, { raw: CSV }] } },
      problems: [],
      example: { query: { format: 'csv' }, status: 200 },
    },
    async (c, { services: { tenant, now }, query: { format, from, to, ...names } }) => {
      const isCsv = format === undefined ? wantsCsv(c.req.header('Accept') ?? '') : format === 'csv'
      const period = { ...hoursOf({ from, to }, now()), where: namesIn(names) }
      // A failure of the first page is an answer, and not a stream that breaks off.
      const first = await tenant.usage.rows(period)
      const more = (after: UsageKey) => tenant.usage.rows({ ...period, after })
      return new Response(streamOfPieces(exportedRows(first, more, isCsv)), {
        headers: {
          'Content-Type': isCsv ? `${CSV}; charset=utf-8` : JSON_LINES,
          'Content-Disposition': `attachment; filename="usage.${isCsv ? 'csv' : 'jsonl'}"`,
          'Cache-Control': 'no-store',
        },
      })
    },
  )
}

const wantsCsv = (accept: string) =>
  accept.split(',').some((type) => type.split(';', 1)[0]?.trim().toLowerCase() === CSV)

/** Pieces of the export, each read from the tenant when the one before has been consumed. */
async function* exportedRows(
  first: UsageRowsPage,
  more: (after: UsageKey) => Promise<UsageRowsPage>,
  isCsv: boolean,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  if (isCsv) yield encoder.encode(csvRow(COLUMNS))
  const write = isCsv ? csvLine : jsonLine
  for (let page = first; ; page = await more(page.next)) {
    if (page.rows.length > 0) yield encoder.encode(page.rows.map(write).join(''))
    if (page.next === null) return
  }
}

const NO_ROW = { hour: 0, tool: '', key: '', agent: '', session: '' }
const COLUMNS = Object.keys(encodeUsageRow({ ...NO_ROW, ...NO_USE }))

const csvLine = (row: WrittenUsage) => csvRow(Object.values(encodeUsageRow(row)))

const jsonLine = (row: WrittenUsage) => `${usageLine(row)}\n`
