import { FailureError, messageParts } from '../../core/failure.ts'
import { NAMELESS, worded } from '../../core/saying/worded.ts'
import { pageText } from './page-text.ts'

/** Text of a page, or the reason why it cannot be read. */
export async function pageOrReason(
  url: string,
  outside: Parameters<typeof pageText>[1],
  signal: AbortSignal,
): Promise<{ readonly content: string } | { readonly error: string }> {
  try {
    return { content: await pageText(url, outside, signal) }
  } catch (thrown) {
    if (!(thrown instanceof FailureError) || signal.aborted) throw thrown
    return { error: worded(messageParts(thrown.failure), NAMELESS) }
  }
}
