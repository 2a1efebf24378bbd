import { BACKGROUND_SECONDS } from '../core/limits/jobs.ts'
import { MAX_COMMAND_SECONDS, UNLIKELY_FOREGROUND_SECONDS } from '../core/limits/sandbox.ts'

/** Time granted to a command, and a note when that is less than requested. */
export function grantedTime(requestedSeconds: number) {
  const granted = Math.min(requestedSeconds, MAX_COMMAND_SECONDS)
  const notes =
    granted < requestedSeconds ? [`timeout was cut to ${MAX_COMMAND_SECONDS} seconds, the longest that is granted`] : []
  return { seconds: granted, timeoutMs: granted * 1000, notes }
}

/** Description of the argument `timeout` of a tool that runs a command. @param usual default, in seconds */
export const secondsUntilStopped = (usual: number) =>
  `Seconds until it is stopped, at most ${MAX_COMMAND_SECONDS}. Default ${usual}, with background ${BACKGROUND_SECONDS}`

/** Time granted as by {@link grantedTime}, for a command that a caller waits for, with a note when the number is rather one of milliseconds. */
export function foregroundTime(requestedSeconds: number): ReturnType<typeof grantedTime> {
  const granted = grantedTime(requestedSeconds)
  if (requestedSeconds <= UNLIKELY_FOREGROUND_SECONDS || granted.notes.length > 0) return granted
  const hours = Math.round(requestedSeconds / 360) / 10
  return { ...granted, notes: [`timeout is in seconds: ${requestedSeconds} are ${hours} hours`] }
}
