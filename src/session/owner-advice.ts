import type { Failure } from '../core/failure.ts'
import { CANONICAL, operatorAdvice, worded } from '../core/saying/worded.ts'

/** Advice that one session remembers as reported; further advice is dropped. */
const MAX_TOLD = 50
const OWNERS = { ...CANONICAL, isOwner: true } as const

/** Reports to the operator how to mend failures: each advice once, since a model may try again and again. */
export class OwnerAdvice {
  readonly #tell: (advice: string) => void
  readonly #told = new Set<string>()

  constructor(tell: (advice: string) => void) {
    this.#tell = tell
  }

  note({ said }: Failure): void {
    if (!said || operatorAdvice(said) === '') return
    const advice = worded(said, OWNERS)
    if (this.#told.has(advice) || this.#told.size === MAX_TOLD) return
    this.#told.add(advice)
    this.#tell(advice)
  }
}
