import { describe, expect, it } from 'vitest'
import { instruction } from '../../../../src/adapters/openstreetmap/instruction.ts'
import { pause, publicHostLimit } from '../../../../src/adapters/openstreetmap/rate-limit.ts'
import { MAX_WAITING_MAP_REQUESTS, PUBLIC_MAP_PAUSE_MS } from '../../../../src/core/limits/web.ts'
import { failureOf } from '../../../support/failure-of.ts'
import { outsideBench } from '../../../support/outside-bench.ts'
import { jsonAnswer, type StandInRequest } from '../../../support/stand-in.ts'

const SETTINGS = { settings: { NOMINATIM_URL: '', OSRM_URL: '' } }
const KNOWN: Readonly<Record<string, readonly [number, number]>> = { Berlin: [52.5, 13.4], Hamburg: [53.55, 10] }

/** As Nominatim and OSRM answer; cafés stand north of the equator at so many metres from where one looks. */
function asOpenStreetMap({ url }: StandInRequest) {
  const q = url.searchParams.get('q') ?? ''
  if (url.pathname.startsWith('/route/')) {
    if (url.pathname.includes('13.4,52.5;13.4')) return jsonAnswer({ code: 'NoRoute', message: 'no' }, 400)
    const steps = [
      { name: 'Unter den Linden', maneuver: { type: 'depart', location: [13.4, 52.5] } },
      { name: '', ref: 'A 24', maneuver: { type: 'turn', modifier: 'slight left' } },
      { name: '', maneuver: { type: 'arrive', modifier: 'right' } },
    ]
    return jsonAnswer({ code: 'Ok', routes: [{ distance: 288_614.4, legs: [{ steps }] }] })
  }
  if (url.searchParams.has('viewbox')) {
    return jsonAnswer([place('Far', 900), place('Near', 100), place('Outside', 1_500), place('', 200)])
  }
  const known = KNOWN[q]
  return jsonAnswer(known ? [{ lat: `${known[0]}`, lon: `${known[1]}`, display_name: `${q}, Germany` }] : [])
}
const place = (name: string, metres: number) => ({
  lat: `${metres / 111_195}`,
  lon: '0.0',
  name,
  display_name: `${name || 'Kiosk'}, Street, Town`,
})

describe('the tools of maps, by OpenStreetMap', () => {
  it('know distance and way between two places, and take coordinates as they are', async () => {
    const bench = await outsideBench(asOpenStreetMap, SETTINGS)
    const way = { start: 'Berlin', end: 'Hamburg' }
    expect(await bench.data('map_distance', way)).toEqual({ distance: 288.614 })
    expect(await bench.call('map_route', { start: 'Berlin', end: '53.55, 10' })).toEqual({
      text: '1. Depart on Unter den Linden\n2. Turn slight left onto A 24\n3. Arrive, on the right',
      data: { route: ['Depart on Unter den Linden', 'Turn slight left onto A 24', 'Arrive, on the right'] },
    })
    expect(bench.service.requests.map(({ path }) => path)).toEqual([
      '/search?format=jsonv2&q=Berlin&limit=1',
      '/search?format=jsonv2&q=Hamburg&limit=1',
      '/route/v1/driving/13.4,52.5;10,53.55?overview=false&steps=true',
      '/search?format=jsonv2&q=Berlin&limit=1',
      '/route/v1/driving/13.4,52.5;10,53.55?overview=false&steps=true',
    ])
  })

  it('know where a place is, and name the program in each request', async () => {
    const bench = await outsideBench(asOpenStreetMap, SETTINGS)
    expect(await bench.data('map_coordinates', { location: 'Berlin' })).toEqual({ latitude: 52.5, longitude: 13.4 })
    expect(bench.service.requests[0]?.headers['user-agent']).toMatch(/^Toolyard\//)
  })

  it('find places within the radius, the nearest first', async () => {
    const bench = await outsideBench(asOpenStreetMap, SETTINGS)
    const { place: found } = await bench.data('map_nearby', {
      search_term: 'café',
      latitude: 0,
      longitude: 0,
      radius: 1_000,
    })
    expect(found).toEqual([
      { name: 'Near', address: 'Near, Street, Town' },
      { name: 'Kiosk', address: 'Kiosk, Street, Town' },
      { name: 'Far', address: 'Far, Street, Town' },
    ])
    expect(bench.service.requests[0]?.url.searchParams.get('viewbox')).toBe('-0.008983,0.008983,0.008983,-0.008983')
  })

  it('say what they do not know', async () => {
    const bench = await outsideBench(asOpenStreetMap, SETTINGS)
    for (const [tool, args, word] of [
      ['map_coordinates', { location: 'Nowhere' }, '"Nowhere"'],
      ['map_distance', { start: 'Berlin', end: 'Atlantis' }, '"Atlantis"'],
      ['map_route', { start: 'Berlin', end: '0,13.4' }, '"0,13.4"'],
      ['map_route', { start: 'Berlin', end: '91,13.4' }, '"91,13.4"'],
    ] as const) {
      expect(await bench.failure(tool, args)).toMatchObject({
        code: 'not_found',
        message: expect.stringContaining(word),
      })
    }
  })

  it.each([
    [500, '{}', 'status 500'],
    [403, 'blocked', 'status 403'],
    [200, '<html>', 'not understood'],
    [200, '[{"lat":"91","lon":"0","display_name":"x"}]', 'not understood'],
    [302, '', 'status 302'],
  ])('fail where the service answers %s %s', async (status, body, message) => {
    const bench = await outsideBench(() => ({ status, body, headers: { location: 'http://10.0.0.1/' } }), SETTINGS)
    const failure = await bench.failure('map_coordinates', { location: 'Berlin' })
    expect(failure).toMatchObject({ code: 'upstream', message: expect.stringContaining(message) })
  })

  it('ask OpenStreetMap where it is set up, and the other one where that is named', async () => {
    const both = { BING_MAP_KEY: 'k', BING_MAP_BASE_URL: '', ...SETTINGS.settings }
    const pathWith = async (settings: Record<string, string>) => {
      const bench = await outsideBench(() => ({ status: 500 }), { settings })
      await bench.failure('map_coordinates', { location: 'Berlin' })
      return bench.service.requests[0]?.url.pathname
    }
    expect(await pathWith(both)).toBe('/search')
    expect(await pathWith({ ...both, MAPS_PROVIDER: 'bing' })).toBe('/Locations')
    expect(await pathWith({ NOMINATIM_URL: '', BING_MAP_KEY: 'k', BING_MAP_BASE_URL: '' })).toBe('/Locations')
  })

  it('that are not set up name both ways to the owner of the server', async () => {
    const bench = await outsideBench(() => ({ status: 500 }))
    const { message } = await bench.failure('map_coordinates', { location: 'Berlin' })
    expect(message).toMatch(/BING_MAP_KEY.*NOMINATIM_URL with OSRM_URL/)
  })
})

describe('requests to a public server of maps', () => {
  const PUBLIC = 'https://nominatim.openstreetmap.org/search'
  const { signal } = new AbortController()

  it('go one per second, whoever makes them, and those to other hosts at once', async () => {
    let now = 5_000
    const waits: number[] = []
    const limit = publicHostLimit(
      () => now,
      async (ms) => void waits.push(ms),
    )
    for (const url of [PUBLIC, PUBLIC, 'https://maps.example/search', 'https://router.project-osrm.org/', PUBLIC])
      await limit.pass(url, signal)
    expect(waits).toEqual([PUBLIC_MAP_PAUSE_MS, 2 * PUBLIC_MAP_PAUSE_MS])
    now += 10 * PUBLIC_MAP_PAUSE_MS
    await limit.pass(PUBLIC, signal)
    expect(waits).toHaveLength(2)
  })

  it('are refused when too many wait', async () => {
    const limit = publicHostLimit(
      () => 0,
      async () => undefined,
    )
    for (let n = 0; n <= MAX_WAITING_MAP_REQUESTS; n++) await limit.pass(PUBLIC, signal)
    expect(await failureOf(limit.pass(PUBLIC, signal))).toMatchObject({ code: 'limit_exceeded' })
  })

  it('wait no longer than their call', async () => {
    const stopped = new AbortController()
    const limit = publicHostLimit(() => 0, pause)
    await limit.pass(PUBLIC, stopped.signal)
    const waiting = limit.pass(PUBLIC, stopped.signal)
    stopped.abort(new Error('the call is over'))
    await expect(waiting).rejects.toThrow('the call is over')
  })
})

it.each([
  [{ type: 'turn', modifier: 'right' }, 'Main Street', 'Turn right onto Main Street'],
  [{ type: 'new name', modifier: 'straight' }, 'B 5', 'Continue on B 5'],
  [{ type: 'continue', modifier: 'uturn' }, '', 'Turn around'],
  [{ type: 'roundabout', exit: 2, modifier: 'right' }, 'Ring', 'Take exit 2 of the roundabout onto Ring'],
  [{ type: 'rotary' }, '', 'Enter the roundabout'],
  [{ type: 'exit roundabout' }, 'Ring', 'Leave the roundabout onto Ring'],
  [{ type: 'fork', modifier: 'slight left' }, '', 'Keep left'],
  [{ type: 'on ramp', modifier: 'right' }, 'A 1', 'Take the ramp onto A 1'],
  [{ type: 'off ramp' }, '', 'Take the exit'],
  [{ type: 'merge' }, 'A 1', 'Merge onto A 1'],
  [{ type: 'arrive' }, '', 'Arrive'],
  [{ type: 'something new' }, '', 'Continue'],
])('a step %j along %j reads "%s"', (maneuver, road, sentence) => {
  expect(instruction(maneuver, road)).toBe(sentence)
})
