import { SandboxNotThere } from '../../ports/sandbox.ts'

/**
 * Error for a sandbox that had ended before anything of the command was sent to it: another sandbox can take the command, also
 * when the provider still knows this one.
 */
export class NotBegun extends SandboxNotThere {
  override readonly name = 'NotBegun'
}

/** Waits for work that comes before a command. @throws NotBegun where the work found that the sandbox had ended */
export async function beforeCommand<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (thrown) {
    if (thrown instanceof SandboxNotThere) throw new NotBegun(thrown.message, { cause: thrown })
    throw thrown
  }
}
