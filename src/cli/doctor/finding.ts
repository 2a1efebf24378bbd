import { CliError } from '../failure.ts'

/** Finding of a check. */
export interface Finding {
  readonly name: string
  /** `warning`: it works, and something should be known. */
  readonly state: 'good' | 'warning' | 'bad'
  /** Fact that is good, or fault. */
  readonly found: string
  /** Advice; empty where there is none, or `found` has it. */
  readonly advice: string
}

/** A finding of something that works. */
export const good = (name: string, found: string): Finding => ({ name, state: 'good', found, advice: '' })

/** A finding of something that does not. */
export const bad = (name: string, found: string, advice: string): Finding => ({ name, state: 'bad', found, advice })

/** Finding of a check, whose failure is one too. @param signal Ctrl-C, which is none */
export async function checked(name: string, signal: AbortSignal, check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (failure) {
    signal.throwIfAborted()
    const message = failure instanceof Error ? failure.message : String(failure)
    return bad(name, message, failure instanceof CliError ? failure.hint : '')
  }
}
