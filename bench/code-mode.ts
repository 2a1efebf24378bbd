import type { Caller } from './caller.ts'

/** Files that the task reads, one call each, and their rows: 200 together. */
const FILES = 10
const ROWS_A_FILE = 20

/** Cost of one way of doing the task. `tokens`: what a model writes and reads of the calls, at four characters each. */
export interface CodeModeTimes {
  readonly how: string
  readonly calls: number
  readonly tokens: number
  readonly ms: number
}

const fileOf = (n: number) => `region-${n}.csv`
const rowsOf = (n: number) =>
  Array.from(
    { length: ROWS_A_FILE },
    (_, at) => `2026-11-${String(at + 1).padStart(2, '0')},product ${(n * 7 + at) % 9},${(n * 31 + at * 17) % 100}`,
  )
const CONTENT = (n: number) => `day,product,sold\n${rowsOf(n).join('\n')}\n`

const CODE = `sold = {}
for n in range(${FILES}):
    for row in tools.file_read(file_path=f"region-{n}.csv")["content"].splitlines()[1:]:
        day, product, count = row.split(",")
        sold[product] = sold.get(product, 0) + int(count)
print(max(sold, key=sold.get), max(sold.values()))`

const tokensOf = (...parts: readonly unknown[]) =>
  Math.round(parts.map((part) => JSON.stringify(part).length).reduce((sum, chars) => sum + chars, 0) / 4)

/**
 * Measures a task of ten calls over 200 rows (which product sold best) as ten calls, and as code that makes them. Only the server's
 * time is counted: with single calls a model reads all rows, takes a turn for each call unless it makes them at once, and still has
 * to add them up.
 */
export async function codeModeTimes(call: Caller, quick: boolean): Promise<CodeModeTimes[]> {
  const task = 'code-mode'
  await call.create(task)
  for (let n = 0; n < FILES; n++) {
    await call.tool(task, 'file_write', { file_path: fileOf(n), content: CONTENT(n) })
  }
  // The sandbox is made by the first command; an agent that works in it has it already.
  await call.tool(task, 'execute_shell', { command: 'true' })
  const rounds = quick ? 2 : 10
  const single = await timed(rounds, async () => {
    let tokens = 0
    for (let n = 0; n < FILES; n++) {
      const request = { name: 'file_read', arguments: { file_path: fileOf(n) } }
      tokens += tokensOf(request, dataOf(await call.tool(task, request.name, request.arguments)))
    }
    return tokens
  })
  const code = await timed(rounds, async () => {
    const request = { name: 'code_run_tools', arguments: { code: CODE } }
    return tokensOf(request, dataOf(await call.tool(task, request.name, request.arguments)))
  })
  return [
    { how: 'single calls', calls: FILES, ...single },
    { how: 'code_run_tools', calls: 1, ...code },
  ]
}

const dataOf = (answer: unknown) => (answer as { readonly data: unknown }).data

/** Middle time of some rounds, after one that warms up. */
async function timed(rounds: number, work: () => Promise<number>) {
  let tokens = await work()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    tokens = await work()
    times.push(performance.now() - start)
  }
  return { tokens, ms: times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0 }
}

export function printCodeMode(rows: readonly CodeModeTimes[]): void {
  console.log(`\n| ${FILES} calls over ${FILES * ROWS_A_FILE} rows | calls of the model | tokens | ms |`)
  console.log('|---|---|---|---|')
  for (const { how, calls, tokens, ms } of rows) {
    console.log(`| ${how} | ${calls} | ${tokens} | ${ms.toFixed(0)} |`)
  }
}
