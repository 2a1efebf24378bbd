import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { MAX_VAIN_RESTARTS, Service } from '../../../scripts/start/service.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A service whose process serves as often as `serves` says; from then on each ends before it does. */
async function running({ serves }: { readonly serves: number }) {
  const lines: string[] = []
  const failures: string[] = []
  const starts: number[] = []
  const ended: string[] = []
  let isHung = false
  const service = new Service(
    {
      name: 'thing',
      consequence: 'nothing is lost',
      async launch() {
        starts.push(Date.now())
        isHung = false
        if (starts.length <= serves) return 'served'
        service.ended('exit 1')
        throw new Error('the thing did not start')
      },
      ask: (signal) =>
        isHung
          ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))))
          : Promise.resolve(200),
    },
    {
      children: { end: async (name, signal) => void ended.push(`${name} ${signal}`) },
      onFailure: (error) => void failures.push(error.message),
      log: (line) => void lines.push(line),
    },
  )
  expect(await service.start()).toBe('served')
  const hang = () => {
    isHung = true
  }
  return { service, lines, failures, starts, ended, hang }
}

const SECOND_MS = 1_000

it('a process that ends is started again at once, and from the fourth time in ten minutes on after 30 s', async () => {
  const { service, lines, starts } = await running({ serves: 10 })
  const begun = Date.now()
  for (let time = 0; time < 4; time++) {
    expect(service.ended('SIGKILL')).toBe(true)
    await vi.advanceTimersByTimeAsync(SECOND_MS)
  }
  expect(lines).toEqual([
    ...Array(3).fill('Toolyard: the thing ended (SIGKILL); starting it again, nothing is lost'),
    'Toolyard: the thing ended (SIGKILL); starting it again in 30 s, nothing is lost',
  ])
  expect(starts).toHaveLength(4)
  await vi.advanceTimersByTimeAsync(30 * SECOND_MS)
  expect(starts).toHaveLength(5)

  await vi.advanceTimersByTimeAsync(11 * 60 * SECOND_MS)
  service.ended('SIGKILL')
  await vi.advanceTimersByTimeAsync(SECOND_MS)
  expect(starts).toHaveLength(6)
  expect(starts[0]).toBe(begun)
  service.stop()
})

it('a process that hangs is killed and started again', async () => {
  const { service, lines, starts, ended, hang } = await running({ serves: 2 })
  hang()
  await vi.advanceTimersByTimeAsync(15 * SECOND_MS)
  expect(lines).toEqual(['Toolyard: the thing did not answer for 9 s; starting it again, nothing is lost'])
  expect(ended).toEqual(['thing SIGKILL'])
  expect(starts).toHaveLength(2)
  service.stop()
})

it('a process that ends each time before it serves is given up, in words', async () => {
  const { service, failures, starts } = await running({ serves: 1 })
  service.ended('SIGSEGV')
  await vi.advanceTimersByTimeAsync(10 * 60 * SECOND_MS)
  expect(failures).toEqual([`the thing ended (exit 1), and did not serve after ${MAX_VAIN_RESTARTS} restarts`])
  expect(starts).toHaveLength(1 + MAX_VAIN_RESTARTS)
  service.stop()
})

it('a process that ends while it is not looked after yet, or not any more, is not started again', async () => {
  const { service, starts } = await running({ serves: 1 })
  service.stop()
  expect(service.ended(0)).toBe(false)
  await vi.advanceTimersByTimeAsync(60 * SECOND_MS)
  expect(starts).toHaveLength(1)
  const surroundings = { children: { end: async () => {} }, onFailure() {}, log() {} }
  const never = new Promise<never>(() => {})
  const starting = new Service({ name: 'thing', consequence: '', launch: () => never, ask: () => never }, surroundings)
  const failed = expect(starting.start()).rejects.toThrow('the thing did not answer within 60 s')
  expect(starting.ended(1)).toBe(false)
  await vi.advanceTimersByTimeAsync(60 * SECOND_MS)
  await failed
})
