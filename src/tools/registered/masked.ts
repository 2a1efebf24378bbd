/** Below this a text would be found everywhere. */
const MIN_MASKED_CHARS = 4

/** Replaces secrets, in the forms in which a service gives them back, by `***`. */
export class Mask {
  readonly #forms: readonly string[]

  /** @param secrets each as it was sent */
  constructor(secrets: readonly string[]) {
    const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    // The longer first: one may hold another.
    this.#forms = [...new Set(forms)].filter((form) => form.length >= MIN_MASKED_CHARS).sort(byLength)
  }

  get isEmpty(): boolean {
    return this.#forms.length === 0
  }

  text(text: string): string {
    return this.#forms.reduce((out, form) => out.replaceAll(form, '***'), text)
  }

  /** All texts of a value, names of fields too. @param value JSON of bounded depth */
  value(value: unknown): unknown {
    if (this.isEmpty) return value
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((item) => this.value(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.value(item)]))
  }
}

const byLength = (one: string, other: string) => other.length - one.length
