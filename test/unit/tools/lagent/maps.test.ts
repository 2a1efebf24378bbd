import { describe, expect, it } from 'vitest'
import { outsideBench } from '../../../support/outside-bench.ts'
import { jsonAnswer, type StandInRequest } from '../../../support/stand-in.ts'

const OPERATOR = { settings: { BING_MAP_KEY: 'key-of-the-operator' } }
const resources = (...found: unknown[]) =>
  jsonAnswer({ resourceSets: [{ estimatedTotal: found.length, resources: found }] })

function asBing({ url }: StandInRequest) {
  switch (url.pathname) {
    case '/REST/V1/Routes/Driving':
      if (url.searchParams.get('wp.1') === 'Atlantis') return jsonAnswer({ errorDetails: ['no'] }, 404)
      return resources({
        travelDistance: 288.61,
        routeLegs: [
          { itineraryItems: [{ instruction: { text: 'Depart' } }, {}, { instruction: { text: 'Turn left, 左转' } }] },
        ],
      })
    case '/REST/V1/Locations':
      return url.searchParams.get('query') === 'Nowhere'
        ? resources()
        : resources({ point: { type: 'Point', coordinates: [52.5162, 13.3777] } })
    default:
      return resources(...numbers(9).map((at) => ({ name: `N${at}`, Address: { formattedAddress: `A${at}` } })))
  }
}
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
const queryOf = (bench: { service: { requests: readonly StandInRequest[] } }) =>
  Object.fromEntries(bench.service.requests.at(-1)?.url.searchParams ?? [])

describe('the tools of maps', () => {
  it('know distance and way between two places', async () => {
    const bench = await outsideBench(asBing, OPERATOR)
    const way = { start: 'Berlin & Mitte', end: 'Hamburg' }
    expect(await bench.data('map_distance', way)).toEqual({ distance: 288.61 })
    expect(queryOf(bench)).toEqual({
      o: 'json',
      'wp.0': 'Berlin & Mitte',
      'wp.1': 'Hamburg',
      distanceUnit: 'km',
      key: 'key-of-the-operator',
    })
    expect(await bench.call('map_route', way)).toEqual({
      text: '1. Depart\n2. Turn left, 左转',
      data: { route: ['Depart', 'Turn left, 左转'] },
    })
  })

  it('know where a place is', async () => {
    const bench = await outsideBench(asBing, OPERATOR)
    expect(await bench.data('map_coordinates', { location: 'Brandenburg Gate' })).toEqual({
      latitude: 52.5162,
      longitude: 13.3777,
    })
  })

  it('find five places around a point, or around a place by its name', async () => {
    const bench = await outsideBench(asBing, OPERATOR)
    const { place } = await bench.data('map_nearby', {
      search_term: 'coffee',
      latitude: '-1.5',
      longitude: 2,
      radius: 300,
    })
    expect(place).toEqual(numbers(5).map((at) => ({ name: `N${at}`, address: `A${at}` })))
    expect(queryOf(bench)).toMatchObject({ query: 'coffee', userCircularMapView: '-1.5,2,300' })
    await bench.data('map_nearby', { search_term: 'coffee', places: 'Brandenburg Gate' })
    expect(queryOf(bench)).toMatchObject({ userCircularMapView: '52.5162,13.3777,5000' })
  })

  it('say what they do not know', async () => {
    const bench = await outsideBench(asBing, OPERATOR)
    expect(await bench.failure('map_distance', { start: 'Berlin', end: 'Atlantis' })).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('"Atlantis"'),
    })
    expect(await bench.failure('map_coordinates', { location: 'Nowhere' })).toMatchObject({ code: 'not_found' })
    expect(await bench.failure('map_nearby', { search_term: 'x', places: 'Nowhere' })).toMatchObject({
      code: 'not_found',
    })
    expect(await bench.failure('map_nearby', { search_term: 'x', latitude: 91 })).toMatchObject({
      code: 'invalid_input',
    })
  })

  it("prefer the tenant's key, and name the setting where there is none", async () => {
    const own = await outsideBench(asBing, { ...OPERATOR, secrets: { BING_MAP_KEY: 'key-of-the-tenant' } })
    await own.data('map_distance', { start: 'a', end: 'b' })
    expect(queryOf(own)).toMatchObject({ key: 'key-of-the-tenant' })
    const failure = await (await outsideBench(asBing)).failure('map_distance', { start: 'a', end: 'b' })
    expect(failure).toMatchObject({ code: 'upstream', message: expect.stringContaining('BING_MAP_KEY') })
  })

  it.each([
    [401, '{}', 'refuses the key in BING_MAP_KEY'],
    [500, 'key-of-the-operator', 'status 500'],
    [200, '<html>', 'not understood'],
    [200, '{"resourceSets":[{"resources":[{"travelDistance":"far"}]}]}', 'not understood'],
    [
      200,
      '{"resourceSets":[{"resources":[{"travelDistance":1,"routeLegs":[{"itineraryItems":[{"instruction":7}]}]}]}]}',
      'not understood',
    ],
    [200, '[[[[[]]]]]', 'not understood'],
    [302, '', 'status 302'],
  ])('fail where the service answers %s %s, and never show the key', async (status, body, message) => {
    const bench = await outsideBench(() => ({ status, body, headers: { location: 'http://10.0.0.1/' } }), OPERATOR)
    const failure = await bench.failure('map_route', { start: 'a', end: 'b' })
    expect(failure).toMatchObject({ code: 'upstream', message: expect.stringContaining(message) })
    expect(JSON.stringify(failure)).not.toContain('key-of-the-operator')
  })
})
