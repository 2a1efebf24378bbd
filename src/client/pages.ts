/** Page of a list, as the API answers it. */
interface PageOf {
  readonly data: readonly unknown[]
  readonly next_cursor: string | null
}

/** A list that comes in pages: `for await` gives its items, and asks for a page when the one before is used up. */
export class Pages<Page extends PageOf> implements AsyncIterable<Page['data'][number]> {
  readonly #read: (cursor: string | undefined) => Promise<Page>

  constructor(read: (cursor: string | undefined) => Promise<Page>) {
    this.#read = read
  }

  /** One page, the first unless a `next_cursor` is given. */
  page(cursor?: string): Promise<Page> {
    return this.#read(cursor)
  }

  /** All pages, one after the other. */
  async *pages(): AsyncGenerator<Page, void> {
    for (let cursor: string | undefined; ; ) {
      const page = await this.#read(cursor)
      yield page
      if (page.next_cursor === null) return
      cursor = page.next_cursor
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Page['data'][number], void> {
    for await (const { data } of this.pages()) yield* data as Page['data'][number][]
  }

  /** The first items, so many at most. */
  async take(count: number): Promise<Page['data'][number][]> {
    const items: Page['data'][number][] = []
    if (count <= 0) return items
    for await (const item of this) if (items.push(item) >= count) break
    return items
  }
}
