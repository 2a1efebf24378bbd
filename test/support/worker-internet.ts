import { gzipSync } from 'node:zlib'
import type { TestProject } from 'vitest/node'
import { bomb } from './bomb.ts'
import { dnsAnswer, type StandInAnswer, type StandInRequest, startStandIn } from './stand-in.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses of a site, as `host:port`, and of a resolver, for tests inside of workerd, which can start none. */
    readonly site: string
    readonly resolver: string
  }
}

/** Names that the resolver knows. */
export const NAMES = { 'private.example.com': ['10.0.0.5'], 'mixed.example.com': ['93.184.216.34', '::1'] }

export default async function (project: TestProject) {
  const [site, resolver] = await Promise.all([
    startStandIn(asSite),
    startStandIn((request) => dnsAnswer(NAMES, request)),
  ])
  project.provide('site', site.host)
  project.provide('resolver', resolver.url)
  return async () => {
    await Promise.all([site.stop(), resolver.stop()])
  }
}

/** A site with each kind of answer that a request must survive. */
export function asSite({ url, path, headers }: StandInRequest): StandInAnswer {
  switch (url.pathname) {
    case '/to':
      return { status: 302, headers: { location: url.searchParams.get('url') ?? '/' } }
    case '/gzip':
      return { headers: { 'content-encoding': 'gzip' }, body: gzipSync('unpacked') }
    case '/bomb':
      return { headers: { 'content-encoding': 'gzip' }, body: bomb(Buffer.alloc(100_000_000)) }
    case '/silent':
      return () => undefined
    case '/endless':
      return (response) => void response.writeHead(200).write('a')
    case '/cut':
      return (response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('only this')
        setTimeout(() => response.destroy(), 50)
      }
    default:
      return { body: JSON.stringify({ path, headers }) }
  }
}
