import { describe, expect, it } from 'vitest'
import type { Browser } from '../../src/ports/browser.ts'
import { failureOf } from '../support/failure-of.ts'
import { KEY, providerBench } from '../support/provider-bench.ts'
import { jsonAnswer, type StandInAnswer } from '../support/stand-in.ts'

/** A service that has a browser, as it answers a server that has its settings. */
interface BrowserStandIn {
  /** As `src/adapters/providers.ts` has it. */
  readonly provider: string
  readonly settings: Readonly<Record<string, string>>
  readonly answer: (html: string) => StandInAnswer
  /** The request for `https://example.com/`. */
  readonly expectedRequest: object
  /** The setting that an error names when the service refuses. */
  readonly variable: string
}

const { signal } = new AbortController()
const render = ({ browser }: { readonly browser: Browser }) => browser.render('https://example.com/', signal)

/** What every {@link Browser} does, in front of a stand-in for its service. */
export function browserContract(
  name: string,
  { provider, settings, answer, expectedRequest, variable }: BrowserStandIn,
): void {
  describe(`a browser: ${name}`, () => {
    it('gives the page as it is after its scripts', async () => {
      const bench = await providerBench(settings, () => answer('<p>x</p>'))
      expect(bench.providerName('browser')).toBe(provider)
      expect(await render(bench.outside)).toBe('<p>x</p>')
      expect(bench.service.requests[0]).toMatchObject(expectedRequest)
    })

    it('that refuses says which setting to look at, and never shows the key', async () => {
      const { outside } = await providerBench(settings, () => jsonAnswer({ errors: [KEY] }, 403))
      const { message } = await failureOf(render(outside))
      expect(message).toContain(variable)
      expect(message).not.toContain(KEY)
    })

    it('that is too busy, away or odd is said to be', async () => {
      const failing = async (status: number, body: unknown) =>
        failureOf(render((await providerBench(settings, () => jsonAnswer(body, status))).outside))
      expect(await failing(429, {})).toMatchObject({ code: 'limit_exceeded' })
      expect(await failing(500, {})).toMatchObject({ code: 'upstream' })
      expect(await failing(200, 'odd')).toMatchObject({ code: 'upstream' })
    })
  })
}
