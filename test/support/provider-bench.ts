import { chosenProviders } from '../../src/adapters/choose-provider.ts'
import type { PortName } from '../../src/adapters/provider.ts'
import { readConfig, VARIABLE_NAMES } from '../../src/config.ts'
import type { Failure } from '../../src/core/failure.ts'
import { tenantId } from '../../src/core/ids.ts'
import { outsidePorts } from '../../src/outside.ts'
import type { OutsidePorts } from '../../src/ports/index.ts'
import { failureOf } from './failure-of.ts'
import { jsonAnswer, type StandIn, type StandInAnswer, type StandInRequest, standIn } from './stand-in.ts'

const BINDINGS = { SESSIONS: {}, TENANTS: {}, LEASES: {}, CONNECTIONS: {}, BLOBS: {}, DB: {}, ASSETS: {} }

/** A key that no answer, error or path may show. */
export const KEY = 'key-of-the-operator'

/**
 * The ports of a server with these settings; all base URLs are those of one stand-in.
 * @param settings an empty one is the stand-in's URL
 */
export async function providerBench(
  settings: Readonly<Record<string, string>>,
  answer: (request: StandInRequest) => StandInAnswer,
): Promise<{
  readonly service: StandIn
  readonly outside: OutsidePorts
  /** Name of the provider that a port asks. */
  providerName(port: PortName): string | undefined
}> {
  const service = await standIn(answer)
  const urls = VARIABLE_NAMES.filter((name) => name.endsWith('_BASE_URL'))
  const bases = Object.fromEntries(urls.map((name) => [name, service.url]))
  const set = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value || service.url]))
  const config = readConfig({ ...BINDINGS, ...bases, ...set })
  return {
    service,
    outside: outsidePorts(config, tenantId('acme')),
    providerName: (port) => chosenProviders(port, config.providers)[0]?.name,
  }
}

/** The failure of `ask` in front of a service that answers everything with a status, and with the operator's key in its words. */
export function refusedBy(
  settings: Readonly<Record<string, string>>,
  ask: (outside: OutsidePorts) => Promise<unknown>,
) {
  return async (status: number, body: unknown = { message: `bad ${KEY}` }): Promise<Failure> =>
    failureOf(ask((await providerBench(settings, () => jsonAnswer(body, status))).outside), `status ${status}`)
}
