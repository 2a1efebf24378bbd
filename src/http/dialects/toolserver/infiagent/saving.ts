import type { Outcome } from '../../../../core/outcome.ts'
import type { Params } from '../../../parameters/params.ts'
import { answering, type Call, type Data, textOf, without } from './calls.ts'

/** Makes a call whose text goes into the file `save_path`, if one is given; the answer names the file in its place. */
export async function savingText(
  tool: string,
  params: Params,
  call: Call,
  { textFrom, shown }: { textFrom(data: Data): string; shown(data: Data): Data },
): Promise<Outcome> {
  const save_path = textOf(params, 'save_path')
  const outcome = await call({ tool, args: without(params, 'save_path') })
  if (save_path === null || outcome.kind !== 'done') return outcome
  const content = textFrom(outcome.result.data)
  const written = await call({ tool: 'file_write', args: { file_path: save_path, content } })
  return written.kind === 'done' ? answering(outcome, (data) => ({ ...shown(data), save_path })) : written
}

/** Makes a call that keeps a page as Markdown, and moves the page to `save_path`, if one is given. */
export async function savingPage(tool: string, params: Params, call: Call): Promise<Outcome> {
  const save_path = textOf(params, 'save_path')
  const outcome = await call({ tool, args: without(params, 'save_path') })
  if (save_path === null || outcome.kind !== 'done') return outcome
  const { markdown_file } = outcome.result.data
  const moved = await call({ tool: 'file_move', args: { src_path: markdown_file, dest_path: save_path } })
  return moved.kind === 'done' ? answering(outcome, (data) => ({ ...data, markdown_file: save_path })) : moved
}
