import { FailureError } from '../../core/failure.ts'
import { isNoSandbox } from '../../core/rate-limited.ts'

/** Whether the provider cannot be asked, or the sandbox was paused meanwhile and waits for others to end. */
export const isOutOfReach = (thrown: unknown) =>
  isNoSandbox(thrown) || (thrown instanceof FailureError && thrown.failure.code === 'upstream')
