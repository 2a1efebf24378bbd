import { expect, it } from 'vitest'
import { objectClient } from '../../../src/adapters/object-client.ts'
import { OBJECT_ATTEMPTS, OVERLOADED_RETRY_SECONDS } from '../../../src/core/limits/requests.ts'
import { failureOf } from '../../support/failure-of.ts'

interface Counter {
  read(): Promise<number>
  add(by: number): Promise<number>
  clear(): Promise<number>
}

const newClient = objectClient<Counter>({ read: 'repeat', add: 'once', clear: 'remove' })

/** A client, and how often stubs were opened and asked. @param errors what the first calls fail with */
function clientOf(...errors: readonly unknown[]) {
  const left = [...errors]
  const seen = { opened: 0, calls: 0 }
  const pauses: number[] = []
  const ask = async () => {
    seen.calls++
    if (left.length > 0) throw left.shift()
    return seen.calls
  }
  const client = newClient(
    () => {
      seen.opened++
      return { read: ask, add: ask, clear: ask }
    },
    async (thrown) => thrown === FULL,
    async (failed) => void pauses.push(failed),
  )
  return { client, seen, pauses }
}

const marked = (marks: object) => Object.assign(new Error('inner words'), marks)
/** Errors of objects that a full disk broke have the marks of a restart, too. */
const FULL = marked({ durableObjectReset: true })
const RESETS = [
  marked({ retryable: true }),
  marked({ durableObjectReset: true }),
  new Error('Network connection lost.'),
]

it('a read that meets restarts is asked again by another stub after a pause each time, and not for ever', async () => {
  for (const reset of RESETS) {
    const once = clientOf(reset)
    expect(await once.client.read()).toBe(2)
    expect([once.seen, once.pauses]).toEqual([{ opened: 2, calls: 2 }, [1]])
    const always = clientOf(...Array.from({ length: 9 }, () => reset))
    expect(await failureOf(always.client.read())).toMatchObject({ code: 'unavailable' })
    expect(always.seen.calls).toBe(OBJECT_ATTEMPTS)
    expect(always.pauses).toEqual(Array.from({ length: OBJECT_ATTEMPTS - 1 }, (_, at) => at + 1))
  }
})

it('what changes something is asked once, and the next call gets another stub', async () => {
  for (const reset of RESETS) {
    const { client, seen } = clientOf(reset)
    const { message } = await failureOf(client.add(1))
    expect(message).toMatch(/it may have been done/)
    expect(message).not.toContain('inner words')
    expect(await client.add(1)).toBe(2)
    expect(seen).toEqual({ opened: 2, calls: 2 })
  }
})

it('an object that has too much to do is not asked again, and its caller hears when to come back', async () => {
  const overloaded = marked({ overloaded: true, retryable: true })
  const wait = { code: 'unavailable', data: { retryAfterSeconds: OVERLOADED_RETRY_SECONDS } }
  const read = clientOf(overloaded)
  const failure = await failureOf(read.client.read())
  expect(failure).toMatchObject({ ...wait, message: expect.stringMatching(/too much to do.* send the same again/) })
  expect([read.seen.calls, read.pauses]).toEqual([1, []])
  const add = clientOf(overloaded)
  expect(await failureOf(add.client.add(1))).toMatchObject({
    ...wait,
    message: expect.stringMatching(/may have been done or not/),
  })
  expect([add.seen.calls, add.pauses]).toEqual([1, []])
})

it('a restart during the second attempt is repeated, and overload during it is not', async () => {
  const { client, seen } = clientOf(RESETS[0], marked({ overloaded: true }))
  expect(await failureOf(client.read())).toMatchObject({ message: expect.stringMatching(/too much to do/) })
  expect(seen.calls).toBe(2)
})

it('one stub serves as long as nothing is lost, and other errors come through', async () => {
  const { client, seen } = clientOf()
  for (let time = 0; time < 3; time++) await client.read()
  expect(seen).toEqual({ opened: 1, calls: 3 })
  const broken = clientOf(new RangeError('its own'))
  await expect(broken.client.read()).rejects.toThrow(new RangeError('its own'))
  expect(broken.seen.calls).toBe(1)
})

it('a full disk is told from a restart: reads and removals are asked once more, a change may have been carried out', async () => {
  expect(await clientOf(FULL).client.read()).toBe(2)
  expect(await clientOf(FULL).client.clear()).toBe(2)
  const { client, seen } = clientOf(FULL)
  expect(await failureOf(client.add(1))).toMatchObject({
    code: 'insufficient_storage',
    message: expect.stringMatching(/may have been carried out/),
  })
  expect(seen.calls).toBe(1)
})

it('a removal that meets a restart is not asked again: the second would say that nothing was there', async () => {
  for (const reset of RESETS) {
    const { client, seen } = clientOf(reset)
    expect(await failureOf(client.clear())).toMatchObject({ code: 'unavailable' })
    expect(seen.calls).toBe(1)
  }
})
