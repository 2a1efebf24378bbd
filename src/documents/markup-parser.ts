import { type Handler, Parser } from 'htmlparser2'

/**
 * HTML's parser with a bounded number of elements inside one another: what opens deeper is one without content, and what
 * it holds stands beside it. Without the bound the parser's own stack makes a megabyte of `<b>` take minutes.
 */
export class BoundedParser extends Parser {
  readonly #html: string
  readonly #maxDepth: number
  #depth = 0
  /** Elements that were opened too deep and not closed yet, by name. */
  readonly #tooDeep = new Map<string, number>()
  /** The verdict on the element that is being opened: the parser asks twice. */
  #verdict: boolean | null = null

  constructor(html: string, handler: Partial<Pick<Handler, 'onclosetag' | 'onopentag' | 'ontext'>>, maxDepth: number) {
    super({
      ...handler,
      onopentag: (name, attributes, isImplied) => {
        this.#depth++
        handler.onopentag?.(name, attributes, isImplied)
      },
      onclosetag: (name, isImplied) => {
        this.#depth--
        handler.onclosetag?.(name, isImplied)
      },
    })
    this.#html = html
    this.#maxDepth = maxDepth
  }

  parse(): void {
    this.end(this.#html)
  }

  /** An element too deep is one that has no content; its end tag is that of nothing. */
  protected override isVoidElement(name: string): boolean {
    if (super.isVoidElement(name)) return true
    if (this.#html[this.startIndex + 1] === '/') return this.#takeTooDeep(name)
    if (this.#verdict !== null) {
      const verdict = this.#verdict
      this.#verdict = null
      return verdict
    }
    this.#verdict = this.#depth >= this.#maxDepth
    if (this.#verdict) this.#tooDeep.set(name, (this.#tooDeep.get(name) ?? 0) + 1)
    return this.#verdict
  }

  #takeTooDeep(name: string): boolean {
    const open = this.#tooDeep.get(name) ?? 0
    if (open > 0) this.#tooDeep.set(name, open - 1)
    return open > 0
  }
}
