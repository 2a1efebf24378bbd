import {
  LIVE_BURST_BYTES,
  LIVE_BYTES_A_SECOND,
  LIVE_LATE_LOOK_MS,
  LIVE_LATE_SHARE,
  LIVE_LOOK_MS,
  LIVE_MESSAGE_BYTES,
} from '../../core/limits/calls.ts'

/** Limits of live output, for the programs in the sandbox that pass it on. */
export const LIVE_SETTINGS = {
  LIVE_LOOK_SECONDS: LIVE_LOOK_MS / 1000,
  LIVE_LATE_LOOK_SECONDS: LIVE_LATE_LOOK_MS / 1000,
  LIVE_LATE_SHARE,
  LIVE_BURST_BYTES,
  LIVE_BYTES_A_SECOND,
  LIVE_MESSAGE_BYTES,
}
