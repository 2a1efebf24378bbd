import { dnsAnswer, type StandInAnswer, type StandInRequest } from '../../support/stand-in.ts'

/** A site, services behind tools, and a resolver that knows no other host than example.com. */
export function asSite(request: StandInRequest): StandInAnswer {
  switch (request.url.pathname) {
    case '/dns-query':
      return dnsAnswer({ 'example.com': ['93.184.215.14'] }, request)
    case '/image':
      return { headers: { 'Content-Type': 'image/png' }, body: 'png' }
    case '/robots.txt':
      return { body: 'User-agent: *\nDisallow: /secret\n' }
    case '/text':
      return { body: 'hello' }
    case '/list':
      return { headers: { 'Content-Type': 'application/json' }, body: '[1]' }
    case '/moved':
      return { status: 302, headers: { Location: '/text' } }
    case '/broken':
      return { status: 500, body: 'out of order' }
    case '/never':
      return () => undefined
    default:
      return { status: 404, body: 'gone' }
  }
}
