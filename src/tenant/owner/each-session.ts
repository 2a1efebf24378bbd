import { ENDED_SESSIONS_AT_ONCE } from '../../core/limits/deletion.ts'

/** Does work for each session, some side by side. One that fails keeps none of the others from their turn. */
export async function eachSession(
  names: readonly string[],
  work: (name: string) => Promise<void>,
  failed: (name: string, thrown: unknown) => void,
): Promise<void> {
  const waiting = [...names]
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      try {
        await work(name)
      } catch (thrown) {
        failed(name, thrown)
      }
    }
  }
  await Promise.all(Array.from({ length: ENDED_SESSIONS_AT_ONCE }, worker))
}
