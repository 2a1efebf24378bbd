import * as z from 'zod'
import { fail } from '../core/failure.ts'
import { MAX_NEARBY_PLACES } from '../core/limits/web.ts'
import { optionalBaseUrl } from '../core/settings.ts'
import type { Http } from '../ports/http.ts'
import type { Coordinates, Maps } from '../ports/maps.ts'
import { askApi, understood } from './json-api.ts'
import { instruction } from './openstreetmap/instruction.ts'
import { pause, publicHostLimit, type RateLimit } from './openstreetmap/rate-limit.ts'
import { provider } from './provider.ts'
import { refuseStatus } from './service-error.ts'

/** Limit of the public servers, one per isolate: their rules count a server's requests, not a tenant's. */
const PUBLIC_LIMIT = publicHostLimit(() => Date.now(), pause)

export const mapsOpenStreetMap = provider({
  name: 'openstreetmap',
  port: 'maps',
  about:
    'OpenStreetMap: places by a Nominatim, routes by an OSRM, no keys. The public ones are `https://nominatim.openstreetmap.org` and `https://router.project-osrm.org`, for light use by [their rules](https://operations.osmfoundation.org/policies/nominatim/)',
  settings: { NOMINATIM_URL: optionalBaseUrl, OSRM_URL: optionalBaseUrl },
  needs: ['NOMINATIM_URL', 'OSRM_URL'],
  make: ({ NOMINATIM_URL, OSRM_URL }, { http }) =>
    openStreetMap({
      limit: PUBLIC_LIMIT,
      places: { url: NOMINATIM_URL, http: http(NOMINATIM_URL) },
      routes: { url: OSRM_URL, http: http(OSRM_URL) },
    }),
})

interface Service {
  readonly url: string
  readonly http: Http
}

/** Headers that Nominatim's rules want: the program's name, and a way to its authors. */
const HEADERS = { 'User-Agent': 'Toolyard/0.1 (tool server for LLM agents)', 'Accept-Language': 'en' }

const degrees = (most: number) => z.coerce.number().min(-most).max(most)
const Places = z.array(
  z.object({ lat: degrees(90), lon: degrees(180), display_name: z.string(), name: z.string().nullish() }),
)
const Routes = z.object({
  routes: z
    .array(
      z.object({
        distance: z.number(),
        legs: z.array(
          z.object({
            steps: z.array(
              z.object({
                name: z.string().default(''),
                ref: z.string().optional(),
                maneuver: z.object({
                  type: z.string(),
                  modifier: z.string().optional(),
                  exit: z.number().optional(),
                }),
              }),
            ),
          }),
        ),
      }),
    )
    .default([]),
})

/**
 * Places by Nominatim, routes by OSRM. Neither takes a key.
 * @see https://nominatim.org/release-docs/latest/api/Search/ and https://project-osrm.org/docs/v5.24.0/api/
 */
function openStreetMap({
  places,
  routes,
  limit,
}: {
  readonly places: Service
  readonly routes: Service
  readonly limit: RateLimit
}): Maps {
  async function ask({ url, http }: Service, path: string, signal: AbortSignal) {
    await limit.pass(url, signal)
    return askApi(http, { url: `${url}${path}`, headers: HEADERS }, signal)
  }

  async function search(parameters: Readonly<Record<string, string>>, signal: AbortSignal) {
    const query = new URLSearchParams({ format: 'jsonv2', ...parameters })
    const { status, json } = await ask(places, `/search?${query}`, signal)
    refuseStatus(status, 'Nominatim', null)
    return understood(Places, json, 'Nominatim').map(({ lat, lon, ...place }) => ({
      ...place,
      latitude: lat,
      longitude: lon,
    }))
  }

  async function locate(place: string, signal: AbortSignal): Promise<Coordinates> {
    const given = coordinatesIn(place)
    if (given !== null) return given
    const [found] = await search({ q: place, limit: '1' }, signal)
    if (!found) fail('not_found', `OpenStreetMap does not know ${shown(place)}; write the place out, with its country`)
    return { latitude: found.latitude, longitude: found.longitude }
  }

  return {
    locate: (place, _key, signal) => locate(place, signal),

    async route(start, end, _key, signal) {
      const [from, to] = [await locate(start, signal), await locate(end, signal)]
      const points = [from, to].map(({ latitude, longitude }) => `${longitude},${latitude}`).join(';')
      const { status, json } = await ask(routes, `/route/v1/driving/${points}?overview=false&steps=true`, signal)
      // OSRM also answers 400 for two places that no road joins.
      if (status !== 400) refuseStatus(status, 'OSRM', null)
      const [route] = understood(Routes, json, 'OSRM').routes
      if (!route) fail('not_found', `OpenStreetMap knows no way by car from ${shown(start)} to ${shown(end)}`)
      const steps = route.legs.flatMap(({ steps }) => steps)
      return {
        kilometres: Math.round(route.distance) / 1_000,
        steps: steps.map(({ maneuver, name, ref = '' }) => instruction(maneuver, name || ref)),
      }
    },

    async nearby(term, { radius, ...middle }, _key, signal) {
      const found = await search(
        { q: term, viewbox: boxAround(middle, radius), bounded: '1', limit: `${MAX_NEARBY_PLACES}` },
        signal,
      )
      return found
        .map((place) => ({ ...place, metres: metresBetween(middle, place) }))
        .filter(({ metres }) => metres <= radius)
        .sort((a, b) => a.metres - b.metres)
        .map(({ name, display_name }) => ({
          name: name || (display_name.split(',', 1)[0] ?? ''),
          address: display_name,
        }))
    },
  }
}

/** Coordinates in a text like `52.5, 13.4`; null for any other text. */
function coordinatesIn(place: string): Coordinates | null {
  const [latitude, longitude, ...more] = place
    .split(',')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if (latitude === undefined || longitude === undefined || more.length > 0) return null
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

const METRES_PER_DEGREE = 111_320

/** Box around the circle, as `left,top,right,bottom`. */
function boxAround({ latitude, longitude }: Coordinates, radius: number): string {
  const high = Math.min(radius / METRES_PER_DEGREE, 90)
  const wide = Math.min(high / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01), 180)
  const [left, right] = [Math.max(longitude - wide, -180), Math.min(longitude + wide, 180)]
  const [bottom, top] = [Math.max(latitude - high, -90), Math.min(latitude + high, 90)]
  return [left, top, right, bottom].map((value) => value.toFixed(6)).join(',')
}

/** Distance on a sphere, which is right to half of a percent. */
function metresBetween(a: Coordinates, b: Coordinates): number {
  const [from, to] = [(a.latitude * Math.PI) / 180, (b.latitude * Math.PI) / 180]
  const [up, along] = [to - from, ((b.longitude - a.longitude) * Math.PI) / 180]
  const half = Math.sin(up / 2) ** 2 + Math.cos(from) * Math.cos(to) * Math.sin(along / 2) ** 2
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(half)))
}

const shown = (place: string) => JSON.stringify(place.slice(0, 100))
