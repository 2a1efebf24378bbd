import * as z from 'zod'
import { fail } from '../core/failure.ts'
import { operator, say } from '../core/saying/saying.ts'
import { optional, serviceUrl } from '../core/settings.ts'
import type { Http } from '../ports/http.ts'
import type { Maps } from '../ports/maps.ts'
import { askApi, understood } from './json-api.ts'
import { provider } from './provider.ts'
import { refuseStatus } from './service-error.ts'

const WHO = 'Bing Maps'

/** The requested values, which lie in the first set of resources; a search without results has none. */
const found = <S extends z.ZodType>(resource: S) =>
  z.object({ resourceSets: z.array(z.object({ resources: z.array(resource) })) })

const Routes = found(
  z.object({
    travelDistance: z.number(),
    routeLegs: z
      .array(
        z.object({
          itineraryItems: z.array(z.object({ instruction: z.object({ text: z.string() }).optional() })),
        }),
      )
      .default([]),
  }),
)
const Locations = found(
  z.object({ point: z.object({ coordinates: z.tuple([z.number(), z.number()]).rest(z.number()) }) }),
)
const Places = found(z.object({ name: z.string(), Address: z.object({ formattedAddress: z.string() }) }))

export const mapsBing = provider({
  name: 'bing',
  port: 'maps',
  about: "Bing Maps, which Microsoft retires: for keys that still work; a tenant's secret `BING_MAP_KEY` comes first",
  settings: { BING_MAP_KEY: optional, BING_MAP_BASE_URL: serviceUrl('https://dev.virtualearth.net/REST/V1') },
  // No setting is needed: tenants may have keys of their own.
  needs: [],
  make: ({ BING_MAP_KEY, BING_MAP_BASE_URL }, { http, waysToSetUp }) =>
    bingMaps({ http: http(BING_MAP_BASE_URL), baseUrl: BING_MAP_BASE_URL, apiKey: BING_MAP_KEY, waysToSetUp }),
})

/** @see https://learn.microsoft.com/bingmaps/rest-services/ */
function bingMaps(options: {
  readonly http: Http
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly waysToSetUp: () => string
}): Maps {
  async function ask<R>(
    schema: z.ZodType<{ resourceSets: { resources: R[] }[] }>,
    path: string,
    parameters: Readonly<Record<string, string>>,
    given: string | null,
    signal: AbortSignal,
  ): Promise<R[]> {
    const key = given ?? options.apiKey
    if (key === null) fail('upstream', noKey(options.waysToSetUp()))
    const query = new URLSearchParams({ o: 'json', ...parameters, key })
    const { status, json } = await askApi(options.http, { url: `${options.baseUrl}/${path}?${query}` }, signal)
    // Bing's status for a place or a way that it does not know.
    if (status === 404) return []
    refuseStatus(status, WHO, 'BING_MAP_KEY')
    return understood(schema, json, WHO).resourceSets[0]?.resources ?? []
  }

  return {
    async route(start, end, key, signal) {
      const way = { 'wp.0': start, 'wp.1': end, distanceUnit: 'km' }
      const [route] = await ask(Routes, 'Routes/Driving', way, key, signal)
      if (!route)
        fail('not_found', `${WHO} knows no way by car from ${shown(start)} to ${shown(end)}; write the places out`)
      const steps = route.routeLegs[0]?.itineraryItems.flatMap(({ instruction }) => instruction?.text ?? []) ?? []
      return { kilometres: route.travelDistance, steps }
    },

    async locate(place, key, signal) {
      const [location] = await ask(Locations, 'Locations', { query: place }, key, signal)
      if (!location) fail('not_found', `${WHO} does not know ${shown(place)}; write the place out, with its country`)
      const [latitude, longitude] = location.point.coordinates
      return { latitude, longitude }
    },

    async nearby(term, { latitude, longitude, radius }, key, signal) {
      const around = { query: term, userCircularMapView: `${latitude},${longitude},${radius}` }
      const places = await ask(Places, 'LocalSearch', around, key, signal)
      return places.map(({ name, Address }) => ({ name, address: Address.formattedAddress }))
    },
  }
}

const shown = (place: string) => JSON.stringify(place.slice(0, 100))

const noKey = (others: string) =>
  say`maps are not available on this server; do without them${operator(
    `. There is no BING_MAP_KEY: set it, or keep a secret of that name; or set ${others}`,
  )}`
