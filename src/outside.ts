import { dnsOverHttps } from './adapters/egress/dns-over-https.ts'
import { githubRest } from './adapters/github-rest.ts'
import { guardedHttp } from './adapters/http-guarded.ts'
import type { Config, EgressConfig } from './config.ts'
import type { Clock } from './ports/clock.ts'
import type { Http } from './ports/http.ts'
import type { OutsidePorts } from './ports/index.ts'

const clock: Clock = { now: () => Date.now() }
const send: typeof fetch = (input, init) => fetch(input, init)

/** What tools reach outside of this server, as the settings say. All of it goes through the guarded port. */
export function outsidePorts({ egress, github }: Config): OutsidePorts {
  return {
    http: guarded(egress),
    github: githubRest({ ...github, clock, http: guarded(egress, github.baseUrl) }),
  }
}

/** @param service an address that the operator set: it is reached wherever it is, by the adapter of this service alone */
function guarded(egress: EgressConfig, service?: string): Http {
  const { extraPorts, dangerouslyAllowHosts, dangerouslySkipDnsCheck, dnsResolverUrl } = egress
  const allowed = service === undefined ? dangerouslyAllowHosts : [...dangerouslyAllowHosts, hostAndPort(service)]
  return guardedHttp({
    policy: { extraPorts, dangerouslyAllowHosts: allowed },
    resolve: dangerouslySkipDnsCheck ? null : dnsOverHttps(dnsResolverUrl, send),
    send,
  })
}

function hostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
