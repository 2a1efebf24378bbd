import { describe, expect, it } from 'vitest'
import { askApi } from '../../../src/adapters/json-api.ts'
import { type Failure, FailureError } from '../../../src/core/failure.ts'
import type { Http } from '../../../src/ports/http.ts'
import { failureOf } from '../../support/failure-of.ts'

/** Port for HTTP whose every request fails so. */
const failing = (thrown: unknown): Http => {
  const refuse = async () => {
    throw thrown
  }
  return { fetch: refuse, stream: refuse } as unknown as Http
}
const { signal } = new AbortController()
const ask = (thrown: unknown) => askApi(failing(thrown), { url: 'https://api.example.com:8443/v1?key=secret' }, signal)
const failed = (code: Failure['code'], message: string) => new FailureError({ code, message })

describe('a service that cannot be reached', () => {
  it.each([
    'api.example.com cannot be reached; check the URL, or try again later',
    'there is no host named api.example.com; check the URL',
  ])('is said to be, without advice on a URL that the caller never gave: %s', async (message) => {
    const words =
      'api.example.com:8443 cannot be reached from this server; the call itself is right: try again later, or do without it'
    const thrown = failed('upstream', message)
    await expect(ask(thrown)).rejects.toMatchObject({ failure: { code: 'upstream', message: words } })
    const forOwner = `${words}. Check that the server may reach api.example.com:8443; `
    expect((await failureOf(ask(thrown))).message).toContain(forOwner)
  })

  it('keeps other failures, and the end of a call', async () => {
    expect(await failureOf(ask(failed('timeout', 'late')))).toMatchObject({ code: 'timeout', message: 'late' })
    await expect(ask(new Error('ended'))).rejects.toThrow('ended')
  })
})
