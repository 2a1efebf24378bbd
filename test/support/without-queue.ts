import type { Plugin } from 'vitest/config'
import { LONE_REQUEST_SLOTS } from '../../src/core/limits/admission.ts'

/**
 * Plugin that gives tests inside workerd the slots of a lone tenant also while several tenants have requests, so that none waits in its
 * tenant's queue. Vitest's plugin of Cloudflare runs them with `no_handle_cross_request_promise_resolution`: a request whose turn another one
 * grants goes on in the context of that one, where its timers end with the other's answer, so it waits for ever. In production, and on a
 * local server, it goes on in its own.
 */
export const withoutQueue: Plugin = {
  name: 'without-queue',
  transform(code, id) {
    if (!id.endsWith('/src/core/limits/admission.ts')) return
    const changed = code.replace(/\bLOCAL_REQUEST_SLOTS = \d+/, `LOCAL_REQUEST_SLOTS = ${LONE_REQUEST_SLOTS}`)
    if (changed === code) throw new Error('LOCAL_REQUEST_SLOTS is not where it is looked for')
    return { code: changed, map: null }
  },
}
