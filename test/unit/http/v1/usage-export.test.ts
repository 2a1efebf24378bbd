import { describe, expect, it } from 'vitest'
import { USAGE_EXPORT_ROWS } from '../../../../src/core/limits/usage.ts'
import { csvRow } from '../../../../src/http/csv.ts'
import { openV1 } from './open.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const HOUR = NOW / 3_600_000

/** A tenant with rows of use: hour, tool, key, agent, session. */
function used(rows: readonly (readonly [number, string, string, string, string])[]) {
  const opened = openV1()
  opened.time.now = NOW
  for (const row of rows) {
    opened.sql.run(
      `INSERT INTO usage VALUES (?, ?, ?, ?, ?, 3, 1, 2, 1500, 10, 20, 500, 7, '{"timeout":1}', '{}', 9000, 4500)`,
      ...row,
    )
  }
  const text = async (query = '', headers: Record<string, string> = {}) => {
    const answer = await opened.fetch('GET', `/v1/usage/export${query}`, undefined, ['read'], 'acme', headers)
    return { type: answer.headers.get('Content-Type'), status: answer.status, text: await answer.text() }
  }
  return { ...opened, text }
}

describe('GET /v1/usage/export', () => {
  it('has a line of JSON for each row of the period, oldest first', async () => {
    const { text } = used([
      [HOUR, 'file_read', 'k1', 'sofia', 's'],
      [HOUR - 1, 'file_read', '', '', '*'],
      [HOUR - 24 * 7, 'file_read', 'k1', '', 's'],
    ])
    const { type, text: lines } = await text()
    expect(type).toBe('application/x-ndjson')
    const sums = {
      calls: 3,
      failed: 1,
      refused: 2,
      seconds: 1.5,
      sandbox_seconds: 0.5,
      bytes_in: 10,
      bytes_out: 20,
      cost: 7,
      sandbox_running_seconds: 9,
      sandbox_paused_seconds: 4.5,
    }
    expect(lines.split('\n').map((line) => line && JSON.parse(line))).toEqual([
      { hour: '2026-11-20T11:00:00.000Z', tool: 'file_read', key: null, agent: null, session: '*', ...sums },
      { hour: '2026-11-20T12:00:00.000Z', tool: 'file_read', key: 'k1', agent: 'sofia', session: 's', ...sums },
      '',
    ])
    expect((await text('?from=2026-11-13&to=2026-11-13')).text).toContain('2026-11-13T12:00:00.000Z')
  })

  it('is CSV by format or Accept, in which no name is a formula', async () => {
    const { text } = used([[HOUR, '@session', 'k1', '=HYPERLINK("http://evil.example","x")', 'a, "b"\nc']])
    const csv = [
      'hour,tool,key,agent,session,calls,failed,refused,seconds,sandbox_seconds,bytes_in,bytes_out,cost,sandbox_running_seconds,sandbox_paused_seconds\r\n',
      `2026-11-20T12:00:00.000Z,'@session,k1,"'=HYPERLINK(""http://evil.example"",""x"")","a, ""b""\nc",3,1,2,1.5,0.5,10,20,7,9,4.5\r\n`,
    ].join('')
    expect(await text('?format=csv')).toEqual({ status: 200, type: 'text/csv; charset=utf-8', text: csv })
    expect((await text('', { Accept: 'application/json;q=0.5, text/csv' })).text).toBe(csv)
    expect((await text('?format=jsonl', { Accept: 'text/csv' })).type).toBe('application/x-ndjson')
  })

  it('has each row once, over pages, and for a key its own rows alone', async () => {
    const many = Array.from(
      { length: USAGE_EXPORT_ROWS + 5 },
      (_, at) => [HOUR, 'one', at % 2 ? 'k1' : 'k2', '', `${at}`] as const,
    )
    const { text, tenant } = used(many)
    const { text: lines } = await text()
    const sessions = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).session)
    expect(new Set(sessions).size).toBe(many.length)
    expect(sessions).toHaveLength(many.length)

    const own: string[] = []
    const period = { from: HOUR, to: HOUR + 1, key: 'k2' }
    for (
      let page = await tenant.usage.rows(period);
      ;
      page = await tenant.usage.rows({ ...period, ...(page.next && { after: page.next }) })
    ) {
      own.push(...page.rows.map(({ key }) => key))
      if (page.next === null) break
    }
    expect(own).toEqual(many.filter(([, , key]) => key === 'k2').map(() => 'k2'))
  })

  it.each([
    ['days the wrong way round', '?from=2026-11-02&to=2026-11-01', 'from is after to'],
    ['more days than are kept', '?from=2026-01-01&to=2026-11-01', 'USAGE_RETENTION_DAYS'],
    ['a form that there is not', '?format=xml', 'format'],
  ])('refuses %s', async (_what, query, detail) => {
    const { status, text } = await used([]).text(query)
    expect(status).toBe(400)
    expect(text).toContain(detail)
  })
})

it.each(['=1', '+1', '-1', '@x', ' =1', '\t=1', '\r=1', '＝1'])('the cell %j is a text in a spreadsheet', (cell) => {
  expect(csvRow([cell])).toMatch(/^"?'/)
})

it.each(['x;=1;', 'x; =1', 'x\t-1'])('the cell %j has no formula where another sign separates cells', (cell) => {
  for (const part of csvRow([cell]).split(/[;\t]/)) expect(part).not.toMatch(/^[\s=+@-]+\d/)
})

it('other cells are as they are', () => {
  expect(csvRow(['plain', 'a=b', '', 1.5, -2])).toBe('plain,a=b,,1.5,-2\r\n')
})
