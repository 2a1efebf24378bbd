import type { Options } from './command.ts'
import type { Output } from './output/output.ts'
import type { Column } from './output/table.ts'
import { integerOf } from './values.ts'

/** Option of lists. */
export const LIMIT_OPTION = {
  limit: { type: 'string', short: 'n', value: 'COUNT', help: 'most items, 50 unless said' },
} as const satisfies Options

const USUAL_LIMIT = 50
/** Most items of a list: more are no reading, and would be held at once. */
const MAX_LIMIT = 10_000

/** Prints the first items of a list, and says on stderr when there are more. @param none sentence for an empty list */
export async function printList<Item>(
  output: Output,
  pages: { take(count: number): Promise<Item[]> },
  { limit, columns, none }: { limit: string | undefined; columns: readonly Column<Item>[]; none: string },
): Promise<void> {
  const most = integerOf(limit, '--limit', { usual: USUAL_LIMIT, min: 1, max: MAX_LIMIT })
  const items = await pages.take(most + 1)
  await output.list(items.slice(0, most), columns, none)
  if (items.length > most) await output.note(`there are more: --limit ${most * 2} shows twice as many`)
}
