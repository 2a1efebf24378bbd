import { type Failure, FailureError } from '../../core/failure.ts'

/** Failure for a signal's reason, in words for a model. */
export function reasonOf({ reason }: AbortSignal): Failure {
  if (reason instanceof FailureError) return reason.failure
  const late = reason instanceof DOMException && reason.name === 'TimeoutError'
  return late
    ? { code: 'timeout', message: 'the chain took longer than its caller allows' }
    : { code: 'conflict', message: 'the chain was stopped' }
}

/** Throws once the signal is aborted. @throws FailureError */
export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new FailureError(reasonOf(signal))
}
