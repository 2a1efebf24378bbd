import { readConfig } from '../../src/config.ts'
import { tenantId } from '../../src/core/ids.ts'
import { outsidePorts } from '../../src/outside.ts'
import { catalog } from '../../src/tools/catalog.ts'
import { READER_HERE } from './reader-here.ts'
import { type StandIn, type StandInAnswer, type StandInRequest, standIn } from './stand-in.ts'
import { toolbench } from './toolbench.ts'

const BINDINGS = { SESSIONS: {}, TENANTS: {}, LEASES: {}, CONNECTIONS: {}, BLOBS: {}, DB: {}, ASSETS: {} }

/**
 * A {@link toolbench} with the real adapters, in front of one stand-in for all services and sites.
 * @param settings an empty one is the stand-in's URL
 */
export async function outsideBench(
  answer: (request: StandInRequest) => StandInAnswer,
  { settings = {}, secrets = {} }: { settings?: Record<string, string>; secrets?: Record<string, string> } = {},
): Promise<ReturnType<typeof toolbench> & { readonly service: StandIn }> {
  const service = await standIn(answer)
  const config = readConfig({
    ...BINDINGS,
    ARXIV_BASE_URL: service.url,
    BING_MAP_BASE_URL: `${service.url}/REST/V1`,
    SERPAPI_BASE_URL: service.url,
    SERPER_BASE_URL: service.url,
    DANGEROUSLY_ALLOW_HOSTS: service.host,
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value || service.url])),
  })
  return {
    ...toolbench(catalog, {}, { ...outsidePorts(config, tenantId('acme')), reader: READER_HERE }, secrets),
    service,
  }
}
