import { describe, expect, it, vi } from 'vitest'
import { objectClient } from '../../../src/adapters/object-client.ts'
import { serveGroups } from '../../../src/adapters/object-groups.ts'
import type { Rules } from '../../../src/adapters/object-rules.ts'
import { DISK_FULL } from '../../../src/core/disk-full.ts'
import { type Failure, FailureError, failureWith } from '../../../src/core/failure.ts'
import { say } from '../../../src/core/saying/saying.ts'
import { failureOf } from '../../support/failure-of.ts'

interface LibraryApi {
  greet(): Promise<string>
  readonly books: {
    find(title: string): Promise<{ readonly title: string } | null>
    put(title: string): Promise<number>
    remove(title: string): Promise<boolean>
  }
  readonly loans: {
    end(title: string): Promise<void>
    ask(title: string): Promise<string>
  }
}

const RULES: Rules<LibraryApi> = {
  greet: 'repeat',
  books: { find: 'repeat', put: 'once', remove: 'remove' },
  loans: {
    end: { repeat: 'repeat', freesRoom: true },
    ask: { isRepeatable: () => false, answer: ({ message }) => `no: ${message}` },
  },
}

/** An object, with what its groups' methods do, and how often it was asked for what. */
class Library {
  readonly titles: string[] = []
  readonly seen: string[] = []
  isRemoving = false
  /** What the next methods fail with. */
  readonly errors: unknown[] = []

  #next<T>(name: string, value: T): T {
    this.seen.push(name)
    if (this.errors.length > 0) throw this.errors.shift()
    return value
  }

  async greet() {
    return 'hello'
  }

  readonly groups = {
    books: {
      find: (title: string) => this.#next('find', this.titles.includes(title) ? { title } : null),
      put: (title: string) => this.#next('put', this.titles.push(title)),
      remove: async (_title: string) => this.#next('remove', true),
    },
    loans: {
      end: (_title: string) => this.#next(`end, removing: ${this.isRemoving}`, undefined),
      ask: (title: string) => this.#next('ask', title),
    },
  }

  static {
    serveGroups<Library, LibraryApi>(Library, RULES, {
      open: (library) => library.groups,
      removing: async (library, work) => {
        library.isRemoving = true
        return work().finally(() => {
          library.isRemoving = false
        })
      },
    })
  }
}

const newClient = objectClient<LibraryApi>(RULES)

/** A client of an object as requests between objects have it: copies of data, and errors without their class. */
function clientOf(...errors: readonly unknown[]) {
  const library = new Library()
  library.errors.push(...errors)
  const stub = new Proxy(library, {
    get:
      (_, name) =>
      async (...args: unknown[]) => {
        const method = Reflect.get(library, name) as (...args: unknown[]) => Promise<unknown>
        try {
          return structuredClone(await method.apply(library, structuredClone(args)))
        } catch (thrown) {
          throw Object.assign(new Error(String(thrown)), thrown instanceof FailureError ? {} : thrown)
        }
      },
  })
  const open = vi.fn(() => stub)
  const judge = vi.fn(async (thrown: unknown) => String(thrown).includes('insufficient_storage'))
  return { client: newClient(open, judge), library, open, judge }
}

const RESET = Object.assign(new Error('reset'), { durableObjectReset: true })
const failureWords: Failure = {
  ...failureWith('not_found', say`there is no book in ${{ tool: 'file_read' }}`),
  data: { near: ['x'] },
}

describe('a group of methods of an object', () => {
  it('is asked by its name, beside methods of the object itself', async () => {
    const { client, library } = clientOf()
    expect(await client.greet()).toBe('hello')
    expect(await client.books.put('Ulysses')).toBe(1)
    expect(await client.books.find('Ulysses')).toEqual({ title: 'Ulysses' })
    expect(await client.books.find('Emma')).toBeNull()
    expect(await client.loans.end('Ulysses')).toBeUndefined()
    expect(library.seen).toHaveLength(4)
  })

  it('fails for its caller with all that the object said: code, words in parts, and data', async () => {
    const thrown = new FailureError(failureWords)
    const { client } = clientOf(thrown, thrown)
    await expect(client.books.find('x')).rejects.toBeInstanceOf(FailureError)
    const failure = await client.books.put('x').catch((caught: unknown) => caught)
    expect(failure).toHaveProperty('failure', failureWords)
  })

  it('fails as ever with what is no failure, and nothing of it is taken for one', async () => {
    const { client, library } = clientOf(new RangeError('its own'))
    await expect(client.books.find('x')).rejects.toThrow('its own')
    expect(library.seen).toEqual(['find'])
  })

  it('is asked again over a restart where that changes nothing', async () => {
    const read = clientOf(RESET)
    expect(await read.client.books.find('x')).toBeNull()
    expect(read.open).toHaveBeenCalledTimes(2)
    const changed = clientOf(RESET)
    expect(await failureOf(changed.client.books.put('x'))).toMatchObject({ code: 'unavailable' })
    expect(changed.library.seen).toEqual(['put'])
    const freed = clientOf(RESET)
    await freed.client.loans.end('x')
    expect(freed.library.seen).toEqual(['end, removing: true', 'end, removing: true'])
  })

  it('writes on a full disk only where its rule says that it frees room', async () => {
    const { client, library } = clientOf()
    await client.loans.end('x')
    await client.loans.ask('x')
    expect(library.seen).toEqual(['end, removing: true', 'ask'])
    expect(library.isRemoving).toBe(false)
  })

  it('answers in place of a failure where its rule has an answer', async () => {
    const refusing = clientOf(new FailureError({ code: 'conflict', message: 'lent' }))
    expect(await refusing.client.loans.ask('x')).toBe('no: lent')
    const lost = clientOf(RESET)
    expect(await lost.client.loans.ask('x')).toMatch(/^no: .*restarted/)
  })

  it('that a full disk refuses has the disk looked at, is asked again where it may be, and says that nothing was changed', async () => {
    const full = new FailureError(DISK_FULL)
    const read = clientOf(full)
    expect(await read.client.books.find('x')).toBeNull()
    expect(await clientOf(full).client.books.remove('x')).toBe(true)
    const changed = clientOf(full)
    expect(await failureOf(changed.client.books.put('x'))).toEqual(DISK_FULL)
    expect(changed.judge).toHaveBeenCalledOnce()
    expect(changed.library.seen).toEqual(['put'])
  })

  it('has the disk looked at for no other failure, whatever a caller made it say', async () => {
    const { client, judge } = clientOf(
      new FailureError({ code: 'not_found', message: 'no [insufficient_storage] here' }),
    )
    expect(await failureOf(client.books.find('x'))).toMatchObject({ code: 'not_found' })
    expect(judge).not.toHaveBeenCalled()
  })
})
