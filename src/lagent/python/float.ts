/** A float of Python that is whole, which JavaScript does not tell from an integer: `new Float(10)` is printed as `10.0`. */
export class Float {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }

  valueOf(): number {
    return this.value
  }

  toJSON(): number {
    return this.value
  }
}
