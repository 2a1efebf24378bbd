import type { EmbeddedText, Semantics } from '../../src/ports/semantics.ts'

/** Knows which texts are near a query by what the test says, and judges by the last number in a text. */
export class FakeSemantics implements Semantics {
  readonly texts = new Map<string, EmbeddedText & { readonly corpus: string }>()
  near: (text: string) => boolean = () => false
  readonly judged: string[][] = []

  async put(corpus: string, texts: readonly EmbeddedText[]) {
    for (const text of texts) this.texts.set(text.id, { ...text, corpus })
  }
  async remove(ids: readonly string[]) {
    for (const id of ids) this.texts.delete(id)
  }
  nearest: Semantics['nearest'] = async ({ corpora, year }) =>
    [...this.texts.values()]
      .filter(
        (text) => corpora.includes(text.corpus) && (year === undefined || text.year === year) && this.near(text.text),
      )
      .map(({ id }) => id)
  judge: Semantics['judge'] = async (_, texts) => {
    this.judged.push([...texts])
    return texts.map((text) => Number(/(\d+)\D*$/.exec(text)?.[1] ?? 0) / 100)
  }
}
