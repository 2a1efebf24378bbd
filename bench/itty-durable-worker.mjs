/**
 * One object's method by native RPC, and the same by itty-durable: `GET /native/500` calls it so many times, one call after
 * the other. `GET /arguments` says what arrives of arguments that are no JSON. Bundled by itty-durable.ts.
 */
import { DurableObject } from 'cloudflare:workers'
import { createDurable } from 'itty-durable/itty-durable.js'
import { proxyDurable } from 'itty-durable/proxy-durable.js'

const kinds = (values) => values.map((value) => (value === null ? 'null' : (value?.constructor?.name ?? typeof value)))

export class Native extends DurableObject {
  echo(text) {
    return text
  }

  kinds(...values) {
    return kinds(values)
  }
}

export class Itty extends createDurable() {
  echo(text) {
    return text
  }

  kinds(...values) {
    return kinds(values)
  }
}

export default {
  async fetch(request, env) {
    const [, by, count] = new URL(request.url).pathname.split('/')
    const native = env.NATIVE.getByName('one')
    // The stub has a `then`, so nothing may await it or return it.
    const itty = proxyDurable(env.ITTY, { parse: true }).get('one')
    if (by === 'arguments') {
      const values = [new Uint8Array(2), new Date(0), undefined]
      return Response.json({ native: await native.kinds(...values), itty: await itty.kinds(...values) })
    }
    for (let left = Number(count); left > 0; left--) {
      if (by === 'native') await native.echo('hello')
      else await itty.echo('hello')
    }
    return new Response()
  },
}
