import { withAnySignal } from '../../core/any-signal.ts'
import type { Command } from '../../ports/runner.ts'
import type { Sandbox } from '../../ports/sandbox.ts'

/**
 * Writes a command's input into a file of the sandbox.
 * @param stop signals that each end the writing
 * @throws the error of the input's stream, rather than what the sandbox made of it
 */
export async function placeInput(
  open: NonNullable<Command['input']>,
  sandbox: Sandbox,
  file: string,
  stop: readonly AbortSignal[],
): Promise<void> {
  const source = (await open()).getReader()
  let failed: { readonly cause: unknown } | undefined
  const content = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.read().catch((cause: unknown) => {
        failed = { cause }
        throw cause
      })
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => source.cancel(reason),
  })
  try {
    await withAnySignal(stop, (signal) => sandbox.writeStream(file, content, signal))
  } catch (thrown) {
    throw failed ? failed.cause : thrown
  }
}
