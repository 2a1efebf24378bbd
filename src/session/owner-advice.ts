import type { Failure } from '../core/failure.ts'
import { CANONICAL, operatorAdvice, worded } from '../core/saying/worded.ts'

/** Advice that one session remembers as reported; further advice is dropped. */
const MAX_REPORTED = 50
const OWNERS = { ...CANONICAL, isOwner: true } as const

/** Reports to the operator how to mend failures: each advice once, since a model may try again and again. */
export class OwnerAdvice {
  readonly #tell: (advice: string) => void
  readonly #reported = new Set<string>()

  constructor(tell: (advice: string) => void) {
    this.#tell = tell
  }

  note({ parts }: Failure): void {
    if (!parts || operatorAdvice(parts) === '') return
    const advice = worded(parts, OWNERS)
    if (this.#reported.has(advice) || this.#reported.size === MAX_REPORTED) return
    this.#reported.add(advice)
    this.#tell(advice)
  }
}
