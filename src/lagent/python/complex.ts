/** A complex number of Python, which JavaScript has not: it can be passed on and printed. */
export class Complex {
  readonly real: number
  readonly imaginary: number

  constructor(real: number, imaginary: number) {
    this.real = real
    this.imaginary = imaginary
  }
}

/** Python's `...`. */
export const ELLIPSIS = Symbol('Ellipsis')
