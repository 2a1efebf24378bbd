import type { CallCounter, DayTotal } from './call-counter.ts'

/** One counter of a call, with today's total of the same name, or the whole life's total of a child key. */
export interface CountedPlace {
  readonly counter: CallCounter
  readonly today: DayTotal
}
