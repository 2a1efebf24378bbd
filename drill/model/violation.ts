/** Kinds of broken promises. */
export type Breach =
  | 'lost'
  | 'torn'
  | 'resurrected'
  | 'doubled'
  | 'unasked'
  | 'denied'
  | 'miscounted'
  | 'unintelligible'
  | 'ended'
  | 'left behind'
  | 'silent'

/** A promise that the server has broken: a drill ends with the first. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly breach: Breach
  readonly what: string

  constructor(breach: Breach, what: string) {
    super(`${breach}: ${what}`)
    this.breach = breach
    this.what = what
  }
}
