import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConsoleBench, startConsole } from '../../support/console-bench.ts'

let bench: ConsoleBench
/** Another server of this machine, and the cookies that it was sent. */
let port = 0
const cookies: string[] = []
const other = createServer((request, answer) => {
  cookies.push(request.headers.cookie ?? '')
  answer.end('<!doctype html><title>other</title>')
})

beforeAll(async () => {
  bench = await startConsole()
  await new Promise<void>((listens) => other.listen(0, '127.0.0.1', listens))
  port = (other.address() as AddressInfo).port
})
afterAll(async () => {
  await bench?.end()
  await new Promise((closed) => other.close(closed))
})

it('signs in at toolyard.localhost, and no other server of the machine gets its cookie there', async () => {
  const own = bench.url.replace('localhost', 'toolyard.localhost')
  expect(bench.output()).toContain(`${own}/console/`)
  const { page, errors, context } = await bench.newPage()
  await page.goto(`${own}/console/`)
  await page.getByRole('heading', { name: 'Make the first call' }).waitFor()
  expect((await context.cookies()).map(({ name, domain }) => [name, domain])).toEqual([
    ['__Host-toolyard', 'toolyard.localhost'],
  ])
  await page.goto(`http://localhost:${port}/`)
  expect(cookies.every((cookie) => !cookie.includes('toolyard'))).toBe(true)
  expect(cookies.length).toBeGreaterThan(0)
  expect(errors).toEqual([])
})

it('has lines for programs that know the name localhost alone, and works by that name', async () => {
  const { page } = await bench.newPage()
  for (const url of [bench.url, bench.url.replace('localhost', 'toolyard.localhost')]) {
    await page.goto(`${url}/console/`)
    await page.getByRole('heading', { name: 'Make the first call' }).waitFor()
    const lines = (await page.getByRole('main').locator('pre').allTextContents()).join('\n')
    expect(lines).toContain(`${bench.url}/v1/sessions`)
    expect(lines).not.toContain('toolyard.localhost')
  }
})
