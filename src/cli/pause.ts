import { setTimeout } from 'node:timers/promises'

/** Waits. @throws the reason of the signal, as soon as it is aborted */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
