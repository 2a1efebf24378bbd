/** Shortest text that is masked: a shorter one would be found everywhere. */
const MIN_MASKED_CHARS = 4

/**
 * Mask: replaces secrets by `***` in an answer that repeats them as they were sent, or as JSON, a URL, a form or a number
 * writes them. A malicious service could give one away in other ways: it has received it.
 */
export class Mask {
  readonly #forms: readonly string[]

  /** @param secrets texts, each as it was sent */
  constructor(secrets: readonly string[]) {
    const forms = secrets.flatMap(formsOf)
    // Longer ones first: one may hold another.
    this.#forms = [...new Set(forms)].filter((form) => form.length >= MIN_MASKED_CHARS).sort(byLength)
  }

  /** All masked texts, the longest first. */
  get forms(): readonly string[] {
    return this.#forms
  }

  get isEmpty(): boolean {
    return this.#forms.length === 0
  }

  text(text: string): string {
    return this.#forms.reduce((out, form) => out.replaceAll(form, '***'), text)
  }

  /** Bytes of the same length, with a `*` for each masked byte. */
  bytes(given: Uint8Array): Uint8Array {
    if (this.isEmpty) return given
    const out = given.slice()
    for (const form of this.#forms) blot(out, new TextEncoder().encode(form))
    return out
  }

  /** Value with all texts and numbers masked, names of fields too. @param value JSON of bounded depth */
  value(value: unknown): unknown {
    if (this.isEmpty) return value
    if (typeof value === 'string') return this.text(value)
    if (typeof value === 'number') return this.text(String(value)) === String(value) ? value : '***'
    if (Array.isArray(value)) return value.map((item) => this.value(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.value(item)]))
  }
}

function formsOf(secret: string): string[] {
  const inUrl = encodeURIComponent(secret.toWellFormed())
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1)
  const inSmallLetters = [inUrl, inForm].map((form) => form.replace(/%../g, (code) => code.toLowerCase()))
  const inJson = JSON.stringify(secret).slice(1, -1)
  // As Python writes JSON.
  const inAscii = inJson.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  // A number has no leading zeros, and the last digits of a long one may be lost.
  const asNumber = /^\d+$/.test(secret) ? [String(BigInt(secret)), String(Number(secret))] : []
  return [secret, inJson, inAscii, inUrl, inForm, ...inSmallLetters, ...asNumber]
}

function blot(bytes: Uint8Array, hidden: Uint8Array): void {
  const [first = 0] = hidden
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (hidden.every((byte, n) => bytes[at + n] === byte)) bytes.fill(ASTERISK, at, at + hidden.length)
  }
}

const ASTERISK = 0x2a

const byLength = (one: string, other: string) => other.length - one.length
