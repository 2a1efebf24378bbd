import { dnsOverHttps, resolveBy } from '../../src/adapters/egress/dns-over-https.ts'
import { guardedHttp } from '../../src/adapters/http-guarded.ts'
import { dnsAnswer, standIn } from '../support/stand-in.ts'
import { asSite, NAMES } from '../support/worker-internet.ts'
import { httpContract } from './http.ts'

httpContract('over Node', async () => {
  const [site, resolver] = [await standIn(asSite), await standIn((request) => dnsAnswer(NAMES, request))]
  const policy = { extraPorts: [], dangerouslyAllowHosts: [site.host] }
  return {
    site: site.host,
    http: guardedHttp({ policy, resolve: resolveBy(dnsOverHttps(resolver.url, fetch)), send: fetch }),
  }
})
