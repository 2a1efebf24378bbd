import { describe, expect, it } from 'vitest'
import type { OutsidePorts } from '../../src/ports/index.ts'
import { failureOf } from '../support/failure-of.ts'
import { KEY, providerBench, refusedBy } from '../support/provider-bench.ts'
import { jsonAnswer } from '../support/stand-in.ts'
import { type MapsStandIn, WORLD } from './maps-stand-ins.ts'

const { signal } = new AbortController()
const locate = ({ maps }: OutsidePorts) => maps.locate('Berlin', null, signal)
const [latitude, longitude] = WORLD.towns.Berlin
const around = { latitude, longitude, radius: 1_000 }

/** What every {@link OutsidePorts.maps} does, in front of a stand-in for its service. */
export function mapsContract(standIn: MapsStandIn): void {
  const { name, provider, settings, answer, keyIn, refusal } = standIn
  const open = async () => (await providerBench(settings, answer)).outside.maps

  describe(`maps by ${name}`, () => {
    it('are asked where its settings are', async () => {
      const bench = await providerBench(settings, answer)
      expect(bench.providerName('maps')).toBe(provider)
      await locate(bench.outside)
      expect(bench.service.requests).toHaveLength(1)
    })

    it('know where a place is, and say of an unknown one that they do not', async () => {
      const maps = await open()
      expect(await maps.locate('Berlin', null, signal)).toEqual({ latitude, longitude })
      expect(await failureOf(maps.locate('Atlantis', null, signal))).toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('"Atlantis"'),
      })
    })

    it('know distance and way by car, and say where there is none', async () => {
      const maps = await open()
      const { kilometres, steps } = await maps.route('Berlin', 'Hamburg', null, signal)
      expect(kilometres).toBe(WORLD.kilometres)
      expect(steps).toEqual([expect.stringMatching(/^Depart/), expect.stringMatching(/^Arrive/)])
      for (const end of ['Reykjavik', 'Atlantis']) {
        expect(await failureOf(maps.route('Berlin', end, null, signal))).toMatchObject({
          code: 'not_found',
          message: expect.stringContaining(`"${end}"`),
        })
      }
    })

    it('find what is near, the nearest first, and may find nothing', async () => {
      const maps = await open()
      expect(await maps.nearby('cafe', around, null, signal)).toEqual(
        Object.keys(WORLD.cafes).map((cafe) => ({ name: cafe, address: `${cafe}, a street` })),
      )
      expect(await maps.nearby('lighthouse', around, null, signal)).toEqual([])
    })

    it('go by the key of the tenant before that of the operator, and by none where they take none', async () => {
      const { outside, service } = await providerBench(settings, answer)
      await outside.maps.locate('Berlin', 'key-of-the-tenant', signal)
      await locate(outside)
      const [given, own] = service.requests
      expect([given, own].map((request) => request && keyIn?.(request))).toEqual(
        keyIn ? ['key-of-the-tenant', KEY] : [undefined, undefined],
      )
      if (!keyIn) expect(given?.path).not.toContain('key-of-the-tenant')
    })

    it('say what to do when they are refused, too fast, away or odd, and never the key', async () => {
      const refused = refusedBy(settings, locate)
      expect(await refused(403)).toMatchObject({ code: 'upstream', message: expect.stringMatching(refusal) })
      expect(await refused(429)).toMatchObject({ code: 'limit_exceeded' })
      expect(await refused(500)).toMatchObject({ code: 'upstream', message: expect.stringContaining('500') })
      expect(await refused(200, 'odd')).toMatchObject({
        code: 'upstream',
        message: expect.stringContaining('not understood'),
      })
      expect(JSON.stringify([await refused(403), await refused(500)])).not.toContain(KEY)
      const empty = await providerBench(settings, () => jsonAnswer(keyIn ? { resourceSets: [] } : []))
      expect(await failureOf(locate(empty.outside))).toMatchObject({ code: 'not_found' })
    })
  })
}
